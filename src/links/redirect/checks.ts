import type { Database } from '../../database/database.ts';
import { logProblem } from '../../isolate/log.ts';
import { RecentlySeen } from '../../isolate/recently-seen.ts';
import { clearCache, keyOf, writeCache } from './cache.ts';
import type { Address, Target } from '../link.ts';
import { STALENESS_SECONDS } from './staleness.ts';
import type { DatabaseOutage } from './database-outage.ts';
import type { Memory } from './memory.ts';
import { findTargetsToCheck } from './targets-at.ts';
import type { UnwrittenEntries } from './unwritten-entries.ts';

interface Served {
  readonly address: Address;
  /** The state that was served. */
  readonly state: Target;
  /** True if it came from KV; if not, it came from a replica, and KV has none. */
  readonly isInKv: boolean;
}

/** The stores that are compared, and a way to continue after the answer (`waitUntil`). */
interface CheckedStores {
  readonly memory: {
    readonly targets: Memory;
    readonly unwritten: UnwrittenEntries;
    readonly outage: DatabaseOutage;
  };
  readonly kv: KVNamespace;
  readonly db: Database;
  readonly defer: (work: Promise<unknown>) => void;
}

const INTERVAL_MS = STALENESS_SECONDS.check * 1000;
const GATHER_MS = 250;
// If not checked in 2 s, its request was cancelled; the next request takes over.
const OVERDUE_MS = 2000;

/**
 * Corrects KV where it differs from the database: each link at most once a minute, and all that were served from KV
 * within a quarter of a second with one query. Fills KV in the same way after a replica has answered. KV has no
 * compare-and-set, so no order of writes can keep it correct; a state that another isolate writes late is found here
 * within a minute of being served.
 */
export class CacheChecks {
  readonly #recent = new RecentlySeen();
  #gathered = new Map<string, Served>();
  #openedAt = 0;

  add(tiers: CheckedStores, served: Served): void {
    const key = keyOf(served.address);
    if (this.#recent.wasSeen(key, INTERVAL_MS)) return;
    const now = Date.now();
    if (Math.abs(now - this.#openedAt) > OVERDUE_MS) this.#gathered = new Map(this.#gathered);
    else if (this.#gathered.size > 0) return void this.#gathered.set(key, served);
    this.#openedAt = now;
    this.#gathered.set(key, served);
    tiers.defer(this.#checkLater(tiers, this.#gathered));
  }

  // Checks only the list that it waited for: if another request took the list over, that one checks all of it.
  async #checkLater(tiers: CheckedStores, gathered: ReadonlyMap<string, Served>): Promise<void> {
    await scheduler.wait(GATHER_MS);
    if (this.#gathered !== gathered) return;
    this.#gathered = new Map();
    const served = [...gathered.values()];
    const readAt = Date.now();
    try {
      const addresses = served.map(({ address }) => address);
      const { targets, unwritten } = await findTargetsToCheck(tiers.db, addresses);
      if (tiers.memory.outage.isPossible) tiers.memory.outage.end();
      if (unwritten) tiers.memory.unwritten.saw(unwritten, readAt);
      await Promise.all(served.map((each, index) => refreshStale(tiers, each, targets[index] ?? null, readAt)));
    } catch (cause) {
      // A later check finds what this one could not.
      tiers.memory.outage.noteFailure();
      logProblem('cache_check_failed', cause);
    }
  }
}

async function refreshStale(
  { memory, kv }: CheckedStores,
  { address, state, isInKv }: Served,
  current: Target | null,
  readAt: number,
): Promise<void> {
  const key = keyOf(address);
  if (current === null) {
    memory.targets.forget(key);
    if (isInKv) await clearCache(kv, key);
    return;
  }
  const newest = newerEdit(memory.targets.find(key), current, state) ?? current;
  memory.targets.replace(key, newest);
  if (!isInKv || !isSame(newest, state)) await writeCache(kv, key, newest, readAt);
}

// The database is right, except for an edit that was remembered while it was read. The state that was served does not
// count as an edit, even with a higher revision: it may come from a database that was restored since, or from another
// link at this address.
function newerEdit(remembered: Target | null, current: Target, served: Target): Target | null {
  if (remembered === null || isSame(remembered, served)) return null;
  return remembered.linkId === current.linkId && remembered.revision > current.revision ? remembered : null;
}

function isSame(a: Target, b: Target): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
