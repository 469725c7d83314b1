import { fieldError } from '../../../input/validation.ts';
import { quote } from '../../../text/quote.ts';
import { OWN_COLUMNS } from '../import-row.ts';
import { MAPPABLE, type Mapping } from '../mapping.ts';
import { columnsSentence } from '../unrecognised.ts';
import { columnOf } from './columns.ts';
import { hasAllOfOne, type Format, type Role } from './format.ts';
import { formatOfId, FORMATS, LIST, MAPPED } from './table.ts';
import { ANY } from './values.ts';

/** Decides which service has written a file. */

/** The columns of a file by their names in lower case, each as it is written. */
export type Columns = ReadonlyMap<string, string>;

/** The facts about a file besides its columns. */
export interface Shape {
  /** True if it is a list with a URL in each line. */
  readonly isList: boolean;
  /** Between the cells of a CSV; null if it has only one column, or is none. */
  readonly separator: string | null;
}

/** The format of a file. One that no format has is taken for this service's own, whose errors name its columns. */
export function recognised(columns: Columns, { isList, separator }: Shape): Format | null {
  if (isList) return formatOfId(LIST);
  const names = new Set([...columns.keys()].filter((name) => name !== ''));
  const isOwn = names.has('url') && [...names].every((name) => OWN_COLUMNS.has(name));
  return formatAlone(names, separator) ?? (isOwn ? null : formatWith(names));
}

/**
 * The format of a file with these columns, in lower case, or null: of those that recognise it, the one that knows the
 * most of its columns.
 */
function formatWith(columns: ReadonlySet<string>): Format | null {
  const knownBy = (format: Format) => [...columns].filter((name) => Object.hasOwn(format.columns, name)).length;
  const all = FORMATS.filter(({ needs }) => hasAllOfOne(needs, columns));
  return all.toSorted((one, other) => knownBy(other) - knownBy(one))[0] ?? null;
}

/** The format whose files have these columns alone, in any order, with this separator, or null. */
function formatAlone(columns: ReadonlySet<string>, separator: string | null): Format | null {
  const isIt = ({ alone }: Format) =>
    alone?.separator === separator &&
    alone.columns.length === columns.size &&
    alone.columns.every((name) => columns.has(name));
  return FORMATS.find(isIt) ?? null;
}

/**
 * The format that a caller has named; null for that of this service. Throws `missing_field` if the file has no column
 * with its destinations.
 *
 * @param columns null if it is not to be checked
 */
export function chosen(from: string, columns: Columns | null): Format | null {
  const format = formatOfId(from);
  if (!format) return null;
  const destinations = Object.entries(format.columns).flatMap(([name, role]) => (role === 'url' ? [name] : []));
  if (!columns || destinations.some((name) => columns.has(name))) return format;
  const sentence = `This is no export of ${format.name}: it has no column ${destinations.map((name) => quote(name)).join(' or ')}. ${columnsSentence(columns.values())}`;
  throw fieldError('missing_field', 'from', sentence);
}

/** The format of a file whose columns a caller has named. Throws `missing_field`, `unknown_field`, `repeated_field`. */
export function mapped(map: Mapping, columns: Columns | null): Format {
  const roles = new Map<string, Role>();
  for (const [field, role] of Object.entries(MAPPABLE)) {
    const given = map[field as keyof Mapping];
    if (given === undefined) continue;
    const column = columnOf(given);
    const name = `map_${field}`;
    if (columns?.has(column) === false) {
      throw fieldError(
        'unknown_field',
        name,
        `${name} names the column ${quote(given)}, which the file does not have. ${columnsSentence(columns.values())}`,
      );
    }
    if (roles.has(column)) {
      throw fieldError('repeated_field', name, `${name} names the column ${quote(given)}, as another field does.`);
    }
    roles.set(column, role);
  }
  if (![...roles.values()].includes('url')) {
    throw fieldError('missing_field', 'map_url', 'map_url is required: name the column with the destination.');
  }
  return {
    id: MAPPED,
    name: 'Mapped columns',
    file: '',
    needs: [],
    columns: Object.fromEntries(roles),
    tagSeparator: ANY,
    notes: [],
  };
}
