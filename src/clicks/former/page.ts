import type { Database, Statement } from '../../database/database.ts';
import type { CarriedDay } from '../../statistics/days/copied-days.ts';
import { OTHER_WORD } from '../../statistics/facts.ts';
import { ALL_COLUMNS, BREAKDOWN_COLUMNS, toWholeDay, type FormerDayRow } from './days.ts';

/** Pages of the days that D1 has counted of a client, without the names of links that were removed. */

const PAGE_DAYS = 500;
// A call of an object may have 32 MiB, and a value takes some fifty bytes there for ten of its text.
const PAGE_BYTES = 1_000_000;

export interface FormerPage {
  /** Undefined for a client without such days. */
  readonly move: MoveRow | undefined;
  readonly days: readonly CarriedDay[];
  /** Its last row; undefined for an empty page. */
  readonly last: RowKey | undefined;
  readonly hasMore: boolean;
}

/** The key of a row. */
export interface RowKey {
  readonly subject: string;
  readonly name: string;
  readonly day: string;
}

interface MoveRow {
  readonly revision: number;
  readonly is_moved: number;
}

interface PageRow extends FormerDayRow {
  readonly subject: string;
  readonly name: string;
  readonly last_at: number;
  /** A JSON array of the links that the row names, and that were removed. */
  readonly removed: string;
  /** The number of rows before the page was cut by its size. */
  readonly found: number;
}

/** Reads the days after those that were copied. */
export async function readFormerPage(db: Database, clientId: string): Promise<FormerPage> {
  const [, [move], rows] = await db.batch<[never, MoveRow, PageRow]>([
    {
      sql: `INSERT INTO statistics_moves (client_id) SELECT ?1 WHERE EXISTS (SELECT 1 FROM click_days WHERE client_id = ?1)
        ON CONFLICT DO NOTHING`,
      params: [clientId],
      isBestEffort: true,
    },
    { sql: 'SELECT revision, is_moved FROM statistics_moves WHERE client_id = ?1', params: [clientId] },
    { sql: SELECT_PAGE, params: [clientId] },
  ]);
  const last = rows.at(-1);
  return {
    move,
    days: rows.flatMap(toCarried),
    last,
    hasMore: last !== undefined && (last.found === PAGE_DAYS || rows.length < last.found),
  };
}

/** Selects those of some links that were removed, as `id`. */
export function selectRemoved(links: readonly string[]): Statement {
  return {
    sql: `SELECT value AS id FROM json_each(?1) WHERE ${isRemoved('value')}`,
    params: [JSON.stringify(links)],
  };
}

/** The links that days name. */
export function linksIn(days: readonly CarriedDay[]): string[] {
  const names = days.flatMap(({ subject, by }) => [
    ...(subject.kind === 'link' ? [subject.name] : []),
    ...(by.link ?? []).map(({ value }) => value).filter((value) => value !== OTHER_WORD),
  ]);
  return [...new Set(names)];
}

const isRemoved = (id: string): string => `NOT EXISTS (SELECT 1 FROM links AS l WHERE l.id = ${id} AND l.url <> '')`;

// The length of a column is known without reading it. A page has a row at least.
const SELECT_PAGE = `
  WITH found AS MATERIALIZED (
    SELECT subject, name, day, ${BREAKDOWN_COLUMNS.map((column) => `octet_length(${column})`).join(' + ')} AS bytes
    FROM click_days
    WHERE client_id = ?1 AND (subject, name, day) > (
      SELECT coalesce(copied_to ->> 0, ''), coalesce(copied_to ->> 1, ''), coalesce(copied_to ->> 2, '')
      FROM statistics_moves WHERE client_id = ?1)
    ORDER BY subject, name, day LIMIT ${PAGE_DAYS}
  ),
  page AS MATERIALIZED (
    SELECT subject, name, day, sum(bytes) OVER (ORDER BY subject, name, day) - bytes AS before FROM found
  )
  SELECT ${ALL_COLUMNS}, (SELECT count(*) FROM found) AS found,
    CASE d.subject
      WHEN 'link' THEN iif(${isRemoved('d.name')}, json_array(d.name), '[]')
      WHEN 'client' THEN (
        SELECT json_group_array(DISTINCT substr(key, 3)) FROM json_each(d.links) WHERE ${isRemoved('substr(key, 3)')})
      ELSE '[]'
    END AS removed
  FROM page CROSS JOIN click_days AS d USING (subject, name, day)
  WHERE d.client_id = ?1 AND page.before < ${PAGE_BYTES}
  ORDER BY subject, name, day`;

function toCarried(row: PageRow): CarriedDay[] {
  const { subject, name, last_at: lastAt } = row;
  const removed = new Set(JSON.parse(row.removed) as string[]);
  const { by, ...day } = toWholeDay(row);
  if (subject === 'link' && removed.has(name)) return [];
  const links = by.link?.map((value) => (removed.has(value.value) ? { ...value, value: OTHER_WORD } : value));
  const kind = subject === 'link' || subject === 'campaign' ? subject : null;
  return [
    {
      ...day,
      by: { ...by, ...(links && { link: links }) },
      subject: kind ? { kind, name } : { kind: 'client' },
      lastAt,
    },
  ];
}
