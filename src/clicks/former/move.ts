import { logInfo, logProblem } from '../../log.ts';
import type { CarriedDay } from '../../statistics/carried.ts';
import { RecentlySeen } from '../../recently-seen.ts';
import { HOUR_MS } from '../../time/day.ts';
import type { ClickSources } from '../days.ts';
import { ALL_COLUMNS, toWholeDay, type FormerDayRow } from './days.ts';

/**
 * Copies the days that D1 has counted to the object of their client, page by page. Until all of a client are there, its
 * clicks are those of D1 and of the object together; from then on D1's are no longer read. Where the version before counts
 * again, as after a rollback, the triggers of `click_days` say that the client is to be copied anew.
 */

const PAGE_DAYS = 100;
// How often a client is begun anew while the version before still counts.
const MOST_ATTEMPTS = 3;

/** What became of a page: there are more, the client is moved, or its days have changed meanwhile. */
type Outcome = 'more' | 'moved' | 'changed';

/**
 * Copies the days of all clients, until a time in milliseconds since the epoch; the next call goes on from there. Throws
 * what the database throws. A client whose object fails is left for the next call.
 */
export async function moveFormerDays(sources: ClickSources, until: number): Promise<void> {
  for (
    let clientId = await nextClient(sources, '');
    clientId !== null;
    clientId = await nextClient(sources, clientId)
  ) {
    await moveClient(sources, clientId, until);
    if (Date.now() >= until) return;
  }
}

/** Copies the days of a client. Returns whether all are there. */
export async function moveClient(sources: ClickSources, clientId: string, until: number): Promise<boolean> {
  for (let attempts = 0; attempts < MOST_ATTEMPTS && Date.now() < until;) {
    const outcome = await movePage(sources, clientId);
    if (outcome === 'moved') return true;
    if (outcome === 'changed') attempts += 1;
  }
  return false;
}

/** Moves the clients whose clicks are being counted, a page at a time, so that the daily work is done sooner. */
export class ClientMoves {
  readonly #moved = new RecentlySeen();

  /** Copies the next days of one of some clients. */
  async moveNext(sources: ClickSources, clientIds: Iterable<string>): Promise<void> {
    for (const clientId of clientIds) {
      if (this.#moved.wasSeen(clientId, HOUR_MS)) continue;
      const outcome = await movePage(sources, clientId);
      if (outcome !== 'moved') this.#moved.forget(clientId);
      return;
    }
  }
}

/** Copies the next days of a client. A failure of its object is logged. */
async function movePage(sources: ClickSources, clientId: string): Promise<Outcome> {
  const { move, days } = await readPage(sources, clientId);
  if (move === undefined || move.is_moved === 1) return 'moved';
  const { revision } = move;
  try {
    if (days.length > 0) await sources.statistics.call(clientId, (object) => object.carry(days.map(toCarried)));
  } catch (cause) {
    logProblem('statistics_not_moved', cause, { client_id: clientId });
    return 'changed';
  }
  const last = days.at(-1);
  if (last !== undefined && days.length === PAGE_DAYS) return markCopied(sources, clientId, revision, last);
  return markMoved(sources, clientId, revision);
}

interface FormerRow extends FormerDayRow {
  readonly subject: string;
  readonly name: string;
  readonly last_at: number;
}

interface MoveRow {
  readonly revision: number;
  readonly is_moved: number;
}

async function readPage({ db }: ClickSources, clientId: string) {
  const [, [move], days] = await db.batch<[never, MoveRow, FormerRow]>([
    {
      sql: `INSERT INTO statistics_moves (client_id) SELECT ?1 WHERE EXISTS (SELECT 1 FROM click_days WHERE client_id = ?1)
        ON CONFLICT DO NOTHING`,
      params: [clientId],
    },
    { sql: 'SELECT revision, is_moved FROM statistics_moves WHERE client_id = ?1', params: [clientId] },
    {
      sql: `SELECT ${ALL_COLUMNS} FROM click_days
        WHERE client_id = ?1 AND (subject, name, day) > (
          SELECT coalesce(copied_to ->> 0, ''), coalesce(copied_to ->> 1, ''), coalesce(copied_to ->> 2, '')
          FROM statistics_moves WHERE client_id = ?1)
        ORDER BY subject, name, day LIMIT ${PAGE_DAYS}`,
      params: [clientId],
    },
  ]);
  return { move, days };
}

function toCarried(row: FormerRow): CarriedDay {
  const { subject, name, last_at: lastAt } = row;
  const kind = subject === 'link' || subject === 'campaign' ? subject : null;
  return { ...toWholeDay(row), subject: kind === null ? { kind: 'client' } : { kind, name }, lastAt };
}

async function markCopied({ db }: ClickSources, clientId: string, revision: number, last: FormerRow): Promise<Outcome> {
  const [rows] = await db.batch<[object]>([
    {
      sql: `UPDATE statistics_moves SET copied_to = json_array(?3, ?4, ?5) WHERE client_id = ?1 AND revision = ?2 RETURNING 1`,
      params: [clientId, revision, last.subject, last.name, last.day],
    },
  ]);
  return rows.length === 0 ? 'changed' : 'more';
}

/** Has the object count the copied days, if they are as many clicks there as in the database. */
async function markMoved({ db, statistics }: ClickSources, clientId: string, revision: number): Promise<Outcome> {
  const copied = await statistics.call(clientId, (object) => object.carried());
  const [rows, [counted]] = await db.batch<[object, { readonly clicks: number }]>([
    {
      sql: `UPDATE statistics_moves SET is_moved = 1 WHERE client_id = ?1 AND revision = ?2 AND ?3 = (${CLIENT_CLICKS}) RETURNING 1`,
      params: [clientId, revision, copied],
    },
    { sql: CLIENT_CLICKS, params: [clientId] },
  ]);
  if (rows.length > 0) {
    logInfo('statistics_moved', { client_id: clientId, clicks: copied });
    return 'moved';
  }
  if (counted!.clicks !== copied) await restart(db, clientId, counted!.clicks, copied);
  return 'changed';
}

const CLIENT_CLICKS = `SELECT coalesce(sum(humans + bots + previews), 0) AS clicks FROM click_days
  WHERE client_id = ?1 AND subject = 'client'`;

async function restart(db: ClickSources['db'], clientId: string, counted: number, copied: number): Promise<void> {
  logProblem('statistics_not_moved', 'the copy has another number of clicks', { client_id: clientId, counted, copied });
  await db.batch([{ sql: 'UPDATE statistics_moves SET copied_to = NULL WHERE client_id = ?1', params: [clientId] }]);
}

async function nextClient({ db }: ClickSources, after: string): Promise<string | null> {
  const row = await db.first<{ readonly id: string }>({
    sql: `SELECT c.id FROM clients c
      WHERE c.id > ?1 AND EXISTS (SELECT 1 FROM click_days WHERE client_id = c.id)
        AND NOT EXISTS (SELECT 1 FROM statistics_moves WHERE client_id = c.id AND is_moved = 1)
      ORDER BY c.id LIMIT 1`,
    params: [after],
  });
  return row?.id ?? null;
}
