import type { Site } from '../../../hosts.ts';
import { AppError } from '../../../errors.ts';
import { fieldError, quote, type Fields } from '../../../validation.ts';
import { MAPPABLE, type Mapping } from '../mapping.ts';
import { isColumn, isRowField, parseRow, type FileRow, type SkippedRow } from '../import-row.ts';
import { convert, type Unprotected } from './convert.ts';
import { PROTECTING, type Format, type Role } from './format.ts';
import { NO_CHOICES, placeOf, type HostChoices } from './hosts.ts';
import { isExport, readOwn } from './own.ts';
import { FORMATS, FORMAT_NAMES, formatWith, MAPPED, OWN } from './table.ts';
import { ANY, isObject } from './values.ts';

/** What a caller can say of a file. */
export interface FileOptions {
  /** The id of its format; without it the format is recognised. */
  readonly from?: string | undefined;
  /** Which column becomes which field. */
  readonly map?: Mapping | undefined;
  readonly hosts?: HostChoices;
  readonly unprotected?: Unprotected;
}

/** What a file was taken for. */
export interface FormatReport {
  readonly id: string;
  readonly name: string;
  readonly by: 'recognised' | 'chosen' | 'mapped';
}

/** A column, by its name in the file, and the field of a link that it becomes; null if it is not kept. */
export interface ColumnReport {
  readonly column: string;
  readonly field: string | null;
}

const MAX_NAME = 200;
const MAX_COLUMNS = 64;

/** What the readers of files say the columns to. */
export interface Columned {
  /** Whether the file has the fields of this service. */
  readonly isOwn: boolean;
  begin(columns: readonly string[]): void;
}

/** Reads the rows of a file, once its columns are known. */
export class Reading implements Columned {
  format: FormatReport = { id: OWN, name: FORMAT_NAMES[OWN]!, by: 'recognised' };
  columns: readonly ColumnReport[] = [];
  /** What is not kept of the whole file. */
  notes: readonly string[] = [];
  #format: Format | null = null;
  #isExport = false;
  readonly #options: FileOptions;
  readonly #site: Site;
  readonly #isLater: boolean;

  /** @param isLater for a later piece of a file, whose first row can lack columns of the file */
  constructor(options: FileOptions, site: Site, isLater = false) {
    this.#options = options;
    this.#site = site;
    this.#isLater = isLater;
  }

  get isOwn(): boolean {
    return this.#format === null;
  }

  /** As `LinkFile.needsHost`. */
  get needsHost(): boolean {
    return this.#format !== null && namesHosts(this.#format);
  }

