import type { Database } from '../../database.ts';
import { fewAtATime } from '../../few-at-a-time.ts';
import { RecentlySeen } from '../../recently-seen.ts';
import { Absent } from './absent.ts';
import { keyOf, readCache, writeCache } from './cache.ts';
import { CacheChecks } from './checks.ts';
import type { Address, NoTarget, Target } from '../link.ts';
import { Memory } from './memory.ts';
import { ForgottenHosts } from './forgotten.ts';
import { findTarget } from './target-store.ts';

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
  readonly db: Database;
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
  const { memory, kv, db, defer } = tiers;
  const known = memory.absent.find(key);
  if (known !== null) return known;
  const { generation } = memory.absent;
  const cached = await readCache(kv, key);
  if (cached && (await memory.forgotten.isKept(kv, address.host, cached.at))) {
    memory.checks.add(tiers, { address, cached: cached.target });
    return memory.targets.remember(key, cached.target);
  }
  const readAt = Date.now();
  const found = await findTarget(db, address);
  if ('notFoundUrl' in found) {
    if (address.host !== '') memory.absent.add(key, found, generation);
    return found;
  }
  const target = memory.targets.remember(key, found);
  if (memory.misses.wasSeen(key, HOT_WITHIN_MS)) defer(writeCache(kv, key, target, readAt));
  return target;
}

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
