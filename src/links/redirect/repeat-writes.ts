import type { Database } from '../../database/database.ts';
import { logInfo, logProblem } from '../../isolate/log.ts';
import type { Address } from '../link.ts';
import { addressOfKey } from './cache.ts';
import { hostOfKey, writeInvalidation } from './invalidated-hosts.ts';
import { STALENESS_SECONDS } from './staleness.ts';
import { findTargets } from './targets-at.ts';
import { failedWrites } from './write-entries.ts';

// A cron may make 1,000 calls to KV, and does other work too.
const ENTRIES = 300;
// Longer than any entry of KV lives.
const MAX_AGE_MS = 25 * 3600 * 1000;
// After a write, KV can return the old state for so long.
const SETTLED_MS = (STALENESS_SECONDS.kvCache + STALENESS_SECONDS.kvPropagation + STALENESS_SECONDS.check) * 1000;

interface UnwrittenKeyRow {
  readonly key: string;
  readonly since_at: number;
}

/**
 * Writes the current states of entries that KV did not take before, at most 300, those first that were not tried for the
 * longest time. Keys whose write has taken effect everywhere are no longer kept from KV.
 */
export async function repeatWrites({ db, kv }: { readonly db: Database; readonly kv: KVNamespace }): Promise<void> {
  const now = Date.now();
  const [, rows] = await db.batch<[never, UnwrittenKeyRow]>([
    {
      sql: 'DELETE FROM unwritten_entries WHERE written_at < ?1 OR since_at < ?2',
      params: [now - SETTLED_MS, now - MAX_AGE_MS],
    },
    {
      sql: `SELECT key, since_at FROM unwritten_entries WHERE written_at IS NULL ORDER BY tried_at LIMIT ${ENTRIES}`,
      params: [],
    },
  ]);
  if (rows.length === 0) return;
  const failed = new Set([...(await repeatEntries(db, kv, rows)), ...(await repeatInvalidations(kv, rows))]);
  const written = rows.filter(({ key }) => !failed.has(key));
  await db.batch([
    {
      // A row that was recorded again meanwhile is for a later change.
      sql: `UPDATE unwritten_entries SET written_at = ?2 WHERE (key, since_at) IN
        (SELECT value ->> 'key', value ->> 'since_at' FROM json_each(?1))`,
      params: [JSON.stringify(written), Date.now()],
    },
    {
      sql: 'UPDATE unwritten_entries SET tried_at = ?2 WHERE key IN (SELECT value FROM json_each(?1))',
      params: [JSON.stringify([...failed]), now],
    },
  ]);
  if (written.length > 0) logInfo('unwritten_entries_written', { entries: written.length });
  if (failed.size > 0) logProblem('unwritten_entries_left', 'KV takes no writes', { entries: failed.size });
}

async function repeatEntries(db: Database, kv: KVNamespace, rows: readonly UnwrittenKeyRow[]): Promise<string[]> {
  const addresses = rows.map(({ key }) => addressOfKey(key)).filter((address) => address !== null);
  if (addresses.length === 0) return [];
  const at = Date.now();
  const targets = await findTargets(db, addresses);
  const entries = addresses.map((address: Address, index) => ({ address, target: targets[index] ?? null }));
  return failedWrites(kv, entries, at);
}

async function repeatInvalidations(kv: KVNamespace, rows: readonly UnwrittenKeyRow[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { key } of rows) {
    const host = hostOfKey(key);
    if (host === null) continue;
    await writeInvalidation(kv, host).catch((cause: unknown) => {
      failed.push(key);
      logProblem('kv_put_failed', cause);
    });
  }
  return failed;
}
