import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/project.ts';

/** Each class of the style sheets has one owner, so that a rule for one page reaches no other. */

/** Classes that the kit gives to all rooms, and those that several rooms use. */
const SHARED = new Set([
  'actions',
  'bar',
  'button',
  'checkbox',
  'code',
  'code-block',
  'confirm',
  'copy',
  'counts',
  'fault',
  'field',
  'form',
  'header',
  'hint',
  'lead',
  'main',
  'panel',
  'quiet',
  'small',
  'unseen',
  'whole',
  'wide',
  'broken',
  'cut',
  'danger',
  'entries',
  'notice',
  'pairs',
  'periods',
  'pill',
  'pills',
  'plain-list',
  'prose',
  'release',
  'status',
  'tabs',
  'totals',
]);

const readText = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The selectors of a style sheet, one by one. */
function selectorsOf(sheet: string): string[] {
  const rules = readText(`public/assets/${sheet}`)
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/@[^{};]*\{/g, '')
    .matchAll(/([^{}]+)\{/g);
  return [...rules].flatMap(([, selectors]) => (selectors ?? '').split(','));
}

const classesIn = (text: string) => [...text.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name ?? '');

const classesOf = (sheet: string) => new Set(selectorsOf(sheet).flatMap(classesIn));

/** The rooms that use a class: folders of `src/platform/`, and other folders of `src/`. */
const roomsByClass = new Map<string, Set<string>>();
for (const path of globSync('src/**/*.tsx', { cwd: ROOT })) {
  const room = path
    .split('/')
    .slice(1, path.startsWith('src/platform/') ? 3 : 2)
    .join('/');
  for (const [, plain, computed] of readText(path).matchAll(/class=(?:"([^"]*)"|\{([^}]*)\})/g)) {
    // A word that something is compared with is no class.
    const strings = (computed ?? '').replaceAll(/=== '[^']*'/g, '').matchAll(/'([^']*)'|`([^`]*)`/g);
    const names = plain ?? [...strings].map((found) => found[1] ?? found[2]).join(' ');
    for (const name of names.split(/\s+/)) roomsByClass.set(name, (roomsByClass.get(name) ?? new Set()).add(room));
  }
}

describe('a class of a style sheet', () => {
  it('a class of a style sheet is used by one room, unless it belongs to a list', () => {
    const known = new Set(['platform.css', 'reference.css'].flatMap((sheet) => [...classesOf(sheet)]));
    const several = [...roomsByClass]
      .filter(([name, rooms]) => known.has(name) && rooms.size > 1)
      .map(([name]) => name);
    expect(several.filter((name) => !SHARED.has(name))).toEqual([]);
  });

  it('a class of the public style sheet is not one of the platform, whose style sheet they load too', () => {
    const platform = classesOf('platform.css');
    const foreign = selectorsOf('reference.css').filter((selector) =>
      classesIn(selector).every((name) => platform.has(name)),
    );
    expect(foreign).toEqual([]);
  });
});
