import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { packDay } from '../../../src/statistics/days/stored-day.ts';
import { MAX_ASKED, MAX_COSTLY, TOO_MANY_QUESTIONS } from '../../../src/statistics/questions/turns.ts';
import { DAY_IDS } from '../../../src/statistics/row-ids.ts';
import { addSubjects } from '../../../src/statistics/subjects.ts';
import { deliveryOf, openStatistics, TODAY } from '../support/statistics.ts';

/** The questions of one client that come at the same time. */

// The clock stands still, so that no question ends because the machine is slow.
beforeEach(() => void vi.setSystemTime(Date.now()));
afterEach(() => void vi.useRealTimers());

const DAYS = 30;

/** An object in which each link has one click a day, and questions about them. A hundred links take some four slices. */
async function openWithLinks(links: number) {
  const statistics = openStatistics();
  const names = Array.from({ length: links }, (_, i) => `link-${i}`);
  await runInDurableObject(statistics.stub, (_object, { storage: { sql } }) => {
    const day = packDay({ facts: [[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1]], hasHours: true, sums: new Map() });
    for (const number of addSubjects(sql, 'link', names).values())
      for (let back = 0; back < DAYS; back++)
        sql.exec('INSERT INTO days (id, clicks) VALUES (?1, ?2)', DAY_IDS.of(number, TODAY - back), day);
  });
  const range = { from: TODAY - DAYS + 1, to: TODAY, filters: {} };
  const costly = { ...range, subject: { kind: 'links', names }, by: ['country'] } as const;
  const cheap = { ...range, subject: { kind: 'link', name: 'link-0' }, by: ['country'] } as const;
  return { ...statistics, stub: statistics.stub, range, costly, cheap, names };
}

/** A caller that can leave. */
function openLeavingCaller() {
  const { readable, writable } = new IdentityTransformStream();
  return { caller: readable, leave: () => writable.abort(new Error('left')) };
}

const outcomeOf = (result: Promise<unknown>): Promise<string> =>
  result.then(
    () => 'answered',
    (error: unknown) => (error as Error).message,
  );

it.each(['ask', 'askByLink', 'recent'] as const)(
  'a question of `%s` ends between two slices once its caller has left',
  async (method) => {
    const { stub, costly, range, names } = await openWithLinks(1500);
    const { caller, leave } = openLeavingCaller();
    const asked = {
      ask: () => stub.ask(costly, caller),
      askByLink: () => stub.askByLink(range, caller),
      recent: () => stub.recent({ ...range, links: names }, caller),
    };
    const outcome = outcomeOf(asked[method]());
    await leave();
    expect(await outcome).toBe('the caller has left');
  },
);

it('questions are computed for a caller that stays, and its stream is no longer read afterwards', async () => {
  const { stub, costly } = await openWithLinks(300);
  const { caller } = openLeavingCaller();
  const days = await stub.ask(costly, caller);
  expect([days.length, days[0]?.humans]).toEqual([DAYS, 300]);
});

it('questions end after the time for which their callers wait', async () => {
  const { stub, costly } = await openWithLinks(1500);
  const outcome = outcomeOf(stub.ask(costly));
  // The object has begun to answer, since calls arrive in their order.
  await stub.hasRoom();
  vi.setSystemTime(Date.now() + 9000);
  expect(await outcome).toBe('the caller no longer waits');
});

it('questions are computed one after the other if they are costly, and cheap ones and clicks do not wait for them', async () => {
  const { stub, costly, cheap } = await openWithLinks(500);
  const done: string[] = [];
  const note = (name: string) => () => void done.push(name);
  const all = [1, 2, 3].map((number) => stub.ask(costly).then(note(`costly ${number}`)));
  await Promise.all([
    ...all,
    stub.ask(cheap).then(note('cheap')),
    stub.append(deliveryOf({ link: 'link-1' })).then(note('append')),
  ]);
  expect(done.slice(2)).toEqual(['costly 1', 'costly 2', 'costly 3']);
  expect(done.slice(0, 2).toSorted()).toEqual(['append', 'cheap']);
});

it('questions are refused beyond a number of costly ones, and the others get a response', async () => {
  const { stub, costly, cheap } = await openWithLinks(300);
  const outcomes = await Promise.all(Array.from({ length: MAX_COSTLY + 24 }, () => outcomeOf(stub.ask(costly))));
  expect(new Set(outcomes)).toEqual(new Set(['answered', TOO_MANY_QUESTIONS]));
  expect(outcomes.filter((outcome) => outcome === 'answered').length).toBeGreaterThanOrEqual(MAX_COSTLY);
  expect(await outcomeOf(stub.ask(cheap))).toBe('answered');
  expect(await outcomeOf(stub.ask(costly))).toBe('answered');
});

it('questions are refused beyond a number of all, and places are free again afterwards', async () => {
  const { stub, costly } = await openWithLinks(50);
  const outcomes = await Promise.all(Array.from({ length: MAX_ASKED + 10 }, () => outcomeOf(stub.ask(costly))));
  expect(new Set(outcomes)).toEqual(new Set(['answered', TOO_MANY_QUESTIONS]));
  expect(outcomes.filter((outcome) => outcome === 'answered').length).toBeGreaterThanOrEqual(MAX_ASKED);
  expect(await outcomeOf(stub.ask(costly))).toBe('answered');
});

it('questions leave their places when their callers leave while they wait', async () => {
  const { stub, costly } = await openWithLinks(400);
  const callers = Array.from({ length: MAX_COSTLY }, openLeavingCaller);
  const outcomes = callers.map(({ caller }) => outcomeOf(stub.ask(costly, caller)));
  await Promise.all(callers.map(({ leave }) => leave()));
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['the caller has left']));
  expect(await outcomeOf(stub.ask(costly))).toBe('answered');
});
