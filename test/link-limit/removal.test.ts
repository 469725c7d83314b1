import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../src/time/day.ts';
import { limitOf, openLimit, tablesOf } from './support/limits.ts';

afterEach(() => void vi.restoreAllMocks());

describe('what is no longer used', () => {
  const alarmOf = (stub: DurableObjectStub) => runInDurableObject(stub, (_object, { storage }) => storage.getAlarm());

  it('a limit that is no longer used is removed with the link', async () => {
    const limit = openLimit();
    await limit.takeMany(limitOf(5), 3);
    await limit.stub.set({ max: null, revision: 2000 });
    await limit.stub.remove();
    await limit.stub.remove();
    expect([await tablesOf(limit), await alarmOf(limit.stub)]).toEqual([[], null]);
    // Not even in memory.
    expect(await limit.stub.left(limitOf(5))).toBe(5);
    expect(await limit.takeMany(limitOf(5), 9)).toBe(5);
  });

  it('a limit that is no longer used is removed a day later', async () => {
    const limit = openLimit();
    await limit.takeMany(limitOf(5), 3);
    expect(await alarmOf(limit.stub)).toBeNull();
    const before = Date.now();
    await limit.stub.set({ max: null, revision: 2000 });
    expect((await alarmOf(limit.stub))! - before).toBeGreaterThanOrEqual(DAY_MS);
    expect(await runDurableObjectAlarm(limit.stub)).toBe(true);
    expect([await tablesOf(limit), await alarmOf(limit.stub), await limit.stub.count()]).toEqual([[], null, null]);
  });

  it('a limit that is no longer used is removed a day later, also if the response to that edit was lost', async () => {
    const { stub } = openLimit();
    const edit = { max: null, revision: 2000 };
    await stub.set(edit);
    await runInDurableObject(stub, (_object, { storage }) => storage.deleteAlarm());
    await stub.set(edit);
    expect(await alarmOf(stub)).not.toBeNull();
  });

  it('a limit that is no longer used stays if a removal comes late, after a newer edit or a restore', async () => {
    const [edited, restored] = [openLimit(), openLimit()];
    await edited.stub.set(limitOf(5, 3000, 3000));
    await restored.stub.load({ since: 1000, taken: 2 });
    for (const { stub } of [edited, restored]) {
      await stub.set({ max: null, revision: 2000 });
      expect(await alarmOf(stub)).toBeNull();
    }
  });

  it('a limit that is no longer used stays if it was set again within the day', async () => {
    const limit = openLimit();
    await limit.stub.set({ max: null, revision: 2000 });
    await limit.takeMany(limitOf(5, 3000, 3000), 3);
    expect(await runDurableObjectAlarm(limit.stub)).toBe(true);
    expect([await limit.stub.left(limitOf(5, 3000, 3000)), await alarmOf(limit.stub)]).toEqual([2, null]);
  });
});
