import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WAIT_MS } from '../../../src/statistics/backup/export.ts';
import { foldDeliveries } from '../../../src/statistics/days/fold-deliveries.ts';
import {
  largeDelivery,
  openFilled,
  readAll,
  readPage,
  readPages,
  refusalOf,
  restoreElsewhere,
  sectionsOf,
} from '../support/backups.ts';
import { deliveryOf, openStatistics, type Statistics } from '../support/statistics.ts';

afterEach(() => void vi.useRealTimers());

const BY = ['country', 'referrer', 'campaign', 'link'] as const;
const deliveriesOf = async ({ rows }: Statistics) => (await rows('SELECT id FROM deliveries')).length;

describe('a backup', () => {
  it('a backup holds every row of every table, which can be restored elsewhere', async () => {
    const statistics = await openFilled();
    const before = await readAll(statistics);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    const pages = await readPages(statistics);
    expect(
      sectionsOf(pages)
        .map(({ table }) => table)
        .toSorted(),
    ).toEqual(Object.keys(before));
    expect(await readAll(statistics)).toEqual(before);
    expect(await readAll(await restoreElsewhere(pages))).toEqual(before);
  });

  it('a backup is read in pages of some megabyte', async () => {
    const statistics = await openFilled();
    for (let part = 0; part < 3; part++) await statistics.stub.append(largeDelivery(`part-${part}`));
    const before = await readAll(statistics);
    const pages = await readPages(statistics);
    const sizes = pages.map((page) => JSON.stringify(page).length);
    expect(sizes.length).toBeGreaterThan(3);
    // A row of a megabyte, in base64, may be the last one of a page.
    expect(Math.max(...sizes)).toBeLessThan(2_500_000);
    expect(await readAll(await restoreElsewhere(pages))).toEqual(before);
  });

  it('a backup leaves out what is delivered between its pages, and keeps nothing of it from being counted', async () => {
    const statistics = openStatistics();
    const { stub, ask } = statistics;
    await stub.append(largeDelivery());
    const [before, clicks] = [await readAll(statistics), await ask({ by: BY })];
    let times = 0;
    const pages = await readPages(statistics, null, () =>
      stub.append(
        deliveryOf({ link: `new-${++times}`, referrer: `${times}.example`, campaign: `${times}`, clicks: 5 }),
      ),
    );
    expect(times).toBeGreaterThan(1);
    const restored = await restoreElsewhere(pages);
    expect(await readAll(restored)).toEqual(before);
    expect(await restored.ask({ by: BY })).toEqual(clicks);
    expect((await ask()).map(({ humans }) => humans)).toEqual([60 + 5 * times]);
  });

  it('a backup lets an alarm that comes between its pages wait until the last one', async () => {
    const statistics = openStatistics();
    const { stub, rows, ask } = statistics;
    await stub.append(largeDelivery());
    const before = await readAll(statistics);
    const pages = await readPages(statistics, null, async () => {
      expect(await runDurableObjectAlarm(stub)).toBe(true);
      expect(await deliveriesOf(statistics)).toBeGreaterThan(0);
    });
    expect(await readAll(await restoreElsewhere(pages))).toEqual(before);
    // It comes at once then, of itself.
    await expect.poll(() => rows('SELECT id FROM deliveries')).toEqual([]);
    expect((await ask()).map(({ humans }) => humans)).toEqual([60]);
  });

  it('a backup stops a fold that is under way after its slice, and the fold continues afterwards', async () => {
    const statistics = openStatistics();
    const { stub, ask, fold } = statistics;
    const many = deliveryOf(...Array.from({ length: 3000 }, (_, i) => ({ link: `link-${i}`, country: `${i % 30}` })));
    await stub.append(many);
    await statistics.age();
    const clicks = await ask({ by: BY });
    const { page, state } = await runInDurableObject(stub, async (object, { storage }) => {
      const work = object.alarm();
      const state = () => [
        ...storage.sql.exec<{ value: number }>(`SELECT value FROM state WHERE name = 'fold_subject'`),
      ];
      while (state().length === 0) await scheduler.wait(0);
      // Small rows, so that the first page has not all of them.
      storage.sql.exec(`INSERT INTO seen_packs VALUES (1, 1, zeroblob(1000000)), (2, 1, zeroblob(1000000))`);
      const first = await object.exportPage(null);
      await work;
      return { page: first, state: state() };
    });
    expect(state).toHaveLength(1);
    expect(page).toMatchObject({ next: { table: 'seen_packs' } });
    const [before, pages] = [
      await readAll(statistics),
      [page as never, ...(await readPages(statistics, (page as never)['next']))],
    ];
    const restored = await restoreElsewhere(pages);
    expect(await readAll(restored)).toEqual(before);
    expect(await restored.ask({ by: BY })).toEqual(clicks);
    await Promise.all([fold(), restored.fold()]);
    expect(await ask({ by: BY })).toEqual(clicks);
    expect(await restored.ask({ by: BY })).toEqual(clicks);
  });

  it('a backup lets the rename of a campaign wait until its last page', async () => {
    const statistics = openStatistics();
    const rename = () =>
      refusalOf(statistics, async (object) => {
        await object.renameCampaign('former', 'new');
      });
    await statistics.stub.append(largeDelivery());
    await readPages(statistics, null, async () => expect(await rename()).toMatch(/a backup is under way$/));
    expect(await rename()).toBeNull();
  });

  it('a backup is over once the statistics are erased', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(largeDelivery());
    const { next } = await readPage(statistics);
    await statistics.stub.erase();
    expect(await statistics.stub.exportPage(next)).toBe('over');
    expect(sectionsOf(await readPages(statistics)).map(({ table }) => table)).toEqual(['state', 'subjects']);
  });

  it('a backup is over after a restart, and after its last page', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(largeDelivery());
    const { next } = await readPage(statistics);
    await statistics.restart();
    expect(await statistics.stub.exportPage(next)).toBe('over');
    const pages = await readPages(statistics);
    expect(await statistics.stub.exportPage(pages.at(-2)!.next)).toBe('over');
  });

  it('a backup that is left holds up folds for two minutes only, and cannot continue after that', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(largeDelivery());
    const { next } = await readPage(statistics);
    await runDurableObjectAlarm(statistics.stub);
    expect(await deliveriesOf(statistics)).toBeGreaterThan(0);
    const set = await runInDurableObject(statistics.stub, (_object, { storage }) => storage.getAlarm());
    expect(set! - Date.now()).toBeLessThanOrEqual(WAIT_MS);
    expect(set! - Date.now()).toBeGreaterThan(WAIT_MS - 60_000);
    vi.setSystemTime(set!);
    await runDurableObjectAlarm(statistics.stub);
    expect(await deliveriesOf(statistics)).toBe(0);
    expect(await statistics.stub.exportPage(next)).toBe('over');
  });

  it('a backup does not end another one of the same client', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(largeDelivery());
    const { next } = await readPage(statistics);
    await readPages(statistics);
    await runDurableObjectAlarm(statistics.stub);
    expect(await deliveriesOf(statistics)).toBeGreaterThan(0);
    expect(await readPages(statistics, next)).not.toEqual([]);
  });

  it('a backup of a fold that was interrupted gives the same statistics', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(...Array.from({ length: 1500 }, (_, i) => ({ link: `link-${i}` }))));
    const clicks = await statistics.ask({ by: BY });
    await runInDurableObject(statistics.stub, async (_object, { storage }) => {
      await foldDeliveries(
        storage,
        async () => {
          if (storage.sql.exec(`SELECT 1 FROM state WHERE name = 'fold_subject'`).toArray().length > 0)
            throw new Error('interrupted');
        },
        0,
      ).catch(() => {});
    });
    const restored = await restoreElsewhere(await readPages(statistics));
    expect(await restored.rows(`SELECT name FROM state WHERE name LIKE 'fold%'`)).toHaveLength(2);
    expect(await restored.ask({ by: BY })).toEqual(clicks);
    await restored.fold();
    expect(await restored.ask({ by: BY })).toEqual(clicks);
  });
});
