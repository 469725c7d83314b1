import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { foldDeliveries } from '../../../src/statistics/days/fold-deliveries.ts';
import { DAY_IDS } from '../../../src/statistics/row-ids.ts';
import { FOLD_MS } from '../../../src/statistics/append/backlog.ts';
import { HOUR_MS } from '../../../src/time/day.ts';
import { deliveryOf, openStatistics, TODAY, type Statistics, type TestClick } from '../support/statistics.ts';

const LINKS = 1500;

/** Clicks of many links, each with facts enough for a fold of several slices. */
function manyClicks(pack: string): TestClick[] {
  return Array.from({ length: LINKS }, (_, i) => ({
    pack,
    link: `link-${i}`,
    campaign: i % 2 ? 'spring' : null,
    country: i % 3 ? 'AT' : 'DE',
    clicks: 1 + (i % 4),
    marks: 'AAAAAAAA',
  }));
}

const TOTAL = manyClicks('').reduce((sum, { clicks = 1 }) => sum + clicks, 0);

/** All that can be asked: of the client, of the campaign, and of some links. */
async function askAll({ ask, stub }: Statistics) {
  const by = ['country', 'hour', 'referrer'] as const;
  const links = [0, 1, 700, 1499].map((i) => `link-${i}`);
  return {
    client: await ask({ by }),
    filtered: await ask({ by, filters: { country: ['DE'] } }),
    campaign: await ask({ subject: { kind: 'campaign', name: 'spring' }, by }),
    links: await Promise.all(links.map((name) => ask({ subject: { kind: 'link', name }, by }))),
    totals: await stub.totals(links),
    visitors: await Promise.all(links.map((name) => stub.visitors(name, TODAY))),
  };
}

/** Folds with a pause that fails after so many slices, as when the object ends there. Returns whether it did. */
function foldUntil({ stub }: Statistics, slices: number): Promise<boolean> {
  return runInDurableObject(stub, async (_object, { storage }) => {
    let left = slices;
    const pause = async () => {
      if (left-- <= 0) throw new Error('the object ends here');
    };
    return foldDeliveries(storage, pause, 0).then(
      () => false,
      () => true,
    );
  });
}

