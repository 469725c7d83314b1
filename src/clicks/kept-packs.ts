import type { Database } from '../database/database.ts';
import { logInfo, logProblem } from '../isolate/log.ts';
import { DAY_MS } from '../time/day.ts';
import { TIMEOUT_MS, withTimeout } from '../bounds/timeouts.ts';
import { countClicks, readPack, type Pack } from './pack.ts';

/**
 * Packs that neither the queue nor the objects took: rows of the database, the last resort, until a cron sends them again. A
 * pack keeps its id, so that it counts once.
 */

/** At most so many are kept: with packs of 100 KB, 200 MB. */
const MAX_PACKS = 2000;
// As long as the queue keeps messages that fail.
const KEPT_MS = 4 * DAY_MS;
const READ_AT_A_TIME = 20;

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

interface KeptRow {
  readonly n: number;
  readonly pack: string;
}

/**
 * Sends what is kept, the oldest first, until a pack is not taken or an instant has come. What is older than four days is
 * removed and logged as lost.
 *
 * @param send resolves to whether the pack need not be kept any longer
 */
export async function sendKept(db: Database, send: (pack: Pack) => Promise<boolean>, until: number): Promise<void> {
  let sent = 0;
  for (let isTaken = true; isTaken && Date.now() < until;) {
    const [old, rows] = await db.batch<[{ readonly clicks: number }, KeptRow]>([
      { sql: 'DELETE FROM kept_packs WHERE kept_at < ?1 RETURNING clicks', params: [Date.now() - KEPT_MS] },
      { sql: `SELECT n, pack FROM kept_packs ORDER BY n LIMIT ${READ_AT_A_TIME}`, params: [] },
    ]);
    const clicks = old.reduce((sum, row) => sum + row.clicks, 0);
    if (clicks > 0) logProblem('clicks_lost', 'they were kept for four days', { clicks });
    if (rows.length === 0) break;
    const done: number[] = [];
    for (const { n, pack: text } of rows) {
      const pack = readPack(JSON.parse(text));
      isTaken = pack === null || (await send(pack));
      if (!isTaken) break;
      done.push(n);
      sent += pack === null ? 0 : countClicks(pack.groups);
      if (Date.now() >= until) break;
    }
    const sql = 'DELETE FROM kept_packs WHERE n IN (SELECT value FROM json_each(?1))';
    await db.batch([{ sql, params: [JSON.stringify(done)] }]);
  }
  if (sent > 0) logInfo('kept_clicks_sent', { clicks: sent });
}
