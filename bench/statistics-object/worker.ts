import { DEFAULT_DETAIL_DAYS } from '../../src/config/config.ts';
import { env } from 'cloudflare:workers';
import type { Delivery, DeliveredProfile } from '../../src/statistics/append/delivery.ts';
import type { Fact } from '../../src/statistics/facts.ts';
import type { Question } from '../../src/statistics/questions/questions.ts';
import { retain } from '../../src/statistics/retention.ts';
import { DAY_IDS } from '../../src/statistics/row-ids.ts';
import { joinSums, NO_CLICKS, type Day } from '../../src/statistics/days/day.ts';
import { packDay } from '../../src/statistics/days/stored-day.ts';
import { addSubjects } from '../../src/statistics/subjects.ts';
import { addWords } from '../../src/statistics/words.ts';
import { HOUR_MS } from '../../src/time/day.ts';
import { CountedStatistics, takeObjectUse } from '../metered-object.ts';

export { LinkLimit } from '../floors/objects.ts';

/** A Worker that fills objects with made-up clicks, and counts the rows that they write. */

/** Clicks to be made up, from 200 referrers, 60 countries and 12 browsers. */
export interface Load {
  readonly client: string;
  readonly links: number;
  readonly deliveries: number;
  readonly clicksPerDelivery: number;
  readonly packsPerDelivery: number;
  /** The first hour of the clicks, since the epoch, and how many hours they take. */
  readonly hour: number;
  readonly hours: number;
}

/** The object as it is, which counts what it uses. */
export class ClientStatistics extends CountedStatistics {
  async retainOn(day: number): Promise<void> {
    while (!(await retain(this.ctx.storage, { today: day, detailDays: DEFAULT_DETAIL_DAYS }, () => scheduler.wait(0))));
  }

  async bytes(): Promise<number> {
    return this.ctx.storage.sql.databaseSize;
  }

  /** Stores folded days: those of links with few facts, those of the client with as many as it keeps. */
  async seed({ links, from, days, clicksPerDay, facts = FACTS_OF_A_LINK, isCarried = false }: Seed): Promise<void> {
    const { sql } = this.ctx.storage;
    const numbers = [
      ...addSubjects(
        sql,
        'link',
        Array.from({ length: links }, (_, i) => `link${i}`),
      ).values(),
    ];
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
      store(0, day, 2000, clicksPerDay);
      for (const number of numbers) store(number, day, facts, clicksPerDay / links);
      await scheduler.wait(0);
    }
  }
}

/** Folded days, from one on. */
interface Seed {
  readonly links: number;
  readonly from: number;
  readonly days: number;
  readonly clicksPerDay: number;
  /** The number of facts of a link on a day. */
  readonly facts?: number;
  /** True for days that were counted in the database, which has only their sums. */
  readonly isCarried?: boolean;
}

const FACTS_OF_A_LINK = 20;

const pick = (values: readonly string[]): string | null => values[Math.floor(Math.random() * values.length)] ?? null;
const list = (length: number, name: string): string[] => Array.from({ length }, (_, i) => `${name}${i}`);
const COUNTRIES = list(60, 'C');
const REFERRERS = list(200, 'referrer-').map((name) => `${name}.example`);
const BROWSERS = list(12, 'Browser ');
const SYSTEMS = list(6, 'System ');
const DEVICES = ['mobile', 'desktop', 'tablet'];
const LANGUAGES = list(11, 'l');

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
    Math.max(1, Math.round(clicks / facts)),
  ]);
}

function randomDelivery({ links, clicksPerDelivery, packsPerDelivery, hour, hours }: Load, part: number): Delivery {
  const at = (hour + Math.floor(part * hours)) * HOUR_MS;
  const clicks = Array.from({ length: clicksPerDelivery }, (_, index) => index);
  return {
    packs: Array.from({ length: packsPerDelivery }, () => [crypto.randomUUID(), at]),
    links: Array.from({ length: links }, (_, i) => [`link${i}`, i % 2 ? `campaign ${i % 100}` : null]),
    profiles: clicks.map((): DeliveredProfile => [
      at / HOUR_MS,
      'human',
      pick(COUNTRIES),
      pick(REFERRERS),
      pick(BROWSERS),
      pick(SYSTEMS),
      pick(DEVICES),
      pick(LANGUAGES),
      null,
    ]),
    groups: clicks.map((index) => [
      index % packsPerDelivery,
      Math.floor(Math.random() * links),
      index,
      1,
      at,
      crypto.randomUUID().slice(-8),
    ]),
  };
}

type Objects = DurableObjectNamespace<ClientStatistics>;

/** The tasks that the bench requests, by path. */
const TASKS: Readonly<Record<string, (body: never) => Promise<unknown>>> = {
  async load(load: Load) {
    const object = openObject(load.client);
    takeObjectUse();
    for (let index = 0; index < load.deliveries; index++) {
      await object.append(randomDelivery(load, index / load.deliveries));
    }
    return { use: takeObjectUse() };
  },
  /** Only generates the clicks, so that this time can be subtracted. */
  async generate(load: Load) {
    for (let index = 0; index < load.deliveries; index++) randomDelivery(load, index / load.deliveries);
    return {};
  },
  async fold({ client }: { client: string }) {
    takeObjectUse();
    await openObject(client).foldAll();
    return { use: takeObjectUse(), bytes: await openObject(client).bytes() };
  },
  async retain({ client, day }: { client: string; day: number }) {
    await openObject(client).retainOn(day);
    return { bytes: await openObject(client).bytes() };
  },
  async seed({ client, ...seed }: Seed & { client: string }) {
    await openObject(client).seed(seed);
    return { bytes: await openObject(client).bytes() };
  },
  async ask({ client, question }: { client: string; question: Question }) {
    return openObject(client).ask(question);
  },
};

function openObject(client: string): DurableObjectStub<ClientStatistics> {
  return (env as unknown as { readonly STATISTICS: Objects }).STATISTICS.getByName(client);
}

export default {
  async fetch(request) {
    const task = TASKS[new URL(request.url).pathname.slice(1)];
    if (task === undefined) return new Response(null, { status: 404 });
    return Response.json(await task((await request.json()) as never));
  },
} satisfies ExportedHandler;
