import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clicksOf, deliver, packOf, TAKEN, toComeAgainIn } from '../support/clicks.ts';
import { breakObjects, endFaults, OBJECT_FAULTS } from '../support/faults.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { foldClicks, rowsOfObject } from '../support/stats.ts';

/** The counting of clicks, while the object of a client fails. */

afterEach(endFaults);

const DAY_MS = 24 * 3600 * 1000;

async function seed() {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  return { clientId: tenant.clientId, link, total: async () => (await clicksOf(tenant, link)).total };
}

describe.each(OBJECT_FAULTS)('an object of a client that $name', (fault) => {
  it('clicks of a client whose object fails are asked for again and counted once when it is back, and those of others at once', async () => {
    const [one, other] = [await seed(), await seed()];
    const packs = [packOf(one.link, 3), packOf(other.link, 4)];
    breakObjects(fault, one.clientId);
    expect(await deliver(packs)).toEqual(toComeAgainIn(5));
    endFaults();
    expect([await one.total(), await other.total()]).toEqual([0, 4]);
    vi.setSystemTime(Date.now() + 60_000);
    expect([await deliver(packs), await deliver(packs)]).toEqual([TAKEN, TAKEN]);
    expect([await one.total(), await other.total()]).toEqual([3, 4]);
  });
});

describe('an object', () => {
  it('an object that has no room stores nothing of a delivery, says so, and continues when there is room again', async () => {
    const { clientId, link, total } = await seed();
    const pack = packOf(link, 3);
    vi.spyOn(console, 'error').mockReturnValue();
    await runInDurableObject(env.STATISTICS.getByName(clientId), (_object, { storage: { sql } }) => {
      const exec = sql.exec.bind(sql);
      vi.spyOn(sql, 'exec').mockImplementation((statement: string, ...params: SqlStorageValue[]) => {
        if (statement.includes('INSERT INTO deliveries')) throw new Error('database or disk is full: SQLITE_FULL');
        return exec(statement, ...params);
      });
    });
    expect(await deliver([pack])).toEqual(toComeAgainIn(5));
    vi.restoreAllMocks();
    expect(await rowsOfObject(clientId, 'SELECT name FROM subjects WHERE kind = 1')).toEqual([]);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await deliver([pack])).toEqual(TAKEN);
    expect(await total()).toBe(3);
  });

  it('an object whose clock jumps ahead and back counts each click once, on the day of the visitor', async () => {
    const { clientId, link, total } = await seed();
    const at = Date.now();
    const packs = Array.from({ length: 3 }, () => packOf(link, [{ at }], { at }));
    for (const [index, jump] of [0, 20 * DAY_MS, -20 * DAY_MS].entries()) {
      vi.setSystemTime(at + jump);
      expect(await deliver(packs.slice(0, index + 1))).toEqual(TAKEN);
      await foldClicks(clientId);
    }
    vi.setSystemTime(at);
    expect(await total()).toBe(3);
    expect(await deliver(packs)).toEqual(TAKEN);
    expect(await total()).toBe(3);
  });

  it('an object whose work has failed more often than the platform retries it folds with the next delivery', async () => {
    const { clientId, link, total } = await seed();
    vi.spyOn(console, 'error').mockReturnValue();
    await deliver([packOf(link, 3)]);
    const stub = env.STATISTICS.getByName(clientId);
    await runInDurableObject(stub, async (object, { storage }) => {
      const transaction = vi.spyOn(storage, 'transactionSync').mockImplementation(() => {
        throw new Error('database is locked: SQLITE_BUSY');
      });
      for (let tries = 0; tries < 7; tries++) await object.alarm();
      transaction.mockRestore();
      await storage.deleteAlarm();
    });
    expect(await total()).toBe(3);
    await deliver([packOf(link, 4)]);
    await foldClicks(clientId);
    expect(await total()).toBe(7);
  });
});
