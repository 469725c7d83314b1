import type { Database } from '../database/database.ts';
import { logProblem } from '../isolate/log.ts';
import { TIMEOUT_MS, withTimeout } from '../bounds/timeouts.ts';
import { countClicks } from './pack.ts';
import type { Pack } from './read-pack.ts';

/**
 * Packs that neither the queue nor the objects took: rows of the database, the last resort, until a cron sends them again. A
 * pack keeps its id, so that it counts once.
 */

/** At most so many are kept: with packs of 100 KB, 200 MB. */
const MAX_PACKS = 2000;

/** Keeps a pack. Returns false if there is no room, or if the database fails. */
export async function keepPack(db: Database, pack: Pack): Promise<boolean> {
  try {
    const keeping = db.first({
      sql: `INSERT INTO kept_packs (kept_at, clicks, pack) SELECT ?1, ?2, ?3
        WHERE (SELECT coalesce(max(n) - min(n), 0) FROM kept_packs) < ${MAX_PACKS - 1} RETURNING n`,
      params: [Date.now(), countClicks(pack.groups), JSON.stringify(pack)],
    });
    return (await withTimeout(TIMEOUT_MS.clicks, keeping)) !== null;
  } catch (cause) {
    logProblem('clicks_not_kept', cause);
    return false;
  }
}
