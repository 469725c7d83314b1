import { RpcChild } from '../child-rpc.ts';
import { startContestant, startService, type Service } from '../contestant.ts';
import type { Cores } from '../cores.ts';
import { batchSecondsOf, openFloorTable } from '../legs.ts';
import { range, seedLinks, slugOf, targetOf } from '../links.ts';
import { shuffled } from '../requests.ts';
import type { Sandbox } from '../sandbox.ts';
import { percentileOf } from '../statistics.ts';
import { cpuSecondsOf, settled } from '../usage.ts';
import type { ArrivalTasks } from './arrivals.ts';
import type { Beside } from './options.ts';
import { waitForClicks } from './run-drill.ts';
import { isRedirected, type Visit } from './visits.ts';

/** A service that is measured, and the visits that it gets. */
interface Measured {
  readonly name: string;
  readonly origin: string;
  readonly visits: readonly Visit[];
  /** Its process with all that it has started; null if its CPU cannot be seen. */
  readonly pid: number | null;
  /** Terse, whose clicks are counted; null for all others. */
  readonly service: Service | null;
}

export interface RateResult {
  readonly name: string;
  readonly perSecond: number;
  readonly percentilesMs: Readonly<Record<'p50' | 'p95' | 'p99' | 'p99.9', number>>;
  /** Right redirects a second of the load. */
  readonly redirectedPerSecond: number;
  readonly wrong: number;
  /** CPU of a visit, including its deferred work, in milliseconds; null if it cannot be seen. */
  readonly cpuMs: number | null;
  /** Redirects whose clicks were never counted, of all; null where nothing is counted. */
  readonly clicks: { readonly lost: number; readonly of: number } | null;
  readonly lateMs: number;
}

interface RateOptions {
  readonly rates: readonly number[];
  readonly seconds: number;
  readonly patienceSeconds: number;
  readonly beside: readonly Beside[];
  readonly cores: Cores | null;
  readonly say: (progress: string) => void;
}

const LINKS = 100;
const WARM_UP_SECONDS = 2;
const VISIT = { path: `/${slugOf(0)}`, location: 'https://example.com/a/page' };

/** Measures all services at each rate, one after the other. */
export async function measureRates(sandbox: Sandbox, options: RateOptions): Promise<readonly RateResult[]> {
  const { rates, seconds, patienceSeconds, cores, say } = options;
  say('building and starting the services');
  const measured = await open(sandbox, options);
  const load = new RpcChild<ArrivalTasks>(sandbox, 'bench/published/arrivals.ts', cores?.load ?? []);
  const send = ({ origin, visits }: Measured, perSecond: number, forSeconds: number) =>
    load.ask('arrive', {
      origin,
      perSecond,
      visits: range(0, perSecond * forSeconds).map((visit) => visits.at(visit % visits.length)!),
    });
  const results: RateResult[] = [];
  let clicks = 0;
  for (const perSecond of rates)
    for (const each of measured) {
      const { name, pid, service } = each;
      say(`${name}, ${perSecond} a second`);
      // The floors defer no work.
      const rest = async () => void (service !== null && pid !== null && (await settled(pid, batchSecondsOf(seconds))));
      const warm = await send(each, perSecond, Math.min(seconds, WARM_UP_SECONDS));
      await rest();
      const before = pid === null ? null : cpuSecondsOf(pid);
      const { outcomes, lateMs } = await send(each, perSecond, seconds);
      await rest();
      const cpuMs = pid === null || before === null ? null : ((cpuSecondsOf(pid) - before) * 1000) / outcomes.length;
      const right = outcomes.filter(isRedirected).length;
      if (service !== null) clicks += right + warm.outcomes.filter(isRedirected).length;
      const milliseconds = outcomes.map((outcome) => outcome.milliseconds);
      const at = (share: number) => percentileOf(milliseconds, share);
      results.push({
        name,
        perSecond,
        percentilesMs: { p50: at(50), p95: at(95), p99: at(99), 'p99.9': at(99.9) },
        redirectedPerSecond: right / seconds,
        wrong: outcomes.length - right,
        cpuMs,
        clicks: service && {
          lost: clicks - (await waitForClicks(service, clicks, patienceSeconds)).clicks,
          of: clicks,
        },
        lateMs,
      });
    }
  return results;
}

async function open(sandbox: Sandbox, { beside, cores, seconds }: RateOptions): Promise<readonly Measured[]> {
  const prefix = cores?.server ?? [];
  const batchSeconds = batchSecondsOf(seconds);
  const terse = await startService(sandbox, { name: 'Terse', main: 'src/index.ts', batchSeconds }, prefix);
  await seedLinks(terse.db, 0, LINKS);
  const floor = (name: string) => startContestant(sandbox, { name, main: `bench/floors/${name}.ts` }, prefix);
  const [empty, kvGet, select] = [await floor('empty'), await floor('kv-get'), await floor('d1-select')];
  await kvGet.put(slugOf(0), VISIT.location);
  await openFloorTable(select.db);
  const one = { visits: [VISIT], service: null };
  const links = shuffled(range(0, LINKS));
  return [
    {
      ...terse,
      visits: links.map((link) => ({ path: `/${slugOf(link)}`, location: targetOf(link).url })),
      service: terse,
    },
    { ...empty, ...one, name: 'floor: an empty Worker' },
    { ...kvGet, ...one, name: 'floor: one `KV.get` in Hono' },
    { ...select, ...one, name: 'floor: one `SELECT` in Hono' },
    ...beside.map(({ name, url, pid }) => ({
      name,
      origin: url.origin,
      visits: [{ path: url.pathname, location: null }],
      pid,
      service: null,
    })),
  ];
}
