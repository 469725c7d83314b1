import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { packDay } from '../../../src/statistics/days/stored-day.ts';
import type { ClientStatistics } from '../../../src/statistics/object.ts';
import { FreshClicks } from '../../../src/statistics/questions/fresh-clicks.ts';
import { readByLink } from '../../../src/statistics/questions/link-question.ts';
import { readClicks } from '../../../src/statistics/questions/questions.ts';
import { readRecent } from '../../../src/statistics/questions/recent.ts';
import { Slices } from '../../../src/statistics/questions/slices.ts';
import { DAY_IDS } from '../../../src/statistics/row-ids.ts';
import { addSubjects, findSubjects } from '../../../src/statistics/subjects.ts';
import { deliveryOf, openStatistics, TODAY } from '../support/statistics.ts';

/** Clicks that come, and are folded, while a question is being answered. */

const LINKS = 400;
const NAMES = Array.from({ length: LINKS }, (_, i) => `link-${i}`);
const DAYS = 10;
const MONTH = { from: TODAY - 29, to: TODAY, filters: {} };
const EIGHT_HOURS = 8 * 3_600_000;

interface Scene {
  readonly sql: SqlStorage;
  /** Between two slices of a question, a click of another link comes, and folds are begun and go a slice further. */
  readonly pause: () => Promise<void>;
}

/** Runs in an object whose links have one folded click on each of some days, and one that is not folded. */
async function withClicks<Result>(work: (scene: Scene) => Promise<Result>): Promise<Result> {
  const { stub } = openStatistics();
  return runInDurableObject(stub, async (object: ClientStatistics, { storage: { sql } }) => {
    const day = packDay({ facts: [[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1]], hasHours: true, sums: new Map() });
    for (const number of addSubjects(sql, 'link', NAMES).values())
      for (let back = 1; back <= DAYS; back++)
        sql.exec('INSERT INTO days (id, clicks) VALUES (?1, ?2)', DAY_IDS.of(number, TODAY - back), day);
    for (let from = 0; from < LINKS; from += 50)
      await object.append(deliveryOf(...NAMES.slice(from, from + 50).map((link) => ({ link }))));
    let pauses = 0;
    const folds: Promise<void>[] = [];
    const result = await work({
      sql,
      pause: async () => {
        pauses += 1;
        await object.append(deliveryOf({ link: 'another' }));
        if (pauses % 3 === 1) {
          sql.exec('UPDATE deliveries SET at = at - ?1', EIGHT_HOURS);
          folds.push(object.alarm());
        }
        // A whole fold, and not only a slice, comes between others.
        if (pauses % 6 === 0) await Promise.all(folds);
        await scheduler.wait(0);
      },
    });
    expect(pauses).toBeGreaterThan(5);
    await Promise.all(folds);
    return result;
  });
}

it('counts each click of many links once, whatever comes between two slices', async () => {
  const subject = { kind: 'links', names: NAMES } as const;
  const days = await withClicks(({ sql, pause }) => readClicks(sql, { ...MONTH, subject, by: ['country'] }, pause));
  expect(days.map(({ humans }) => humans)).toEqual(Array.from({ length: DAYS + 1 }, () => LINKS));
});

it('counts each click of every link once, whatever comes between two slices', async () => {
  const links = await withClicks(({ sql, pause }) => readByLink(sql, MONTH, pause));
  const own = links.filter(({ value }) => value !== 'another');
  expect([own.length, new Set(own.map(({ humans }) => humans))]).toEqual([LINKS, new Set([DAYS + 1])]);
});

it('counts the recent clicks of each link once, whatever comes between two slices', async () => {
  const recent = await withClicks(async ({ sql, pause }) => {
    const results = [];
    for (let time = 0; time < 6; time++)
      results.push(await readRecent(sql, { ...MONTH, links: NAMES.slice(0, 100) }, pause));
    return results;
  });
  for (const links of recent)
    for (const { people } of links.values()) expect(people?.reduce((sum, clicks) => sum + clicks)).toBe(DAYS + 1);
});

it('deliveries are read again after all were folded, and their ids begin anew', async () => {
  const { stub, fold } = openStatistics();
  await stub.append(deliveryOf({ clicks: 2 }));
  const read = () =>
    runInDurableObject(stub, async (_object, { storage: { sql } }) => {
      const number = findSubjects(sql, 'link', ['link-1']).get('link-1') ?? -1;
      const clicksOf = async (fresh: FreshClicks) =>
        (await fresh.of(number, new Slices(async () => undefined))).totals.clicks;
      return { number, fresh: new FreshClicks(sql), clicksOf };
    });
  const { fresh, clicksOf } = await read();
  const inObject = () => runInDurableObject(stub, () => clicksOf(fresh));
  expect(await inObject()).toEqual([2, 0, 0]);
  await fold();
  expect(await inObject()).toEqual([0, 0, 0]);
  await stub.append(deliveryOf({ clicks: 5 }));
  expect(await inObject()).toEqual([5, 0, 0]);
  await fold();
  await stub.append(deliveryOf({ clicks: 7 }));
  await stub.append(deliveryOf({ clicks: 1 }));
  expect(await inObject()).toEqual([8, 0, 0]);
});
