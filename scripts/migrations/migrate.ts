import { DatabaseSync } from 'node:sqlite';
import { SELECT_OLDEST_MIGRATION } from '../../src/database/database-watch.ts';
import { UsageError } from '../cli-error.ts';
import { readMigrations, type Migration } from './files.ts';
import { DROPS_FORMER_CLICKS, refuseUnmoved } from './former-clicks.ts';
import { CREATE_LEDGER, LEDGER, record, SELECT_APPLIED } from './ledger.ts';
import {
  hasOurTables,
  legacyStatements,
  missingColumns,
  type ColumnRow,
  type IndexRow,
  type Schema,
} from './legacy.ts';

/** Sends statements without parameters to a database, in one transaction, and returns the rows of each. */
export type SendSql = (statements: readonly string[]) => Promise<readonly (readonly unknown[])[]>;

/** The result of `migrate`. */
export interface Migrated {
  readonly isNew: boolean;
  /** The names of the applied migrations. */
  readonly applied: readonly string[];
}

// Tables of SQLite and of D1 are left out, since D1 denies access to some.
const SELECT_COLUMNS = `
  SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c
  WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND m.name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`;

const SELECT_INDEXES = `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`;

/**
 * Applies the migrations that a database lacks, each in a transaction with its record, and no other statement. If two
 * programs do this at once, each migration is applied once. Throws a `UsageError`, and changes nothing, if the database
 * is not one of Terse, or of a version that this one cannot work with or update.
 *
 * @param migrations those of this version, or of a former one
 */
export async function migrate(send: SendSql, migrations = readMigrations()): Promise<Migrated> {
  const { schema, recorded } = await inspect(send, migrations);
  const isNew = !hasOurTables(schema);
  const applied: string[] = [];
  for (const migration of migrations) {
    if (recorded.includes(migration.name)) continue;
    applied.push(...(await apply(send, migration, migration.number === 1 ? prepare(schema, migration) : [])));
  }
  return { isNew, applied };
}

/** The statements before the first migration: a database of version 1.x has some of its tables already. */
function prepare(schema: Schema, first: Migration): readonly string[] {
  return [CREATE_LEDGER, ...(hasOurTables(schema) ? legacyStatements(schema, schemaOf(first)) : [])];
}

/**
 * The names of the migrations that a database lacks. Changes nothing.
 *
 * @param send null for a database that does not exist yet
 */
export async function findPending(send: SendSql | null): Promise<readonly string[]> {
  const migrations = readMigrations();
  const names = migrations.map(({ name }) => name);
  if (send === null) return names;
  const { recorded } = await inspect(send, migrations);
  return names.filter((name) => !recorded.includes(name));
}

/** The schema of a database, and its recorded migrations. Throws a `UsageError` if this version cannot update it. */
async function inspect(
  send: SendSql,
  migrations: readonly Migration[],
): Promise<{ readonly schema: Schema; readonly recorded: readonly string[] }> {
  const schema = await readSchema(send);
  const recorded = await readRecorded(send, schema);
  if (!hasOurTables(schema)) refuseForeign(schema, recorded);
  else if (recorded.length === 0) refuseUnknown(schema, schemaOf(migrations[0]!));
  else await refuseNewer(send, schema, recorded, migrations);
  if (migrations.some(({ name }) => name === DROPS_FORMER_CLICKS)) await refuseUnmoved(selectWith(send), schema);
  return { schema, recorded };
}

/** Throws a `UsageError` if this version cannot update a database. Changes nothing. */
export async function checkDatabase(send: SendSql): Promise<void> {
  await inspect(send, readMigrations());
}

/** The sentence about what was done, or null if nothing was. */
export function migratedSentence({ isNew, applied }: Migrated): string | null {
  if (isNew) return 'The database is created.';
  if (applied.length === 0) return null;
  return `The database is upgraded: ${applied.map((name) => name.replace('.sql', '')).join(', ')}.`;
}

