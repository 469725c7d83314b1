import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { foldDeliveries } from '../../src/statistics/days/fold-deliveries.ts';
import { DEFAULT_DETAIL_DAYS as DETAIL_DAYS } from '../../src/config/config.ts';
import { retain } from '../../src/statistics/retention.ts';
import { HOUR_DAYS } from '../../src/statistics/days/opened-day.ts';
import { DAY_IDS } from '../../src/statistics/row-ids.ts';
import { STATISTICS_SCHEMA } from '../../src/statistics/schema.ts';
import { BLOCK_DAYS } from '../../src/statistics/days/stored-block.ts';
import { DAY_MS } from '../../src/time/day.ts';
import { deliveryOf, openStatistics, TODAY, type Statistics, type TestClick } from './support/statistics.ts';

const AGES = [0, 1, 2, 7, 8, 9, 40, 89, 91, 130, 300];

const clicksOf = (age: number): TestClick[] => [
  { at: Date.now() - age * DAY_MS, country: 'AT', referrer: 't.co', marks: 'AAAAAAAA' },
  { at: Date.now() - age * DAY_MS, country: 'DE', kind: 'bot', campaign: 'spring', clicks: 1 + age },
  { at: Date.now() - age * DAY_MS, link: 'link-2', country: 'DE', device: 'mobile' },
];

async function openWithAges(): Promise<Statistics> {
  const statistics = openStatistics();
  await statistics.stub.append(deliveryOf(...AGES.flatMap(clicksOf)));
  await fold(statistics);
  return statistics;
}

/** Folds without the retention that follows by the alarm. */
const fold = ({ stub }: Statistics): Promise<void> =>
  runInDurableObject(stub, (_object, { storage }) => foldDeliveries(storage, async () => {}, 0));

const retainOn = ({ stub }: Statistics, day: number, pause = async () => {}): Promise<boolean> =>
  runInDurableObject(stub, (_object, { storage }) => retain(storage, { today: day, detailDays: DETAIL_DAYS }, pause));

const BY = ['hour', 'country', 'referrer', 'device', 'campaign', 'link'] as const;

/** All sums, in no order. */
async function sumsOf({ ask }: Statistics) {
  const subjects = [
    { kind: 'client' },
    { kind: 'link', name: 'link-1' },
    { kind: 'campaign', name: 'spring' },
  ] as const;
  const each = await Promise.all(subjects.map((subject) => ask({ subject, by: BY })));
  return each.map((days) =>
    days.map(({ day, humans, bots, previews, by }) => ({
      day,
      clicks: [humans, bots, previews],
      by: BY.map((each) => by[each]!.toSorted((a, b) => a.value.localeCompare(b.value))),
    })),
  );
}

