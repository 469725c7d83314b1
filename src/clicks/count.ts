import type { Database } from '../database.ts';
import { logProblem } from '../log.ts';
import { addUp } from './sums.ts';
import type { Pack } from './pack.ts';
import { findSeen, insertCounts } from './store.ts';

const DAY_MS = 24 * 3600 * 1000;

/** How long a pack is known after it was counted; an older one could be counted twice, so it is not counted at all. */
export const SEEN_DAYS = 30;

/**
 * Counts packs, each of them once however often it is delivered: the same transaction that counts a pack marks it as
 * seen, and takes nothing if it was. Normally one round trip. Throws what the database throws: then nothing was counted.
 */
export async function countPacks(db: Database, packs: readonly Pack[]): Promise<void> {
  const fresh = dropRepeated(packs).filter(isCountable);
  if (fresh.length === 0) return;
  try {
    await insertCounts(db, fresh, addUp(fresh));
  } catch (cause) {
    const seen = new Set(await findSeen(db, fresh));
    // None of them was seen: it was an outage, and the packs will come again.
    if (seen.size === 0) throw cause;
    await countPacks(
      db,
      fresh.filter(({ id }) => !seen.has(id)),
    );
  }
}

function dropRepeated(packs: readonly Pack[]): Pack[] {
  return [...new Map(packs.map((pack) => [pack.id, pack])).values()];
}

function isCountable({ at, clicks }: Pack): boolean {
  if (at > Date.now() - SEEN_DAYS * DAY_MS) return true;
  logProblem('clicks_lost', 'the pack is too old to tell whether it was counted', { clicks: clicks.length });
  return false;
}
