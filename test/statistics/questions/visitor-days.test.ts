import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retain } from '../../../src/statistics/retention.ts';
import type { ClicksAndVisitors, Subject } from '../../../src/statistics/questions/questions.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { readPages, restoreElsewhere } from '../support/backups.ts';
import { carryDays } from '../support/carried-days.ts';
import { deliveryOf, openStatistics, type Statistics, type TestClick } from '../support/statistics.ts';

/** Marks of two people. */
const [ANN, BEN] = ['AAAAAAAA', 'BBBBBBBB'];
const FIRST = Math.floor(Date.parse('2026-03-10T00:00:00Z') / DAY_MS);

beforeEach(() => void vi.setSystemTime('2026-03-10T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

const click = (at: string, marks: string, more: Partial<TestClick> = {}): TestClick => ({
  at: Date.parse(`2026-03-${at}:00Z`),
  marks,
  ...more,
});

/** The visitors of days: a question about clicks has them too, and a Worker of the version before asks for them alone. */
const visitors = async (
  { stub }: Statistics,
  { link = null, from = FIRST, to = FIRST + 9 }: Partial<Question> = {},
) => {
  const subject: Subject = link === null ? { kind: 'client' } : { kind: 'link', name: link };
  const asked = { subject, from, to, by: [], filters: {}, visitors: { from, to } };
  const [clicks, alone] = await Promise.all([stub.ask(asked), stub.visitorDays({ link, from, to })]);
  expect((clicks as unknown as ClicksAndVisitors).visitors).toEqual(alone);
  return alone;
};
type Question = Parameters<Statistics['stub']['visitorDays']>[0];

/** Does the work of the alarm at a time: it folds, and removes what is too old. */
async function workAt(statistics: Statistics, time: string): Promise<void> {
  vi.setSystemTime(`2026-03-${time}:00Z`);
  await runInDurableObject(statistics.stub, (object) => object.alarm());
}

describe('the visitors of a day', () => {
  it('the visitors of a day are people who followed a link, each once, however often and in which hour', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(click('10T09:00', ANN), click('10T10:00', ANN), click('10T10:30', BEN)));
    expect(await visitors(statistics)).toEqual({ from: FIRST, counts: [2] });
    await workAt(statistics, '10T13:00');
    expect(await visitors(statistics)).toEqual({ from: FIRST, counts: [2] });
    expect(await visitors(statistics, { link: 'link-1' })).toEqual({ from: FIRST, counts: [2] });
  });

  it('the visitors of a day are counted anew on the next day, from midnight UTC on, and stay when marks are removed', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(click('10T23:59', ANN)));
    vi.setSystemTime('2026-03-11T12:00:00Z');
    await statistics.stub.append(deliveryOf(click('11T00:00', ANN), click('11T00:01', BEN)));
    const counts = [1, 2];
    expect(await visitors(statistics)).toEqual({ from: FIRST, counts });
    for (const time of ['11T13:00', '12T00:00', '13T00:00', '14T00:00', '15T00:00']) {
      await workAt(statistics, time);
      for (const link of [null, 'link-1']) {
        const known = await visitors(statistics, { link });
        expect(known?.counts.slice(0, 2), `${time} ${link}`).toEqual(counts);
      }
    }
    expect(await statistics.rows('SELECT * FROM visitor_marks')).toEqual([]);
    expect((await visitors(statistics))?.counts).toEqual([1, 2, 0, 0, 0, 0]);
  });

  it('the visitors of a day are those of each link, so that one person at two links counts twice for the client', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(click('10T09:00', ANN), click('10T09:00', ANN, { link: 'link-2' })));
    for (const time of ['10T13:00', '11T00:00', '14T00:00']) {
      await workAt(statistics, time);
      expect((await visitors(statistics))?.counts[0], time).toBe(2);
      expect((await visitors(statistics, { link: 'link-2' }))?.counts[0], time).toBe(1);
    }
  });

  it('the visitors of a day leave out programs, and people without a mark', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(click('10T09:00', ANN, { kind: 'bot' }), click('10T09:00', '')));
    await workAt(statistics, '14T00:00');
    expect((await visitors(statistics))?.counts).toEqual([0, 0, 0, 0, 0]);
    expect(await statistics.rows('SELECT * FROM visitor_days')).toEqual([]);
  });

  it('the visitors of a day are the same after a pack that is delivered twice, and after a restart', async () => {
    const statistics = openStatistics();
    const delivery = deliveryOf(click('10T09:00', ANN, { pack: 'one' }));
    await statistics.stub.append(delivery);
    await workAt(statistics, '11T00:00');
    await statistics.restart();
    await statistics.stub.append(delivery);
    await workAt(statistics, '12T00:00');
    await statistics.restart();
    expect((await visitors(statistics))?.counts).toEqual([1, 0, 0]);
  });

  it('the visitors of a day get those of a pack that comes late: all while marks are kept, and never one twice later', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(click('10T09:00', ANN)));
    await workAt(statistics, '11T00:00');
    vi.setSystemTime('2026-03-11T10:00:00Z');
    await statistics.stub.append(deliveryOf(click('10T09:00', ANN), click('10T09:00', BEN)));
    await workAt(statistics, '12T00:00');
    expect((await visitors(statistics))?.counts[0]).toBe(2);
    await workAt(statistics, '14T00:00');
    await statistics.stub.append(deliveryOf(click('10T09:00', BEN)));
    await workAt(statistics, '15T00:00');
    for (const link of [null, 'link-1']) expect((await visitors(statistics, { link }))?.counts[0]).toBe(2);
  });

  it('the visitors of a day are not lost with the links that are purged without a trace', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(click('10T09:00', ANN)));
    await workAt(statistics, '11T00:00');
    await statistics.stub.purge(['link-1']);
    await workAt(statistics, '11T00:10');
    expect((await visitors(statistics))?.counts).toEqual([1, 0]);
    expect((await visitors(statistics, { link: 'link-1' }))?.counts).toEqual([0, 0]);
    expect(await statistics.rows('SELECT id FROM visitor_days WHERE id >= ?1', 2 ** 22)).toEqual([]);
    await statistics.stub.erase();
    expect((await visitors(statistics))?.counts).toEqual([0, 0]);
  });

  it('the visitors of a day take one row a link for 32 days', async () => {
    const statistics = openStatistics();
    for (const day of ['10', '11', '12', '13', '14']) {
      vi.setSystemTime(`2026-03-${day}T12:00:00Z`);
      await statistics.stub.append(deliveryOf(click(`${day}T09:00`, ANN)));
    }
    await workAt(statistics, '18T00:00');
    expect(await statistics.rows('SELECT count(*) AS rows FROM visitor_days')).toEqual([{ rows: 2 }]);
    expect((await visitors(statistics))?.counts).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0]);
  });

  it('the visitors of a day are in a backup, and restored from it', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(click('10T09:00', ANN)));
    await workAt(statistics, '14T00:00');
    const other = await restoreElsewhere(await readPages(statistics));
    expect(await visitors(other)).toEqual(await visitors(statistics));
    expect((await visitors(other))?.counts[0]).toBe(1);
  });
});

