import { logProblem } from '../log.ts';
import { TIMEOUT_MS, withTimeout } from '../timeouts.ts';
import { countPacks, EventsNotRecorded, type CountStores } from './count.ts';
import { dayOf } from '../time/day.ts';
import type { ClickGroup } from './groups.ts';
import { countClicks, groupsOf, packClicks, type Pack } from './pack.ts';
import { divide } from './messages.ts';
import type { DailySalts } from './salts.ts';

/** Where packs go: the queue, or the objects of the clients if the queue fails. Failures are logged here. */
export interface ClickStores extends CountStores {
  readonly queue: Pick<Queue, 'send'>;
  readonly salts: DailySalts;
}

const RETRY_DELAYS_MS = [200, 1000];

/** The clicks that this isolate has lost since it began. */
let lostClicks = 0;

export const lostByThisIsolate = (): number => lostClicks;

/**
 * Sends clicks in as few packs as possible. If the queue fails, the pack is counted at once; both are
 * tried again before the clicks are logged as lost. A pack keeps its id, so that a pack that arrives twice counts once.
 */
export async function sendClicks(stores: ClickStores, groups: readonly ClickGroup[]): Promise<void> {
  // The answer is sent first, since the visitor would wait for the packing.
  await scheduler.wait(0);
  const saltOf = await openSalts(stores, groups);
  await Promise.all(divide(groups).map((message) => sendPack(stores, packClicks(message, saltOf))));
}

async function sendPack(stores: ClickStores, pack: Pack): Promise<void> {
  let failure: Failure | null = null;
  for (const delayMs of [0, ...RETRY_DELAYS_MS]) {
    if (delayMs > 0) await scheduler.wait(delayMs);
    failure = await deliver(stores, pack);
    if (failure === null) return;
  }
  if (failure === null) return;
  const { cause, clicks } = failure;
  if (cause instanceof EventsNotRecorded) return logProblem('click_events_lost', cause.cause, { clicks });
  lostClicks += clicks;
  logProblem('clicks_lost', cause, { clicks, lost_by_this_isolate: lostClicks });
}

/** Why clicks of a pack are neither in the queue nor counted. */
interface Failure {
  readonly cause: unknown;
  readonly clicks: number;
}

// Without a salt a click counts without a mark.
async function openSalts(
  { db, salts }: ClickStores,
  groups: readonly ClickGroup[],
): Promise<(day: string) => string | null> {
  const days = new Set(groups.filter(({ addresses }) => addresses.size > 0).map(({ lastAt }) => dayOf(lastAt)));
  await withTimeout(TIMEOUT_MS.clicks, salts.open(db, days)).catch((cause: unknown) =>
    logProblem('visitor_salt_failed', cause),
  );
  return (day) => salts.of(day);
}

// Null if the pack was taken. A store may take a pack after its timeout: its id counts once.
async function deliver(stores: ClickStores, pack: Pack): Promise<Failure | null> {
  const clicks = countClicks(pack.groups);
  try {
    await withTimeout(TIMEOUT_MS.clicks, stores.queue.send(pack, { contentType: 'json' }));
    return null;
  } catch (cause) {
    logProblem('click_queue_failed', cause, { clicks });
  }
  try {
    const failures = await withTimeout(TIMEOUT_MS.clickCount, countPacks(stores, [pack]));
    const [cause] = failures.values();
    return failures.size === 0 ? null : { cause, clicks: countClicks(groupsOf(pack, failures)) };
  } catch (cause) {
    return { cause, clicks };
  }
}
