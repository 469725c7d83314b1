import { logProblem } from '../isolate/log.ts';
import { TIMEOUT_MS, withTimeout } from '../bounds/timeouts.ts';
import { countPacks, EventsNotRecorded, type CountStores } from './count.ts';
import { dayOf } from '../time/day.ts';
import { offer, parcelsOf, type DirectStores } from './direct.ts';
import type { ClickGroup } from './groups.ts';
import { keepPack } from './kept-packs.ts';
import { countClicks, groupsOf, packClicks } from './pack.ts';
import type { Pack } from './read-pack.ts';
import { divide } from './messages.ts';
import type { DailySalts } from './salts.ts';
import { settleClients } from './settle.ts';

/** Where packs go: to the objects of their clients, or to the queue. Failures are logged here. */
export interface ClickStores extends CountStores, DirectStores {
  readonly queue: Pick<Queue, 'send'>;
  readonly salts: DailySalts;
}

const RETRY_DELAYS_MS = [200, 1000];

/** The clicks that this isolate has lost since it began. */
let lostClicks = 0;

export const lostByThisIsolate = (): number => lostClicks;

/**
 * Sends clicks in as few packs as possible. What an object does not take goes to the queue; if that fails, the pack is
 * counted at once. Both are tried again, and then the pack is kept in the database. If that fails too, the clicks are
 * logged as lost. A pack keeps its id, so that a pack that arrives twice counts once.
 */
export async function sendClicks(stores: ClickStores, groups: readonly ClickGroup[]): Promise<void> {
  // The response is sent first, since the visitor would wait for the packing.
  await scheduler.wait(0);
  const saltOf = await openSalts(stores, groups);
  const sent: Promise<void>[] = [];
  for (const parcel of parcelsOf(stores, groups))
    for (const message of divide(parcel.groups))
      sent.push(sendPack(stores, packClicks(message, saltOf), parcel.offeredTo));
  await Promise.all(sent);
}

async function sendPack(stores: ClickStores, pack: Pack, offeredTo: string | null): Promise<void> {
  const offered = offeredTo === null ? 'refused' : await offer(stores, offeredTo, pack);
  if (offered === 'stored') return;
  // Its object has just failed, so that only the queue is left.
  const isQueuedFirst = !stores.isQueueLast || offered === 'failed';
  let failure: Failure | null = null;
  for (const delayMs of [0, ...RETRY_DELAYS_MS]) {
    if (delayMs > 0) await scheduler.wait(delayMs);
    failure = await deliver(stores, pack, isQueuedFirst);
    if (failure === null) return;
  }
  if (failure === null) return;
  const { cause, clicks } = failure;
  if (cause instanceof EventsNotRecorded) return logProblem('click_events_lost', cause.cause, { clicks });
  if (await keepPack(stores.db, pack)) return logProblem('clicks_kept', cause, { clicks });
  lostClicks += clicks;
  logProblem('clicks_lost', cause, { clicks, lost_by_this_isolate: lostClicks });
}

/** Sends a pack that was kept. Returns whether the queue has it, or else the objects, and the database its events. */
export async function sendKeptPack(stores: ClickStores, pack: Pack): Promise<boolean> {
  return (await deliver(stores, pack, !stores.isQueueLast)) === null;
}

/** Why clicks of a pack are neither in the queue nor counted. */
interface Failure {
  readonly cause: unknown;
  readonly clicks: number;
}

// Without a salt a click counts without a mark.
async function openSalts(stores: ClickStores, groups: readonly ClickGroup[]): Promise<(day: string) => string | null> {
  const days = new Set(groups.filter(({ addresses }) => addresses.size > 0).map(({ lastAt }) => dayOf(lastAt)));
  if (days.size > 0)
    await withTimeout(TIMEOUT_MS.clicks, stores.salts.open(stores.db, days)).catch((cause: unknown) =>
      logProblem('visitor_salt_failed', cause),
    );
  return (day) => stores.salts.of(day);
}

// Null if the pack was taken. A store may take a pack after its timeout: its id counts once.
async function deliver(stores: ClickStores, pack: Pack, isQueuedFirst: boolean): Promise<Failure | null> {
  const ways = isQueuedFirst ? [toQueue, countNow] : [countNow, toQueue];
  let failure: Failure | null = null;
  for (const way of ways) {
    failure = await way(stores, pack);
    if (failure === null) return null;
  }
  return failure;
}

async function toQueue({ queue }: ClickStores, pack: Pack): Promise<Failure | null> {
  try {
    await withTimeout(TIMEOUT_MS.clicks, queue.send(pack, { contentType: 'json' }));
    return null;
  } catch (cause) {
    const clicks = countClicks(pack.groups);
    logProblem('click_queue_failed', cause, { clicks });
    return { cause, clicks };
  }
}

/** Counts a pack that no queue has. */
async function countNow(stores: CountStores, pack: Pack): Promise<Failure | null> {
  try {
    const { failures, assuming } = await withTimeout(TIMEOUT_MS.clickCount, countPacks(stores, [pack], true));
    await settleClients(stores, assuming);
    if (failures.size === 0) return null;
    // Of some clients the clicks may be missing, and of others only the events.
    const uncounted = new Map([...failures].filter(([, failure]) => !(failure instanceof EventsNotRecorded)));
    const failed = uncounted.size > 0 ? uncounted : failures;
    const [cause] = failed.values();
    return { cause, clicks: countClicks(groupsOf(pack, failed)) };
  } catch (cause) {
    return { cause, clicks: countClicks(pack.groups) };
  }
}
