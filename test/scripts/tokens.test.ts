import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/project.ts';
import { readSheet, SHEETS } from './support/sheets.ts';

/** The measures of the design: they are named in tokens.css, and used by their names. */

const tokens = readSheet('src/design/tokens.css');
const head = tokens.slice(0, tokens.indexOf('}'));

/** The tokens whose names match, in pixels or as they are. */
function tokensOf(text: string, names: string): Record<string, string> {
  const found = text.matchAll(new RegExp(`--(${names}): ([^;]+);`, 'g'));
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, inPixels(value)]));
}

const inPixels = (value: string) => value.replace(/^([\d.]+)rem$/, (_, number: string) => `${Number(number) * 16}px`);

it('the design has seven sizes of type for work, two for the front page, and three weights', () => {
  expect(tokensOf(head, 't-[\\w-]+')).toEqual({
    't-xs': '12px',
    't-s': '13px',
    't-m': '14px',
    't-typed': '14px',
    't-l': '16px',
    't-xl': '20px',
    't-2xl': '26px',
    't-fig': '28px',
    't-h2': expect.stringMatching(/^clamp\(/),
    't-hero': expect.stringMatching(/^clamp\(/),
  });
  expect(tokensOf(head, 'w|w-[\\w-]+')).toEqual({ w: '400', 'w-medium': '550', 'w-strong': '650' });
});

it('the design has seven spaces', () => {
  expect(tokensOf(head, 's\\d')).toEqual({
    s1: '4px',
    s2: '8px',
    s3: '12px',
    s4: '16px',
    s5: '24px',
    s6: '32px',
    s7: '48px',
  });
});

it('the design has controls of 44 pixels and typed text of 16 where fingers point', () => {
  const [, coarse = ''] = /@media [^{]*\(pointer: coarse\) \{\s*:root \{([^}]*)\}/.exec(tokens) ?? [];
  expect(tokensOf(coarse, 'control|row|t-typed')).toEqual({ control: '44px', row: '72px', 't-typed': '16px' });
});

it('a colour of a page is one of the design', () => {
  const others = SHEETS.filter((path) => path !== 'src/design/tokens.css').flatMap((path) =>
    [...readSheet(path).matchAll(/[\w-]+: [^;{}]*(?:#[0-9a-f]{3,8}\b|rgb\()[^;{}]*;/g)].map(
      ([text]) => `${path}: ${text}`,
    ),
  );
  expect(others.filter((each) => !EXCEPTIONS.some((text) => each.endsWith(text)))).toEqual([]);
});

/** Colours that mean the same in light and dark. */
const EXCEPTIONS = [
  // What lies below a dialog.
  'background: rgb(20 28 22 / 46%);',
];

it('the font is at most 40 KiB, and its licence lies beside it', () => {
  expect(readFileSync(join(ROOT, 'public/assets/terse-grotesque.woff2')).byteLength).toBeLessThanOrEqual(40 * 1024);
  expect(readFileSync(join(ROOT, 'public/assets/terse-grotesque.LICENSE.txt'), 'utf8')).toContain(
    'SIL OPEN FONT LICENSE',
  );
});

/** The sheets of each kind of page. */
const LOADED = [
  ['platform.css', 'door.css'],
  ['platform.css', 'list.css'],
  ['platform.css', 'qr.css'],
  ['platform.css', 'settings.css'],
  ['platform.css', 'statistics.css'],
  ['platform.css', 'composer.css'],
  ['platform.css', 'domains.css', 'statistics.css'],
  ['reference.css'],
  ['docs.css'],
];

it.each(LOADED)('the styles of a page are at most 40 KiB: %s %s', (...names) => {
  const bytes = names.map((name) => readFileSync(join(ROOT, 'public/assets', name)).byteLength);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(40 * 1024);
});
