import { encodeCursor, readPage, type Position } from '../input/pagination.ts';
import { compareKeys, type StatsRow } from './breakdown.ts';
import { TIMES, type StatsQuery } from './query.ts';

/** A page of the rows of a response. */
export interface RowPage {
  readonly rows: readonly StatsRow[];
  readonly cursor: string | null;
  /** The number of rows before those of the page, and of those after. */
  readonly before: number;
  readonly after: number;
}

/**
 * Cuts the page that a query asks for from all rows, which are in order. Throws `invalid_cursor`, before any are read.
 */
export function cutRows(subject: object, query: StatsQuery): (rows: readonly StatsRow[]) => RowPage {
  const { limit, cursor, ...rest } = query;
  const question = { ...rest, subject };
  const positionOf = POSITIONS[query.by === 'weekday' ? 'weekday' : TIMES.has(query.by) ? 'time' : 'value'];
  const after = cursor === undefined ? null : readPage(question, { limit: limit ?? 0, cursor }).after;
  return (rows) => {
    const left = after === null ? rows : rows.filter((row, index) => isAfter(positionOf(row, index), after));
    const page = limit === undefined ? left : left.slice(0, limit);
    const last = page.at(-1);
    const isEnd = last === undefined || page.length === left.length;
    return {
      rows: page,
      cursor: isEnd ? null : encodeCursor(question, positionOf(last, rows.indexOf(last))),
      before: rows.length - left.length,
      after: left.length - page.length,
    };
  };
}

/**
 * The rows of another range that are at the same places. Places count from the end, since what is kept of the days at the
 * beginning may not say what a query asks for. The first page has all rows before, which may be more.
 */
export function sameRows(others: readonly StatsRow[], { rows, before, after }: RowPage): StatsRow[] {
  const end = Math.max(0, others.length - after);
  return others.slice(before === 0 ? 0 : Math.max(0, end - rows.length), end);
}

// Between two pages the first rows in time may lose their detail, so that a place would be that of another row.
const POSITIONS: Readonly<Record<'weekday' | 'time' | 'value', (row: StatsRow, index: number) => Position>> = {
  weekday: (_, index) => [index, ''],
  time: ({ key }) => [Date.parse(key ?? ''), ''],
  value: ({ total, key }) => [-total, key ?? ''],
};

function isAfter([number, key]: Position, [afterNumber, afterKey]: Position): boolean {
  return number > afterNumber || (number === afterNumber && compareKeys(key, afterKey) > 0);
}
