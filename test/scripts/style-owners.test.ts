import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/project.ts';
import { classesIn, selectorsOf, SHEETS } from './support/sheets.ts';

/** Each class has one owner, so that a rule for one page reaches no other. */

/** The sheets of components, which all pages may have: those of the design, of the kit, and what rooms share. */
const isShared = (path: string) =>
  path.startsWith('src/design/') || path.startsWith('src/platform/kit/') || path === 'src/platform/shared.css';
const [shared, rooms] = [SHEETS.filter(isShared), SHEETS.filter((path) => !isShared(path))];
const kit = new Set(shared.flatMap(selectorsOf).flatMap(classesIn));

/** The room of a file: a folder of `src/platform/`, or another folder of `src/`. */
const roomOf = (path: string) =>
  path
    .split('/')
    .slice(1, path.startsWith('src/platform/') ? 3 : 2)
    .join('/');

/** The rooms whose pages name a class. */
const roomsByClass = new Map<string, Set<string>>();
for (const path of globSync('src/**/*.tsx', { cwd: ROOT })) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  for (const [, plain, computed] of text.matchAll(/class=(?:"([^"]*)"|\{([^}]*)\})/g)) {
    // A word that something is compared with is no class.
    const strings = (computed ?? '').replaceAll(/=== '[^']*'/g, '').matchAll(/'([^']*)'|`([^`]*)`/g);
    const names = plain ?? [...strings].map((found) => found[1] ?? found[2]).join(' ');
    for (const name of names.split(/\s+/))
      roomsByClass.set(name, (roomsByClass.get(name) ?? new Set()).add(roomOf(path)));
  }
}

describe('a style sheet of a room', () => {
  it.each(rooms)('a style sheet of a room styles only what has a class of that room: %s', (path) => {
    const own = (selector: string) => classesIn(selector).filter((name) => !kit.has(name));
    const far = selectorsOf(path).filter(
      (selector) =>
        own(selector).length === 0 ||
        own(selector).some((name) => [...(roomsByClass.get(name) ?? [])].some((room) => room !== roomOf(path))),
    );
    expect(far).toEqual([]);
  });

  it('a style sheet of a room lies in the folder of a page', () => {
    const folders = new Set(globSync('src/**/*.tsx', { cwd: ROOT }).map((path) => dirname(path)));
    expect(rooms.filter((path) => !folders.has(dirname(path)))).toEqual([]);
  });

  it('a style sheet is part of a style sheet that pages load', () => {
    const loaded = new Set(
      [
        'src/platform/platform.css',
        'src/platform/composer.css',
        'src/platform/domains.css',
        'src/platform/list.css',
        'src/platform/qr.css',
        'src/platform/settings.css',
        'src/platform/statistics.css',
        'src/platform/sign-in/door-sheet.css',
        'src/reference/reference.css',
        'src/design/design.css',
      ].flatMap((path) =>
        [...readFileSync(join(ROOT, path), 'utf8').matchAll(/@import '([^']+)'/g)].map(([, name = '']) =>
          join(dirname(path), name),
        ),
      ),
    );
    expect(SHEETS.filter((path) => !loaded.has(path))).toEqual([]);
  });
});
