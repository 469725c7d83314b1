import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commentsOf, sourcesIn } from './support/code-texts.ts';
import { ROOT } from './support/project.ts';
import { classesIn, selectorsOf, SHEETS } from './support/sheets.ts';

const styled = new Set(SHEETS.flatMap(selectorsOf).flatMap(classesIn));

const PAGES = globSync('src/**/*.tsx', { cwd: ROOT }).filter((path) => !path.startsWith('src/redirect'));
const SCRIPTS = readdirSync(join(ROOT, 'browser'))
  .filter((name) => name.endsWith('.js') && !name.startsWith('docs'))
  .map((name) => join('browser', name));
const text = [...PAGES, ...SCRIPTS].map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');

it('the style sheet has a rule for every class of a page', () => {
  const classes = [...text.matchAll(/class(?:Name: |=)["']([^"']+)["']/g)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  expect(classes.length).toBeGreaterThan(50);
  expect([...new Set(classes)].filter((name) => !styled.has(name))).toEqual([]);
});

it('the style sheet has no rule for a class of no page', () => {
  const words = new Set(text.match(/[a-z][\w-]*/gi));
  expect([...styled].filter((name) => !words.has(name))).toEqual([]);
});

it.each(['page.css'])('the style sheet differs in dark in nothing except colours: %s', (name) => {
  const sheet = readFileSync(join(ROOT, 'public/assets', name), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  const inDark = [...sheet.matchAll(/@media[^{]*prefers-color-scheme[^{]*\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}/g)];
  const declarations = inDark.flatMap(([, rules = '']) => [...rules.matchAll(/([\w-]+): ([^;]+);/g)]);
  expect(
    declarations.filter(([, property = '', value = '']) => !property.startsWith('--') || !/^#[0-9a-f]+$/.test(value)),
  ).toEqual([]);
  expect(inDark.length).toBe(sheet.split('prefers-color-scheme').length - 1);
});

// The formatter leaves comments alone. They are wrapped at 120; a few characters more are no reason to wrap them anew.
const MAX_WIDTH = 125;
const isLong = (line: string) =>
  line.length > MAX_WIDTH && /^\s*(?:\/\*|\*|\/\/)/.test(line) && !/https:\S{90}/.test(line);

it.each(['src', 'scripts', 'bench', 'cli', 'browser', 'test'])(
  'the style sheet has no long line of a comment in %s',
  (folder) => {
    const long = sourcesIn(folder).flatMap((path) => {
      const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
      // Hardly any file has a long line, and the comments of all take long to find.
      if (!lines.some(isLong)) return [];
      return commentsOf(path).flatMap(({ line, text }) =>
        lines
          .slice(line - 1, line - 1 + text.split('\n').length)
          .filter(isLong)
          .map((each) => `${path}: ${each.trim()}`),
      );
    });
    expect(long).toEqual([]);
  },
);
