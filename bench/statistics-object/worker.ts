import { DEFAULT_DETAIL_DAYS } from '../../src/config/config.ts';
import { env } from 'cloudflare:workers';
import type { Delivery, DeliveredProfile } from '../../src/statistics/append/delivery.ts';
import type { Question } from '../../src/statistics/questions/questions.ts';
import { retain } from '../../src/statistics/retention.ts';
import { HOUR_MS } from '../../src/time/day.ts';
import { slugOf } from '../links.ts';
import { takeObjectUse } from '../metered-object.ts';
import { BROWSERS, COUNTRIES, DEVICES, list, REFERRERS, SeededStatistics, type Seed } from '../seeded-object.ts';

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
export class ClientStatistics extends SeededStatistics {
  async retainOn(day: number): Promise<void> {
    while (!(await retain(this.ctx.storage, { today: day, detailDays: DEFAULT_DETAIL_DAYS }, () => scheduler.wait(0))));
  }

  async bytes(): Promise<number> {
    return this.ctx.storage.sql.databaseSize;
  }
}

const pick = (values: readonly string[]): string | null => values[Math.floor(Math.random() * values.length)] ?? null;
const SYSTEMS = list(6, 'System ');
const LANGUAGES = list(11, 'l');

function randomDelivery({ links, clicksPerDelivery, packsPerDelivery, hour, hours }: Load, part: number): Delivery {
  const at = (hour + Math.floor(part * hours)) * HOUR_MS;
  const clicks = Array.from({ length: clicksPerDelivery }, (_, index) => index);
  return {
    packs: Array.from({ length: packsPerDelivery }, () => [crypto.randomUUID(), at]),
    links: Array.from({ length: links }, (_, i) => [slugOf(i), i % 2 ? `campaign ${i % 100}` : null]),
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
      'link',
      null,
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
