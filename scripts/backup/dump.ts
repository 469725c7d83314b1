import { createHash } from 'node:crypto';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import type { Column, Table } from '../../src/operator/tables.ts';
import type { Service } from '../operator-service.ts';
import { withProgress } from '../progress.ts';
import { writeBackup, type Foot, type Row } from './file.ts';
import { dumpLimits, limitedLinks } from './limits.ts';
import { dumpStatistics } from './statistics.ts';

// Sizes of rows differ: the visitors of a day take half a megabyte, an address some bytes.
const MIN_ROWS = 50;
const MAX_ROWS = 4000;
const FEW_BYTES = 500_000;
const MANY_BYTES = 2_000_000;

const column = z.object({ name: z.string(), type: z.enum(['TEXT', 'INTEGER']), isOptional: z.boolean() });
const parent = z.object({ table: z.string(), column: z.string(), isIndexed: z.boolean() });
const tables = z.object({
  schema: z.string(),
  is_restoring: z.boolean(),
  /** The version of the tables of click statistics; absent in a service that counts in its database. */
  statistics_schema: z.int().optional(),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(column), key: z.array(z.string()), parents: z.array(parent) }),
  ),
});
const page = z.object({ rows: z.array(z.array(z.string().nullable())), is_last: z.boolean() });

/** The tables to back up. `schema` is the service's hash of them. */
interface Found {
  readonly schema: string;
  readonly tables: readonly Table[];
  readonly statistics_schema?: number | undefined;
}

/** Reads the list of tables, each after those that its rows refer to, and whether a restore is under way. */
export async function readTables(service: Service): Promise<z.output<typeof tables>> {
  return service.askWithRetry('read-tables', {}, tables);
}

