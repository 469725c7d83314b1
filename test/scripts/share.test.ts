import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesToLeaveOut, SLOW } from '../support/files-in-turn.ts';
import { partOf } from '../support/part-of.ts';
import { readShare } from '../support/share-of-run.ts';
import { isInShare, shareOf } from '../support/share.ts';
import { ROOT } from './support/project.ts';

describe('the share of the exhaustive tests', () => {
  it('the share of the exhaustive tests is a sixth that follows from the commit, or all without one', () => {
    expect(['00000000', '00000001', '00000005', '00000006'].map((commit) => readShare('', commit))).toEqual(
      [1, 2, 6, 1].map((part) => ({ part, of: 6 })),
    );
    expect(readShare(undefined, null)).toEqual({ part: 1, of: 1 });
  });

  it('the share of the exhaustive tests can be another one that follows from the commit', () => {
    expect(['00000000', '00000001', '00000005'].map((commit) => readShare('/3', commit).part)).toEqual([1, 2, 3]);
    expect(readShare('/3', null)).toEqual({ part: 1, of: 1 });
  });

  it('the share of the exhaustive tests can be named, and a wrong name is refused', () => {
    expect(readShare('2/5')).toEqual({ part: 2, of: 5 });
    for (const name of ['0/3', '4/3', '3', 'all', '1/0', '/0', '/'])
      expect(() => readShare(name)).toThrow(`TEST_SHARE is ${name}. It has to be a part such as 2/3, or /3 or 1/1.`);
  });

  it('the share of the exhaustive tests has each case in one of its parts', () => {
    const cases = Array.from({ length: 100 }, (_, index) => `case ${index}`);
    const parts = [1, 2, 3].map((part) => ({ part, of: 3 }));
    expect(parts.flatMap((share) => shareOf(cases, share)).toSorted()).toEqual(cases.toSorted());
    const named = parts.map((share) => cases.filter((name) => isInShare(name, share)));
    expect(named.flat().toSorted()).toEqual(cases.toSorted());
    for (const part of named) expect(part.length).toBeGreaterThan(20);
  });

  it('the share of the exhaustive tests has one of a few cases in each run', () => {
    const parts = [1, 2, 3, 4, 5, 6].map((part) => partOf(['a', 'b', 'c', 'd'], { part, of: 6 }));
    expect(parts).toEqual([['a'], ['b'], ['c'], ['d'], ['a'], ['b']]);
    expect(partOf([], { part: 1, of: 6 })).toEqual([]);
  });
});

describe('the slow files', () => {
  const all = globSync(SLOW, { cwd: ROOT });
  const isLong = (file: string) =>
    /deploy-(?:interrupted|versions|from-release)|bench|report|release-databases/.test(file);
  const has = (part: number, of: number) => {
    const out = filesToLeaveOut(ROOT, { part, of }, []);
    return all.filter((file) => !out.includes(file));
  };

  it('the slow files are in half of the runs, those that take minutes in a sixth', () => {
    const runs = [1, 2, 3, 4, 5, 6].map((part) => has(part, 6));
    for (const file of all)
      expect([file, runs.filter((run) => run.includes(file)).length]).toEqual([file, isLong(file) ? 1 : 3]);
  });

  it('the slow files are all in a run with a third of the cases, but for those that take minutes', () => {
    const runs = [1, 2, 3].map((part) => has(part, 3));
    for (const file of all)
      expect([file, runs.filter((run) => run.includes(file)).length]).toEqual([file, isLong(file) ? 1 : 3]);
    expect(has(1, 1)).toEqual(all);
  });

  it.each(['test/system/stop.test.ts', 'stop', 'test/system/tools'])(
    'the slow files are all in a run that names %s',
    (name) => {
      expect(filesToLeaveOut(ROOT, { part: 1, of: 6 }, ['run', '--project', 'system', name])).toEqual([]);
      expect(filesToLeaveOut(ROOT, { part: 1, of: 6 }, ['run', '--project', 'system'])).not.toEqual([]);
    },
  );
});