describe('the retention', () => {
  it('the retention keeps every sum, on any day', async () => {
    const statistics = await openWithAges();
    const before = await sumsOf(statistics);
    for (const later of [0, 1, 7, 30, 60, 365]) {
      await retainOn(statistics, TODAY + later);
      expect(await sumsOf(statistics), `${later} days later`).toEqual(before);
    }
    expect(await statistics.rows('SELECT count(*) AS days FROM days')).toEqual([{ days: 0 }]);
  });

  it('the retention keeps hours for eight days, and facts for ninety', async () => {
    const statistics = await openWithAges();
    await retainOn(statistics, TODAY);
    const days = await statistics.ask({ by: ['hour', 'country'], filters: { country: ['DE'] } });
    const known = days.map(({ day, isKnown, hasHours, humans, bots }) => [
      TODAY - day,
      isKnown,
      hasHours,
      humans,
      bots,
    ]);
    const lastBlock = Math.floor((TODAY - DETAIL_DAYS) / BLOCK_DAYS) * BLOCK_DAYS;
    expect(known).toEqual(
      AGES.toReversed().map((age) => {
        const isKnown = TODAY - age >= lastBlock;
        return [age, isKnown, age <= HOUR_DAYS, isKnown ? 1 : 0, isKnown ? 1 + age : 0];
      }),
    );
  });

  it('the retention keeps marks for two days after theirs, and the words of the day alone are counted', async () => {
    const statistics = await openWithAges();
    const marks = () => statistics.rows('SELECT DISTINCT hour / 24 AS day FROM visitor_marks ORDER BY day DESC');
    await retainOn(statistics, TODAY);
    expect(await marks()).toEqual([TODAY, TODAY - 1, TODAY - 2].map((day) => ({ day })));
    await retainOn(statistics, TODAY + 3);
    expect(await marks()).toEqual([]);
    expect(await statistics.rows('SELECT * FROM new_words')).toEqual([]);
  });

  it('the retention remembers packs for as long as they are counted', async () => {
    const statistics = await openWithAges();
    const seen = () => statistics.rows('SELECT hour FROM seen_packs');
    await retainOn(statistics, TODAY + 31);
    expect(await seen()).toHaveLength(1);
    await retainOn(statistics, TODAY + 32);
    expect(await seen()).toEqual([]);
  });

  it('the retention keeps facts for as long as the operator wants', async () => {
    for (const [detailDays, isKnown] of [
      [40, false],
      [400, true],
    ] as const) {
      const { stub, ask, fold } = openStatistics();
      await stub.append(deliveryOf({ at: Date.now() - 100 * DAY_MS }));
      await fold();
      await runInDurableObject(stub, (_object, { storage }) =>
        retain(storage, { today: TODAY + 1, detailDays }, async () => {}),
      );
      expect(await ask({ from: TODAY - 100, filters: { country: ['AT'] } })).toMatchObject([{ isKnown }]);
    }
  });

  it('a retention that is interrupted continues where it was, and is done once a day', async () => {
    const statistics = await openWithAges();
    const before = await sumsOf(statistics);
    const interrupted = retainOn(statistics, TODAY, () => Promise.reject(new Error('the object ends here')));
    await expect(interrupted).rejects.toThrow('the object ends here');
    await statistics.restart();
    expect(await sumsOf(statistics)).toEqual(before);
    await retainOn(statistics, TODAY);
    let pauses = 0;
    await retainOn(statistics, TODAY, async () => void (pauses += 1));
    expect(pauses).toBe(0);
    expect(await sumsOf(statistics)).toEqual(before);
    expect(await statistics.rows('SELECT name, value FROM state ORDER BY name')).toEqual([
      { name: 'retained_day', value: TODAY },
      { name: 'schema', value: STATISTICS_SCHEMA },
    ]);
  });

  it('a retention that is interrupted, and continues another day, leaves out no link', async () => {
    const statistics = openStatistics();
    const links = Array.from({ length: 450 }, (_, i) => ({ link: `link-${i}`, at: Date.now() - 9 * DAY_MS }));
    await statistics.stub.append(deliveryOf(...links));
    await fold(statistics);
    const interrupted = retainOn(statistics, TODAY - 1, () => Promise.reject(new Error('the object ends here')));
    await expect(interrupted).rejects.toThrow('the object ends here');
    await retainOn(statistics, TODAY);
    const names = ['link-0', 'link-199', 'link-200', 'link-449'];
    const hours = await Promise.all(
      names.map(async (name) => {
        const [day] = await statistics.ask({ subject: { kind: 'link', name }, filters: { country: ['AT'] } });
        return day?.hasHours;
      }),
    );
    expect(hours).toEqual([false, false, false, false]);
  });

  it('the retention runs although clicks are delivered during the fold', async () => {
    const { stub, rows, age } = openStatistics();
    await stub.append(deliveryOf(...clicksOf(9)));
    await age();
    await runInDurableObject(stub, async (object) => {
      const work = object.alarm();
      await object.append(deliveryOf({}));
      await work;
    });
    expect(await rows('SELECT hour FROM visitor_marks')).toEqual([]);
  });

  it('the retention runs although the fold fails', async () => {
    const statistics = await openWithAges();
    await statistics.stub.append(deliveryOf({}));
    await statistics.age();
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const marks = await runInDurableObject(statistics.stub, async (object, { storage: { sql } }) => {
      sql.exec(`UPDATE days SET clicks = x'09' WHERE id = ?1`, DAY_IDS.of(0, TODAY));
      await object.alarm();
      return [...sql.exec('SELECT hour / 24 AS day FROM visitor_marks ORDER BY day')].map(({ day }) => day);
    });
    expect(logged.mock.calls.flat().join('\n')).toContain('statistics_work_failed');
    logged.mockRestore();
    expect(marks).toEqual([TODAY - 2, TODAY - 1, TODAY]);
  });

  it('the retention takes a late click of a day that had none, and whose hours would have been removed', async () => {
    const statistics = await openWithAges();
    await retainOn(statistics, TODAY);
    const at = Date.now() - 20 * DAY_MS;
    await statistics.stub.append(deliveryOf({ at, country: 'DE' }));
    const filters = { country: ['DE'] };
    const question = { from: TODAY - 20, to: TODAY - 20, by: ['hour'], filters } as const;
    const before = await statistics.ask(question);
    expect(before).toMatchObject([{ humans: 1, hasHours: false, by: { hour: [{ value: '0', humans: 1 }] } }]);
    await statistics.fold();
    expect(await statistics.ask(question)).toEqual(before);
    const hour = String(new Date(at).getUTCHours());
    expect(await statistics.ask({ ...question, filters: {} })).toMatchObject([
      { by: { hour: [{ value: hour, humans: 1 }] } },
    ]);
  });

  it('the retention of many links takes several alarms, each of which is set at once', async () => {
    const statistics = openStatistics();
    const { stub } = statistics;
    const links = Array.from({ length: 900 }, (_, i) => ({ link: `link-${i}`, at: Date.now() - 9 * DAY_MS }));
    await stub.append(deliveryOf(...links));
    await fold(statistics);
    const isDone = () =>
      runInDurableObject(stub, (_object, { storage }) =>
        retain(storage, { today: TODAY, detailDays: DETAIL_DAYS }, async () => {}, 2),
      );
    expect([await isDone(), await isDone(), await isDone()]).toEqual([false, false, true]);
    expect(await statistics.rows(`SELECT value FROM state WHERE name = 'retained_day'`)).toEqual([{ value: TODAY }]);
  });

  it('the retention takes a late click of a day whose facts were removed', async () => {
    const statistics = await openWithAges();
    const { stub, ask } = statistics;
    // As after a clock that was a year ahead.
    await retainOn(statistics, TODAY + 365);
    await stub.append(deliveryOf({ country: 'DE', clicks: 5 }, { country: 'DE', clicks: 5, kind: 'bot' }));
    const today = { from: TODAY, to: TODAY, by: BY } as const;
    const bothQuestions = async () => [await ask(today), await ask({ ...today, filters: { country: ['DE'] } })];
    const before = await bothQuestions();
    expect(before[0]).toMatchObject([{ humans: 2 + 5, bots: 1 + 5, isKnown: true }]);
    expect(before[1]).toMatchObject([{ humans: 0, bots: 0, isKnown: false }]);
    await fold(statistics);
    expect(await bothQuestions()).toEqual(before);
    for (const later of [0, 1, 200]) {
      await retainOn(statistics, TODAY + later);
      expect((await bothQuestions())[0], `${later} days later`).toMatchObject([{ humans: 2 + 5, bots: 1 + 5 }]);
    }
    expect(await statistics.rows('SELECT * FROM days')).toEqual([]);
  });

  it('the retention takes a late click of a day whose hours were removed', async () => {
    const statistics = await openWithAges();
    await retainOn(statistics, TODAY);
    await statistics.stub.append(deliveryOf({ at: Date.now() - 9 * DAY_MS, country: 'DE' }));
    await statistics.fold();
    const [day] = await statistics.ask({
      from: TODAY - 9,
      to: TODAY - 9,
      by: ['hour', 'country'],
      filters: { country: ['DE'] },
    });
    expect(day).toMatchObject({ humans: 2, bots: 10, hasHours: false });
  });
});
