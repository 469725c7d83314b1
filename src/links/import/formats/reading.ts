import type { Site } from '../../../network/hosts.ts';
import { AppError } from '../../../errors.ts';
import type { Fields } from '../../../input/validation.ts';
import type { Mapping } from '../mapping.ts';
import { KEPT_COLUMNS, OWN_COLUMNS, rowParser, type FileRow, type RowParser, type SkippedRow } from '../import-row.ts';
import { DateColumns, type DateColumn } from '../dates/columns.ts';
import type { DateOrder, SeenDates } from '../dates/orders.ts';
import { columnOf, MAX_NAME } from './columns.ts';
import { convert, type Unprotected } from './convert.ts';
import { FIELD_OF_ROLE, type Format, type Role } from './format.ts';
import { NO_CHOICES, placeOf, type HostChoices } from './hosts.ts';
import { formatOfRows, notesOf, roleOf } from './of-file.ts';
import { isExport, readOwn } from './own.ts';
import { chosen, mapped, recognised, type Columns, type Shape } from './recognise.ts';
import { FORMAT_NAMES, LIST, MAPPED, OWN } from './table.ts';

/** The options by which a caller describes a file. */
export interface FileOptions {
  /** The id of its format; without it the format is recognised. */
  readonly from?: string | undefined;
  /** Which column becomes which field. */
  readonly map?: Mapping | undefined;
  readonly hosts?: HostChoices;
  readonly unprotected?: Unprotected;
  /** The order of day, month and year in its dates; without it each column is read as its dates admit. */
  readonly dates?: DateOrder | undefined;
  /** Its encoding; without it UTF-8, or what its byte order mark says. */
  readonly charset?: string | undefined;
  /** The knowledge about the dates of a whole file, to which this piece belongs. */
  readonly seenDates?: SeenDates;
}

/** The format as which a file was read. */
export interface FormatReport {
  readonly id: string;
  readonly name: string;
  readonly by: 'recognised' | 'chosen' | 'mapped';
}

/** A column, by its name in the file. */
export interface ColumnReport {
  readonly column: string;
  /** Its name as `columnOf` has it. */
  readonly name: string;
  /** Of a file of another service, what the column has there; null if no field is like it. */
  readonly role: Role | null;
  /** The field of a link that it becomes; null if it is not kept. */
  readonly field: string | null;
  /** Its first value, as the file has it; undefined if the first rows have none. */
  readonly example: unknown;
}

/** The most columns that are reported, and those by which a file is recognised: of JSON each country can be one. */
const MAX_REPORTED = 64;
const MAX_COLUMNS = 1000;

/** The number of rows that are searched for examples. */
const ROWS_WITH_EXAMPLES = 50;

/** The receiver to which the readers of files report the columns. */
export interface Columned {
  /** True if the file has the fields of this service. */
  readonly isOwn: boolean;
  readonly charset?: string | undefined;
  /** True if the caller says that it is a list with a URL in each line; such a file can have lines that are none. */
  readonly isList?: boolean;
  begin(columns: readonly string[], shape?: Shape): void;
  /** The names that this service does not have, in a file whose writer was not named. */
  unknownOf?(columns: readonly string[]): readonly string[];
  /** Adds a note on the file. */
  note?(sentence: string): void;
}

const NO_SHAPE: Shape = { isList: false, separator: null };

/** Reads the rows of a file, once its columns are known. */
export class Reading implements Columned {
  format: FormatReport = { id: OWN, name: FORMAT_NAMES[OWN]!, by: 'recognised' };
  #columns: readonly Omit<ColumnReport, 'example'>[] = [];
  readonly #examples = new Map<string, unknown>();
  #rows = 0;
  #notes: readonly string[] = [];
  isOwn = true;
  readonly charset: string | undefined;
  readonly isList: boolean;
  /** Null as long as no row has a date. */
  #dates: DateColumns | null = null;
  #dateColumns: readonly DateColumn[] = [];
  #format: Format | null = null;
  #isExport = false;
  readonly #options: FileOptions;
  readonly #parse: RowParser;
  readonly #site: Site;
  readonly #isLater: boolean;

  /** @param isLater for a later piece of a file, whose first row can lack columns of the file */
  constructor(options: FileOptions, site: Site, isLater = false) {
    this.#options = options;
    this.charset = options.charset;
    this.isList = options.from === LIST;
    this.#site = site;
    this.#parse = rowParser(site);
    this.#isLater = isLater;
  }

  /** As `LinkFile.needsHost`. */
  get needsHost(): boolean {
    return this.#format !== null && namesHosts(this.#format);
  }

  get columns(): readonly ColumnReport[] {
    return this.#columns.map((report) => ({ ...report, example: this.#examples.get(report.name) }));
  }

  /** The notes on what is not kept of the whole file, and the readings of its dates. */
  get notes(): readonly string[] {
    return this.#dates === null ? this.#notes : [...this.#notes, ...this.#dates.notes];
  }

  /** As `LinkFile.hasOrders`. */
  get hasOrders(): boolean {
    return this.#dates?.hasOrders ?? false;
  }

