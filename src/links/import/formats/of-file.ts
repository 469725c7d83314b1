import { hasAllOfOne, ONLY_TOTALS, PROTECTING, type Format, type Role } from './format.ts';
import type { Columns } from './recognise.ts';
import { MAPPED } from './table.ts';

/** The format for one file, and its notes, by the file's columns. */

/** The format of the rows of a file with these columns. */
export function formatOfRows(format: Format, columns: Columns): Format {
  const { forwardsQueryOf } = format;
  return {
    ...format,
    columns: { ...PROTECTING, ...format.columns },
    ...(forwardsQueryOf && { forwardsQuery: hasAllOfOne(forwardsQueryOf, columns) }),
  };
}

/** The role of a column. In JSON a destination for a country is a column of its own. */
export function roleOf({ columns }: Format, column: string): Role | null {
  const roleIn = (name: string) => (Object.hasOwn(columns, name) ? (columns[name] ?? null) : null);
  const outer = column.includes('.') ? roleIn(column.slice(0, column.indexOf('.'))) : null;
  return roleIn(column) ?? (outer === 'countries' ? outer : null);
}

/** The notes on what a file lacks or cannot keep, for people. */
export function notesOf(format: Format, columns: Columns): readonly string[] {
  const hasClicks = [...columns.keys()].some((name) => roleOf(format, name) === 'imported_clicks');
  const notes = format.notes.flatMap((note) => {
    if (typeof note === 'string') return [note];
    const isSaid = note.unless.some((name) => columns.has(name)) || (note.ofForwarding && !format.forwardsQuery);
    return isSaid ? [] : [note.text];
  });
  return hasClicks && format.id !== MAPPED ? [ONLY_TOTALS, ...notes] : notes;
}
