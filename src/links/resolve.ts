import type { Database } from '../database.ts';
import { Notes } from '../notes.ts';
import { keyOf, readCache, writeCache } from './cache.ts';
import { CacheChecks } from './checks.ts';
import type { Address, NoTarget, Target } from './link.ts';
import { Memory } from './memory.ts';
import { findTarget } from './target-store.ts';

/** What an isolate keeps between requests to find links quickly. */
export interface LinkMemory {
  readonly targets: Memory;
  /** Addresses this isolate has had to ask the database for. */
  readonly misses: Notes;
  readonly checks: CacheChecks;
}

/** The three tiers, and a way to go on after the answer (`waitUntil`). */
export interface LinkTiers {
  readonly memory: LinkMemory;
  readonly kv: KVNamespace;
  readonly db: Database;
  readonly defer: (work: Promise<unknown>) => void;
}

// A second miss within a day makes a link hot: as long as a KV entry would live.
const HOT_WITHIN_MS = 24 * 3600 * 1000;

/** @param memorySeconds how long a target may be answered from memory; 0 remembers none */
export function openLinkMemory(memorySeconds: number): LinkMemory {
  return { targets: new Memory(memorySeconds * 1000), misses: new Notes(), checks: new CacheChecks() };
}

/** What this isolate remembers of an address, without asking anyone. */
export function recallTarget(memory: LinkMemory, address: Address): Target | null {
  return memory.targets.recall(keyOf(address));
}

/**
 * Finds what an address leads to that memory does not recall: in KV, then in the database.
 * Throws `store_unavailable` where only the database could tell.
 */
export async function resolveTarget(tiers: LinkTiers, address: Address): Promise<Target | NoTarget> {
  const key = keyOf(address);
  const { memory, kv, db, defer } = tiers;
  const cached = await readCache(kv, key);
  if (cached) {
    memory.checks.add(tiers, { address, cached });
    return memory.targets.remember(key, cached);
  }
  const found = await findTarget(db, address);
  if ('notFoundUrl' in found) return found;
  const target = memory.targets.remember(key, found);
  if (memory.misses.noted(key, HOT_WITHIN_MS)) defer(writeCache(kv, key, target));
  return target;
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