/** A hash of all tables and columns with their types. */
function schemaOf(tables: readonly Table[]): string {
  const words = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} ${column.type}`));
  return createHash('sha256').update(words.toSorted().join('\n')).digest('hex');
}

type Line = (value: object) => void;

/** The keys that were read of each table to which others refer. */
type Keys = Map<string, ReadonlySet<string>>;

/** The notes about rows that were read. */
interface Noted {
  readonly keys: Keys;
  /** The ids of links with a limit. */
  readonly limited: string[];
}

/** Writes a backup of all tables and of the click statistics. Throws `UsageError` like `writeBackup`. */
export function backUp(
  service: Service,
  found: Found,
  file: string,
  options: { readonly force: boolean },
): Promise<Foot> {
  return writeBackup(file, options, async (line) => {
    const head = { version: packageJson.version, schema: schemaOf(found.tables), made_at: new Date().toISOString() };
    line({ terse_backup: 1, ...head });
    let lines = 0;
    const counted: Line = (value) => {
      line(value);
      lines += 1;
    };
    return withProgress(
      () => `Backing up (${lines} rows)`,
      async () => {
        const keys: Keys = new Map();
        const limited: string[] = [];
        const rows = await dumpTables(service, found, counted, { keys, limited });
        if (found.statistics_schema === undefined) return rows;
        const statistics = await dumpStatistics(service, keys.get('clients') ?? [], counted);
        return { ...rows, ...statistics, ...(await dumpLimits(service, limited, counted)) };
      },
    );
  });
}

/**
 * Yields every row of every table, page by page, and counts them. Rows written during the backup may be missing, but
 * every row has its parents: children are read after their parents, and left out if a parent was not read. Children
 * that an index finds by their parent, such as the addresses of links, are read with each page of parents. For the
 * others, accounts and sign-ins, the keys of the parents are kept in memory.
 */
export async function dumpTables(
  service: Service,
  { schema, tables }: Found,
  line: Line,
  { keys, limited }: Noted = { keys: new Map(), limited: [] },
): Promise<Foot['rows']> {
  const pagesOf = openPages(service, schema);
  const counts = Object.fromEntries(tables.map(({ name }) => [name, 0]));
  const inPages = new Set(tables.filter((table) => isReadWithOwner(table, tables)));
  const write = (table: Table, rows: readonly Row[]) => {
    for (const row of rows) line(row);
    counts[table.name]! += rows.length;
  };
  // Every table has a section, even if it has no rows.
  for (const child of inPages) line(sectionOf(child));
  for (const table of tables) {
    if (inPages.has(table)) continue;
    const children = [...inPages].filter(({ parents }) => parents[0]?.table === table.name);
    const others = tables.filter((other) => !inPages.has(other));
    const isReferred = others.some(({ parents }) => parents.some((parent) => parent.table === table.name));
    const known = new Set<string>();
    line(sectionOf(table));
    for await (const { rows, after } of pagesOf(table, null)) {
      const complete = rows.filter((row) => isComplete(table, row, keys));
      write(table, complete);
      limited.push(...limitedLinks(table, complete));
      const own = complete.map((row) => row[indexOf(table, table.key[0]!)]!);
      if (isReferred) for (const key of own) known.add(key);
      if (children.length === 0 || own.length === 0) continue;
      const upTo = rows.at(-1)![indexOf(table, table.key[0]!)]!;
      await writeChildren(pagesOf, children, { after, upTo, own: new Set(own) }, line, write);
      line(sectionOf(table));
    }
    keys.set(table.name, known);
  }
  return counts;
}

function isReadWithOwner({ name, parents }: Table, tables: readonly Table[]): boolean {
  const isReferred = tables.some(({ parents }) => parents.some(({ table }) => table === name));
  return !isReferred && parents.length === 1 && parents[0]?.isIndexed === true;
}

interface Owners {
  /** The key before the first owner, or null. */
  readonly after: string | null;
  readonly upTo: string;
  readonly own: ReadonlySet<string>;
}

async function writeChildren(
  pagesOf: Pages,
  children: readonly Table[],
  { after, upTo, own }: Owners,
  line: Line,
  write: (table: Table, rows: readonly Row[]) => void,
): Promise<void> {
  for (const child of children) {
    const column = child.parents[0]!.column;
    line(sectionOf(child));
    for await (const { rows } of pagesOf(child, { column, after, upTo })) {
      write(
        child,
        rows.filter((row) => own.has(row[indexOf(child, column)]!)),
      );
    }
  }
}

function isComplete({ parents, ...table }: Table, row: Row, keys: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  return parents.every(({ table: owner, column }) => {
    const key = row[indexOf({ ...table, parents }, column)] ?? null;
    return key === null || keys.get(owner)?.has(key) !== false;
  });
}

function sectionOf({ name, columns }: Table) {
  return { table: name, columns: columns.map(({ name }) => name) };
}

function indexOf({ columns }: Table, name: string): number {
  return columns.findIndex((column: Column) => column.name === name);
}

/**
 * The pages of a table, or of the rows of some owners. `after` is the first ordering value of the row before the page.
 */
type Pages = (
  table: Table,
  owners: { readonly column: string; readonly after: string | null; readonly upTo: string } | null,
) => AsyncGenerator<{ readonly rows: readonly Row[]; readonly after: string | null }, void>;

function openPages(service: Service, schema: string): Pages {
  // How many rows of each table fit a page; kept here, so that each number is found only once.
  const limits = new Map<string, number>();
  return async function* pagesOf(table, owners) {
    const order = owners ? [owners.column, ...table.key.filter((name) => name !== owners.column)] : table.key;
    let after: Row | null = null;
    for (;;) {
      const limit = limits.get(table.name) ?? MIN_ROWS;
      const { rows, is_last }: z.output<typeof page> = await service.askWithRetry(
        'read-rows',
        { schema, table: table.name, limit, after, owners },
        page,
      );
      if (rows.length > 0) yield { rows, after: after?.[0] ?? null };
      if (rows.length === limit) limits.set(table.name, limitAfter(limit, JSON.stringify(rows).length));
      const last: Row | undefined = rows.at(-1);
      if (is_last || last === undefined) return;
      after = order.map((name): string | null => last[indexOf(table, name)] ?? null);
    }
  };
}

function limitAfter(limit: number, size: number): number {
  if (size < FEW_BYTES) return Math.min(limit * 2, MAX_ROWS);
  return size > MANY_BYTES ? Math.max(Math.floor(limit / 4), 1) : limit;
}
