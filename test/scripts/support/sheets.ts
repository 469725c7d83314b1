import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './project.ts';

/** The style sheets as they are written, beside what they style. */

/** The paths of all style sheets below `src`, without those that only import others. */
export const SHEETS: readonly string[] = globSync('src/**/*.css', { cwd: ROOT })
  .filter((path) => !readSheet(path).trim().startsWith('@import'))
  .toSorted((a, b) => a.localeCompare(b));

/** The text of a style sheet without its comments. */
export function readSheet(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
}

/** The selectors of a style sheet, one by one. */
export function selectorsOf(path: string): readonly string[] {
  const text = readSheet(path).replaceAll(/@(?:media|container|supports)[^{};]*\{/g, '');
  const rules = text
    .replaceAll(/@(?:keyframes|font-face|page)[^{]*\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .matchAll(/([^{}]+)\{/g);
  // A comma within parentheses is part of a selector.
  return [...rules].flatMap(([, list = '']) => list.split(/,(?![^(]*\))/).map((selector) => selector.trim()));
}

/** The classes that a selector names. */
export const classesIn = (selector: string): readonly string[] =>
  [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name);
