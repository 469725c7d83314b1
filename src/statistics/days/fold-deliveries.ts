import { addToDay, MAX_FACTS } from './day.ts';
import { readDeliveries } from '../append/deliveries.ts';
import { SubjectClicks } from '../questions/subject-clicks.ts';
import { addMarksByHour } from '../append/marks.ts';
import { KEPT_MS } from '../live/feed.ts';
import { dayOpener, type OpenDay } from './opened-day.ts';
import { DAY_IDS } from '../row-ids.ts';
import { readState, writeState, type Storage } from '../schema.ts';
import { keepSeen } from '../append/seen.ts';
import { packDay } from './stored-day.ts';
import { addTotals, CLIENT } from '../subjects.ts';
import { Unfolded } from './unfolded.ts';

/** About how many groups a fold takes. */
const FOLD_GROUPS = 50_000;
/** The most groups, and the most rows, of the last minute that stay unfolded: less than would be folded at once. */
const KEPT_GROUPS = 10_000;
const KEPT_ROWS = 1000;

// How many facts one transaction touches, and how many groups are read without a pause: a slice takes some 30 ms, in which
// deliveries and questions wait. The clock stands still while code runs, so that a slice cannot be measured.
const SLICE_FACTS = 20_000;
const SLICE_GROUPS = 20_000;

/** Lets deliveries and questions in. */
export type Pause = () => Promise<void>;

/** Why work stopped early. */
export class Waiting extends Error {}

/**
 * Adds deliveries to the days of their subjects, in slices. What is done is stored with each slice, so that a fold that
 * was interrupted continues where it was, and a question sees each click once at any time. There may be more deliveries
 * afterwards, and the newest stay, as far as they are not too many: live views continue from them.
 *
 * @param keptMs for how long deliveries stay, in milliseconds
 */
export async function foldDeliveries(storage: Storage, pause: Pause, keptMs = KEPT_MS): Promise<void> {
  const { sql } = storage;
  const through = readState(sql, 'fold_delivery') ?? lastToFold(sql, keptMs);
  if (through === null) return;
  const unfolded = await readUnfolded(sql, through, pause);
  const done = readState(sql, 'fold_subject') ?? CLIENT - 1;
  const subjects = unfolded.subjects.filter((subject) => subject > done);
  for (const slice of slicesOf(unfolded, subjects)) {
    const gathered: [subject: number, clicks: SubjectClicks][] = [];
    for (const subject of slice) gathered.push([subject, await gather(unfolded, subject, pause)]);
    storage.transactionSync(() => {
      const open = dayOpener(sql);
      for (const [subject, clicks] of gathered) foldSubject(sql, subject, clicks, open);
      writeState(sql, 'fold_delivery', through);
      writeState(sql, 'fold_subject', slice.at(-1)!);
    });
    await pause();
  }
  storage.transactionSync(() => {
    keepSeen(sql, through);
    sql.exec('DELETE FROM deliveries WHERE id <= ?1', through);
    writeState(sql, 'fold_delivery', null);
    writeState(sql, 'fold_subject', null);
  });
}

/** True if links are to be purged. */
export const hasPurges = (sql: SqlStorage): boolean => sql.exec('SELECT 1 FROM purges LIMIT 1').toArray().length > 0;

function lastToFold(sql: SqlStorage, keptMs: number): number | null {
  let groups = 0;
  let last: number | null = null;
  const kept = firstKept(sql, keptMs);
  for (const row of sql.exec<{ id: number; groups: number }>(
    'SELECT id, groups FROM deliveries WHERE id < ?1 ORDER BY id',
    kept,
  )) {
    if (groups >= FOLD_GROUPS) break;
    groups += row.groups;
    last = row.id;
  }
  return last;
}

/** The first delivery that stays. While links wait to be purged none does: their clicks must be folded before. */
function firstKept(sql: SqlStorage, keptMs: number): number {
  const now = Date.now();
  let first = Number.MAX_SAFE_INTEGER;
  if (hasPurges(sql)) return first;
  let [groups, rows] = [0, 0];
  let newer: DeliveryRow | null = null;
  for (const row of sql.exec<DeliveryRow>('SELECT id, at, groups FROM deliveries ORDER BY id DESC')) {
    // The rows of one delivery stay together, since the places of its clicks follow from its first row.
    if (newer !== null && row.at < newer.at) first = newer.id;
    groups += row.groups;
    rows += 1;
    // A clock that ran ahead may have stored a future time.
    if (row.at <= now - keptMs || row.at > now || groups > KEPT_GROUPS || rows > KEPT_ROWS) return first;
    newer = row;
  }
  return newer?.id ?? first;
}

interface DeliveryRow extends Record<string, SqlStorageValue> {
  readonly id: number;
  readonly at: number;
  readonly groups: number;
}

async function readUnfolded(sql: SqlStorage, through: number, pause: Pause): Promise<Unfolded> {
  const unfolded = new Unfolded();
  let groups = 0;
  // The cursor of a statement does not survive a pause.
  const ids = [...sql.exec<{ id: number }>('SELECT id FROM deliveries WHERE id <= ?1 ORDER BY id', through)];
  for (const { id } of ids) {
    for (const row of readDeliveries(sql, id - 1, id)) {
      unfolded.add(row);
      groups += row.groups;
    }
    if (groups < SLICE_GROUPS) continue;
    groups = 0;
    await pause();
  }
  return unfolded;
}

async function gather(unfolded: Unfolded, subject: number, pause: Pause): Promise<SubjectClicks> {
  const gathered = new SubjectClicks();
  const size = unfolded.sizeOf(subject);
  for (let from = 0; from < size; from += SLICE_GROUPS) {
    if (from > 0) await pause();
    unfolded.gather(subject, gathered, from, from + SLICE_GROUPS);
  }
  return gathered;
}

function slicesOf(unfolded: Unfolded, subjects: readonly number[]): number[][] {
  const slices: number[][] = [];
  let facts = SLICE_FACTS;
  for (const subject of subjects) {
    if (facts >= SLICE_FACTS) {
      slices.push([]);
      facts = 0;
    }
    slices.at(-1)!.push(subject);
    // Folding also rewrites the facts that a day already has.
    facts += unfolded.sizeOf(subject) + TOUCHED_FACTS;
  }
  return slices;
}

const TOUCHED_FACTS = 100;

function foldSubject(sql: SqlStorage, subject: number, clicks: SubjectClicks, open: OpenDay): void {
  addTotals(sql, subject, clicks.totals);
  for (const [day, { facts, links }] of clicks.days) {
    const [row] = sql.exec<{ clicks: ArrayBuffer }>('SELECT clicks FROM days WHERE id = ?1', DAY_IDS.of(subject, day));
    const folded = addToDay(
      open(row?.clicks ?? null, day),
      { facts: facts.list(), links },
      subject === CLIENT ? MAX_FACTS.client : MAX_FACTS.subject,
    );
    sql.exec(
      'INSERT INTO days (id, clicks) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET clicks = excluded.clicks',
      DAY_IDS.of(subject, day),
      packDay(folded),
    );
  }
  addMarksByHour(sql, subject, clicks.marks);
}