  /** Takes the names of the columns, and decides on the format. Throws `missing_field`, `unknown_field`. */
  begin(given: readonly string[], shape: Shape = NO_SHAPE): void {
    const names = given.slice(0, MAX_COLUMNS).map(columnOf);
    const columns = new Map(names.map((name, index) => [name, given[index]!.slice(0, MAX_NAME).trim()]));
    const { from, map } = this.#options;
    const by = map ? 'mapped' : from === undefined ? 'recognised' : 'chosen';
    const known = this.#isLater ? null : columns;
    const format = map ? mapped(map, known) : from === undefined ? recognised(columns, shape) : chosen(from, known);
    this.#format = format && formatOfRows(format, columns);
    this.isOwn = this.#format === null;
    this.#isExport = isExport(columns);
    const id = this.#format?.id ?? OWN;
    this.format = { id, name: this.#format?.name ?? FORMAT_NAMES[OWN]!, by };
    this.#columns = [...columns]
      .slice(0, MAX_REPORTED)
      .flatMap(([name, column]) => (column === '' ? [] : [this.#reportOf(name, column, columns)]));
    this.#notes = this.#format === null ? [] : notesOf(this.#format, columns);
    this.#dateColumns = dateColumnsOf(this.#format, columns);
    if (this.#options.seenDates !== undefined) this.#openDates();
  }

  unknownOf(columns: readonly string[]): readonly string[] {
    const isSaid = this.#options.from !== undefined || this.#options.map !== undefined;
    return isSaid || !this.isOwn ? [] : columns.filter((name) => !OWN_COLUMNS.has(columnOf(name)));
  }

  note(sentence: string): void {
    this.#notes = [...this.#notes, sentence];
  }

  /**
   * Reads a row, by the names of columns as `columnOf` has them; in this service's own format by its fields. Null if
   * it is to be read again after `settle`, since only all rows say how its dates are to be read.
   */
  read(number: number, given: Fields | AppError): FileRow | SkippedRow | null {
    if (given instanceof AppError) return { number, content: given, host: null, notes: [], hasOnlyTotal: false };
    if (this.#rows++ < ROWS_WITH_EXAMPLES) this.#keepExamples(given);
    const hasDates = this.#dateColumns.some(({ name }) => (given[name] ?? '') !== '');
    const row = hasDates ? this.#openDates().read(given, this.isOwn) : given;
    if (row === null) return null;
    return this.#format === null ? this.#readOwn(number, row) : this.#readForeign(this.#format, number, row);
  }

  /** Decides how dates are to be read, once all rows have been. Throws `UnclearDates`. */
  settle(): void {
    this.#dates?.settle();
  }

  #openDates(): DateColumns {
    if (this.#dates !== null) return this.#dates;
    const { dates, seenDates } = this.#options;
    this.#dates = new DateColumns(dates, seenDates);
    this.#dates.begin(this.#dateColumns, columnOf);
    return this.#dates;
  }

  #keepExamples(row: Fields): void {
    for (const { name } of this.#columns) {
      const value = Object.hasOwn(row, name) ? row[name] : undefined;
      if (value == null || value === '' || this.#examples.has(name)) continue;
      this.#examples.set(name, value);
    }
  }

  #reportOf(name: string, column: string, columns: Columns): Omit<ColumnReport, 'example'> {
    const format = this.#format;
    if (format === null) {
      const field = KEPT_COLUMNS.has(name) ? name : (OF_EXPORT.get(name) ?? null);
      return { column, name, role: null, field };
    }
    const hasTotal = [...columns.keys()].some((each) => roleOf(format, each) === 'imported_clicks');
    const found = roleOf(format, name);
    const role = found === 'part_of_clicks' && !hasTotal ? null : found;
    return { column, name, role, field: role && FIELD_OF_ROLE[role] };
  }

  #readOwn(number: number, row: Fields): FileRow {
    const read = readOwn(row, this.#options, this.#site, this.#isExport);
    const { fields, host, notes } = read;
    const content = fields instanceof AppError ? fields : this.#parse(fields, read);
    return { number, content, host, notes, hasOnlyTotal: false };
  }

  #readForeign(format: Format, number: number, row: Fields): FileRow | SkippedRow {
    const { hosts = NO_CHOICES, unprotected = 'disable' } = this.#options;
    const { host, notes, hasOnlyTotal, skipped, ...converted } = convert(format, row, unprotected, this.#site.schemes);
    if (skipped !== null) return { number, reason: skipped };
    const placed = placeOf(host, hosts, this.#site, namesHosts(format));
    const said = { number, host, notes, hasOnlyTotal };
    if (placed instanceof AppError) return { ...said, content: placed };
    const fields = { ...converted.fields, custom_domain: placed.place };
    return { ...said, content: this.#parse(fields, { ...converted, isHeldBack: false, isOfExport: false }) };
  }
}

// A file with mapped slugs alone may never have been on a host, and neither has one without slugs.
function namesHosts({ id, columns }: Format): boolean {
  const roles = new Set(Object.values(columns));
  return roles.has('short_url') || (id !== MAPPED && roles.has('slug'));
}

// Further columns of this service's own export.
const OF_EXPORT: ReadonlyMap<string, string> = new Map([
  ['short_url', 'slug'],
  ['clicks_left', 'max_clicks'],
]);

const DATES: ReadonlySet<string> = new Set(['created_at', 'starts_at', 'expires_at']);

// `titles` has the names of columns in the file, by those that rows have.
function dateColumnsOf(format: Format | null, titles: ReadonlyMap<string, string>): readonly DateColumn[] {
  const roles = format === null ? [...DATES].map((name) => [name, name]) : Object.entries(format.columns);
  return roles.flatMap(([name = '', role = '']) =>
    DATES.has(role) ? [{ name, title: titles.get(name) ?? name, isLimit: role !== 'created_at' }] : [],
  );
}
