import type { Database } from '../../database.ts';
import { fewAtATime } from '../../few-at-a-time.ts';
import { logProblem } from '../../log.ts';
import type { NearestDatabase } from '../../nearest-database.ts';
import { RecentlySeen } from '../../recently-seen.ts';
import { Absent } from './absent.ts';
import { keyOf, readCache, writeCache } from './cache.ts';
import { CacheChecks } from './checks.ts';
import type { Address, NoTarget, Target } from '../link.ts';
import { Memory } from './memory.ts';
import { ForgottenHosts } from './forgotten.ts';
import { endingNow } from './ending.ts';
import { findNearestTarget, findTarget, type Found } from './target-store.ts';

/** What an isolate keeps between requests to find links quickly. */
export interface LinkMemory {
  readonly targets: Memory;
  /** The addresses for which this isolate has read the database. */
  readonly misses: RecentlySeen;
  readonly checks: CacheChecks;
  /** Addresses on custom domains that have no link. */
  readonly absent: Absent;
  readonly forgotten: ForgottenHosts;
}

/** The three tiers, and a way to continue after the answer (`waitUntil`). */
export interface LinkTiers {
  readonly memory: LinkMemory;
  readonly kv: KVNamespace;
  /** The primary. */
  readonly db: Database;
  /** For a first look: a redirect that it finds may be old. */
  readonly nearest: NearestDatabase;
  readonly defer: (work: Promise<unknown>) => void;
}

// A second miss within a day makes a link hot: the lifetime of a KV entry.
const HOT_WITHIN_MS = 24 * 3600 * 1000;

/** @param memorySeconds how long a target may be answered from memory; 0 remembers none */
export function openLinkMemory(memorySeconds: number): LinkMemory {
  return {
    targets: new Memory(memorySeconds * 1000),
    misses: new RecentlySeen(),
    checks: new CacheChecks(),
    absent: new Absent(),
    forgotten: new ForgottenHosts(),
  };
}

/** What this isolate remembers of an address, without reading a store. */
export function rememberedTarget(memory: LinkMemory, address: Address): Target | null {
  return memory.targets.find(keyOf(address));
}

/**
 * Finds the target of an address that memory does not have: in KV, then in the database. Throws `store_unavailable` if
 * only the database could answer.
 */
export async function resolveTarget(tiers: LinkTiers, address: Address): Promise<Target | NoTarget> {
  const key = keyOf(address);
  const { memory, kv, defer } = tiers;
  const known = memory.absent.find(key);
  if (known !== null) return known;
  const { generation } = memory.absent;
  const cached = await readCache(kv, key);
  if (cached && (await memory.forgotten.isKept(kv, address.host, cached.at))) {
    memory.checks.add(tiers, { address, state: cached.target, isInKv: true });
    return memory.targets.remember(key, cached.target);
  }
  const readAt = Date.now();
  const { found, isCurrent } = await findInDatabase(tiers, address);
  if ('notFoundUrl' in found) {
    if (address.host !== '') memory.absent.add(key, found, generation);
    return found;
  }
  const target = memory.targets.remember(key, found);
  if (memory.misses.wasSeen(key, HOT_WITHIN_MS)) {
    if (isCurrent) defer(writeCache(kv, key, target, readAt));
    // KV must not have the old row of a replica: the check reads the primary after the answer, and fills KV.
    else memory.checks.add(tiers, { address, state: target, isInKv: false });
  }
  return target;
}

/**
 * Reads the nearest copy of the database. Its answer counts if it is a redirect; everything else is confirmed by the
 * primary: a new link must not be missing, and a link that works again must not stay ended, until a replica has it.
 */
async function findInDatabase({ nearest, db }: LinkTiers, address: Address): Promise<Found> {
  try {
    const near = await findNearestTarget(nearest, address);
    if (near.isCurrent || isRedirect(near.found)) return near;
  } catch (cause) {
    logProblem('nearest_database_failed', cause);
  }
  return { found: await findTarget(db, address), isCurrent: true };
}

const isRedirect = (found: Target | NoTarget): boolean => !('notFoundUrl' in found) && endingNow(found) === null;

/** Forgets what this isolate remembers of the addresses of new links. Other isolates find the links within a minute. */
export function forgetAbsent({ absent }: LinkMemory, links: readonly NewAddress[]): void {
  for (const { slug, aliases = [], customDomain: host } of links) {
    // A generated slug cannot have been requested before.
    if (host === null || slug === null) continue;
    for (const each of [slug, ...aliases]) absent.forget(keyOf({ host, slug: each }));
  }
}

interface NewAddress {
  readonly slug: string | null;
  readonly customDomain: string | null;
  readonly aliases?: readonly string[];
}

// The platform opens six connections at a time for a request. Further calls wait, and could time out before they begin.
const WRITES_AT_A_TIME = 6;

/** The new target of an address. */
export interface NewState {
  readonly address: Address;
  readonly target: Target;
}

/**
 * Publishes new states under their addresses: in this isolate at once, in others through KV.
 *
 * @param at when they were read from the database, in milliseconds since the epoch
 */
export async function publishTargets(
  { memory, kv }: Pick<LinkTiers, 'memory' | 'kv'>,
  states: readonly NewState[],
  at: number,
): Promise<void> {
  for (const { address, target } of states) {
    memory.targets.remember(keyOf(address), target);
    memory.absent.forget(keyOf(address));
  }
  await writeStates(kv, states, at);
}

/** Like `publishTargets`, for other isolates only. */
export async function writeStates(kv: KVNamespace, states: readonly NewState[], at: number): Promise<void> {
  await fewAtATime(states, WRITES_AT_A_TIME, ({ address, target }) => writeCache(kv, keyOf(address), target, at));
}
