import type { Database } from '../../database/database.ts';
import { forEachConcurrently } from '../../bounds/concurrency-limit.ts';
import { clearCache, keyOf, writeCache } from './cache.ts';
import type { Address, Target } from '../link.ts';
import type { LinkTiers } from './resolve.ts';
import { recordUnwritten, type UnwrittenEntries } from './unwritten-entries.ts';

/** Where new states of links are written for other isolates. */
interface EntryStores {
  readonly kv: KVNamespace;
  readonly db: Database;
  /** The knowledge of this isolate about entries that could not be written; null where no redirect is answered. */
  readonly unwritten: UnwrittenEntries | null;
}

/** The new target of an address; null if it has no link any longer. */
export interface NewEntry {
  readonly address: Address;
  readonly target: Target | null;
}

// The platform opens six connections at a time for a request. Further calls wait, and could time out before they begin.
const WRITES_AT_A_TIME = 6;
// After so many failures no more is attempted: with a KV that hangs, hundreds of entries would take minutes.
const MAX_FAILURES = 12;

/**
 * Publishes new states under their addresses: in this isolate at once, in others through KV.
 *
 * @param at when they were read from the database, in milliseconds since the epoch
 */
export async function publishTargets(
  { memory, kv, db }: Pick<LinkTiers, 'memory' | 'kv' | 'db'>,
  entries: readonly NewEntry[],
  at: number,
): Promise<void> {
  for (const { address, target } of entries) {
    const key = keyOf(address);
    if (target === null) memory.targets.forget(key);
    else {
      memory.targets.remember(key, target);
      memory.targets.forgetSpellings(key);
      // On the service's own host no missing address is remembered.
      if (address.host !== '') memory.missing.forget(key);
    }
  }
  await writeEntries({ kv, db, unwritten: memory.unwritten }, entries, at);
}

/**
 * Writes new states to KV. An entry that KV does not take is deleted, for which KV has another allowance; if that fails too,
 * its key is recorded, so that no isolate uses the old entry for longer than any other edit takes.
 *
 * @param at when they were read from the database, in milliseconds since the epoch
 */
export async function writeEntries(stores: EntryStores, entries: readonly NewEntry[], at: number): Promise<void> {
  const failed = await failedWrites(stores.kv, entries, at);
  if (failed.length > 0) await recordUnwritten(stores, failed);
}

/** Writes states to KV like `writeEntries`, and returns the keys that may still have an old one. */
export async function failedWrites(kv: KVNamespace, entries: readonly NewEntry[], at: number): Promise<string[]> {
  const failed: string[] = [];
  await forEachConcurrently(entries, WRITES_AT_A_TIME, async ({ address, target }) => {
    const key = keyOf(address);
    const isWritten =
      failed.length < MAX_FAILURES &&
      ((target !== null && (await writeCache(kv, key, target, at))) || (await clearCache(kv, key)));
    if (!isWritten) failed.push(key);
  });
  return failed;
}
