import { createHash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { logProblem } from '../../isolate/log.ts';
import { hostnameOf } from '../../network/hosts.ts';
import { isOfWeb } from '../../network/schemes.ts';
import { destinationsOf } from '../destinations/destinations.ts';
import {
  ADD_CLIENTS,
  CHECKED_FIELDS,
  moveSweep,
  removeSweep,
  selectSweeps,
  selectSwept,
  writeSwept,
  type LinkedDestination,
  type SweepRow,
  type SweptRow,
} from './sweep-sql.ts';
import { HOUR_MS } from '../../time/day.ts';

const CLIENTS_A_RUN = 20;
const LINKS_A_PAGE = 500;
/** A run reads 5,000 links, so that the destinations of 100,000 new links are found within two hours. */
const PAGES_A_RUN = 10;

/**
 * Finds the destinations that are to be checked, and those that no longer are: reads the links of the clients a page
 * each in turns, each link once an hour or, where there are many, as often as 5,000 in a run allow. A client whose
 * links cannot be read or written does not keep the others from being read. Throws what the database throws.
 */
export async function sweepLinks(db: Database, now: number): Promise<void> {
  const [, sweeps] = await db.batch<[never, SweepRow]>([ADD_CLIENTS, selectSweeps(now - HOUR_MS, CLIENTS_A_RUN)]);
  const waiting = [...sweeps];
  for (let pages = 0; pages < PAGES_A_RUN; pages++) {
    const sweep = waiting.shift();
    if (sweep === undefined) return;
    const rest = await sweepPage(db, sweep, now);
    if (rest !== null) waiting.push(rest);
  }
}

/** Reads the next page and writes what it has found; null after the last one. */
async function sweepPage(db: Database, sweep: SweepRow, now: number): Promise<SweepRow | null> {
  const client = sweep.client_id;
  let rows: readonly SweptRow[] = [];
  let isEmpty = false;
  try {
    [rows] = await db.batch<[SweptRow]>([selectSwept(sweep, now, LINKS_A_PAGE)]);
    isEmpty = rows.length === 0 && sweep.after_id === '' && sweep.is_whole === 0;
    const changes = rows.map(changesOf);
    const added = changes.flatMap((change) => change.added);
    const removed = changes.flatMap((change) => change.removed);
    for (const batch of writeSwept({ client, added, removed, now })) await db.batch(batch);
  } catch (cause) {
    // The page is left to the next sweep: it would fail again and again, and the links after it would never be read.
    logProblem('links_not_swept', cause, { client_id: client });
  }
  const last = rows.length === LINKS_A_PAGE ? rows.at(-1)! : null;
  await db.batch([isEmpty ? removeSweep(client) : moveSweep(client, last, now)]);
  return last && { ...sweep, after_at: last.created_at, after_id: last.id };
}

/** The difference between the destinations of a link and those that are checked for it. */
function changesOf(row: SweptRow) {
  const known = new Set<string>(JSON.parse(row.hashes));
  const wanted = row.is_checked === 1 ? checkedIn(row) : [];
  const hashes = new Set(wanted.map(({ hash }) => hash));
  return {
    added: wanted.filter(({ hash }) => !known.has(hash)),
    removed: [...known].filter((hash) => !hashes.has(hash)).map((hash) => [row.id, hash] as const),
  };
}

function checkedIn(row: SweptRow): readonly LinkedDestination[] {
  const urls = urlsOf(row).filter(isOfWeb);
  const byHref = new Map(urls.map((url) => [withoutFragment(url), url]));
  return [...byHref].map(([url, parsed]) => ({
    link: row.id,
    revision: row.revision,
    hash: hashOf(url),
    url,
    host: hostnameOf(parsed),
  }));
}

/** All URLs of a link; none if one of them cannot be read, which must not keep all other links from being checked. */
function urlsOf(row: SweptRow): readonly URL[] {
  try {
    return destinationsOf(Object.fromEntries(CHECKED_FIELDS.map((name) => [name, row[name]]))).map(({ url }) => url);
  } catch (cause) {
    logProblem('destination_unreadable', cause, { link_id: row.id });
    return [];
  }
}

/** The URL as it is requested, which says nothing of a place in the page. */
function withoutFragment(url: URL): string {
  const [requested = ''] = url.href.split('#', 1);
  return requested;
}

/** 128 bits of SHA-256: no two URLs have the same. */
const hashOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 32);
