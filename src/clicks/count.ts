import type { Database } from '../database/database.ts';
import { forEachConcurrently } from '../bounds/concurrency-limit.ts';
import { logProblem } from '../isolate/log.ts';
import type { Statistics } from '../statistics/statistics.ts';
import { DAY_MS } from '../time/day.ts';
import type { ClickHooks } from './events/hooks.ts';
import { recordClickEvents } from './events/record-clicks.ts';
import { countClicks, groupsOf } from './pack.ts';
import type { Pack } from './read-pack.ts';
import type { RecentFailures } from './recent-failures.ts';
import { splitByClient, type Share } from './split.ts';

/** The days for which a counted pack's mark is kept. An older pack could be counted twice, so it is not counted. */
const SEEN_DAYS = 30;

/** Where clicks are counted: in the object of each client, and their events in the database. */
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

/** The result of counting some packs. */
interface Counted {
  /**
   * The clients whose clicks could not be counted, and why: a pack with clicks of such a client has to be delivered again.
   */
  readonly failures: ReadonlyMap<string, unknown>;
  /** The clients whose object assumes that there may be webhooks for clicks. */
  readonly assuming: ReadonlySet<string>;
}

/**
 * Counts packs, each once however often it is delivered.
 *
 * @param hasEventsFirst whether the events about the clicks are recorded first, for packs that no queue has: a process that
 * ends in between loses no event of a click that is counted
 */
export async function countPacks(
  { db, statistics, failures, hooks }: CountStores,
  packs: readonly Pack[],
  hasEventsFirst = false,
): Promise<Counted> {
  const [fresh, old] = partition(packs, ({ at }) => at > Date.now() - SEEN_DAYS * DAY_MS);
  const failed = new Map<string, unknown>();
  const assuming = new Set<string>();
  const shares = splitByClient(fresh);
  const appendAll = () =>
    forEachConcurrently(shares, MAX_AT_ONCE, async (share) => {
      const work = async () => {
        if (await append(statistics, share)) assuming.add(share.clientId);
      };
      const result = failures === null ? work() : failures.guard(share.clientId, work);
      await result.catch((cause: unknown) => failed.set(share.clientId, cause));
    });
  const record = async () => {
    const done = shares.map(({ clientId }) => clientId).filter((id) => !failed.has(id));
    // As for an object that fails: what is delivered again counts once, and has the same events.
    await recordClickEvents(db, hooks, fresh, done).catch((cause: unknown) => {
      for (const clientId of done) failed.set(clientId, new EventsNotRecorded(cause));
    });
  };
  for (const work of hasEventsFirst ? [record, appendAll] : [appendAll, record]) await work();
  // The others are delivered again, and are logged then.
  for (const pack of old) if (groupsOf(pack, failed).length === 0) logTooOld(pack);
  return { failures: failed, assuming };
}

/** Clicks were counted, but not their events. */
export class EventsNotRecorded extends Error {
  constructor(cause: unknown) {
    super('the events about clicks could not be recorded', { cause });
  }
}

/** True if the object assumes that there may be webhooks; one of the release before does not say so. */
async function append(statistics: Statistics, { clientId, deliveries }: Share): Promise<boolean> {
  let isAssuming = false;
  for (const delivery of deliveries) {
    const appended = await statistics.call(clientId, (object) => object.append(delivery));
    isAssuming ||= (appended as typeof appended | undefined)?.mayHaveWebhooks === true;
  }
  return isAssuming;
}

function logTooOld({ groups }: Pack): void {
  logProblem('clicks_lost', 'the pack is too old to check whether it was counted', { clicks: countClicks(groups) });
}

function partition<T>(list: readonly T[], isOfFirst: (item: T) => boolean): [first: T[], second: T[]] {
  return [list.filter(isOfFirst), list.filter((item) => !isOfFirst(item))];
}
