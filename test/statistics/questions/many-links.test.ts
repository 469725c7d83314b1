import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { Day } from '../../../src/statistics/days/day.ts';
import { packBlock } from '../../../src/statistics/days/stored-block.ts';
import { packDay } from '../../../src/statistics/days/stored-day.ts';
import { SUMMED, type ValueClicks, type Sums } from '../../../src/statistics/days/sums.ts';
import { readByLink } from '../../../src/statistics/questions/link-question.ts';
import { readClicks, type DayClicks, type Question } from '../../../src/statistics/questions/questions.ts';
import { readRecent } from '../../../src/statistics/questions/recent.ts';
import { BLOCK_IDS, DAY_IDS } from '../../../src/statistics/row-ids.ts';
import { addSubjects } from '../../../src/statistics/subjects.ts';
import { deliveryOf, openStatistics, TODAY, type TestClick } from '../support/statistics.ts';

/** Questions about many links at once: what they add up, and how long others wait for them. */

const pick = <T>(values: readonly T[], seed: number): T => values[seed % values.length]!;
const BY = ['hour', 'country', 'referrer', 'device', 'campaign'] as const;

/** Clicks of twelve links on six days, in which no two properties depend on each other. */
const CLICKS: readonly TestClick[] = Array.from({ length: 600 }, (_, i) => ({
  link: `link-${(i * 7) % 12}`,
  campaign: pick([null, 'spring'], Math.floor(i / 3)),
  at: Date.now() - ((i * 5) % 6) * 86_400_000,
  kind: pick(['human', 'bot', 'human', 'preview'] as const, Math.floor(i / 2)),
  country: pick(['AT', 'DE', null, 'CH'], Math.floor(i / 5)),
  referrer: pick([null, 't.co', 'news.example', 'other'], Math.floor(i / 11)),
  device: pick(['mobile', 'desktop'], Math.floor(i / 17)),
  clicks: 1 + (i % 3),
}));

/** The values of several responses in the order in which they first appear, each with the sum of its clicks. */
function addUp(values: readonly ValueClicks[]): ValueClicks[] {
  return [...Map.groupBy(values, ({ value }) => value)].map(([value, same]) => ({
    value,
    humans: same.reduce((sum, { humans }) => sum + humans, 0),
    bots: same.reduce((sum, { bots }) => sum + bots, 0),
    previews: same.reduce((sum, { previews }) => sum + previews, 0),
  }));
}

/** The days of several links, added up from what each link gives alone. */
function join(parts: readonly (readonly DayClicks[])[]): DayClicks[] {
  const days = [...Map.groupBy(parts.flat(), ({ day }) => day)].toSorted(([a], [b]) => a - b);
  return days.map(([day, parts]) => {
    const [all] = addUp(parts.map((part) => ({ ...part, value: '' })));
    const { humans, bots, previews } = all!;
    const by = Object.fromEntries(BY.map((each) => [each, addUp(parts.flatMap((part) => part.by[each]!))]));
    const isKnown = parts.every((part) => part.isKnown);
    return { day, isKnown, hasHours: parts.every((part) => part.hasHours), humans, bots, previews, by };
  });
}

it.each<Question['filters']>([{}, { visitor: ['human'] }, { country: ['AT', ''], visitor: ['bot', 'human'] }])(
  'gives for several links what each of them gives alone, with the filters %j, folded or not',
  async (filters) => {
    const { stub, ask, fold } = openStatistics();
    await stub.append(deliveryOf(...CLICKS));
    const names = ['link-3', 'link-0', 'link-11', 'link-7', 'no-clicks', 'link-8'];
    const check = async () => {
      const together = await ask({ subject: { kind: 'links', names }, by: BY, filters });
      // The object reads them in the order of their names.
      const alone = await Promise.all(
        names.toSorted().map((name) => ask({ subject: { kind: 'link', name }, by: BY, filters })),
      );
      expect(together).toEqual(join(alone));
      expect(together.length).toBeGreaterThan(3);
    };
    await check();
    await fold();
    await check();
    await stub.append(deliveryOf(...CLICKS.slice(0, 50)));
    await check();
  },
);

const LINKS = 400;
const NAMES = Array.from({ length: LINKS }, (_, i) => `link-${i}`);
const FACT = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1];
const ONE_CLICK: Day = { facts: [FACT], hasHours: true, sums: new Map() };
const ONE_SUM: Day = {
  facts: [],
  hasHours: false,
  sums: new Map(SUMMED.map((by) => [by, new Map([[0, [1, 0, 0]]]) as Sums])),
};

/** An object in which each of many links has one click a day, and its SQL. */
async function withFewClicks<Result>(work: (sql: SqlStorage) => Promise<Result>): Promise<Result> {
  const { stub } = openStatistics();
  return runInDurableObject(stub, async (_object, { storage: { sql } }) => {
    const [day, block] = [packDay(ONE_CLICK), packBlock(new Map(Array.from({ length: 32 }, (_, i) => [i, ONE_SUM])))];
    for (const number of addSubjects(sql, 'link', NAMES).values()) {
      for (let back = 0; back < 30; back++)
        sql.exec('INSERT INTO days (id, clicks) VALUES (?1, ?2)', DAY_IDS.of(number, TODAY - back), day);
      sql.exec('INSERT INTO blocks (id, clicks) VALUES (?1, ?2)', BLOCK_IDS.of(number, 100), block);
    }
    return work(sql);
  });
}

/** Counts how often some work lets others in. */
async function countPauses(work: (pause: () => Promise<void>) => Promise<unknown>): Promise<number> {
  let pauses = 0;
  await work(async () => void (pauses += 1));
  return pauses;
}

const links = { subject: { kind: 'links', names: NAMES }, by: ['country'], filters: {} } as const;

it('a question about many links lets others in by the days and links that it reads, however few clicks those have', async () => {
  await withFewClicks(async (sql) => {
    const month = { from: TODAY - 29, to: TODAY };
    expect(await countPauses((pause) => readClicks(sql, { ...links, ...month }, pause))).toBeGreaterThanOrEqual(10);
    expect(await countPauses((pause) => readByLink(sql, { ...month, filters: {} }, pause))).toBeGreaterThanOrEqual(10);
    expect(await countPauses((pause) => readRecent(sql, { ...month, links: NAMES }, pause))).toBeGreaterThanOrEqual(3);
    const empty = { from: TODAY + 10, to: TODAY + 20 };
    expect(await countPauses((pause) => readClicks(sql, { ...links, ...empty }, pause))).toBeGreaterThanOrEqual(3);
  });
});

it('a question about many links lets others in while it unpacks the blocks of old days, one of which it needs', async () => {
  await withFewClicks(async (sql) => {
    const day = { from: 100 * 32 + 5, to: 100 * 32 + 5 };
    expect(await countPauses((pause) => readClicks(sql, { ...links, ...day }, pause))).toBeGreaterThanOrEqual(10);
    expect(await readClicks(sql, { ...links, ...day }, async () => undefined)).toMatchObject([{ humans: LINKS }]);
  });
});
