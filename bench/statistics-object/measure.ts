import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { build } from '../build.ts';
import { slugOf } from '../links.ts';
import type { ObjectUse } from '../metered-object.ts';
import { costOfObjects } from '../prices.ts';
import type { Sandbox } from '../sandbox.ts';
import { cpuSecondsOf } from '../usage.ts';
import { DEFAULT_DETAIL_DAYS as DETAIL_DAYS } from '../../src/config/config.ts';
import { BLOCK_DAYS } from '../../src/statistics/days/stored-block.ts';
import type { Load } from './worker.ts';
import { modulesOf } from '../../scripts/worker-modules.ts';

/** The cost and the capacity of the statistics of one client. */
export interface StatisticsFigures {
  readonly packed: Written;
  readonly quiet: Written;
  /** Clicks a second of CPU that one object takes, with folds, on 10,000 links. */
  readonly clicksPerCpuSecond: number;
  /** In bytes a click, or MB a million. */
  readonly storage: { readonly fresh: number; readonly old: number };
  /** In milliseconds; 90 days of a client with 10,000 links and 10^8 clicks. */
  readonly question: { readonly overview: number; readonly longestAppend: number; readonly link: number };
}

interface Written {
  readonly rowsPerClick: number;
  /** US dollars a million clicks, of the object alone. */
  readonly cost: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export async function measureStatistics(sandbox: Sandbox, say: (progress: string) => void): Promise<StatisticsFigures> {
  const path = await build(sandbox, 'bench/statistics-object/worker.ts');
  const miniflare = await start(path, join(sandbox.folder, 'objects'));
  try {
    const origin = (await miniflare.ready).origin;
    const ask = async <T>(task: string, body: object): Promise<T> => {
      const response = await fetch(`${origin}/${task}`, { method: 'POST', body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${task} failed: ${await response.text()}`);
      return (await response.json()) as T;
    };
    return {
      packed: await measurePacked(ask, say),
      quiet: await measureQuiet(ask, say),
      clicksPerCpuSecond: await measureThroughput(ask, say),
      storage: await measureStorage(ask, say),
      question: await measureQuestion(ask, say),
    };
  } finally {
    await miniflare.dispose();
  }
}

async function start(path: string, folder: string): Promise<Miniflare> {
  return new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      logRequests: false,
      log: new Log(LogLevel.ERROR),
      resourcePersistencePath: folder,
      workers: [
        {
          name: 'bench',
          ...modulesOf(path),
          compatibilityDate: '2026-08-01',
          compatibilityFlags: ['nodejs_compat'],
          durableObjects: { STATISTICS: { className: 'ClientStatistics', useSQLite: true } },
        },
      ],
    }),
  );
}

type Ask = <T>(task: string, body: object) => Promise<T>;
type Say = (progress: string) => void;
interface Used {
  readonly use: ObjectUse;
  readonly bytes: number;
}

const thisHour = (): number => Math.floor(Date.now() / HOUR_MS);
const dayBefore = (days: number): number => Math.floor(Date.now() / DAY_MS) - days;

function loadOf(client: string, load: Partial<Load>): Load {
  const preset = {
    links: 50,
    deliveries: 120,
    clicksPerDelivery: 5000,
    packsPerDelivery: 50,
    hour: thisHour(),
    hours: 0,
  };
  return { client, ...preset, ...load };
}

// Ten minutes of 1,000 clicks a second, in a batch each five seconds.
async function measurePacked(ask: Ask, say: Say): Promise<Written> {
  say('statistics: 600,000 clicks on 50 hot links');
  const load = loadOf('packed', {});
  const clicks = load.deliveries * load.clicksPerDelivery;
  const uses = [await ask<Used>('load', load), await ask<Used>('fold', { client: load.client })];
  return written(uses, clicks, load.deliveries);
}

// A click each ten seconds, and a fold each hour.
async function measureQuiet(ask: Ask, say: Say): Promise<Written> {
  say('statistics: 7,200 clicks now and then');
  const uses: Used[] = [];
  for (let hour = 0; hour < 20; hour++) {
    const load = loadOf('quiet', {
      links: 100,
      deliveries: 360,
      clicksPerDelivery: 1,
      packsPerDelivery: 1,
      hour: thisHour() - 20 + hour,
    });
    uses.push(await ask<Used>('load', load), await ask<Used>('fold', { client: load.client }));
  }
  return written(uses, 7200, 7200);
}

function written(uses: readonly Used[], clicks: number, appends: number): Written {
  const each = (of: (use: ObjectUse) => number) => uses.reduce((sum, { use }) => sum + of(use), 0) / clicks;
  const rowsPerClick = each(({ rowsWritten }) => rowsWritten);
  const cost = costOfObjects({
    objectRequests: each(({ alarms }) => alarms) + appends / clicks,
    objectRowsRead: each(({ rowsRead }) => rowsRead),
    objectRowsWritten: rowsPerClick,
    objectMilliseconds: each(({ milliseconds }) => milliseconds),
  });
  return { rowsPerClick, cost };
}

async function measureThroughput(ask: Ask, say: Say): Promise<number> {
  say('statistics: 1,000,000 clicks on 10,000 links');
  const load = loadOf('spread', { links: 10_000, deliveries: 200 });
  const cpu = async (task: string) => {
    const before = cpuSecondsOf(process.pid);
    await ask(task, load);
    return cpuSecondsOf(process.pid) - before;
  };
  const all = (await cpu('load')) + (await cpu('fold'));
  return (load.deliveries * load.clicksPerDelivery) / (all - (await cpu('generate')));
}

async function measureStorage(ask: Ask, say: Say): Promise<{ fresh: number; old: number }> {
  say('statistics: 1,000,000 clicks on 1,000 links in 30 days');
  const load = loadOf('storage', {
    links: 1000,
    deliveries: 300,
    clicksPerDelivery: 3334,
    hour: thisHour() - 30 * 24,
    hours: 30 * 24,
  });
  const clicks = load.deliveries * load.clicksPerDelivery;
  await ask('load', load);
  await ask('fold', { client: load.client });
  const { bytes } = await ask<Used>('retain', { client: load.client, day: dayBefore(0) });
  const { bytes: old } = await ask<Used>('retain', { client: load.client, day: dayBefore(-DETAIL_DAYS - BLOCK_DAYS) });
  return { fresh: bytes / clicks, old: old / clicks };
}

async function measureQuestion(ask: Ask, say: Say): Promise<StatisticsFigures['question']> {
  say('statistics: questions about 10^8 clicks on 10,000 links in 90 days');
  const client = 'large';
  await ask('seed', { client, links: 10_000, from: dayBefore(90), days: 90, clicksPerDay: 10 ** 8 / 90 });
  const filters = { country: ['C1', 'C2'], device: ['mobile'] };
  const range = { from: dayBefore(90), to: dayBefore(0) };
  const overview = { subject: { kind: 'client' }, ...range, by: ['hour', 'country', 'referrer', 'browser'], filters };
  const timed = async (task: string, body: object) => {
    const from = performance.now();
    await ask(task, body);
    return performance.now() - from;
  };
  const asking = timed('ask', { client, question: overview });
  const appends: number[] = [];
  const small = loadOf(client, { deliveries: 1, clicksPerDelivery: 100, packsPerDelivery: 1 });
  const state = { isAsked: false };
  void asking.finally(() => (state.isAsked = true));
  do appends.push(await timed('load', small));
  while (!state.isAsked);
  const link = { subject: { kind: 'link', name: slugOf(5) }, ...range, by: ['country'], filters };
  return {
    overview: await asking,
    longestAppend: Math.max(...appends),
    link: await timed('ask', { client, question: link }),
  };
}