describe('a fold', () => {
  it('a fold of deliveries that is interrupted after any slice counts each click once, and continues', async () => {
    const statistics = openStatistics();
    const { stub, restart, rows, fold } = statistics;
    await stub.append(deliveryOf(...manyClicks('one')));
    const before = await askAll(statistics);
    expect(before.client[0]).toMatchObject({ humans: TOTAL, bots: 0, previews: 0 });
    expect(before.visitors).toEqual([1, 1, 1, 1]);
    let interruptions = 0;
    for (let slices = 0; await foldUntil(statistics, slices % 2); slices++) {
      interruptions += 1;
      expect(await askAll(statistics)).toEqual(before);
      await restart();
      expect(await askAll(statistics)).toEqual(before);
    }
    expect(interruptions).toBeGreaterThan(3);
    expect(await rows('SELECT name FROM state')).toEqual([{ name: 'schema' }]);
    expect(await askAll(statistics)).toEqual(before);
    await fold();
    expect(await askAll(statistics)).toEqual(before);
  });

  it('a fold of deliveries counts what is delivered meanwhile, once', async () => {
    const statistics = openStatistics();
    const { stub, fold } = statistics;
    const [first, second] = [deliveryOf(...manyClicks('one')), deliveryOf(...manyClicks('two'))];
    await stub.append(first);
    expect(await foldUntil(statistics, 2)).toBe(true);
    await stub.append(second);
    await stub.append(first);
    const sums = (await askAll(statistics)).client.map(({ humans }) => humans);
    expect(sums).toEqual([2 * TOTAL]);
    await fold();
    await stub.append(first);
    await stub.append(second);
    const after = await askAll(statistics);
    expect(after.client.map(({ humans }) => humans)).toEqual([2 * TOTAL]);
    expect(after.links[3]!.map(({ humans }) => humans)).toEqual([2 * (1 + (1499 % 4))]);
  });

  it('a fold of deliveries takes large deliveries in parts, and remembers all of their packs', async () => {
    const { stub, ask, rows, fold } = openStatistics();
    const marks = 'ABCDEFGH'.repeat(5000);
    const large = deliveryOf(
      ...Array.from({ length: 60 }, (_, i) => ({ pack: `pack-${i}`, link: `link-${i}`, marks })),
    );
    await stub.append(large);
    const bodies = await rows('SELECT length(body) AS bytes FROM deliveries');
    expect(bodies.length).toBeGreaterThan(1);
    expect(Math.max(...bodies.map(({ bytes }) => Number(bytes)))).toBeLessThan(1_100_000);
    await fold();
    await stub.append(large);
    expect((await ask()).map(({ humans }) => humans)).toEqual([60]);
  });

  it('a fold of deliveries comes at once if few groups have many visitors, and takes no more than fit the memory', async () => {
    const { stub } = openStatistics();
    const marks = 'ABCDEFGH'.repeat(5000);
    const { alarm, bytes } = await runInDurableObject(stub, async (object, { storage }) => {
      for (let part = 0; part < 10; part++)
        await object.append(deliveryOf(...Array.from({ length: 90 }, (_, i) => ({ link: `link-${i}`, marks }))));
      const set = await storage.getAlarm();
      await storage.deleteAlarm();
      await foldDeliveries(storage, async () => {}, 0);
      return {
        alarm: set,
        bytes: storage.sql.exec('SELECT coalesce(sum(length(body)), 0) AS bytes FROM deliveries').one()['bytes'],
      };
    });
    expect(alarm).toBeLessThanOrEqual(Date.now());
    expect(bytes).toBeGreaterThan(5_000_000);
  });

  it('a fold of deliveries puts clicks into the days and hours in which they happened', async () => {
    const { stub, ask, fold } = openStatistics();
    const midnight = TODAY * 24 * HOUR_MS;
    await stub.append(deliveryOf({ at: midnight - 1 }, { at: midnight - HOUR_MS, clicks: 2 }, { at: midnight }));
    const hours = async () =>
      (await ask({ by: ['hour'] })).map(({ day, by }) => [day, by.hour?.map(({ value, humans }) => [value, humans])]);
    const expected = [
      [TODAY - 1, [['23', 3]]],
      [TODAY, [['0', 1]]],
    ];
    expect(await hours()).toEqual(expected);
    await fold();
    expect(await hours()).toEqual(expected);
    expect((await stub.totals(['link-1'])).get('link-1')).toMatchObject({
      humans: 4,
      bots: 0,
      previews: 0,
      lastAt: midnight,
    });
  });

  it('a fold of deliveries that fails is logged and tried again, and deliveries continue', async () => {
    const { stub, ask, fold, rows, age } = openStatistics();
    await stub.append(deliveryOf({}));
    await age();
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const alarm = await runInDurableObject(stub, async (object, { storage }) => {
      // A fold meets a day that it cannot read.
      storage.sql.exec(`INSERT INTO days (id, clicks) VALUES (?1, x'09')`, DAY_IDS.of(0, TODAY));
      await storage.deleteAlarm();
      await object.alarm();
      return storage.getAlarm();
    });
    expect(logged.mock.calls.flat().join('\n')).toContain('statistics_work_failed');
    logged.mockRestore();
    expect(alarm! - Date.now()).toBeGreaterThan(30_000);
    expect(alarm! - Date.now()).toBeLessThanOrEqual(60_000);
    await stub.append(deliveryOf({}));
    await rows(`DELETE FROM days WHERE clicks = x'09'`);
    await fold();
    expect((await ask()).map(({ humans }) => humans)).toEqual([2]);
  });
});

