import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { Appends } from '../../../src/statistics/append/appends.ts';
import { Backlog, FOLD_MS, MAX_ROWS } from '../../../src/statistics/append/backlog.ts';
import { WRITE_MS } from '../../../src/statistics/append/direct.ts';
import type { Delivery } from '../../../src/statistics/append/delivery.ts';
import { readLastHour } from '../../../src/statistics/append/last-hour.ts';
import { nextWork } from '../../../src/statistics/background-jobs.ts';
import { STATISTICS_SCHEMA } from '../../../src/statistics/schema.ts';
import { HOUR_MS } from '../../../src/time/day.ts';
import { readPage, refusalOf } from '../support/backups.ts';
import { deliveryOf, openStatistics, type Statistics } from '../support/statistics.ts';

const REFUSED = { isStored: false, isBusy: false };
const STORED = { isStored: true, isBusy: false };

async function openDirect(): Promise<Statistics> {
  const statistics = openStatistics();
  await statistics.stub.excludeClickWebhooks(Date.now());
  return statistics;
}

const clicksOf = async ({ ask }: Statistics) => (await ask()).reduce((sum, { humans }) => sum + humans, 0);

describe('clicks without the queue', () => {
  it('clicks without the queue are refused by an object that does not know whether there are webhooks for clicks', async () => {
    const statistics = openStatistics();
    expect(await statistics.stub.offer(deliveryOf({}))).toEqual(REFUSED);
    expect(await clicksOf(statistics)).toBe(0);
    expect(await statistics.stub.append(deliveryOf({}))).toEqual({ mayHaveWebhooks: true });
    expect(await clicksOf(statistics)).toBe(1);
  });

  it('clicks without the queue are stored once there are none, also after a restart, and count once with the same from the queue', async () => {
    const statistics = await openDirect();
    await statistics.restart();
    const delivery = deliveryOf({ pack: 'one' }, { pack: 'two' });
    expect(await statistics.stub.offer(delivery)).toEqual(STORED);
    expect(await statistics.stub.append(delivery)).toEqual({ mayHaveWebhooks: false });
    expect(await statistics.stub.offer(delivery)).toEqual(STORED);
    expect(await clicksOf(statistics)).toBe(2);
  });

  it('clicks without the queue are refused from the moment before a webhook for clicks is written', async () => {
    const statistics = await openDirect();
    await statistics.stub.expectClickWebhook();
    expect(await statistics.stub.offer(deliveryOf({}))).toEqual(REFUSED);
    await statistics.restart();
    expect(await statistics.stub.offer(deliveryOf({}))).toEqual(REFUSED);
  });

  it('clicks without the queue are not stored again for what was read while a webhook may have been on its way into the database', async () => {
    const statistics = await openDirect();
    const { stub } = statistics;
    await stub.expectClickWebhook();
    for (const readAt of [Date.now() - 1000, Date.now() + WRITE_MS - 1000]) {
      await stub.excludeClickWebhooks(readAt);
      expect(await stub.offer(deliveryOf({}))).toEqual(REFUSED);
    }
    await stub.excludeClickWebhooks(Date.now() + WRITE_MS + 1000);
    expect(await stub.offer(deliveryOf({}))).toEqual(STORED);
  });

  it('clicks without the queue are refused after all was erased, also if there were no webhooks before', async () => {
    const { stub } = await openDirect();
    await stub.erase();
    expect(await stub.offer(deliveryOf({}))).toEqual(REFUSED);
    await stub.excludeClickWebhooks(Date.now() - 1000);
    expect(await stub.offer(deliveryOf({}))).toEqual(REFUSED);
  });

  it('clicks without the queue are refused while a backup is restored, and afterwards until it is known that there are no webhooks', async () => {
    const original = await openDirect();
    const { sections } = await readPage(original);
    const statistics = await openDirect();
    const { stub } = statistics;
    await stub.beginLoad(STATISTICS_SCHEMA);
    const refusal = await refusalOf(statistics, (object) => object.offer(deliveryOf({})));
    expect(refusal).toMatch(/are being restored from a backup$/);
    expect(await refusalOf(statistics, (object) => object.excludeClickWebhooks(Date.now()))).toBe(refusal);
    expect(await stub.load(sections)).toBeNull();
    await stub.endLoad();
    expect(await stub.offer(deliveryOf({}))).toEqual(REFUSED);
    // Before the restore the database may have had no webhook that it has now.
    await stub.excludeClickWebhooks(Date.now() - 1000);
    expect(await stub.offer(deliveryOf({}))).toEqual(REFUSED);
    await stub.excludeClickWebhooks(Date.now() + WRITE_MS + 1000);
    expect(await stub.offer(deliveryOf({}))).toEqual(STORED);
  });

  it('clicks without the queue are too many from the sixth append in ten seconds on: it is still stored, the next ones are not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { stub } = await openDirect();
    for (let n = 0; n < 5; n++) expect(await stub.offer(deliveryOf({}))).toEqual(STORED);
    expect(await stub.offer(deliveryOf({}))).toEqual({ isStored: true, isBusy: true });
    expect(await stub.offer(deliveryOf({}))).toEqual({ isStored: false, isBusy: true });
    expect(await stub.offer(deliveryOf({}), true)).toEqual(STORED);
    vi.setSystemTime(Date.now() + 10_000);
    expect(await stub.offer(deliveryOf({}))).toEqual(STORED);
    vi.useRealTimers();
  });
});

