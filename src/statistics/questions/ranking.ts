import type { SubjectClicks } from './subject-clicks.ts';
import { partsOf } from '../parts.ts';
import { gatherFreshLinks } from '../days/subject-days.ts';
import { readSubjects } from '../subjects.ts';
import { addCounts, toClicks, type Clicks, type Counts } from '../days/sums.ts';

/** The links of a client in the order of all their clicks, of those by people, or of their last click. */

export type RankedBy = 'clicks' | 'humans' | 'last_click';

/** Where a page ends: what the last link is ranked by, and its number. */
export interface RankCursor {
  readonly value: number;
  readonly number: number;
}

interface RankedLink extends Clicks {
  readonly id: string;
  /** The number by which a page continues after it. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

export interface RankedPage {
  /** The highest first. */
  readonly links: readonly RankedLink[];
  /** Null if there are no more links with such clicks. */
  readonly next: RankCursor | null;
}

interface Ranked {
  readonly number: number;
  readonly clicks: Counts;
  readonly lastAt: number;
}

// No index has them: each fold would write two more rows a link, and a hundred thousand links are read in 20 ms.
const VALUE = {
  clicks: 'humans + bots + previews + carried_humans + carried_bots + carried_previews',
  humans: 'humans + carried_humans',
  last_click: 'max(last_at, carried_last_at)',
} as const satisfies Record<RankedBy, string>;

/**
 * Ranks the links by clicks of all days, the carried ones included. Links without such clicks are left out.
 *
 * @param limit the most links of a page
 */
export function rankLinks(sql: SqlStorage, by: RankedBy, after: RankCursor | null, limit: number): RankedPage {
  const fresh = gatherFreshLinks(sql);
  const changed = readRanked(sql, [...fresh.keys()]).map((link) => plus(link, fresh.get(link.number)!));
  const isAfter = (link: Ranked) => {
    const cursor = toCursor(by, link);
    return cursor.value > 0 && (after === null || compare(cursor, after) > 0);
  };
  // What has new clicks ranks higher than its folded ones.
  const unchanged = readUnchanged(sql, by, after, limit + 1, fresh);
  const links = [...unchanged, ...changed.filter(isAfter)].toSorted((a, b) =>
    compare(toCursor(by, a), toCursor(by, b)),
  );
  const page = links.slice(0, limit);
  const names = readSubjects(
    sql,
    page.map(({ number }) => number),
  );
  const last = page.at(-1);
  return {
    links: page.map(({ number, clicks, lastAt }) => ({
      id: names.get(number) ?? '',
      number,
      ...toClicks(clicks),
      lastAt,
    })),
    next: last !== undefined && links.length > limit ? toCursor(by, last) : null,
  };
}

function toCursor(by: RankedBy, { number, clicks, lastAt }: Ranked): RankCursor {
  const [humans, bots, previews] = clicks;
  return { number, value: { clicks: humans + bots + previews, humans, last_click: lastAt }[by] };
}

function compare(a: RankCursor, b: RankCursor): number {
  return b.value - a.value || b.number - a.number;
}

interface Row extends Record<string, SqlStorageValue> {
  readonly id: number;
  readonly humans: number;
  readonly bots: number;
  readonly previews: number;
  readonly last_at: number;
}

const COLUMNS = `id, humans + carried_humans AS humans, bots + carried_bots AS bots, previews + carried_previews AS previews,
  max(last_at, carried_last_at) AS last_at`;

function toRanked({ id, humans, bots, previews, last_at }: Row): Ranked {
  return { number: id, clicks: [humans, bots, previews], lastAt: last_at };
}

function readRanked(sql: SqlStorage, numbers: readonly number[]): Ranked[] {
  const statement = `SELECT ${COLUMNS} FROM subjects WHERE id IN (SELECT value FROM json_each(?1))`;
  return partsOf(numbers).flatMap((part) => sql.exec<Row>(statement, part).toArray().map(toRanked));
}

function readUnchanged(
  sql: SqlStorage,
  by: RankedBy,
  after: RankCursor | null,
  limit: number,
  without: ReadonlyMap<number, unknown>,
): Ranked[] {
  const rows = sql.exec<Row>(
    `SELECT * FROM (SELECT ${COLUMNS}, ${VALUE[by]} AS value FROM subjects WHERE kind = 1)
     WHERE value BETWEEN 1 AND ?1 AND (value < ?1 OR id < ?2)
     ORDER BY value DESC, id DESC LIMIT ?3`,
    after?.value ?? Number.MAX_SAFE_INTEGER,
    after?.number ?? 0,
    limit + without.size,
  );
  const links: Ranked[] = [];
  for (const row of rows) {
    if (links.length === limit) break;
    if (!without.has(row.id)) links.push(toRanked(row));
  }
  return links;
}

function plus({ number, clicks, lastAt }: Ranked, { totals }: SubjectClicks): Ranked {
  const sum: Counts = [...clicks];
  addCounts(sum, totals.clicks);
  return { number, clicks: sum, lastAt: Math.max(lastAt, totals.lastAt) };
}
