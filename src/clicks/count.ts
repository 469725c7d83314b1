import type { Database } from '../database.ts';
import { logProblem } from '../log.ts';
import { DAY_MS } from '../time/day.ts';
import { addUp } from './sums.ts';
import { countClicks, type Pack } from './pack.ts';
import { findSeen, insertCounts } from './store.ts';

/** How long the id of a counted pack is kept. An older pack could be counted twice, so it is not counted at all. */
export const SEEN_DAYS = 30;

/**
 * Counts packs, each once however often it is delivered: the transaction that counts a pack marks it as seen, and
 * counts nothing if it was seen before. Normally one round trip. Throws what the database throws: then nothing was
 * counted.
 */
export async function countPacks(db: Database, packs: readonly Pack[]): Promise<void> {
  const [fresh, old] = partition(dropRepeated(packs), ({ at }) => at > Date.now() - SEEN_DAYS * DAY_MS);
  await countFresh(db, fresh);
  // After the others are counted, so that a loss is logged once, even if the others have to be delivered again.
  for (const { groups } of old) {
    logProblem('clicks_lost', 'the pack is too old to check whether it was counted', { clicks: countClicks(groups) });
  }
}

async function countFresh(db: Database, packs: readonly Pack[]): Promise<void> {
  if (packs.length === 0) return;
  try {
    await insertCounts(db, packs, addUp(packs));
  } catch (cause) {
    const seen = new Set(await findSeen(db, packs));
    // None of them was seen before: the database failed, and the packs will be delivered again.
    if (seen.size === 0) throw cause;
    await countFresh(
      db,
      packs.filter(({ id }) => !seen.has(id)),
    );
  }
}

function dropRepeated(packs: readonly Pack[]): Pack[] {
  return [...new Map(packs.map((pack) => [pack.id, pack])).values()];
}

function partition<T>(list: readonly T[], isOfFirst: (item: T) => boolean): [first: T[], second: T[]] {
  return [list.filter(isOfFirst), list.filter((item) => !isOfFirst(item))];
}
