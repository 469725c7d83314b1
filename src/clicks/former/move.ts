import { logInfo, logProblem } from '../../isolate/log.ts';
import { RecentlySeen } from '../../isolate/recently-seen.ts';
import type { StatisticsObject } from '../../statistics/statistics.ts';
import { HOUR_MS } from '../../time/day.ts';
import type { ClickSources } from '../days.ts';
import { linksIn, readFormerPage, selectRemoved, type FormerPage, type RowKey } from './page.ts';

/**
 * Copies the days that D1 has counted to the object of their client, page by page. Until all of a client are there, its
 * clicks are those of D1 and of the object together; from then on D1's are no longer read. Where the version before counts
 * again, as after a rollback, the triggers of `click_days` say that the client is to be copied anew.
 */

// How often a client is begun anew while the version before still counts.
const MAX_ATTEMPTS = 3;

// A run makes at most six calls a page, and a Worker 10,000 in one invocation: the daily work has others too.
const MAX_PAGES_A_RUN = 1000;

/** The result of copying a page: there are more, the client is moved, or its days have changed meanwhile. */
type Outcome = 'more' | 'moved' | 'changed';

/**
 * Copies the days of all clients, until a time in milliseconds since the epoch, or for a number of pages; the next call
 * continues from there. Throws what the database throws. A client whose object fails is left for the next call.
 */
export async function moveFormerDays(sources: ClickSources, until: number): Promise<void> {
  let pages = 0;
  const hasPlace = () => pages < MAX_PAGES_A_RUN && Date.now() < until;
  for (
    let clientId = await nextClient(sources, '');
    clientId !== null;
    clientId = await nextClient(sources, clientId)
  ) {
    await movePages(sources, clientId, () => hasPlace() && ++pages > 0);
    if (!hasPlace()) return;
  }
}

/** Copies the days of a client. Returns whether all are there. */
export async function moveClient(sources: ClickSources, clientId: string, until: number): Promise<boolean> {
  return movePages(sources, clientId, () => Date.now() < until);
}

async function movePages(sources: ClickSources, clientId: string, mayBegin: () => boolean): Promise<boolean> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS && mayBegin();) {
    const outcome = await movePage(sources, clientId);
    if (outcome === 'moved') return true;
    if (outcome === 'changed') attempts += 1;
  }
  return false;
}

/** Moves the clients whose clicks are being counted, a page at a time, so that the daily work is done sooner. */
export class ClientMoves {
  readonly #moved = new RecentlySeen();

  /** True if all days of a client were copied when that was last checked, in the last hour. */
  isMoved(clientId: string): boolean {
    return this.#moved.isKnown(clientId, HOUR_MS);
  }

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
  const page = await readFormerPage(sources.db, clientId);
  const { move, days, last, hasMore } = page;
  if (move === undefined || move.is_moved === 1) return 'moved';
  const moving = { ...sources, clientId, revision: move.revision };
  try {
    if (days.length > 0) await callObject(moving, (object) => object.carry(days));
    return await (last !== undefined && hasMore ? markCopied(moving, page, last) : markMoved(moving, page));
  } catch (cause) {
    if (!(cause instanceof ObjectFailure)) throw cause;
    logProblem('statistics_not_moved', cause.cause, { client_id: clientId });
    return 'changed';
  }
}

/** A client that is being copied, as it was when a page was read. */
interface Moving extends ClickSources {
  readonly clientId: string;
  readonly revision: number;
}

class ObjectFailure extends Error {}

function callObject<Answer>(
  { statistics, clientId }: Moving,
  work: (object: StatisticsObject) => Promise<Answer>,
): Promise<Answer> {
  return statistics.call(clientId, work).catch((cause: unknown) => {
    throw new ObjectFailure('the object of a client failed', { cause });
  });
}

async function markCopied(moving: Moving, { days }: FormerPage, last: RowKey): Promise<Outcome> {
  const { db, clientId, revision } = moving;
  const [rows, removed] = await db.batch<[object, RemovedRow]>([
    {
      sql: `UPDATE statistics_moves SET copied_to = json_array(?3, ?4, ?5) WHERE client_id = ?1 AND revision = ?2 RETURNING 1`,
      params: [clientId, revision, last.subject, last.name, last.day],
      isBestEffort: true,
    },
    selectRemoved(linksIn(days)),
  ]);
  await purge(moving, removed);
  return rows.length === 0 ? 'changed' : 'more';
}

/** Has the object count the copied days, if they are as many clicks there as in the database. */
async function markMoved(moving: Moving, { days }: FormerPage): Promise<Outcome> {
  const { db, clientId, revision } = moving;
  const copied = await callObject(moving, (object) => object.carried());
  const [rows, [counted], removed] = await db.batch<[object, { readonly clicks: number }, RemovedRow]>([
    {
      sql: `UPDATE statistics_moves SET is_moved = 1 WHERE client_id = ?1 AND revision = ?2 AND ?3 = (${CLIENT_CLICKS}) RETURNING 1`,
      params: [clientId, revision, copied],
      isBestEffort: true,
    },
    { sql: CLIENT_CLICKS, params: [clientId] },
    selectRemoved(linksIn(days)),
  ]);
  await purge(moving, removed);
  if (rows.length > 0) {
    logInfo('statistics_moved', { client_id: clientId, clicks: copied });
    return 'moved';
  }
  if (counted!.clicks !== copied) await restart(moving, counted!.clicks, copied);
  return 'changed';
}

const CLIENT_CLICKS = `SELECT coalesce(sum(humans + bots + previews), 0) AS clicks FROM click_days
  WHERE client_id = ?1 AND subject = 'client'`;

interface RemovedRow {
  readonly id: string;
}

/** Removes links again that were removed while their days were on the way. */
async function purge(moving: Moving, removed: readonly RemovedRow[]): Promise<void> {
  const ids = removed.map(({ id }) => id);
  if (ids.length > 0) await callObject(moving, (object) => object.purge(ids));
}

/**
 * Begins a client anew. Days of which the object has more clicks than the database, as after the database was set back to an
 * earlier time, are dropped there, since a copy with fewer clicks does not replace them.
 */
async function restart(moving: Moving, counted: number, copied: number): Promise<void> {
  const { db, clientId, revision } = moving;
  logProblem('statistics_not_moved', 'the copy has another number of clicks', { client_id: clientId, counted, copied });
  const [rows] = await db.batch<[object]>([
    {
      // What others are copying at the moment no longer counts.
      sql: `UPDATE statistics_moves SET copied_to = NULL, revision = revision + 1
        WHERE client_id = ?1 AND revision = ?2 AND is_moved = 0 RETURNING 1`,
      params: [clientId, revision],
      isBestEffort: true,
    },
  ]);
  if (rows.length > 0 && copied > counted) await callObject(moving, (object) => object.dropCarried(copied));
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
