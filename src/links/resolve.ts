import type { Database } from '../database.ts';
import { logProblem } from '../log.ts';
import { clearCache, keyOf, readCache, writeCache } from './cache.ts';
import type { Address, Target } from './link.ts';
import { Memory, Notes } from './memory.ts';
import { findTarget } from './store.ts';

/** What an isolate keeps between requests to find links quickly. */
export interface LinkMemory {
  readonly targets: Memory;
  /** Addresses this isolate has had to ask the database for. */
  readonly misses: Notes;
  /** Addresses whose KV entry this isolate has compared with the database. */
  readonly checks: Notes;
}

/** The three tiers, and a way to go on after the answer (`waitUntil`). */
export interface LinkTiers {
  readonly memory: LinkMemory;
  readonly kv: KVNamespace;
  readonly db: Database;
  readonly defer: (work: Promise<unknown>) => void;
}

const CHECK_INTERVAL_MS = 60 * 1000;
// A second miss within a day makes a link hot: as long as a KV entry would live.
const HOT_WITHIN_MS = 24 * 3600 * 1000;

/** @param memorySeconds how long a target may be answered from memory; 0 remembers none */
export function openLinkMemory(memorySeconds: number): LinkMemory {
  return { targets: new Memory(memorySeconds * 1000), misses: new Notes(), checks: new Notes() };
}

/** What this isolate remembers of an address, without asking anyone. */
export function recallTarget(memory: LinkMemory, address: Address): Target | null {
  return memory.targets.recall(keyOf(address));
}

/**
 * Finds what an address leads to that memory does not recall: in KV, then in the database; null where it leads nowhere.
 * Throws `store_unavailable` where only the database could tell.
 */
export async function resolveTarget(tiers: LinkTiers, address: Address): Promise<Target | null> {
  const key = keyOf(address);
  const { memory, kv, db, defer } = tiers;
  const cached = await readCache(kv, key);
  if (cached) {
    if (!memory.checks.noted(key, CHECK_INTERVAL_MS)) defer(checkCached(tiers, address, cached));
    return memory.targets.remember(key, cached);
  }
  const found = await findTarget(db, address);
  if (!found) return null;
  const target = memory.targets.remember(key, found);
  if (memory.misses.noted(key, HOT_WITHIN_MS)) defer(writeCache(kv, key, target));
  return target;
}

/**
 * Puts KV right where it differs from the database. KV has no compare-and-set, so no order of writes can keep it
 * right by itself; a state that is written late by another isolate is found here within a minute of being served.
 */
async function checkCached({ memory, kv, db }: LinkTiers, address: Address, cached: Target): Promise<void> {
  const key = keyOf(address);
  // A later check finds what this one could not.
  const current = await findTarget(db, address).catch((cause: unknown) => {
    logProblem('cache_check_failed', cause);
  });
  if (current === undefined) return;
  if (current === null) {
    memory.targets.forget(key);
    await clearCache(kv, key);
    return;
  }
  const newest = newerEdit(memory.targets.recall(key), current, cached) ?? current;
  memory.targets.replace(key, newest);
  if (!isSame(newest, cached)) await writeCache(kv, key, newest);
}

// The database is right, except where an edit was remembered while it was asked; what came from KV is no edit, however
// high its revision: it may stem from a database that has been restored since, or from a link that had the address.
function newerEdit(remembered: Target | null, current: Target, cached: Target): Target | null {
  if (remembered === null || isSame(remembered, cached)) return null;
  return remembered.linkId === current.linkId && remembered.revision > current.revision ? remembered : null;
}

function isSame(a: Target, b: Target): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Makes a new state known under its addresses: to this isolate at once, to the others through KV. */
export async function publishTarget(
  { memory, kv }: Pick<LinkTiers, 'memory' | 'kv'>,
  addresses: readonly Address[],
  target: Target,
): Promise<void> {
  const keys = addresses.map(keyOf);
  for (const key of keys) memory.targets.remember(key, target);
  await Promise.all(keys.map((key) => writeCache(kv, key, target)));
}
