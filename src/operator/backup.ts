import * as z from 'zod';
import type { Database, Param } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { lazy } from '../isolate/lazy.ts';
import { STATISTICS_SCHEMA } from '../statistics/schema.ts';
import { command, type OperatorCommand } from './command.ts';
import { readTables, type Column, type Table } from './tables.ts';

/** The commands of a backup: read the list of tables, and their rows in pages, ordered by primary key. */

const MAX_ROWS = 4000;
const MAX_NAME = 64;

const value = lazy(() => z.string().nullable());
const key = lazy(() => z.array(value()).max(8));
/** Only the rows of some parents: those whose key is above `after` and not above `upTo`; null means no bound. */
const owners = lazy(() =>
  z.strictObject({ column: z.string().max(MAX_NAME), after: z.string().nullable(), upTo: z.string() }),
);

const pageFields = lazy(() =>
  z.strictObject({
    /** The hash from "read-tables". */
    schema: z.string().max(MAX_NAME),
    table: z.string().max(MAX_NAME),
    limit: z.int().min(1).max(MAX_ROWS),
    /** The ordering columns of the last row of the previous page; null for the first page. */
    after: key().nullable(),
    owners: owners().nullable(),
  }),
);

type PageFields = z.output<ReturnType<typeof pageFields>>;

export const BACKUP_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'read-tables': command(
    () => z.strictObject({}),
    async ({ store }) => ({
      ...(await readSchema(store)),
      is_restoring: await isRestoring(store),
      statistics_schema: STATISTICS_SCHEMA,
    }),
  ),
  'read-rows': command(pageFields, async ({ store }, fields) => {
    const rows = await readRows(store, fields);
    return { rows: rows.slice(0, fields.limit), is_last: rows.length <= fields.limit };
  }),
};

interface Schema {
  /** A hash of all tables and columns. */
  readonly schema: string;
  readonly tables: readonly Table[];
}

// Kept in memory, since reading the list of tables costs more than reading most pages. Requests for pages name its
// hash.
let lastRead: Schema | null = null;

async function readSchema(store: Database): Promise<Schema> {
  const tables = await readTables(store);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(tables)));
  lastRead = { schema: Buffer.from(hash).toString('hex'), tables };
  return lastRead;
}

async function tablesOf(store: Database, schema: string): Promise<readonly Table[]> {
  const found = lastRead?.schema === schema ? lastRead : await readSchema(store);
  if (found.schema === schema) return found.tables;
  throw new AppError('edit_conflict', 'The tables have changed since the backup began: start it again.');
}

// A database of an earlier version can be backed up too, and has no table `restores`.
async function isRestoring(store: Database): Promise<boolean> {
  const known = await store.first({ sql: `SELECT 1 FROM sqlite_schema WHERE name = 'restores'`, params: [] });
  return known !== null && (await store.first({ sql: 'SELECT 1 FROM restores', params: [] })) !== null;
}

/** Reads one row more than the page holds, if there is one. */
async function readRows(db: Database, fields: PageFields): Promise<readonly (readonly (string | null)[])[]> {
  const table = (await tablesOf(db, fields.schema)).find(({ name }) => name === fields.table);
  if (!table) throw new AppError('not_found', `There is no table ${fields.table}.`);
  const { columns } = table;
  const order = orderOf(table, fields.owners?.column);
  if (fields.after !== null && fields.after.length !== order.length)
    throw new AppError('invalid_cursor', 'after must have a value for each ordering column.');
  const params: Param[] = [fields.limit + 1];
  const bind = (given: string | null, column: Column) => read(`?${params.push(given)}`, column);
  const where = [];
  if (fields.after !== null) {
    const place = fields.after.map((given, index) => bind(given, order[index]!)).join(', ');
    where.push(`(${order.map(({ name }) => `t."${name}"`).join(', ')}) > (${place})`);
  }
  if (fields.owners !== null) {
    const [owner] = order;
    where.push(`t."${owner!.name}" <= ${bind(fields.owners.upTo, owner!)}`);
    if (fields.owners.after !== null) where.push(`t."${owner!.name}" > ${bind(fields.owners.after, owner!)}`);
  }
  const [rows] = await db.batch<[{ readonly line: string }]>([
    {
      // Each row as one text: D1's transport takes several times as long for many columns.
      sql: `SELECT json_array(${columns.map(write).join(', ')}) AS line FROM "${table.name}" t
            ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
            ORDER BY ${order.map(({ name }) => `t."${name}"`).join(', ')} LIMIT ?1`,
      params,
    },
  ]);
  return JSON.parse(`[${rows.map(({ line }) => line).join(',')}]`);
}

/** The ordering columns: the primary key, or the owner and then the rest of the key. */
function orderOf({ columns, key }: Table, owner: string | undefined): readonly Column[] {
  const names = owner === undefined ? key : [owner, ...key.filter((name) => name !== owner)];
  return names.map((name) => {
    const column = columns.find((each) => each.name === name);
    if (!column) throw new AppError('not_found', `There is no column ${name}.`);
    return column;
  });
}

// D1 returns integers as doubles, which are exact only up to 2^53.
function write({ name, type }: Column): string {
  return type === 'INTEGER' ? `CAST(t."${name}" AS TEXT)` : `t."${name}"`;
}

/** An SQL expression that converts a value of a backup to the type of its column. */
export function read(expression: string, { type }: Pick<Column, 'type'>): string {
  return type === 'INTEGER' ? `CAST(${expression} AS INTEGER)` : expression;
}
