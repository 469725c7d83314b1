import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/project.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const CLASSES = [...read('wrangler.toml').matchAll(/^class_name = "(\w+)"$/gm)].map(([, name = '']) => name);
const WORKERS = globSync('bench/**/*.ts', { cwd: ROOT }).filter((path) => /^export default /m.test(read(path)));

/** The names that a Worker exports, and those of `bench/floors/objects.ts` if it exports all of them. */
function exportsOf(path: string): string[] {
  const source = read(path);
  const all = /^export \* from '.*\/objects.ts';$/m.test(source) ? exportsOf('bench/floors/objects.ts') : [];
  const named = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','));
  const declared = [...source.matchAll(/^export class (\w+)/gm)].map(([, name = '']) => name);
  return [...all, ...declared, ...named.map((name) => name.trim().split(' as ').at(-1) ?? '')];
}

describe('a Worker that the bench builds with the settings of the service', () => {
  it.each(WORKERS)(
    'a Worker that the bench builds with the settings of the service exports every class of a Durable Object: %s',
    (path) => {
      expect(exportsOf(path)).toEqual(expect.arrayContaining(CLASSES));
    },
  );

  it('a Worker that the bench builds with the settings of the service can be one of several, for two classes', () => {
    expect(CLASSES).toEqual(['ClientStatistics', 'LinkLimit']);
    expect(WORKERS.length).toBeGreaterThan(8);
  });
});
