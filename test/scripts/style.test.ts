import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/project.ts';

const rules = readFileSync(join(ROOT, 'public/assets/platform.css'), 'utf8')
  .replaceAll(/\/\*.*?\*\//gs, '')
  .replaceAll(/\{[^{}]*\}/g, '{}');
const styled = new Set([...rules.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name));

const PAGES = readdirSync(join(ROOT, 'src/platform'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join('src/platform', name));
const SCRIPTS = readdirSync(join(ROOT, 'browser')).map((name) => join('browser', name));
const text = [...PAGES, 'src/http/frame.tsx', ...SCRIPTS]
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');

it('has a rule for every class of a page', () => {
  const classes = [...text.matchAll(/class(?:Name: |=)["']([^"']+)["']/g)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  expect(classes.length).toBeGreaterThan(50);
  expect([...new Set(classes)].filter((name) => !styled.has(name))).toEqual([]);
});

it('has no rule for a class of no page', () => {
  const words = new Set(text.match(/[a-z][\w-]*/gi));
  expect([...styled].filter((name) => !words.has(name))).toEqual([]);
});