const selectWith =
  (send: SendSql) =>
  async (sql: string): Promise<readonly unknown[]> =>
    (await send([sql]))[0] ?? [];

async function readSchema(send: SendSql): Promise<Schema> {
  const [columns, indexes] = (await send([SELECT_COLUMNS, SELECT_INDEXES])) as [ColumnRow[], IndexRow[]];
  return { columns, indexes };
}

async function readRecorded(send: SendSql, { columns }: Schema): Promise<readonly string[]> {
  if (!columns.some(({ table }) => table === LEDGER)) return [];
  const [rows] = (await send([SELECT_APPLIED])) as [{ readonly name: string }[]];
  return rows.map(({ name }) => name);
}

/** Returns the name of the migration, or nothing if another program has applied it in the meantime. */
async function apply(send: SendSql, { name, statements }: Migration, before: readonly string[]): Promise<string[]> {
  try {
    await send([...before, ...statements, record(name)]);
    return [name];
  } catch (error) {
    const schema = await readSchema(send);
    const recorded = await readRecorded(send, schema);
    if (recorded.includes(name)) return [];
    // A former version may have counted clicks in the meantime.
    if (name === DROPS_FORMER_CLICKS) await refuseUnmoved(selectWith(send), schema);
    throw error;
  }
}

function refuseForeign({ columns }: Schema, recorded: readonly string[]): void {
  const tables = new Set(columns.map(({ table }) => table).filter((table) => table !== LEDGER || recorded.length > 0));
  if (tables.size === 0) return;
  throw new UsageError(
    `The database has tables that are not those of Terse (${[...tables].slice(0, 3).join(', ')}), and nothing was ` +
      'changed: use an empty database.',
  );
}

function refuseUnknown(schema: Schema, wanted: Schema): void {
  const [missing] = missingColumns(schema, wanted);
  if (missing === undefined) return;
  throw new UsageError(
    `The database was created by a version between releases, which cannot be upgraded (${missing} is missing), and ` +
      'nothing was changed: export its links with that version, and import them into a new database.',
  );
}

/** The schema that a migration gives to an empty database. */
function schemaOf({ statements }: Migration): Schema {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(statements.join(';\n'));
    const all = <Row>(sql: string) => database.prepare(sql).all() as Row[];
    return { columns: all<ColumnRow>(SELECT_COLUMNS), indexes: all<IndexRow>(SELECT_INDEXES) };
  } finally {
    database.close();
  }
}

// A newer version may have added to the schema what this one does not need.
async function refuseNewer(
  send: SendSql,
  schema: Schema,
  recorded: readonly string[],
  migrations: readonly Migration[],
): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = recorded.findLast((name) => !known.has(name));
  if (newer === undefined || (await readSupport(send, schema)) <= migrations.length) return;
  throw new UsageError(
    `The database is of a newer version of Terse (${newer.replace('.sql', '')}), which this version cannot work with, and nothing ` +
      'was changed: use that version.',
  );
}

/** The newest migration that code must know to write to a database once all migrations are applied. */
export async function findOldestMigration(): Promise<number> {
  const database = new DatabaseSync(':memory:');
  try {
    for (const { statements } of readMigrations()) database.exec(statements.join(';\n'));
    return Number(database.prepare(SELECT_OLDEST_MIGRATION).get()?.['oldest_migration']);
  } finally {
    database.close();
  }
}

/** The newest migration that code must know to write to a database; 0 if the database does not say so. */
export async function readOldestMigration(send: SendSql): Promise<number> {
  return readSupport(send, await readSchema(send));
}

async function readSupport(send: SendSql, { columns }: Schema): Promise<number> {
  if (!columns.some(({ table }) => table === 'schema_support')) return 0;
  const [rows] = (await send([SELECT_OLDEST_MIGRATION])) as [{ readonly oldest_migration: number }[]];
  return rows[0]?.oldest_migration ?? 0;
}
