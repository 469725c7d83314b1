import { joinSums, NO_CLICKS, type Day } from '../src/statistics/days/day.ts';
import { packDay } from '../src/statistics/days/stored-day.ts';
import { LINK, type Fact } from '../src/statistics/facts.ts';
import { DAY_IDS } from '../src/statistics/row-ids.ts';
import { addSubjects } from '../src/statistics/subjects.ts';
import { addWords } from '../src/statistics/words.ts';
import { range, slugOf } from './links.ts';
import { CountedStatistics } from './metered-object.ts';

/** Folded days, from one on. */
export interface Seed {
  readonly links: number;
  /** The number of the first link, as in `seedLinks`. */
  readonly firstLink?: number;
  readonly from: number;
  readonly days: number;
  readonly clicksPerDay: number;
  /** The number of facts of a link on a day. */
  readonly facts?: number;
  /** The number of facts of the client on a day. */
  readonly clientFacts?: number;
  /** True for days that were counted in the database, which has only their sums. */
  readonly isCarried?: boolean;
}

const FACTS_OF_A_LINK = 20;
const MOST_FACTS_OF_A_CLIENT = 2000;

/** The values that clicks have. */
export const COUNTRIES = list(60, 'C');
export const REFERRERS = list(200, 'referrer-').map((name) => `${name}.example`);
export const BROWSERS = list(12, 'Browser ');
export const DEVICES = ['mobile', 'desktop', 'tablet'];

/** The object as it is, which counts what it uses, and can be filled. */
export class SeededStatistics extends CountedStatistics {
  /** Stores folded days: those of links with few facts, those of the client with as many as it keeps. */
  async seed({ firstLink = 0, links, from, days, clicksPerDay, ...seed }: Seed): Promise<void> {
    const { facts = FACTS_OF_A_LINK, clientFacts = MOST_FACTS_OF_A_CLIENT, isCarried = false } = seed;
    const { sql } = this.ctx.storage;
    const ids = range(firstLink, firstLink + links).map(slugOf);
    const numbers = [...addSubjects(sql, 'link', ids).values()];
    for (const [dimension, words] of [
      ['country', COUNTRIES],
      ['referrer', REFERRERS],
      ['browser', BROWSERS],
      ['device', DEVICES],
    ] as const) {
      addWords(sql, dimension, new Map(words.map((word) => [word, 1])), from);
    }
    const store = (subject: number, day: number, count: number, clicks: number) => {
      const known: Day = { facts: randomFacts(count, clicks), hasHours: false, sums: new Map() };
      const table = isCarried ? 'carried_days' : 'days';
      sql.exec(
        `INSERT INTO ${table} (id, clicks) VALUES (?1, ?2)`,
        DAY_IDS.of(subject, day),
        packDay(isCarried ? joinSums(NO_CLICKS, known) : known),
      );
    };
    for (let day = from; day < from + days; day++) {
      store(0, day, clientFacts, clicksPerDay);
      for (const number of numbers) store(number, day, facts, clicksPerDay / links);
      await scheduler.wait(0);
    }
  }
}

export function list(length: number, name: string): string[] {
  return Array.from({ length }, (_, i) => `${name}${i}`);
}

// The first two numbers are those of what is not known, and of other words.
const number = (words: number): number => 2 + Math.floor(Math.random() * words);

function randomFacts(facts: number, clicks: number): Fact[] {
  return Array.from({ length: facts }, () => [
    0,
    0,
    number(COUNTRIES.length),
    number(REFERRERS.length),
    number(BROWSERS.length),
    0,
    number(DEVICES.length),
    0,
    0,
    0,
    LINK,
    0,
    0,
    Math.max(1, Math.round(clicks / facts)),
  ]);
}