describe('what is known of visitors', () => {
  it('what is known of visitors begins with the marks that the version before has left, and is nothing before', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(click('09T09:00', ANN), click('09T09:00', BEN), click('10T09:00', ANN)));
    await workAt(statistics, '10T13:00');
    // As the tables were before they had visitors by day, after a pass of that version.
    await runInDurableObject(statistics.stub, (_object, { storage: { sql } }) => {
      sql.exec('DROP TABLE visitor_days; ALTER TABLE deliveries DROP COLUMN sources');
      sql.exec(`UPDATE state SET value = 3 WHERE name = 'schema'`);
    });
    await statistics.restart();
    const range = { from: FIRST - 9, to: FIRST };
    expect(await visitors(statistics, range)).toEqual({ from: FIRST - 2, counts: [0, 2, 1] });
    await workAt(statistics, '14T00:00');
    expect(await visitors(statistics, range)).toEqual({ from: FIRST - 2, counts: [0, 2, 1] });
    expect(await visitors(statistics, { from: FIRST - 9, to: FIRST - 3 })).toBeNull();
  });

  it('what is known of visitors begins after the days that were carried from version 1.2.0', async () => {
    const statistics = openStatistics();
    const day = { humans: 1, bots: 0, previews: 0, lastAt: 1, by: {} };
    await runInDurableObject(statistics.stub, (_object, { storage }) =>
      carryDays(storage, [{ ...day, subject: { kind: 'client' }, day: FIRST - 1 }], FIRST),
    );
    const range = { from: FIRST - 9 };
    expect(await visitors(statistics, range)).toEqual({ from: FIRST, counts: [0] });
  });

  it('what is known of visitors ends yesterday for a client with more links than can be read at once, and today for each of them', async () => {
    const statistics = openStatistics();
    await statistics.stub.append(deliveryOf(click('09T09:00', ANN)));
    await workAt(statistics, '10T13:00');
    const links = Array.from({ length: 2001 }, (_, index) => click('10T09:00', ANN, { link: `link-${index}` }));
    await statistics.stub.append(deliveryOf(...links.slice(0, -1)));
    const range = { from: FIRST - 1 };
    expect((await visitors(statistics, range))?.counts).toEqual([1, 2000]);
    await statistics.stub.append(deliveryOf(...links.slice(-1)));
    expect(await visitors(statistics, range)).toEqual({ from: FIRST - 1, counts: [1] });
    expect(await visitors(statistics, { from: FIRST })).toBeNull();
    expect(await visitors(statistics, { ...range, link: 'link-2000' })).toEqual({ from: FIRST - 1, counts: [0, 1] });
    await workAt(statistics, '11T00:00');
    expect((await visitors(statistics, range))?.counts).toEqual([1, 2001]);
  });

  it('what is known of visitors is the same while the retention is interrupted', async () => {
    const statistics = openStatistics();
    const links = Array.from({ length: 450 }, (_, index) => click('10T09:00', ANN, { link: `link-${index}` }));
    await statistics.stub.append(deliveryOf(...links));
    await workAt(statistics, '10T13:00');
    vi.setSystemTime('2026-03-11T00:00:00Z');
    const pass = () =>
      runInDurableObject(statistics.stub, (_object, { storage }) =>
        retain(storage, { today: FIRST + 1, detailDays: 90 }, async () => {}, 1),
      );
    for (let isDone = false; !isDone; isDone = await pass()) {
      expect((await visitors(statistics))?.counts).toEqual([450, 0]);
    }
    expect((await visitors(statistics))?.counts).toEqual([450, 0]);
  });
});
