import type { Database } from '../database/database.ts';
import { logInfo, logProblem } from '../isolate/log.ts';
import { DAY_MS } from '../time/day.ts';
import { countClicks } from './pack.ts';
import { readPack, type Pack } from './read-pack.ts';

// As long as the queue keeps messages that fail.
const KEPT_MS = 4 * DAY_MS;
const READ_AT_A_TIME = 20;

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