  /** Takes the names of the columns, and decides on the format. Throws `missing_field`, `unknown_field`. */
  begin(given: readonly string[]): void {
    const columns = new Map(
      given.slice(0, MAX_COLUMNS).map((name) => [columnOf(name), name.slice(0, MAX_NAME).trim()]),
    );
    const { from, map } = this.#options;
    const by = map ? 'mapped' : from === undefined ? 'recognised' : 'chosen';
    const known = this.#isLater ? null : columns;
    const format = map ? mapped(map, known) : from === undefined ? recognised(columns) : chosen(from, known);
    this.#format = format && { ...format, columns: { ...PROTECTING, ...format.columns } };
    this.#isExport = isExport(columns);
    const id = this.#format?.id ?? OWN;
    this.format = { id, name: this.#format?.name ?? FORMAT_NAMES[OWN]!, by };
    this.columns = [...columns].flatMap(([name, column]) =>
      column === '' ? [] : [{ column, field: this.#fieldOf(name) }],
    );
    this.notes = this.#format?.notes ?? [];
  }

  /** Reads a row, by the names of columns as `columnOf` has them; in this service's own format by its fields. */
  read(number: number, row: Fields | AppError): FileRow | SkippedRow {
    if (row instanceof AppError) return { number, content: row, host: null, notes: [], hasOnlyTotal: false };
    return this.#format === null ? this.#readOwn(number, row) : this.#readForeign(this.#format, number, row);
  }

  #fieldOf(column: string): string | null {
    if (this.#format === null) return isRowField(column) ? column : (OF_EXPORT.get(column) ?? null);
    const role = Object.hasOwn(this.#format.columns, column) ? this.#format.columns[column] : undefined;
    return role === undefined ? null : FIELD_OF_ROLE[role];
  }

  #readOwn(number: number, row: Fields): FileRow {
    const read = readOwn(row, this.#options, this.#site, this.#isExport);
    const { fields, host, notes } = read;
    const content = fields instanceof AppError ? fields : parseRow(fields, this.#site, read);
    return { number, content, host, notes, hasOnlyTotal: false };
  }

  #readForeign(format: Format, number: number, row: Fields): FileRow | SkippedRow {
    const { hosts = NO_CHOICES, unprotected = 'disable' } = this.#options;
    const { host, notes, hasOnlyTotal, skipped, ...converted } = convert(format, row, unprotected);
    if (skipped !== null) return { number, reason: skipped };
    const placed = placeOf(host, hosts, this.#site, namesHosts(format));
    const said = { number, host, notes, hasOnlyTotal };
    if (placed instanceof AppError) return { ...said, content: placed };
    const fields = { ...converted.fields, custom_domain: placed.place };
    return { ...said, content: parseRow(fields, this.#site, { ...converted, isHeldBack: false, isOfExport: false }) };
  }
}

/** The name of a column, by which it is compared. */
export function columnOf(name: string): string {
  return name.slice(0, MAX_NAME).trim().toLowerCase().replaceAll(/\s+/g, '_');
}

/**
 * The fields of an item of JSON by the names of columns; those of an object in it have both names. The object has its own
 * name too, since it can say that the link is protected.
 */
export function columnsIn(item: object): Record<string, unknown> {
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => [
    [columnOf(name), value],
    ...(isObject(value)
      ? Object.entries(value).map(([inner, it]): [string, unknown] => [`${columnOf(name)}.${columnOf(inner)}`, it])
      : []),
  ]);
  return Object.fromEntries(entries);
}

/** The names of the columns of an item of JSON, without those of the objects in it. */
export const columnNamesIn = (item: object): readonly string[] =>
  Object.entries(columnsIn(item)).flatMap(([name, value]) => (isObject(value) && !name.includes('.') ? [] : [name]));

// A file with mapped slugs alone may never have been on a host.
const namesHosts = ({ id, columns }: Format): boolean => id !== MAPPED || Object.values(columns).includes('short_url');

// Further columns of this service's own export.
const OF_EXPORT: ReadonlyMap<string, string> = new Map([
  ['short_url', 'slug'],
  ['clicks_left', 'max_clicks'],
]);

const FIELD_OF_ROLE: Readonly<Record<Role, string | null>> = {
  url: 'url',
  slug: 'slug',
  short_url: 'slug',
  custom_short_url: 'slug',
  domain: 'custom_domain',
  title: 'title',
  comments: 'comments',
  campaign_name: 'campaign_name',
  tags: 'tags',
  created_at: 'created_at',
  starts_at: 'starts_at',
  expires_at: 'expires_at',
  max_clicks: 'max_clicks',
  imported_clicks: 'imported_clicks',
  has_password: 'disabled',
  banned: 'disabled',
  archived: 'disabled',
  status: 'disabled',
  deleted: null,
  limits: null,
  has_rules: null,
};

type Columns = ReadonlyMap<string, string>;

// A file with columns that no format has is taken for this service's own, whose errors name them.
function recognised(columns: Columns): Format | null {
  const names = [...columns.keys()].filter((name) => name !== '');
  const isOwn = columns.has('url') && names.every(isColumn);
  return isOwn ? null : formatWith(new Set(names));
}

// Without the columns it is not checked whether the file has those of the format.
function chosen(from: string, columns: Columns | null): Format | null {
  const format = FORMATS.find(({ id }) => id === from);
  if (!format) return null;
  const destinations = Object.entries(format.columns).flatMap(([name, role]) => (role === 'url' ? [name] : []));
  if (!columns || destinations.some((name) => columns.has(name))) return format;
  const sentence = `This is no export of ${format.name}: it has no column ${destinations.map((name) => quote(name)).join(' or ')}.`;
  throw fieldError('missing_field', 'from', sentence);
}

function mapped(map: Mapping, columns: Columns | null): Format {
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
        `${name} names the column ${quote(given)}, which the file does not have.`,
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
    needs: [],
    columns: Object.fromEntries(roles),
    tagSeparator: ANY,
    notes: [],
  };
}
