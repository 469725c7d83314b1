import type { Database, Statement } from '../../src/database.ts';
import { UsageError } from '../fail.ts';
import { read } from './dump.ts';
import type { Foot, Part, Row } from './file.ts';
import type { Table } from './tables.ts';

/** D1 takes as many in one statement. */
const MAX_PARAMETERS = 100;
const STATEMENTS_A_BATCH = 100;
const MAX_BATCH_BYTES = 1_000_000;

/**
 * Replaces all rows of all tables by those of a backup. They are gathered beside what is there, and then take its place
 * in one transaction: whatever fails, there is all of the one or all of the other. Throws `UsageError`.
 */
export async function loadTables(
  db: Database,
  tables: readonly Table[],
  parts: AsyncIterable<Part>,
  counts: Foot['rows'],
): Promise<void> {
  try {
    await stage(db, tables, parts, counts);
  } catch (cause) {
    await dropAll(db, tables);
    throw new UsageError(`The backup could not be taken in, and nothing was changed: ${reasonOf(cause)}`, { cause });
  }
  try {
    await db.batch(takePlace(tables));
  } catch (cause) {
    await dropAll(db, tables);
    const what =
      'The database holds all that it held before, or all of the backup: look with "npm run account -- list".';
    throw new UsageError(`The restore did not come to its end (${reasonOf(cause)}). ${what}`, { cause });
  }
}

// What cannot be dropped now is dropped by the next restore.
async function dropAll(db: Database, tables: readonly Table[]): Promise<void> {
  await db.batch(tables.map(dropStaged)).catch(() => undefined);
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

const statement = (sql: string): Statement => ({ sql, params: [] });
const staged = ({ name }: Table): string => `"restoring_${name}"`;
const dropStaged = (table: Table): Statement => statement(`DROP TABLE IF EXISTS ${staged(table)}`);

async function stage(
  db: Database,
  tables: readonly Table[],
  parts: AsyncIterable<Part>,
  counts: Foot['rows'],
): Promise<void> {
  await db.batch(
    tables.flatMap((table) => [
      dropStaged(table),
      statement(`CREATE TABLE ${staged(table)} AS SELECT * FROM "${table.name}" WHERE 0`),
    ]),
  );
  for await (const batch of batchesOf(tables, parts)) await db.batch(batch);
  const found = await db.batch<readonly { readonly rows: number }[]>(
    tables.map((table) => statement(`SELECT count(*) AS rows FROM ${staged(table)}`)),
  );
  const short = tables.find((table, index) => found[index]?.[0]?.rows !== (counts[table.name] ?? 0));
  if (short) throw new Error(`not all rows of ${short.name} arrived`);
}

async function* batchesOf(tables: readonly Table[], parts: AsyncIterable<Part>): AsyncGenerator<Statement[], void> {
  let [batch, bytes]: [Statement[], number] = [[], 0];
  for await (const insert of insertsOf(tables, parts)) {
    batch.push(insert);
    bytes += insert.params.reduce<number>((sum, value) => sum + String(value).length, 0);
    if (batch.length < STATEMENTS_A_BATCH && bytes < MAX_BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function* insertsOf(tables: readonly Table[], parts: AsyncIterable<Part>): AsyncGenerator<Statement, void> {
  let into: { readonly table: Table; readonly names: readonly string[] } | undefined;
  let rows: Row[] = [];
  for await (const part of parts) {
    if ('section' in part) {
      if (into && rows.length > 0) yield insert(into.table, into.names, rows);
      rows = [];
      const table = tables.find(({ name }) => name === part.section.table);
      if (!table) throw new Error(`there is no table ${part.section.table}`);
      into = { table, names: part.section.columns };
    } else if (into) {
      rows.push(part.row);
      if ((rows.length + 1) * into.names.length <= MAX_PARAMETERS) continue;
      yield insert(into.table, into.names, rows);
      rows = [];
    }
  }
  if (into && rows.length > 0) yield insert(into.table, into.names, rows);
}

function insert(table: Table, names: readonly string[], rows: readonly Row[]): Statement {
  const columns = names.map((name) => table.columns.find((column) => column.name === name));
  let parameters = 0;
  const values = rows.map(() => `(${columns.map((column) => read(`?${++parameters}`, column!)).join(', ')})`);
  return {
    sql: `INSERT INTO ${staged(table)} (${names.map((name) => `"${name}"`).join(', ')}) VALUES ${values.join(', ')}`,
    params: rows.flat(),
  };
}

function takePlace(tables: readonly Table[]): Statement[] {
  return [
    statement('PRAGMA defer_foreign_keys = on'),
    ...tables.map(({ name }) => statement(`DELETE FROM "${name}"`)),
    ...tables.map((table) => {
      const names = table.columns.map(({ name }) => `"${name}"`).join(', ');
      return statement(`INSERT INTO "${table.name}" (${names}) SELECT ${names} FROM ${staged(table)}`);
    }),
    ...tables.map(dropStaged),
  ];
}