describe('the deliveries of the last minute', () => {
  const marks = 'ABCDEFGH'.repeat(5000);
  /** Counts as some 6,000 groups. */
  const large = (pack: string) => deliveryOf(...Array.from({ length: 20 }, (_, i) => ({ pack, link: `${i}`, marks })));
  const idsLeft = async ({ stub, rows }: Statistics, ages: readonly number[]) => {
    const now = Date.now();
    for (const [index, age] of ages.entries())
      await rows('UPDATE deliveries SET at = ?1 WHERE id = ?2', now - age, index + 1);
    await runDurableObjectAlarm(stub);
    return (await rows('SELECT id FROM deliveries ORDER BY id')).map(({ id }) => id);
  };

  it('an alarm leaves the deliveries of the last minute as far as they are not too many, and takes each of them whole', async () => {
    const busy = openStatistics();
    for (const pack of ['one', 'two', 'three']) await busy.stub.append(large(pack));
    expect(await idsLeft(busy, [70_000, 30_000, 1000])).toEqual([3]);
    const quiet = openStatistics();
    for (let i = 0; i < 4; i++) await quiet.stub.append(deliveryOf({}));
    expect(await idsLeft(quiet, [61_000, 61_000, 30_000, 1000])).toEqual([3, 4]);
    const parts = openStatistics();
    await parts.stub.append(deliveryOf({}));
    for (let i = 0; i < 2; i++) await parts.stub.append(large(`${i}`));
    expect(await idsLeft(parts, [2000, 1000, 1000])).toEqual([]);
  });

  it('an alarm leaves the deliveries of the last minute except those of a clock that was ahead, and while links are to be purged', async () => {
    const ahead = openStatistics();
    await ahead.stub.append(deliveryOf({}));
    expect(await idsLeft(ahead, [-HOUR_MS])).toEqual([]);
    const purged = openStatistics();
    await purged.stub.append(deliveryOf({ link: 'secret-link' }));
    await purged.stub.purge(['secret-link']);
    expect(await idsLeft(purged, [])).toEqual([]);
    expect(await purged.rows(`SELECT 1 FROM subjects WHERE name = 'secret-link'`)).toEqual([]);
  });

  it('an alarm leaves the deliveries of the last minute, and comes for them within six hours', async () => {
    const statistics = openStatistics();
    for (let i = 0; i < 2; i++) await statistics.stub.append(deliveryOf({}));
    expect(await idsLeft(statistics, [HOUR_MS, 1000])).toEqual([2]);
    const alarm = await runInDurableObject(statistics.stub, (_object, { storage }) => storage.getAlarm());
    expect(alarm! - Date.now()).toBeLessThanOrEqual(FOLD_MS);
    expect((await statistics.ask()).map(({ humans }) => humans)).toEqual([2]);
  });
});

describe('an alarm', () => {
  it('an alarm of statistics that could not be set is set with the next delivery', async () => {
    const { stub } = openStatistics();
    const alarm = await runInDurableObject(stub, async (object, { storage }) => {
      const failing = vi.spyOn(storage, 'setAlarm').mockRejectedValueOnce(new Error('no alarm'));
      await expect(object.append(deliveryOf({}))).rejects.toThrow('no alarm');
      await object.append(deliveryOf({}));
      failing.mockRestore();
      return storage.getAlarm();
    });
    expect(alarm).toBeGreaterThan(Date.now());
  });

  it('an alarm of statistics is within six hours, also after a clock that was ahead', async () => {
    const { stub } = openStatistics();
    const alarm = await runInDurableObject(stub, async (object, { storage }) => {
      await storage.deleteAlarm();
      const work = object.alarm();
      await object.append(deliveryOf({}));
      storage.sql.exec('UPDATE deliveries SET at = at + 1e12');
      await work;
      return storage.getAlarm();
    });
    expect(alarm! - Date.now()).toBeGreaterThan(0);
    expect(alarm! - Date.now()).toBeLessThanOrEqual(FOLD_MS);
  });
});
