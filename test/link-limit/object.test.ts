import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Limit, Taken } from '../../src/link-limit/limit.ts';
import type { LinkLimit, Visit } from '../../src/link-limit/object.ts';
import { limitOf, openLimit, tablesOf } from './support/limits.ts';

afterEach(() => void vi.restoreAllMocks());

type Take = (this: LinkLimit, visit: Visit) => Promise<Taken>;

const OVER = { isTaken: false, left: 0 };

describe('a limit', () => {
  it('a limit lets as many visitors through as it says, and no more', async () => {
    const { take, stub } = openLimit();
    const answers = [];
    for (let time = 0; time < 5; time++) answers.push(await take(limitOf(3)));
    expect(answers).toEqual([
      { isTaken: true, left: 2 },
      { isTaken: true, left: 1 },
      { isTaken: true, left: 0 },
      OVER,
      OVER,
    ]);
    expect(await stub.left(limitOf(3))).toBe(0);
  });

  it('a limit of 500 lets exactly 500 of 2,000 visitors through at once', async () => {
    const { take, stub, restart } = openLimit();
    const answers = await Promise.all(Array.from({ length: 2000 }, () => take(limitOf(500))));
    expect(answers.filter(({ isTaken }) => isTaken)).toHaveLength(500);
    // Each of them got another place.
    expect(new Set(answers.filter(({ isTaken }) => isTaken).map(({ left }) => left)).size).toBe(500);
    await restart();
    expect([await take(limitOf(500)), await stub.left(limitOf(500))]).toEqual([OVER, 0]);
  });

  it('a limit lets as many through when the object ends again and again while visitors come', async () => {
    const limit = openLimit();
    let taken = 0;
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => limit.take(limitOf(150))));
      taken += answers.filter(({ isTaken }) => isTaken).length;
      await limit.restart();
    }
    expect(taken).toBe(150);
  });

  it('a limit stores nothing of a link that no one has followed', async () => {
    const limit = openLimit();
    expect([await limit.stub.left(limitOf(7)), await limit.stub.count()]).toEqual([7, null]);
    expect(await tablesOf(limit)).toEqual([]);
  });
});

describe('a visit that is asked again', () => {
  it.each([
    ['at once', async () => {}],
    ['after the object was evicted', evictDurableObject],
  ])('a visit that is asked again %s gets the same response, and takes no second place', async (_when, end) => {
    const { take, stub, takeMany } = openLimit();
    await takeMany(limitOf(5), 2);
    const id = crypto.randomUUID();
    const first = await take(limitOf(5), id);
    await end(stub);
    expect([first, await stub.left(limitOf(5)), await take(limitOf(5), id)]).toEqual([
      { isTaken: true, left: 2 },
      2,
      { isTaken: true, left: 2 },
    ]);
    expect(await takeMany(limitOf(5), 10)).toBe(2);
    // Also when nothing is left.
    expect(await take(limitOf(5), id)).toEqual({ isTaken: true, left: 0 });
  });

  it('a visit that is asked again has the place that it took before the object ended without a response', async () => {
    const limit = openLimit();
    const id = crypto.randomUUID();
    await runInDurableObject(limit.stub, (object, state) => {
      const own: LinkLimit = Object.getPrototypeOf(object);
      const taken: Take = Reflect.get(own, 'take');
      vi.spyOn(own, 'take').mockImplementationOnce(async function (this: LinkLimit, visit) {
        await taken.call(this, visit);
        await state.storage.sync();
        state.abort('ended by the test');
        return OVER;
      });
    });
    await expect(limit.take(limitOf(5), id)).rejects.toThrow('ended by the test');
    expect(await limit.take(limitOf(5))).toEqual({ isTaken: true, left: 3 });
    expect(await limit.take(limitOf(5), id)).toEqual({ isTaken: true, left: 3 });
    expect(await limit.stub.left(limitOf(5))).toBe(3);
  });

  it('a visit that is asked again takes one place when it comes twice at once', async () => {
    const { take, stub } = openLimit();
    const id = crypto.randomUUID();
    const answers = await Promise.all([take(limitOf(5), id), take(limitOf(5), id)]);
    expect(answers).toEqual([
      { isTaken: true, left: 4 },
      { isTaken: true, left: 4 },
    ]);
    expect(await stub.left(limitOf(5))).toBe(4);
  });

  it('a visit that is asked again keeps its place of a former period, and takes none of the new one', async () => {
    const { take, stub } = openLimit();
    const id = crypto.randomUUID();
    await take(limitOf(5), id);
    const anew = limitOf(3, 2000, 2000);
    await stub.set(anew);
    expect(await take(limitOf(5), id)).toEqual({ isTaken: true, left: 3 });
    expect(await stub.left(anew)).toBe(3);
  });
});

