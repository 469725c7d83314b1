import { DIMENSIONS } from '../facts.ts';
import { readState } from '../schema.ts';
import { readTables, type StoredTable } from '../tables.ts';

/**
 * Backups of an object: all of its rows, in pages, as they were when the first page was read. Meanwhile folds, purges
 * and the retention wait, so that only deliveries change something: they add rows, which are left out by their ids.
 */

/** For how long work waits for the next page. A page that is asked later is refused, since rows may have changed. */
export const WAIT_MS = 2 * 60_000;

// A row has 2 MB at most, and four thirds of that in base64.
const PAGE_CHARACTERS = 1_000_000;

/** Rows of a table: integers as decimal numbers, bytes in base64. */
export interface Section {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The place where a page begins: after the row of a table that has this key. */
export interface ExportCursor {
  readonly id: string;
  readonly table: string;
  readonly after: readonly (string | number)[];
}

export interface ExportedPage {
  /** The version of the tables. */
  readonly schema: number;
  readonly sections: readonly Section[];
  /** Null for the last page. */
  readonly next: ExportCursor | null;
}

interface OpenExport {
  readonly bounds: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch. */
  until: number;
}

/** The backups of an object that are under way. They are only in memory: after a restart of the object they are over. */
export class Exports {
  readonly #sql: SqlStorage;
  readonly #open = new Map<string, OpenExport>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Until when work has to wait, in milliseconds since the epoch; null if no backup is under way. */
  waitUntil(now: number): number | null {
    for (const [id, { until }] of this.#open) if (until <= now) this.#open.delete(id);
    return this.#open.size === 0 ? null : Math.max(...[...this.#open.values()].map(({ until }) => until));
  }

  /** Reads a page, the first one without a place; null if that backup is over. */
  read(place: ExportCursor | null, now: number): ExportedPage | null {
    this.waitUntil(now);
    const id = place?.id ?? crypto.randomUUID();
    const open = place === null ? { bounds: boundsOf(this.#sql), until: 0 } : this.#open.get(id);
    if (open === undefined) return null;
    const page = readPage(this.#sql, open.bounds, id, place);
    open.until = now + WAIT_MS;
    if (page.next === null) this.#open.delete(id);
    else this.#open.set(id, open);
    return page;
  }

  /** Ends them all, since rows are removed. */
  end(): void {
    this.#open.clear();
  }
}

/** A condition for each table to which an append adds rows: it holds for those that are there now. */
function boundsOf(sql: SqlStorage): ReadonlyMap<string, string> {
  const last = (select: string, ...params: number[]) =>
    sql.exec<{ id: number | null }>(`SELECT max(id) AS id FROM ${select}`, ...params).one().id ?? 0;
  const words = DIMENSIONS.map((_, place) => `WHEN ${place} THEN ${last('words WHERE dimension = ?1', place)}`);
  return new Map([
    ['deliveries', `id <= ${last('deliveries')}`],
    ['subjects', `id <= ${last('subjects')}`],
    ['words', `id <= CASE dimension ${words.join(' ')} END`],
  ]);
}

function readPage(
  sql: SqlStorage,
  bounds: ReadonlyMap<string, string>,
  id: string,
  place: ExportCursor | null,
): ExportedPage {
  const schema = readState(sql, 'schema') ?? 0;
  const tables = readTables(sql);
  const first = place === null ? 0 : tables.findIndex(({ name }) => name === place.table);
  const sections: Section[] = [];
  let characters = 0;
  for (const table of first < 0 ? [] : tables.slice(first)) {
    const rows: (string | null)[][] = [];
    const columns = table.columns.map(({ name }) => name);
    const key = table.key.map((name) => columns.indexOf(name));
    const after = table.name === place?.table ? place.after : null;
    for (const row of sql.exec(selectOf(table, bounds, after), ...(after ?? [])).raw()) {
      if (rows.length === 0) sections.push({ table: table.name, columns, rows });
      const values = row.map(toText);
      rows.push(values);
      characters += values.reduce((sum, value) => sum + (value?.length ?? 0), row.length);
      if (characters >= PAGE_CHARACTERS) {
        const last = key.map((index) => row[index] as string | number);
        return { schema, sections, next: { id, table: table.name, after: last } };
      }
    }
  }
  return { schema, sections, next: null };
}

function selectOf(
  { name, columns, key }: StoredTable,
  bounds: ReadonlyMap<string, string>,
  after: readonly unknown[] | null,
): string {
  const quoted = key.map((column) => `"${column}"`).join(', ');
  const bound = bounds.get(name);
  const conditions = [
    ...(after === null ? [] : [`(${quoted}) > (${after.map((_, index) => `?${index + 1}`).join(', ')})`]),
    ...(bound === undefined ? [] : [bound]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return `SELECT ${columns.map((column) => `"${column.name}"`).join(', ')} FROM "${name}" ${where} ORDER BY ${quoted}`;
}

function toText(value: SqlStorageValue): string | null {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`${value} is not exact`);
  return value === null ? null : String(value);
}
