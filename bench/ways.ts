import { offer, parcelsOf } from '../src/clicks/direct.ts';
import { ClickGroups, type ClickGroup } from '../src/clicks/groups.ts';
import { packClicks } from '../src/clicks/pack.ts';
import { QueuedClients } from '../src/clicks/queued-clients.ts';
import { AppendRate } from '../src/statistics/append/direct.ts';
import type { Statistics, StatisticsObject } from '../src/statistics/statistics.ts';
import { NO_COUNTS, OPERATIONS_PER_MESSAGE, type Counts } from './click-counts.ts';
import { costOfMillion } from './prices.ts';

/**
 * The cost of the two ways of clicks that isolates choose from: straight to objects, or by the queue. Simulated by the
 * second, with the code that chooses, since hundreds of isolates do not fit on one machine.
 */

export interface WayLoad {
  readonly isolates: number;
  readonly clients: number;
  /** Of each isolate, at random clients. */
  readonly clicksASecond: number;
  readonly seconds: number;
}

interface Ways {
  /** US dollars a million clicks, of the queue, its consumer and the rows of deliveries; the redirects are not in it. */
  readonly cost: number;
  /** The cost if all packs take the queue. */
  readonly queueOnly: number;
  /** The share of clicks that go straight to an object. */
  readonly direct: number;
  /** The seconds that clicks wait on average until they are counted, apart from the calls themselves. */
  readonly delaySeconds: number;
}

/** The consumers of wrangler.toml. */
interface Consumers {
  readonly batchSize: number;
  readonly batchSeconds: number;
  readonly consumers: number;
}

/** Loads whose ways differ. */
export const WAY_LOADS: Readonly<Record<string, WayLoad>> = {
  'one client, one isolate, a click every ten seconds': { isolates: 1, clients: 1, clicksASecond: 0.1, seconds: 3600 },
  '1,000 clients, 100 isolates, each a click every 2 s': {
    isolates: 100,
    clients: 1000,
    clicksASecond: 0.5,
    seconds: 600,
  },
  '1,000 clients, 100 isolates, each 10 clicks a second': {
    isolates: 100,
    clients: 1000,
    clicksASecond: 10,
    seconds: 300,
  },
  'one client, 10 isolates, each a click a second': { isolates: 10, clients: 1, clicksASecond: 1, seconds: 600 },
  'one client, 300 isolates, each a click a second': { isolates: 300, clients: 1, clicksASecond: 1, seconds: 600 },
  'one client, 300 isolates, each 20 clicks a second': { isolates: 300, clients: 1, clicksASecond: 20, seconds: 300 },
};

/** Random numbers from 0 to 1, the same at each run. */
export function openRandom(): () => number {
  let seed = 7;
  return () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

// A delivery is a row, which a fold deletes.
const ROWS = 2;

/** @param random of 0 to 1 */
export async function simulateWays(load: WayLoad, consumers: Consumers, random: () => number): Promise<Ways> {
  const clock = { now: 0 };
  const realNow = Date.now;
  const realRandom = Math.random;
  [Date.now, Math.random] = [() => clock.now, random];
  try {
    const queueOnly = await simulate(load, consumers, random, clock, false);
    const mixed = await simulate(load, consumers, random, clock, true);
    return { ...mixed, queueOnly: queueOnly.cost };
  } finally {
    [Date.now, Math.random] = [realNow, realRandom];
  }
}

async function simulate(
  { isolates, clients, clicksASecond, seconds }: WayLoad,
  { batchSize, batchSeconds, consumers }: Consumers,
  random: () => number,
  clock: { now: number },
  isMixed: boolean,
): Promise<Omit<Ways, 'queueOnly'>> {
  const begin = 1_800_000_000_000;
  clock.now = begin;
  const counts: Counts = { ...NO_COUNTS };
  const rates = new Map<string, AppendRate>();
  const rateOf = (client: string) => {
    const rate = rates.get(client) ?? new AppendRate();
    rates.set(client, rate);
    return rate;
  };
  const append = (client: string) => {
    counts.objectRequests += 1;
    counts.objectRowsWritten += ROWS;
    rateOf(client).note(clock.now);
  };
  const object = (client: string) =>
    ({
      // As `CountingStatistics` does.
      offer: async () => {
        if (rateOf(client).isBusy(clock.now)) {
          counts.objectRequests += 1;
          return { isStored: false, isBusy: true };
        }
        append(client);
        return { isStored: true, isBusy: rateOf(client).isBusy(clock.now) };
      },
    }) as unknown as StatisticsObject;
  const statistics: Statistics = { call: (client, work) => work(object(client)) };
  const known = Array.from({ length: isolates }, () => ({
    statistics,
    queuedClients: new QueuedClients(),
    isQueueLast: false,
  }));
  let waiting: ReadonlySet<string>[] = [];
  let [clicks, direct, delay] = [0, 0, 0];
  const send = (groups: readonly ClickGroup[], size: number) => {
    waiting.push(new Set(groups.map(({ link }) => link.clientId)));
    counts.queueOperations += OPERATIONS_PER_MESSAGE;
    delay += (size * batchSeconds) / 2;
  };
  for (let second = 0; second < seconds; second++) {
    for (const stores of known) {
      clock.now = begin + second * 1000 + Math.floor(random() * 1000);
      const groups = new ClickGroups();
      for (let left = clicksASecond; left > 0 && (left >= 1 || random() < left); left -= 1) {
        const clientId = `client-${Math.floor(random() * clients)}`;
        groups.add({ ...CLICK, clientId, linkId: `link-${clientId}-${Math.floor(random() * 100)}`, at: clock.now });
        clicks += 1;
      }
      if (groups.isEmpty) continue;
      const parcels = isMixed ? parcelsOf(stores, groups.list()) : [{ groups: groups.list(), offeredTo: null }];
      for (const { groups: some, offeredTo } of parcels) {
        const size = some.reduce((sum, group) => sum + group.clicks, 0);
        if (offeredTo === null) send(some, size);
        else {
          const pack = packClicks(some, () => null);
          const response = await offer(stores, offeredTo, pack);
          if (response === 'stored') direct += size;
          else send(some, size);
        }
      }
    }
    if (second % batchSeconds !== batchSeconds - 1 || waiting.length === 0) continue;
    // Consumers share what waits once one of them cannot take it.
    const batches = Math.max(Math.min(consumers, Math.ceil(waiting.length / batchSize)), waiting.length / batchSize);
    for (let batch = 0; batch < batches; batch++) {
      counts.consumerRuns += 1;
      const messages = waiting.filter((_, index) => index % Math.ceil(batches) === batch);
      for (const client of new Set(messages.flatMap((message) => [...message]))) append(client);
    }
    waiting = [];
  }
  const each = Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, count / clicks]),
  ) as unknown as Counts;
  const cost = costOfMillion({ ...each, cpuMs: 0 }).total - costOfMillion({ ...NO_COUNTS, cpuMs: 0 }).total;
  return { cost, direct: direct / clicks, delaySeconds: delay / clicks };
}

const CLICK = {
  campaignName: null,
  destination: null,
  country: 'AT',
  referrer: null,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  languages: 'de',
  address: null,
};
