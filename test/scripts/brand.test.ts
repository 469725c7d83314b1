import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { readBrandLogo } from '../../scripts/brand-logo.mjs';
import { contrastOf, readColour, WHITE, type Rgb } from '../../src/config/colour.ts';
import { tokensOfColour } from '../../src/http/brand-style.ts';
import { makeFolder } from './support/processes.ts';
import { ROOT } from './support/project.ts';
import { fault, parse } from './support/settings.ts';

describe('the name and the colour of an operator', () => {
  it('the name and the colour are those of Terse if none are set', () => {
    expect(parse({}).brand).toEqual({ name: 'Terse', colour: null });
    expect(parse({ BRAND_NAME: ' Acme Kürzer ', BRAND_COLOUR: '#5B21B6' }).brand).toEqual({
      name: 'Acme Kürzer',
      colour: '5b21b6',
    });
  });

  it.each(['x'.repeat(41), 'two\nlines', 'turned \u202E round'])('a name stops the Worker: %j', (name) => {
    expect(fault({ BRAND_NAME: name })).toBe('BRAND_NAME must be a name of at most 40 characters on one line.');
  });

  it.each(['5b21b6', 'purple', '#fff', 'url(x)'])('a colour that is none stops the Worker: %s', (colour) => {
    expect(fault({ BRAND_COLOUR: colour })).toBe('BRAND_COLOUR must be a colour of six digits, such as #0b6b4b.');
  });

  it('a colour on which white text cannot be read stops the Worker, which names a darker one', () => {
    const sentence = fault({ BRAND_COLOUR: '#ffcc00' });
    expect(sentence).toMatch(
      /^BRAND_COLOUR #ffcc00 has a contrast of 1\.5 with white text, which needs 4\.5\. A darker colour of the same hue is #/,
    );
    const [darker = ''] = /#\w{6}(?=\.$)/.exec(sentence) ?? [];
    expect(parse({ BRAND_COLOUR: darker }).brand.colour).toBe(darker.slice(1));
  });
});

/** The surfaces of the design, as tokens.css has them. */
const surfaces = ['paper', 'sheet', 'raised'].map((name) => {
  const tokens = readFileSync(join(ROOT, 'src/design/tokens.css'), 'utf8');
  const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? [];
  return [colourOf(light), colourOf(dark)] as const;
});

function colourOf(text: string): Rgb {
  const colour = readColour(text);
  if (colour === null) throw new Error(`no colour: ${text}`);
  return colour;
}

it.each(['#5b21b6', '#000000', '#b91c1c', '#0000ff', '#0b6b4b', '#767676', '#92400e'])(
  'the shades of a colour can be read in light and dark: %s',
  (text) => {
    const tokens = tokensOfColour(colourOf(text));
    for (const theme of [0, 1] as const) {
      const shade = (name: string) => tokens.get(name)?.[theme] ?? WHITE;
      const pairs = [
        ['on-green', 'green'],
        ['on-green', 'green-hover'],
        ['on-deep', 'deep'],
        ['on-deep', 'deep-2'],
        ['on-deep-soft', 'deep'],
      ] as const;
      for (const [ink, ground] of pairs)
        expect([ink, ground, theme, contrastOf(shade(ink), shade(ground)) >= 4.5]).toEqual([ink, ground, theme, true]);
      // A button and the line around a focus are seen on each surface (WCAG 2.2, 1.4.11).
      for (const surface of surfaces)
        for (const name of ['green', 'focus'])
          expect([name, theme, contrastOf(shade(name), surface[theme]) >= 3]).toEqual([name, theme, true]);
    }
  },
);

describe("an operator's logo", () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>';

  /** Reads the logo of a project with these files in its folder brand/. */
  const logoOf = (files: Readonly<Record<string, string | Uint8Array>>) => {
    const place = `${makeFolder()}/`;
    mkdirSync(join(place, 'brand'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(place, 'brand', name), content);
    return readBrandLogo(`${ROOT}/`, place);
  };

  it("an operator's logo is served as it is if it is a plain SVG, and of a PNG only what draws it", async () => {
    expect(await logoOf({})).toBe(null);
    const svg = await logoOf({ 'logo.svg': SVG });
    expect([svg?.name, Buffer.from(svg?.bytes ?? []).toString()]).toEqual(['brand-logo.svg', SVG]);
    const drawn = Buffer.from(encode({ width: 2, height: 2, data: new Uint8Array(16), channels: 4 }));
    const text = encode({ width: 2, height: 2, data: new Uint8Array(16), channels: 4, text: { Comment: 'secret' } });
    const png = await logoOf({ 'logo.png': text });
    expect([png?.name, Buffer.from(png?.bytes ?? [])]).toEqual(['brand-logo.png', drawn]);
  });

  it("an operator's logo with a script stops the build with a sentence, and so do two logos", async () => {
    await expect(logoOf({ 'logo.svg': SVG.replace('<path', '<script>1</script><path') })).rejects.toThrow(
      'brand/logo.svg cannot be the logo. The SVG has a script, which a logo cannot have. Save it as a plain SVG.',
    );
    await expect(logoOf({ 'logo.svg': SVG, 'logo.png': '' })).rejects.toThrow(
      'brand/ has logo.svg and logo.png: remove one of them.',
    );
  });
});

it.each<[one: Rgb, other: Rgb, contrast: number]>([
  [[0, 0, 0], [255, 255, 255], 21],
  [[119, 119, 119], [255, 255, 255], 4.478],
  [[0, 0, 255], [255, 255, 255], 8.592],
  [[0, 0, 0], [10, 10, 10], 1.061],
  [[11, 11, 11], [0, 0, 0], 1.067],
])('the contrast of the colours %j and %j is that of WCAG 2.2', (one, other, contrast) => {
  expect(contrastOf(one, other)).toBeCloseTo(contrast, 3);
});
