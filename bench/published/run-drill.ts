import { setTimeout } from 'node:timers/promises';
import { keyOf } from '../../src/links/redirect/cache.ts';
import type { RpcChild } from '../child-rpc.ts';
import { countedClicks, type Service } from '../contestant.ts';
import { range, seedLinks, slugOf, targetOf } from '../links.ts';
import { percentileOf } from '../statistics.ts';
import type { ArrivalTasks } from './arrivals.ts';
import { KIND_NAMES, KINDS, type Drill, type Kind } from './drills.ts';
import { isRedirected, type Outcome, type Visit } from './visits.ts';

export interface DrillResult {
  readonly drill: Drill;
  readonly visits: number;
  /** The share of visits during the outage that were redirected as they should be, of 1. */
  readonly share: number;
  /** The number of visits during the outage by their kind, and of those that were redirected as they should be. */
  readonly byKind: Readonly<Record<Kind, { readonly visits: number; readonly right: number }>>;
  readonly p99Ms: number;
  /** From the end of the outage to the last visit that was not redirected or took more than a second; 0 if none was. */
  readonly recoverySeconds: number;
  /** Redirects of the whole drill, and those that were never counted. */
  readonly redirects: number;
  readonly lost: number;
  /** From the end of the load until all clicks that are not lost were counted. */
  readonly countedSeconds: number;
}

interface DrillTimes {
  readonly perSecond: number;
  /** The length of the outage, in seconds. */
  readonly outageSeconds: number;
  /** The load before and after it, in seconds. */
  readonly aroundSeconds: number;
  /** The time after which clicks that are still missing are lost, in seconds. */
  readonly patienceSeconds: number;
}

const SLOW_MS = 1000;
const LOOK_MS = 1000;

/** Runs a drill on a service with `failing-stores.ts`; `turn` is its number, so that its links are its own. */
export async function runDrill(
  service: Service,
  load: RpcChild<ArrivalTasks>,
  { drill, turn }: { readonly drill: Drill; readonly turn: number },
  times: DrillTimes,
): Promise<DrillResult> {
  const { perSecond, outageSeconds, aroundSeconds, patienceSeconds } = times;
  const countedBefore = await countedClicks(service);
  const kinds = kindsOf(perSecond * (outageSeconds + 2 * aroundSeconds));
  const links = await openLinks(service, load, turn, kinds);
  const visits = kinds.map((kind) => toVisit(links.next(kind)));
  const begun = load.ask('arrive', { origin: service.origin, visits, perSecond });
  await setTimeout(aroundSeconds * 1000);
  await order(service, `fault?store=${drill.store}`);
  await setTimeout(outageSeconds * 1000);
  await order(service, 'fault');
  const { outcomes } = await begun;
  const redirects = links.primed + outcomes.filter(isRedirected).length;
  const sendKept = () => order(service, 'cron');
  const counted = await waitForClicks(service, countedBefore + redirects, patienceSeconds, sendKept);
  const during = range(perSecond * aroundSeconds, perSecond * (aroundSeconds + outageSeconds));
  return {
    drill,
    visits: during.length,
    ...seen(during, kinds, outcomes),
    recoverySeconds: recoveryOf(outcomes, perSecond, aroundSeconds + outageSeconds),
    redirects,
    lost: countedBefore + redirects - counted.clicks,
    countedSeconds: counted.seconds,
  };
}

// Spread evenly, with no order that a rate could meet.
function kindsOf(visits: number): Kind[] {
  const lots = KIND_NAMES.flatMap((kind) => Array.from({ length: KINDS[kind].percent }, () => kind));
  return range(0, visits).map((visit) => lots.at((visit * 37) % lots.length)!);
}

const HOT = 20;
const REMEMBERED = 50;

/** Seeds the links of a drill, and brings them where their kind says. */
async function openLinks(service: Service, load: RpcChild<ArrivalTasks>, turn: number, kinds: readonly Kind[]) {
  const count = (kind: Kind) => kinds.filter((each) => each === kind).length;
  // As many as there are visits: hardly any is still in memory when it comes again.
  const sizes = { hot: HOT, cached: count('cached'), remembered: REMEMBERED, cold: count('cold') };
  let first = 100_000 * turn;
  const numbers = {} as Record<Kind, readonly number[]>;
  for (const kind of KIND_NAMES) {
    numbers[kind] = range(first, first + sizes[kind]);
    first += sizes[kind];
  }
  await seedLinks(service.db, 100_000 * turn, first);
  for (const link of [...numbers.hot, ...numbers.cached])
    await service.put(keyOf({ host: '', slug: slugOf(link) }), JSON.stringify(targetOf(link)));
  const visits = [...numbers.hot, ...numbers.remembered].map(toVisit);
  const { outcomes } = await load.ask('arrive', { origin: service.origin, visits, perSecond: 100 });
  if (!outcomes.every(isRedirected)) throw new Error('the links of a drill do not redirect');
  const turns: Record<Kind, number> = { hot: 0, cached: 0, remembered: 0, cold: 0 };
  const next = (kind: Kind): number => numbers[kind].at(turns[kind]++ % numbers[kind].length)!;
  return { next, primed: visits.length };
}

const toVisit = (link: number): Visit => ({ path: `/${slugOf(link)}`, location: targetOf(link).url });

function seen(during: readonly number[], kinds: readonly Kind[], outcomes: readonly Outcome[]) {
  const isRight = (visit: number) => isRedirected(outcomes.at(visit)!);
  const byKind = Object.fromEntries(
    KIND_NAMES.map((kind) => {
      const visits = during.filter((visit) => kinds[visit] === kind);
      return [kind, { visits: visits.length, right: visits.filter(isRight).length }];
    }),
  ) as unknown as DrillResult['byKind'];
  const times = during.map((visit) => outcomes.at(visit)!.milliseconds);
  return { share: during.filter(isRight).length / during.length, byKind, p99Ms: percentileOf(times, 99) };
}

function recoveryOf(outcomes: readonly Outcome[], perSecond: number, endSeconds: number): number {
  const last = outcomes.findLastIndex((outcome) => !isRedirected(outcome) || outcome.milliseconds > SLOW_MS);
  return Math.max(0, (last + 1) / perSecond - endSeconds);
}

/** Waits until all clicks are counted, and calls `work` meanwhile. */
export async function waitForClicks(
  service: Service,
  expected: number,
  patienceSeconds: number,
  work: () => Promise<void> = async () => undefined,
): Promise<{ readonly clicks: number; readonly seconds: number }> {
  const from = performance.now();
  const secondsSince = () => (performance.now() - from) / 1000;
  for (let clicks = 0; ; await setTimeout(LOOK_MS)) {
    // An object that has failed for long may need a moment.
    clicks = await countedClicks(service).catch(() => clicks);
    const seconds = secondsSince();
    if (clicks >= expected || seconds > patienceSeconds) return { clicks, seconds };
    await work();
  }
}

async function order({ origin }: Service, task: string): Promise<void> {
  const response = await fetch(`${origin}/.bench/${task}`, { method: 'POST' });
  if (!response.ok) throw new Error(`${task} returned ${response.status}`);
}
