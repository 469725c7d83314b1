import { describe, expect, it } from 'vitest';
import { readShare } from '../support/share-of-run.ts';
import { isInShare, shareOf } from '../support/share.ts';

describe('the share of the exhaustive tests', () => {
  it('the share of the exhaustive tests is a third that follows from the commit, or all without one', () => {
    expect(['00000000', '00000001', '00000002', '00000003'].map((commit) => readShare('', commit).part)).toEqual([
      1, 2, 3, 1,
    ]);
    expect(readShare(undefined, null)).toEqual({ part: 1, of: 1 });
  });

  it('the share of the exhaustive tests can be named, and a wrong name is refused', () => {
    expect(readShare('2/5')).toEqual({ part: 2, of: 5 });
    for (const name of ['0/3', '4/3', '3', 'all', '1/0'])
      expect(() => readShare(name)).toThrow(`TEST_SHARE is ${name}. It has to be a part such as 2/3, or 1/1.`);
  });

  it('the share of the exhaustive tests has each case in one of its parts', () => {
    const cases = Array.from({ length: 100 }, (_, index) => `case ${index}`);
    const parts = [1, 2, 3].map((part) => ({ part, of: 3 }));
    expect(parts.flatMap((share) => shareOf(cases, share)).toSorted()).toEqual(cases.toSorted());
    const named = parts.map((share) => cases.filter((name) => isInShare(name, share)));
    expect(named.flat().toSorted()).toEqual(cases.toSorted());
    for (const part of named) expect(part.length).toBeGreaterThan(20);
  });
});
