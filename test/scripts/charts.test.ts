import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { isCountry } from '../../src/text/countries.ts';
import { ROOT } from './support/project.ts';

const style = readFileSync(join(ROOT, 'src/design/tokens.css'), 'utf8');
const world = readFileSync(join(ROOT, 'public/assets/world.svg'), 'utf8');

/** The colours of a token, in light and in dark. */
function coloursOf(token: string): readonly string[] {
  const [, ...colours] = new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(style) ?? [];
  expect(colours).toHaveLength(2);
  return colours;
}

// https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other].map(luminanceOf).toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrasts of two tokens, in light and in dark. */
function contrastsOf(one: string, other: string): number[] {
  const others = coloursOf(other);
  return coloursOf(one).map((colour, index) => contrastOf(colour, others.at(index) ?? ''));
}

it.each(['line-chart', 'sky', 'before'])('%s of a chart stand out from the background, in light and dark', (kind) => {
  expect(Math.min(...contrastsOf(kind, 'raised'))).toBeGreaterThanOrEqual(3);
});

it.each(['ink', 'soft'])('text in the colour %s can be read on the bar behind it, in light and dark', (text) => {
  expect(Math.min(...contrastsOf(text, 'bar'))).toBeGreaterThanOrEqual(4.5);
});

it('the map has nearly all countries, each once, and takes less than 60 KB', () => {
  const codes = [...world.matchAll(/<path id="([^"]*)" d="[^"]+"/g)].map(([, code = '']) => code);
  expect(codes.filter((code) => !isCountry(code))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.length).toBeGreaterThan(225);
  expect(codes).toEqual(expect.arrayContaining(['DE', 'US', 'SG', 'MT', 'XK', 'NZ']));
  expect(gzipSync(world).length).toBeLessThan(60_000);
});
