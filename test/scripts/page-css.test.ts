import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, it } from 'vitest';
import { ROOT } from './support/project.ts';

/** The style sheet of visitors' pages. */

const sheet = readFileSync(join(ROOT, 'public/assets/page.css'), 'utf8');

it('the style sheet of visitors’ pages has less than 4 KB minified', () => {
  expect(transformSync(sheet, { loader: 'css', minify: true }).code.length).toBeLessThan(4096);
});

it('the style sheet of visitors’ pages has nothing that browsers of 2021 do not know, besides text-wrap and dvh', () => {
  const rules = sheet.replaceAll(/\/\*.*?\*\//gs, '');
  expect(rules).not.toMatch(/light-dark\(|color-mix\(|oklch\(|:has\(|@layer|@container|@property|&|inert|anchor/);
  expect(rules.match(/[\d.]+dvh/g)).toEqual(['100dvh']);
  expect(rules).toMatch(/min-height: 100vh;\s+min-height: 100dvh;/);
});

it('the style sheet of visitors’ pages asks for no font, no image and no other sheet', () => {
  expect(sheet).not.toMatch(/url\(|@import|@font-face/);
});
