import { setTimeout } from 'node:timers/promises';
import { addUser, createKey } from '../../src/accounts/operator.ts';
import type { Question } from '../../src/statistics/questions/questions.ts';
import { DAY_MS } from '../../src/time/day.ts';
import type { Service } from '../contestant.ts';
import type { Goal } from '../goal.ts';
import { range, seedLinks, slugOf } from '../links.ts';
import { intervalOf, type Interval } from '../pairs/interval.ts';
import type { Seed } from '../seeded-object.ts';
import { mainThreadCpuMsOf } from '../usage.ts';

/** The year of a tag with many links, compared with the year before. */
export interface YearFigures {
  /** The CPU of one such question, with all that is between the caller and the object. */
  readonly cpuMs: Interval;
  /** The number of years that had a response, and of those that were asked for, four at once. */
  readonly responses: readonly [number, number];
  /** The CPU for which another call of the object waited at most while it had as many questions, in milliseconds. */
  readonly waitMs: Interval;
}

export const YEAR_GOALS = { cpuMs: { most: 800 }, waitMs: { most: 50 } } satisfies Readonly<Record<string, Goal>>;

const CLIENT = 'year';
const LINKS = 1000;
const FIRST_LINK = 1_000_000;
/** The days whose facts of clicks are all kept: 89,000 days of links. */
const DAYS = 89;
/** The days of the year and of the one before, each from so many days ago to so many. */
const YEARS = [
  [364, 0],
  [729, 365],
] as const;
const AT_ONCE = 4;
const REST_MS = 2;

/** Fills the object of a client with clicks of the last days. */
export async function seedDays({ origin }: Service, clientId: string, seed: Omit<Seed, 'from'>): Promise<void> {
  const from = Math.floor(Date.now() / DAY_MS) - seed.days;
  const body = JSON.stringify({ ...seed, from } satisfies Seed);
  const response = await fetch(`${origin}/.bench/seed?client=${clientId}`, { method: 'POST', body });
  if (!response.ok) throw new Error(`The clicks were not stored: ${await response.text()}`);
}

export async function measureYears(
  service: Service,
  times: number,
  say: (progress: string) => void,
): Promise<YearFigures> {
  say('years: filling');
  const { db, origin, pid } = service;
  await addUser(db, { name: CLIENT, password: CLIENT, clientId: CLIENT });
  const key = await createKey(db, CLIENT, CLIENT);
  const headers = { 'X-API-Key': key?.text ?? '' };
  await seedLinks(db, FIRST_LINK, FIRST_LINK + LINKS, CLIENT);
  await db.batch([
    { sql: `INSERT INTO tags VALUES ('year', ?1, 'year', 'year', 'blue', 1)`, params: [CLIENT] },
    { sql: `INSERT INTO link_tags SELECT id, 'year', created_at FROM links WHERE client_id = ?1`, params: [CLIENT] },
  ]);
  const clicks = { clicksPerDay: 2 * LINKS, facts: 2, clientFacts: 500 };
  await seedDays(service, CLIENT, { links: LINKS, firstLink: FIRST_LINK, days: DAYS, ...clicks });
  const ask = async (): Promise<boolean> => {
    const query = `tag=year&from=${dayOf(364)}&to=${dayOf(0)}&compare=previous`;
    const response = await fetch(`${origin}/v1/stats?${query}`, { headers });
    const text = await response.text();
    if (response.ok && !text.includes(`"total":${2 * LINKS * DAYS}`)) throw new Error(`The year is wrong: ${text}`);
    return response.ok;
  };
  const subject = { kind: 'links' as const, names: range(FIRST_LINK, FIRST_LINK + LINKS).map(slugOf) };
  const askObject = async ([first, last]: (typeof YEARS)[number]): Promise<void> => {
    const [from, to] = [first, last].map((daysAgo) => Math.floor(Date.now() / DAY_MS) - daysAgo) as [number, number];
    const question: Question = { subject, from, to, by: [], filters: {}, withCarried: true, visitors: null };
    await fetch(`${origin}/.bench/ask?client=${CLIENT}`, { method: 'POST', body: JSON.stringify(question) });
  };
  await ask();
  const [cpuMs, waits]: [number[], number[]] = [[], []];
  let responses = 0;
  for (let time = 1; time <= times; time++) {
    say(`years: ${time} of ${times}`);
    const before = mainThreadCpuMsOf(pid);
    await ask();
    cpuMs.push(mainThreadCpuMsOf(pid) - before);
    responses += (await Promise.all(Array.from({ length: AT_ONCE }, ask))).filter(Boolean).length;
    // Directly, since the local database, which finds the links of the tag, works in the same thread.
    const all = Promise.all(Array.from({ length: AT_ONCE }, () => YEARS.map(askObject)).flat());
    waits.push(await longestWait(pid, `${origin}/.bench/wait?client=${CLIENT}`, all));
  }
  return { cpuMs: intervalOf(cpuMs), responses: [responses, times * AT_ONCE], waitMs: intervalOf(waits) };
}

/** The day so long ago, such as 2026-11-21. */
const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

/**
 * Calls again and again until some work is done. Returns the most CPU that the thread of the Worker and its objects took
 * during one call, in milliseconds: unlike its time, it has nothing of other programs.
 */
async function longestWait(pid: number, url: string, work: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  const end = () => (state.isDone = true);
  work.then(end, end);
  let longest = 0;
  while (!state.isDone) {
    const before = mainThreadCpuMsOf(pid);
    await fetch(url);
    longest = Math.max(longest, mainThreadCpuMsOf(pid) - before);
    await setTimeout(REST_MS);
  }
  return longest;
}
