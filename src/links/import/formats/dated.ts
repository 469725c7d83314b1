import type { DateColumn } from '../dates/columns.ts';
import type { Format } from './format.ts';

const DATES: ReadonlySet<string> = new Set(['created_at', 'starts_at', 'expires_at']);

/**
 * The columns of dates in a file.
 *
 * @param format null for that of this service
 * @param titles the names of columns in the file, by those that rows have
 */
export function dateColumnsOf(format: Format | null, titles: ReadonlyMap<string, string>): readonly DateColumn[] {
  const roles = format === null ? [...DATES].map((name) => [name, name]) : Object.entries(format.columns);
  return roles.flatMap(([name = '', role = '']) =>
    DATES.has(role) ? [{ name, title: titles.get(name) ?? name, isLimit: role !== 'created_at' }] : [],
  );
}
