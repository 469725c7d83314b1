import * as z from 'zod';
import type { Table } from '../../src/operator/tables.ts';
import type { Service } from '../operator-service.ts';
import { withProgress } from '../progress.ts';
import { readParts, type Checked } from './file.ts';
import { FORMER_TABLES } from './former-clicks.ts';
import { sendSlice } from './send-slice.ts';
import { isOfObjects } from './statistics.ts';

/** The match between the columns of a backup and the tables of a database. */
interface Fit {
  /** For each table of the backup, the columns that the database has too, with their indexes in the rows. */
  readonly columns: ReadonlyMap<string, readonly { readonly name: string; readonly at: number }[]>;
  /** Tables of the backup that are left out, and columns, as `table.column`. */
  readonly left: readonly string[];
}

/** Columns of earlier versions that are no longer used, and that an upgrade does not drop. */
const DROPPED = new Set(['links.clicks']);

/**
 * Matches a backup with the tables of a database; null if it does not fit. Tables and columns that an older backup does
 * not have stay empty or get their default, as in an upgrade.
 */
export function fit(tables: readonly Table[], { columns, rows }: Pick<Checked, 'columns' | 'rows'>): Fit | null {
  const left: string[] = [];
  const fitted = new Map<string, { readonly name: string; readonly at: number }[]>();
  for (const [name, given] of columns) {
    if (isOfObjects(name)) continue;
    if (FORMER_TABLES.has(name)) {
      if ((rows[name] ?? 0) > 0) left.push(name);
      continue;
    }
    const table = tables.find((each) => each.name === name);
    if (!table) return null;
    const known = new Set(table.columns.map((column) => column.name));
    const unknown = given.filter((column) => !known.has(column));
    if (unknown.some((column) => !DROPPED.has(`${name}.${column}`))) return null;
    if (table.columns.some((column) => !column.isOptional && !given.includes(column.name))) return null;
    left.push(...unknown.map((column) => `${name}.${column}`));
    fitted.set(
      name,
      given.map((name, at) => ({ name, at })).filter((column) => known.has(column.name)),
    );
  }
  return { columns: fitted, left };
}

// The service takes 1,900,000 bytes, so that one row of more than this still fits into a slice of its own.
const SLICE_BYTES = 700_000;
const SLICE_ROWS = 5000;

const begun = z.discriminatedUnion('state', [
  z.object({ state: z.literal('not_empty') }),
  z.object({ state: z.literal('of_another') }),
  z.object({
    state: z.literal('begun'),
    is_emptied: z.boolean(),
    next_row: z.int(),
    /** The time in milliseconds after which no isolate writes. */
    wait_ms: z.number(),
  }),
]);
const emptied = z.object({ isEmpty: z.boolean() });
const cachePage = z.object({ removed: z.int(), cursor: z.string().nullable() });

export type Begun = z.output<typeof begun>;

/** Begins a restore, or reads the progress of the one that has begun. */
export function beginRestore(service: Service, sha256: string, force: boolean): Promise<Begun> {
  return service.askWithRetry('begin-restore', { sha256, force }, begun);
}

/** Empties the database, a slice at a time. */
export async function emptyDatabase(service: Service, sha256: string): Promise<void> {
  await withProgress(
    () => 'Emptying the database',
    async () => {
      while (!(await service.askWithRetry('empty-database', { sha256 }, emptied)).isEmpty);
    },
  );
}

/**
 * Sends the rows of the database from `firstRow` on, a slice at a time. Throws `UsageError`.
 *
 * @param onRows called with how many rows are restored
 */
export async function sendRows(
  service: Service,
  file: string,
  sha256: string,
  { columns }: Fit,
  firstRow: number,
  onRows: (rows: number) => void,
): Promise<void> {
  let row = 0;
  for await (const { table, rows } of slicesOf(file)) {
    // They come after all others.
    if (isOfObjects(table)) return;
    // Rows that are restored already are skipped. Another version of the tool may have cut its slices elsewhere.
    const from = Math.max(row, firstRow);
    const open = rows.slice(from - row);
    const to = (row += rows.length);
    if (open.length === 0) continue;
    const isLeft = FORMER_TABLES.has(table);
    // Rows that are left out count too, so that a restore that continues begins after them.
    const [name, wanted] = isLeft ? firstOf(columns) : [table, columns.get(table)!];
    const head = { sha256, table: name, columns: wanted.map(({ name }) => name), from, to };
    const lines = (isLeft ? [] : open).map((values) => JSON.stringify(wanted.map(({ at }) => values[at] ?? null)));
    await sendSlice(service, 'restore-rows', head, lines);
    onRows(to);
  }
}

const firstOf = (columns: Fit['columns']) => [...columns][0]!;

interface Slice {
  readonly table: string;
  readonly rows: (readonly (string | null)[])[];
}

async function* slicesOf(file: string): AsyncGenerator<Slice, void> {
  let slice: Slice = { table: '', rows: [] };
  let bytes = 0;
  for await (const part of readParts(file)) {
    const size = 'row' in part ? Buffer.byteLength(JSON.stringify(part.row)) + 1 : 0;
    const isFull = bytes + size > SLICE_BYTES || slice.rows.length >= SLICE_ROWS;
    if (slice.rows.length > 0 && ('section' in part || isFull)) {
      yield slice;
      slice = { table: slice.table, rows: [] };
      bytes = 0;
    }
    if ('section' in part) slice = { table: part.section.table, rows: [] };
    else {
      slice.rows.push(part.row);
      bytes += size;
    }
  }
  if (slice.rows.length > 0) yield slice;
}

/** Empties the cache, some entries at a time, and returns how many there were. */
export async function emptyCache(service: Service): Promise<number> {
  let removed = 0;
  for (let cursor: string | null = null; ;) {
    const page: z.output<typeof cachePage> = await service.askWithRetry('empty-cache', { cursor }, cachePage);
    removed += page.removed;
    if (page.cursor === null) return removed;
    cursor = page.cursor;
  }
}

/** Finishes a restore, so that the service answers again. */
export async function finishRestore(service: Service, sha256: string, rows: number): Promise<void> {
  await service.ask('finish-restore', { sha256, rows }, z.object({}));
}
