import { describe, expect, it } from 'vitest';
import { filesToLeaveOut, IN_TURN, slowFiles } from '../support/files-in-turn.ts';
import { partOf, partOfPages } from '../support/part-of.ts';
import { readShare } from '../support/share-of-run.ts';
import { isInShare, shareOf } from '../support/share.ts';
import { ROOT } from './support/project.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
/** A run of each of so many commits that follow each other. */
const sharesOf = (count: number, named?: string) =>
  upTo(count).map((number) => readShare(named, number.toString(16).padStart(8, '0')));
const all = { part: 1, of: 1, files: { part: 1, of: 1 } };

describe('the share of the exhaustive tests', () => {
  it('the share of the exhaustive tests is a sixth with half of the files by the commit, or all without one', () => {
    const shares = sharesOf(12);
    expect(shares.map(({ part }) => part)).toEqual([2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1]);
    expect(shares.map(({ files }) => files.part)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 1]);
    expect(shares.map(({ of, files }) => [of, files.of])).toEqual(shares.map(() => [6, 2]));
    expect(readShare(undefined, null)).toEqual(all);
  });

  it('the share of the exhaustive tests can be a third with all files by the commit', () => {
    expect(sharesOf(3, '/3')).toEqual([2, 3, 1].map((part) => ({ ...all, part, of: 3 })));
    expect(readShare('/3', null)).toEqual(all);
  });

  it('the share of the exhaustive tests can be named, with all files, and a wrong name is refused', () => {
    expect(readShare('2/5')).toEqual({ ...all, part: 2, of: 5 });
    for (const name of ['0/3', '4/3', '3', 'all', '1/0', '/0', '/', '1/13', '/13'])
      expect(() => readShare(name)).toThrow(
        `TEST_SHARE is ${name}. It has to be a part such as 2/3, or /3 or 1/1, of at most 12.`,
      );
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
    const parts = upTo(6).map((part) => partOf(['a', 'b', 'c', 'd'], { part, of: 6 }));
    expect(parts).toEqual([['a'], ['b'], ['c'], ['d'], ['a'], ['b']]);
    expect(partOf([], { part: 1, of: 6 })).toEqual([]);
  });
});

describe('the slow files', () => {
  const files = slowFiles(ROOT);
  const filesOf = (share: ReturnType<typeof readShare>) => {
    const out = new Set(filesToLeaveOut(ROOT, share, []));
    return files.filter((file) => !out.has(file));
  };

  it('the slow files are in half of the runs, those in turn in a sixth, and come with each part of their cases', () => {
    const runs = sharesOf(12).map((share) => ({ part: share.part, files: new Set(filesOf(share)) }));
    for (const file of files) {
      const parts = runs.filter((run) => run.files.has(file)).map(({ part }) => part);
      expect([file, parts.length]).toEqual([file, IN_TURN.includes(file) ? 2 : 6]);
      if (!IN_TURN.includes(file)) expect([file, ...parts.toSorted((a, b) => a - b)]).toEqual([file, ...upTo(6)]);
    }
  });

  it('the slow files but those in turn are all in a run with a third of the cases', () => {
    const runs = sharesOf(3, '/3').map(filesOf);
    for (const file of files) {
      const count = runs.filter((run) => run.includes(file)).length;
      expect([file, count]).toEqual([file, IN_TURN.includes(file) ? 1 : 3]);
    }
    expect(filesOf(all)).toEqual(files);
  });

  it.each([
    ['test/system/stop.test.ts'],
    ['lighth'],
    ['system/tools'],
    ['browser/'],
    ['-t', 'a deploy'],
    ['--testNamePattern=a deploy'],
  ])('the slow files are all in a run that names some: %s', (...named) => {
    const share = readShare('', '00000001');
    expect(filesToLeaveOut(ROOT, share, ['run', '--project', 'system', ...named])).toEqual([]);
  });

  it.each([[], ['--project', 'browser', '--shard', '1/2'], ['--maxWorkers', '3', '--outputFile.json=report.json']])(
    'the slow files are not all in a run that names none: %s',
    (...options) => {
      const share = readShare('', '00000001');
      expect(filesToLeaveOut(ROOT, share, ['run', ...options]).length).toBeGreaterThan(50);
    },
  );
});

it('half of the pages are checked in a run with a sixth of the cases, with those cases among them', () => {
  const names = Array.from({ length: 100 }, (_, index) => `page ${index}`);
  for (const share of sharesOf(6)) {
    const pages = names.filter((name) => isInShare(name, partOfPages(share)));
    expect(pages.length).toBeGreaterThan(30);
    expect(pages).toEqual(expect.arrayContaining(names.filter((name) => isInShare(name, share))));
  }
  expect(partOfPages({ part: 2, of: 3 })).toEqual({ part: 1, of: 1 });
});
