import * as z from 'zod';
import { LIMITS } from '../../src/operator/limits.ts';
import { sectionOf, STATISTICS, STEP_COLUMNS } from '../../src/operator/statistics.ts';
import { UsageError } from '../cli-error.ts';
import type { Service } from '../operator-service.ts';
import { readParts, type Row, type Section } from './file.ts';
import { sendSlice } from './send-slice.ts';

/**
 * The click statistics in a backup, after the rows of the database, client by client: a step `begin`, the rows of all tables
 * of the client's object, and a step `end`. A client whose statistics could not be read to their end begins again in the
 * file, and so does its restore.
 */

const value = z.string().nullable();
const page = z.discriminatedUnion('state', [
  z.object({ state: z.literal('over') }),
  z.object({
    state: z.literal('read'),
    schema: z.int(),
    sections: z.array(z.object({ table: z.string(), columns: z.array(z.string()), rows: z.array(z.array(value)) })),
    next: z.object({ id: z.string(), table: z.string(), after: z.array(z.union([z.string(), z.number()])) }).nullable(),
  }),
]);
const emptied = z.object({ after: z.string().nullable() });

const ATTEMPTS = 5;

const isOfStatistics = (table: string): boolean => table.startsWith(STATISTICS);

/** True if a section of a backup has rows of Durable Objects. */
export const isOfObjects = (table: string): boolean => isOfStatistics(table) || table === LIMITS;

/** The number of rows of a backup that are those of the database, click statistics, and limited links. */
interface RowCounts {
  readonly all: number;
  readonly database: number;
  readonly statistics: number;
  readonly limits: number;
}

export function countRows(rows: Readonly<Record<string, number>>): RowCounts {
  const sum = (isCounted: (table: string) => boolean) =>
    Object.entries(rows).reduce((total, [table, count]) => total + (isCounted(table) ? count : 0), 0);
  return {
    all: sum(() => true),
    database: sum((table) => !isOfObjects(table)),
    statistics: sum(isOfStatistics),
    limits: rows[LIMITS] ?? 0,
  };
}

/** The lines that a tool prints of a backup. */
export function describeRows(rows: Readonly<Record<string, number>>): string {
  const { database, statistics, limits } = countRows(rows);
  return `links: ${rows['links']}\nrows: ${database}\nrows of statistics: ${statistics}\nlimited links: ${limits}`;
}

/** Writes the click statistics of clients, and returns how many rows each section has. Throws `UsageError`. */
export async function dumpStatistics(
  service: Service,
  clients: Iterable<string>,
  line: (value: object) => void,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let open = '';
  const write = (table: string, columns: readonly string[], rows: readonly Row[]) => {
    // A section continues where the one before was the same.
    const section: Section = { table, columns };
    const text = JSON.stringify(section);
    if (text !== open) line(section);
    open = text;
    counts[table] = (counts[table] ?? 0) + rows.length;
    for (const row of rows) line(row);
  };
  for (const client of clients) await dumpClient(service, client, write);
  return counts;
}

type Write = (table: string, columns: readonly string[], rows: readonly Row[]) => void;

async function dumpClient(service: Service, client: string, write: Write): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    for (let place: object | null = null; ;) {
      const read: z.output<typeof page> = await service.askWithRetry('read-statistics', { client, place }, page);
      if (read.state === 'over') break;
      if (place === null) write(STATISTICS, STEP_COLUMNS, [[client, 'begin', String(read.schema)]]);
      for (const { table, columns, rows } of read.sections) {
        write(
          sectionOf(table),
          ['client_id', ...columns],
          rows.map((row) => [client, ...row]),
        );
      }
      place = read.next;
      if (place === null) return write(STATISTICS, STEP_COLUMNS, [[client, 'end', null]]);
    }
  }
  throw new UsageError(
    `The click statistics of ${client} could not be read without an interruption: create the backup again.`,
  );
}

/** Removes the click statistics of all clients that the database has, a page of them at a time. */
export async function emptyStatistics(service: Service, sha256: string): Promise<void> {
  for (let after: string | null = null; ;) {
    const page: z.output<typeof emptied> = await service.askWithRetry('empty-statistics', { sha256, after }, emptied);
    if (page.after === null) return;
    after = page.after;
  }
}

/**
 * Sends the click statistics and the limited links of a backup from `firstRow` on, a slice at a time. Throws `UsageError`.
 *
 * @param onRows called with how many rows are restored
 */
export async function sendObjects(
  service: Service,
  file: string,
  sha256: string,
  firstRow: number,
  onRows: (rows: number) => void,
): Promise<void> {
  for await (const { lines, from, to } of slicesOf(file, firstRow)) {
    await sendSlice(service, 'restore-statistics', { sha256, from, to }, lines);
    onRows(to);
  }
}

// The service takes 4,000,000 bytes, so that one row of 2 MB in base64 still fits into a slice of its own.
const SLICE_BYTES = 700_000;
// Each is one call or two to an object, and a request may make 1,000.
const SLICE_STEPS = 300;

interface Slice {
  readonly lines: string[];
  readonly from: number;
  readonly to: number;
}

async function* slicesOf(file: string, firstRow: number): AsyncGenerator<Slice, void> {
  let [section, row] = [null as Section | null, 0];
  let open: { lines: string[]; from: number; bytes: number; steps: number; table: string } | null = null;
  for await (const part of readParts(file)) {
    if ('section' in part) {
      section = part.section;
      continue;
    }
    const index = row++;
    if (section === null || !isOfObjects(section.table) || index < firstRow) continue;
    const line = JSON.stringify(part.row);
    const isFull = open !== null && (open.bytes + line.length > SLICE_BYTES || open.steps >= SLICE_STEPS);
    if (open !== null && isFull) {
      yield { lines: open.lines, from: open.from, to: index };
      open = null;
    }
    open ??= { lines: [], from: index, bytes: 0, steps: 0, table: '' };
    const head = JSON.stringify(section);
    if (head !== open.table) open.lines.push((open.table = head));
    open.lines.push(line);
    open.bytes += Buffer.byteLength(line);
    if (section.table === STATISTICS || section.table === LIMITS) open.steps += 1;
  }
  if (open !== null) yield { lines: open.lines, from: open.from, to: row };
}
