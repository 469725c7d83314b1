// Cuts the font of the pages from its package: Latin-1 and the signs that font.css names, weights 400 to 800. Run it after
// the package has changed; the file is kept in git, since cutting takes seconds.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

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
const cut = await subsetFont(whole, letters.join(''), {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 800 } },
});
writeFileSync(`${root}public/assets/terse-grotesque.woff2`, cut);
writeFileSync(`${root}public/assets/terse-grotesque.LICENSE.txt`, readFileSync(`${folder}LICENSE`));
