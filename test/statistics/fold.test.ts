import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { foldDeliveries } from '../../src/statistics/fold.ts';
import { DAY_IDS } from '../../src/statistics/row-ids.ts';
import { HOUR_MS } from '../../src/time/day.ts';
import { deliveryOf, openStatistics, TODAY, type Statistics, type TestClick } from './support/statistics.ts';

const LINKS = 1500;

/** Clicks of many links, of which each has facts enough for a fold of several slices. */
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
    return foldDeliveries(storage, pause).then(
      () => false,
      () => true,
    );
  });
}

describe('a fold', () => {
  it('that is interrupted after any slice counts each click once, and goes on', async () => {
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

  it('counts what is delivered meanwhile, once', async () => {
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

  it('takes large deliveries in parts, and remembers all of their packs', async () => {
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

  it('comes at once if few groups have many visitors, and takes no more than fit the memory', async () => {
    const { stub } = openStatistics();
    const marks = 'ABCDEFGH'.repeat(5000);
    const { alarm, bytes } = await runInDurableObject(stub, async (object, { storage }) => {
      for (let part = 0; part < 10; part++)
        await object.append(deliveryOf(...Array.from({ length: 90 }, (_, i) => ({ link: `link-${i}`, marks }))));
      const set = await storage.getAlarm();
      await storage.deleteAlarm();
      await foldDeliveries(storage, async () => {});
      return {
        alarm: set,
        bytes: storage.sql.exec('SELECT coalesce(sum(length(body)), 0) AS bytes FROM deliveries').one()['bytes'],
      };
    });
    expect(alarm).toBeLessThanOrEqual(Date.now());
    expect(bytes).toBeGreaterThan(5_000_000);
  });

  it('puts clicks into the days and hours in which they happened', async () => {
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

  it('that fails is logged and tried again, and deliveries go on', async () => {
    const { stub, ask, fold, rows } = openStatistics();
    await stub.append(deliveryOf({}));
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

describe('an alarm', () => {
  it('that could not be set is set with the next delivery', async () => {
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

  it('is within the hour, also after a clock that was ahead', async () => {
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
    expect(alarm! - Date.now()).toBeLessThanOrEqual(HOUR_MS);
  });
});

describe('a delivery', () => {
  it('that cannot be stored leaves nothing behind, and is counted when it comes again', async () => {
    const { stub, ask } = openStatistics();
    const delivery = deliveryOf({ campaign: 'spring' });
    const failed = await runInDurableObject(stub, async (object, { storage }) => {
      storage.sql.exec('ALTER TABLE deliveries RENAME TO elsewhere');
      const outcome = await object.append(delivery).then(
        () => 'stored',
        (error: unknown) => String(error),
      );
      storage.sql.exec('ALTER TABLE elsewhere RENAME TO deliveries');
      const tables = ['words', 'new_words', 'deliveries', 'seen_packs'];
      return [outcome, ...tables.map((table) => storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one()['n'])];
    });
    expect(failed).toEqual([expect.stringContaining('no such table'), 0, 0, 0, 0]);
    await stub.append(delivery);
    expect((await ask()).map(({ humans }) => humans)).toEqual([1]);
  });

  it('may have more names than fit a parameter of a statement', async () => {
    const { stub, ask } = openStatistics();
    const names = Array.from({ length: 5000 }, (_, i) => `${'n'.repeat(450)}${i}`);
    const longest = await runInDurableObject(stub, async (object, { storage: { sql } }) => {
      const exec = vi.spyOn(sql, 'exec');
      await object.append(deliveryOf(...names.map((name) => ({ campaign: name, link: name }))));
      const params = exec.mock.calls.flatMap(([, ...all]) => all);
      exec.mockRestore();
      return Math.max(...params.map((param) => (typeof param === 'string' ? param.length : 0)));
    });
    // The platform refuses more than 2 MB, and a character may take six bytes.
    expect(longest).toBeLessThan(500_000);
    const [day] = await ask({ by: ['campaign'] });
    expect(day).toMatchObject({ humans: 5000 });
    expect(await ask({ subject: { kind: 'link', name: names[4321]! }, by: ['campaign'] })).toMatchObject([
      { by: { campaign: [{ value: names[4321], humans: 1 }] } },
    ]);
  });

  it.each<[which: string, click: TestClick]>([
    ['an hour before 1970', { at: -1 }],
    ['an hour that is too late for a date', { at: 1e18 }],
    ['an infinite hour', { at: Number.POSITIVE_INFINITY }],
    ['an hour that is no number', { at: Number.NaN }],
    ['fewer clicks than none', { clicks: -5 }],
    ['half a click', { clicks: 1.5 }],
    ['more clicks than can be counted', { clicks: 2 ** 53 }],
    ['a kind that is not known', { kind: 'robot' as 'bot' }],
  ])('that has %s is refused, so that what is stored can be read', async (_which, click) => {
    const { stub, ask, fold, rows } = openStatistics();
    await stub.append(deliveryOf({}));
    const refused = await runInDurableObject(stub, (object) =>
      object.append(deliveryOf({}, click)).then(
        () => 'stored',
        (error: unknown) => error,
      ),
    );
    expect(refused).toBeInstanceOf(RangeError);
    expect(await rows('SELECT id FROM deliveries')).toHaveLength(1);
    await fold();
    expect((await ask()).map(({ humans }) => humans)).toEqual([1]);
  });

  it('may have clicks of 1970 and of the last year that there is, and a last click before its hour', async () => {
    const { stub, ask, fold } = openStatistics();
    await stub.append(deliveryOf({ at: 0 }, { at: 8.64e15 }, { clicks: 2 ** 50, link: 'link-2' }));
    const late = deliveryOf({ link: 'link-3' });
    const [[pack, link, profile, clicks] = [0, 0, 0, 0]] = late.groups;
    await stub.append({ ...late, groups: [[pack, link, profile, clicks, -1, '']] });
    const question = { from: 0, to: 1e9, by: ['link', 'hour'] } as const;
    const before = [await ask(question), await stub.totals(['link-1', 'link-2', 'link-3'])];
    await fold();
    expect([await ask(question), await stub.totals(['link-1', 'link-2', 'link-3'])]).toEqual(before);
    expect((await ask(question)).map(({ day, humans }) => [day, humans])).toEqual([
      [0, 1],
      [TODAY, 2 ** 50 + 1],
      [1e8, 1],
    ]);
  });

  it('is folded although the platform has given up the alarm, once the object wakes', async () => {
    const { stub, ask, restart } = openStatistics();
    await stub.append(deliveryOf({}));
    await runInDurableObject(stub, (_object, { storage }) => storage.deleteAlarm());
    await restart();
    await ask();
    const alarm = await runInDurableObject(stub, (_object, { storage }) => storage.getAlarm());
    expect(alarm).not.toBeNull();
    expect(alarm! - Date.now()).toBeLessThanOrEqual(HOUR_MS);
  });

  it('sets an alarm within the hour, and one at once when there is much', async () => {
    const { stub } = openStatistics();
    const alarm = () => runInDurableObject(stub, (_object, { storage }) => storage.getAlarm());
    await stub.append(deliveryOf({}));
    const first = await alarm();
    expect(first! - Date.now()).toBeGreaterThan(50 * 60_000);
    await stub.append(deliveryOf({}));
    expect(await alarm()).toBe(first);
  });
});
