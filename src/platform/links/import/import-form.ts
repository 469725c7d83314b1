import * as z from 'zod';
import { lazy } from '../../../isolate/lazy.ts';
import type { SeenDates } from '../../../links/import/dates/orders.ts';
import { seenDates } from '../../../links/import/dates/seen.ts';
import { fileFields, readFileOptions } from '../../../links/import/file-fields.ts';
import type { FileColumn } from '../../../links/import/file-columns.ts';
import { MAX_HOST_CHOICES } from '../../../links/import/formats/hosts.ts';
import type { FileOptions } from '../../../links/import/formats/reading.ts';
import { MAPPABLE } from '../../../links/import/mapping.ts';
import { formatOf, type FileFormat } from '../../../links/import/file-kinds.ts';
import { parseFields } from '../../../input/validation.ts';
import { quote } from '../../../text/quote.ts';
import type { PageWords } from '../../words.tsx';

/** The forms of an import, which say of a file what the query of `POST /v1/links/import` does. */

/** The value of `from` for a file whose columns the user maps. */
export const MAP = 'map';

/** A file, and what was said of it, in the fields of the next form. */
export interface Carried {
  readonly kind: FileFormat;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The choices for the file when it was checked, as a query. */
  readonly checked: string;
  /** The number of rows of the file, if a script sends it in pieces and this is the first one; else null. */
  readonly fileRows: number | null;
  /** The facts that this script sends about the dates of the whole file, as JSON; '' without it. */
  readonly seen: string;
}

/** The most hosts that a form can name: links without a host have a choice of their own. */
export const MAX_HOSTS_OF_FORM = MAX_HOST_CHOICES - 1;

type FormFields = Readonly<Record<string, string>>;

/** The file of a form: one that was chosen, or else one that an earlier form carried; null if there is none. */
export async function fileIn(file: File | null, fields: FormFields): Promise<Carried | null> {
  const fileRows = readCount(fields['file_rows']);
  const seen = (fields['dates_seen'] ?? '').slice(0, LONGEST_SEEN);
  if (file !== null) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { kind: formatOf(file.name), name: file.name, bytes, checked: '', fileRows, seen };
  }
  const { format, name = '', content = '', checked = '' } = fields;
  if (content === '') return null;
  const kind = format === 'ndjson' || format === 'json' ? format : 'csv';
  return { kind, name, bytes: new Uint8Array(Buffer.from(content, 'base64')), checked, fileRows, seen };
}

const readCount = (text = '') => (/^\d{1,6}$/.test(text) ? Number(text) : null);

/** The choices of a form for its file, as a query. `columns` are those of the file, in the order of the form. */
export function queryIn(fields: FormFields, columns: readonly FileColumn[]): string {
  const query = new URLSearchParams();
  const { from = '', unprotected = '', place = '', dates = '', charset = '', dates_seen: seen = '' } = fields;
  if (from !== '' && from !== MAP) query.set('from', from);
  if (from === MAP) {
    for (const [index, { name }] of columns.entries()) {
      const field = fields[`column_${index}`] ?? '';
      if (Object.hasOwn(MAPPABLE, field)) query.append(`map_${field}`, name);
    }
  }
  if (place !== '') query.append('host', `:${place}`);
  for (let index = 0; index < MAX_HOSTS_OF_FORM; index++) {
    const [host = '', to = ''] = [fields[`host_${index}`], fields[`place_${index}`]];
    if (host !== '' && to !== '') query.append('host', `${host}:${to}`);
  }
  if (unprotected === 'publish') query.set('unprotected', unprotected);
  if (dates !== '') query.set('dates', dates);
  if (charset !== '') query.set('charset', charset);
  if (seen !== '') query.set('dates_seen', seen);
  return query.toString();
}

/** The place that a form says for the links of a host; '' if they stay there, null if it says nothing. */
export function placeIn(fields: FormFields, host: string): string | null {
  const [name] = Object.entries(fields).find(([each, value]) => value === host && each.startsWith('host_')) ?? [];
  return name === undefined ? null : (fields[name.replace('host', 'place')] ?? '');
}

/** True if a form says more than what its file was checked with, which a page shows before it counts. */
export function isChanged(fields: FormFields, checked: string): boolean {
  const query = new URLSearchParams(checked);
  const places = new Map(query.getAll('host').map((text) => splitAt(text, text.lastIndexOf(':'))));
  const wasFrom = [...query.keys()].some((name) => name.startsWith('map_')) ? MAP : (query.get('from') ?? '');
  return (
    ['dates', 'charset'].some((name) => isOther(fields[name], query.get(name) ?? '')) ||
    isOther(fields['from'], wasFrom) ||
    (fields['unprotected'] === 'publish') !== (query.get('unprotected') === 'publish') ||
    isOther(fields['place'], places.get('')) ||
    Object.entries(fields).some(
      ([name, host]) => name.startsWith('host_') && isOther(placeIn(fields, host), places.get(host)),
    )
  );
}

const isOther = (said: string | null | undefined, was = '') => said != null && said !== was;

const splitAt = (text: string, at: number) => [text.slice(0, at), text.slice(at + 1)] as const;

/** Such a query in which the links of these hosts go to a place. */
export function withPlaces(query: string, hosts: readonly string[], place: string): string {
  const said = new URLSearchParams(query);
  const room = MAX_HOST_CHOICES - said.getAll('host').length;
  for (const host of hosts.slice(0, Math.max(0, room))) said.append('host', `${host}:${place}`);
  return said.toString();
}

const schema = lazy(() => z.strictObject(fileFields()));

/** Of what a script says of up to `MAX_SEEN_COLUMNS` columns. */
const LONGEST_SEEN = 16 * 1024;

const LONGEST_QUERY = 96 * 1024;

/** Reads such a query. Throws what parsing the query of the API throws. */
export function readChecked(query: string): FileOptions {
  const given = new URLSearchParams(query.slice(0, LONGEST_QUERY));
  const hosts = given.getAll('host');
  const seen = seenIn(given.get('dates_seen'));
  for (const name of ['host', 'dates_seen']) given.delete(name);
  const fields = { ...Object.fromEntries(given), ...(hosts.length > 0 && { host: hosts }) };
  return { ...readFileOptions(parseFields(schema(), fields)), ...(seen && { seenDates: seen }) };
}

// What no script of this service has written counts for nothing.
function seenIn(text: string | null): SeenDates | null {
  if (text === null || text.length > LONGEST_SEEN) return null;
  try {
    return seenDates().parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The faults of a form in which two columns become one field, by the name of the second's input. */
export function repeatedIn(
  { text }: PageWords,
  fields: FormFields,
  columns: readonly FileColumn[],
): Readonly<Record<string, string>> {
  const first = new Map<string, string>();
  const faults: Record<string, string> = {};
  for (const [index, { name }] of columns.entries()) {
    const field = fields[`column_${index}`] ?? '';
    const other = first.get(field);
    if (other !== undefined) {
      faults[`column_${index}`] = text('imports.repeated', { column: quote(other) });
    } else if (field !== '') first.set(field, name);
  }
  return faults;
}

/** True if a form maps the columns, and says of at least one what it becomes. */
export const mapsColumns = (fields: FormFields): boolean =>
  Object.entries(fields).some(([name, value]) => name.startsWith('column_') && value !== '');