/** Stores a delivery in an object that has just woken, and returns how many rows of deliveries it reads for that. */
async function rowsReadBy({ stub }: Statistics, delivery: Delivery) {
  return runInDurableObject(stub, (_object, { storage }) => {
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    const exec = (query: string, ...params: unknown[]) => {
      const cursor = storage.sql.exec(query, ...params);
      if (query.includes('FROM deliveries')) cursors.push(cursor);
      return cursor;
    };
    const sql = { exec } as unknown as SqlStorage;
    const appends = new Appends({ sql, transactionSync: (work) => storage.transactionSync(work) });
    const { groups } = appends.store(delivery, Date.now());
    return { stored: groups.length, read: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0) };
  });
}

describe('an object that wakes', () => {
  it('an object that wakes reads the rows of the last hour alone', async () => {
    const statistics = openStatistics();
    const { stub, rows } = statistics;
    const append = async (count: number) => {
      for (let n = 0; n < count; n++) await stub.append(deliveryOf({}));
    };
    const ageBy = (ms: number) => rows('UPDATE deliveries SET at = at - ?1', ms);
    await append(60);
    await ageBy(3 * HOUR_MS);
    const few = await rowsReadBy(statistics, deliveryOf({}));
    expect(few.stored).toBe(1);
    expect(few.read).toBeLessThan(10);
    await append(20);
    expect((await rowsReadBy(statistics, deliveryOf({}))).read).toBeLessThan(10 + 22);
  });

  it('an object that wakes counts a pack once that comes again after hours in which nothing was folded', async () => {
    const statistics = openStatistics();
    const { stub, rows, restart } = statistics;
    const packedAt = Date.now() - 5 * HOUR_MS;
    const late: Delivery = { ...deliveryOf({}), packs: [['late', packedAt]] };
    await stub.append(late);
    await rows('UPDATE deliveries SET at = ?1', packedAt + 1000);
    await restart();
    await stub.append(deliveryOf({}));
    expect(await rowsReadBy(statistics, late)).toMatchObject({ stored: 0 });
    await stub.append(late);
    await restart();
    await stub.append({ ...deliveryOf({}), packs: [['another of that hour', packedAt + 60_000]] });
    await stub.append(late);
    expect(await clicksOf(statistics)).toBe(3);
  });
});

describe('deliveries', () => {
  const alarmOf = ({ stub }: Statistics) => runInDurableObject(stub, (_object, { storage }) => storage.getAlarm());

  it('deliveries of clicks are folded at once from 2,000 rows on, also after a restart', async () => {
    const statistics = openStatistics();
    const { stub, rows, restart } = statistics;
    await stub.append(deliveryOf({}));
    await rows(
      `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO deliveries (id, at, groups, packs, body) SELECT i, at, groups, x'', body FROM n, deliveries WHERE id = 1`,
      MAX_ROWS - 1,
    );
    await rows('UPDATE deliveries SET at = at - ?1', 2 * HOUR_MS);
    await restart();
    await stub.expectClickWebhook();
    expect((await alarmOf(statistics))! - Date.now()).toBeGreaterThan(FOLD_MS / 2);
    await stub.append(deliveryOf({}));
    await expect.poll(async () => (await rows('SELECT count(*) AS left FROM deliveries'))[0]!['left']).toBeLessThan(2);
    expect(await clicksOf(statistics)).toBe(MAX_ROWS);
  });

  it('deliveries of clicks of a link that is to be removed are folded within the hour', async () => {
    const { stub, rows } = openStatistics();
    await stub.append(deliveryOf({ link: 'removed' }));
    const waits = () =>
      runInDurableObject(stub, (_object, { storage: { sql } }) => {
        const backlog = new Backlog(sql, readLastHour(sql, Date.now()));
        return nextWork(sql, backlog, true)! - Date.now();
      });
    expect(await waits()).toBeGreaterThan(FOLD_MS / 2);
    await rows(`INSERT INTO purges (link) VALUES ('removed')`);
    expect(await waits()).toBeLessThanOrEqual(HOUR_MS);
  });
});