describe('an edit while visitors come', () => {
  it('an edit that raises the limit while visitors come lets the difference through as well', async () => {
    const { takeMany, stub } = openLimit();
    expect(await takeMany(limitOf(3), 5)).toBe(3);
    await stub.set(limitOf(5, 1001));
    expect(await stub.left(limitOf(5, 1001))).toBe(2);
    expect(await takeMany(limitOf(5, 1001), 5)).toBe(2);
  });

  it('an edit that lowers the limit below the count lets none through until it is raised again', async () => {
    const { takeMany, stub } = openLimit();
    await takeMany(limitOf(10), 5);
    await stub.set(limitOf(3, 1001));
    expect([await takeMany(limitOf(3, 1001), 2), await stub.left(limitOf(3, 1001))]).toEqual([0, 0]);
    expect(await takeMany(limitOf(7, 1002), 5)).toBe(2);
  });

  it('an edit that sets a limit again after it was removed begins at 0', async () => {
    const { takeMany, stub } = openLimit();
    await takeMany(limitOf(3), 3);
    await stub.set({ max: null, revision: 2000 });
    await stub.set(limitOf(4, 3000, 3000));
    expect(await takeMany(limitOf(4, 3000, 3000), 9)).toBe(4);
  });

  it('an edit of a limit holds for all visitors at once, with any limit that their isolates have', async () => {
    const { take, takeMany, stub } = openLimit();
    const [first, lowered, raised] = [limitOf(400), limitOf(150, 1001), limitOf(250, 1002)];
    const takeAtOnce = async (...limits: readonly Limit[]) => {
      const visits = Array.from({ length: 300 }, (_, index) => take(limits[index % limits.length]!));
      return (await Promise.all(visits)).filter(({ isTaken }) => isTaken).length;
    };
    expect(await takeMany(first, 100)).toBe(100);
    await stub.set(lowered);
    expect(await takeAtOnce(first, lowered)).toBe(50);
    // No edit has reached the object, but some visitors come from the isolate that made it.
    expect(await takeAtOnce(first, lowered, raised)).toBe(100);
    expect(await takeAtOnce(first, lowered, raised)).toBe(0);
  });
});

describe('an isolate with an old state', () => {
  it('an isolate with an old state takes no more than the newest limit allows, and no fewer', async () => {
    const { take, stub } = openLimit();
    await take(limitOf(10));
    await stub.set(limitOf(2, 1001));
    expect([await take(limitOf(10)), await take(limitOf(10))]).toEqual([{ isTaken: true, left: 0 }, OVER]);
    expect(await stub.left(limitOf(10))).toBe(0);
    await stub.set(limitOf(3, 1002));
    expect(await take(limitOf(10))).toEqual({ isTaken: true, left: 0 });
  });

  it('an isolate with an old state takes a newer limit from the isolate that asks first', async () => {
    const { take, restart } = openLimit();
    await take(limitOf(10));
    expect(await take(limitOf(1, 1001))).toEqual(OVER);
    await restart();
    expect(await take(limitOf(10))).toEqual(OVER);
  });

  it('an isolate with the state of a former period takes places of the present one', async () => {
    const { takeMany, stub } = openLimit();
    await takeMany(limitOf(10), 8);
    await stub.set(limitOf(3, 2000, 2000));
    expect(await takeMany(limitOf(10), 9)).toBe(3);
    expect(await stub.left(limitOf(3, 2000, 2000))).toBe(0);
  });

  it('an isolate with a state from before the removal takes what is left of its own limit', async () => {
    const { takeMany, stub, restart } = openLimit();
    await takeMany(limitOf(5), 3);
    await stub.set({ max: null, revision: 2000 });
    await restart();
    expect(await stub.left(limitOf(5))).toBe(2);
    expect(await takeMany(limitOf(5), 9)).toBe(2);
  });

  it('an isolate with an old state cannot undo an edit', async () => {
    const { takeMany, stub } = openLimit();
    await stub.set(limitOf(2, 1002));
    await stub.set(limitOf(9, 1001));
    await stub.set({ max: null, revision: 1000 });
    expect(await takeMany(limitOf(9, 1001), 9)).toBe(2);
  });
});
