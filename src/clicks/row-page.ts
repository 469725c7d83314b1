import { encodeCursor, readPage, type Position } from '../pagination.ts';
import type { StatsRow } from './breakdown.ts';
import { isInTime, type StatsQuery } from './query.ts';

/** A page of the rows of an answer. */
export interface RowPage {
  readonly rows: readonly StatsRow[];
  readonly cursor: string | null;
}

/**
 * Cuts the page that a query asks for from all rows, which are in order. Throws `invalid_cursor`, before any are read.
 */
export function cutRows(query: StatsQuery): (rows: readonly StatsRow[]) => RowPage {
  const { limit, cursor, ...filters } = query;
  const positionOf = isInTime(query.by) ? inTime : byClicks;
  const after = cursor === undefined ? null : readPage(filters, { limit: limit ?? 0, cursor }).after;
  return (rows) => {
    const left = after === null ? rows : rows.filter((row, index) => isAfter(positionOf(row, index), after));
    const page = limit === undefined ? left : left.slice(0, limit);
    const last = page.at(-1);
    const isEnd = last === undefined || page.length === left.length;
    return { rows: page, cursor: isEnd ? null : encodeCursor(filters, positionOf(last, rows.indexOf(last))) };
  };
}

// The numbers of rows that are in order grow, and those of clicks fall.
const inTime = (_: StatsRow, index: number): Position => [index, ''];
const byClicks = ({ total, key }: StatsRow): Position => [-total, key ?? ''];

function isAfter([number, key]: Position, [afterNumber, afterKey]: Position): boolean {
  return number > afterNumber || (number === afterNumber && key.localeCompare(afterKey) > 0);
}
