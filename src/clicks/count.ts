import type { Database } from '../database/database.ts';
import { fewAtATime } from '../few-at-a-time.ts';
import { logProblem } from '../log.ts';
import type { Statistics } from '../statistics/statistics.ts';
import { DAY_MS } from '../time/day.ts';
import type { ClickHooks } from './events/hooks.ts';
import { recordClickEvents } from './events/record-clicks.ts';
import { findCountedBefore } from './former/seen.ts';
import { countClicks, groupsOf, type Pack } from './pack.ts';
import type { RecentFailures } from './recent-failures.ts';
import { splitByClient, type Share } from './split.ts';

/** How long the mark of a counted pack is kept. An older pack could be counted twice, so it is not counted at all. */
export const SEEN_DAYS = 30;

/** Where clicks are counted: in the object of each client. The database says which packs it has counted itself. */
export interface CountStores {
  readonly db: Database;
  readonly statistics: Statistics;
  /** Spares objects that have just failed; null to try them all the same. */
  readonly failures: RecentFailures | null;
  /** Which clients have webhooks for clicks. */
  readonly hooks: ClickHooks;
}

// A Worker has six connections at a time.
const MAX_AT_ONCE = 6;

/**
 * Counts packs, each once however often it is delivered. Returns the clients whose clicks could not be counted, and why: a
 * pack with clicks of such a client has to be delivered again. Throws what the database throws: then nothing was counted.
 */
export async function countPacks(
  { db, statistics, failures, hooks }: CountStores,
  packs: readonly Pack[],
): Promise<ReadonlyMap<string, unknown>> {
  const [young, old] = partition(packs, ({ at }) => at > Date.now() - SEEN_DAYS * DAY_MS);
  const counted = await findCountedBefore(db, young);
  const failed = new Map<string, unknown>();
  const fresh = young.filter(({ id }) => !counted.has(id));
  const shares = splitByClient(fresh);
  await fewAtATime(shares, MAX_AT_ONCE, async (share) => {
    const work = () => append(statistics, share);
    const result = failures === null ? work() : failures.guard(share.clientId, work);
    await result.catch((cause: unknown) => failed.set(share.clientId, cause));
  });
  const done = shares.map(({ clientId }) => clientId).filter((id) => !failed.has(id));
  // As for an object that fails: what is delivered again counts once, and has the same events.
  await recordClickEvents(db, hooks, fresh, done).catch((cause: unknown) => {
    for (const clientId of done) failed.set(clientId, new EventsNotRecorded(cause));
  });
  // The others are delivered again, and are logged then.
  for (const pack of old) if (groupsOf(pack, failed).length === 0) logTooOld(pack);
  return failed;
}

/** Clicks were counted, but not their events. */
export class EventsNotRecorded extends Error {
  constructor(cause: unknown) {
    super('the events about clicks could not be recorded', { cause });
  }
}

async function append(statistics: Statistics, { clientId, deliveries }: Share): Promise<void> {
  for (const delivery of deliveries) await statistics.call(clientId, (object) => object.append(delivery));
}

function logTooOld({ groups }: Pack): void {
  logProblem('clicks_lost', 'the pack is too old to check whether it was counted', { clicks: countClicks(groups) });
}

function partition<T>(list: readonly T[], isOfFirst: (item: T) => boolean): [first: T[], second: T[]] {
  return [list.filter(isOfFirst), list.filter((item) => !isOfFirst(item))];
}
