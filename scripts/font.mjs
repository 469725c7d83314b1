// Cuts the font of the pages from its package: Latin-1 and the signs that font.css names, weights 400 to 800; and writes
// the outlines of its letters, for the texts beside QR codes. Run it after the package has changed; the files are kept in
// git, since cutting takes seconds.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Blob, Face, Font, Variation } from 'harfbuzzjs';
import subsetFont from 'subset-font';
import { PARTS_OF_AN_EM } from '../src/links/qr/letters.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}node_modules/@fontsource-variable/bricolage-grotesque/`;
const [, ranges] = /unicode-range:([^;]+);/.exec(readFileSync(`${root}src/design/font.css`, 'utf8'));
const letters = ranges.split(',').flatMap((range) => {
  const [first, last = first] = range
    .trim()
    .slice(2)
    .split('-')
    .map((point) => Number.parseInt(point, 16));
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
});
const whole = readFileSync(`${folder}files/bricolage-grotesque-latin-wght-normal.woff2`);
const cutAs = (targetFormat) =>
  subsetFont(whole, letters.join(''), { targetFormat, variationAxes: { wght: { min: 400, max: 800 } } });
writeFileSync(`${root}public/assets/terse-grotesque.woff2`, await cutAs('woff2'));
writeFileSync(`${root}public/assets/terse-grotesque.LICENSE.txt`, readFileSync(`${folder}LICENSE`));

// Whole numbers of these parts of an em are small enough for print; the font has a thousand.
const scaled = (number) => Math.round((Number(number) * PARTS_OF_AN_EM) / 1000);

const face = new Face(new Blob(await cutAs('truetype')));
const font = new Font(face);
font.setVariations([new Variation('wght', 700)]);

/** An outline of absolute lines and quadratic curves as a path of SVG, upwards negative, with relative ones. */
function shorten(outline) {
  let path = '';
  let [x, y] = [0, 0];
  for (const [, command, numbers] of outline.matchAll(/([MLQZ])([^MLQZ]*)/g)) {
    if (command === 'Z') continue;
    const places = [...numbers.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, across, up]) => [
      scaled(across),
      -scaled(up),
    ]);
    const [toX, toY] = places.at(-1);
    if (command === 'L' && toX === x && toY === y) continue;
    if (command === 'L' && toX === x) path += `v${toY - y}`;
    else if (command === 'L' && toY === y) path += `h${toX - x}`;
    else
      path += `${command.toLowerCase()}${places
        .flatMap(([across, down]) => [across - x, down - y])
        .join(' ')
        .replaceAll(' -', '-')}`;
    [x, y] = [toX, toY];
  }
  return path;
}

const outlines = letters
  .filter((letter) => font.nominalGlyph(letter.codePointAt(0)) !== undefined)
  .map((letter) => {
    const glyph = font.nominalGlyph(letter.codePointAt(0));
    return `  ${JSON.stringify(letter)}: [${scaled(font.glyphHAdvance(glyph))}, "${shorten(font.glyphToPath(glyph))}"]`;
  });
writeFileSync(`${root}public/assets/letters.json`, `{\n${outlines.join(',\n')}\n}\n`);
