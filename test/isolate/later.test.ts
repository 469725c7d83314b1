import { describe, expect, it } from 'vitest';
import { Later } from '../../src/isolate/later.ts';

/** Something that loads a new object each time, and fails as often as is said first. */
function open(failures = 0) {
  let loads = 0;
  const later = new Later(async () => {
    loads += 1;
    if (loads <= failures) throw new Error('the module cannot be loaded');
    return { loads };
  });
  return { later, count: () => loads };
}

describe('what an isolate loads later', () => {
  it('a value that is loaded later is at hand without a promise from then on', async () => {
    const { later, count } = open();
    expect([later.loaded, count()]).toEqual([undefined, 0]);
    expect(await later.use(({ loads }) => loads)).toBe(1);
    expect(later.use(({ loads }) => loads)).toBe(1);
    expect(count()).toBe(1);
  });

  it('the first of several values that are loaded at the same moment is the one that all callers get', async () => {
    const { later, count } = open();
    const [one, other] = await Promise.all([later.load(), later.load()]);
    expect([one === other, later.loaded === one, count()]).toEqual([true, true, 2]);
  });

  it('a load that fails is tried again by the next caller', async () => {
    const { later } = open(1);
    await expect(later.load()).rejects.toThrow('the module cannot be loaded');
    expect(later.loaded).toBeUndefined();
    expect(await later.load()).toEqual({ loads: 2 });
  });
});
