import { expectUnknownWebhooks } from '../append/direct.ts';
import type { Section } from './export.ts';
import { readState, upgradeSchema, writeState, type Storage } from '../schema.ts';
import { readTables, type StoredColumn, type StoredTable } from '../tables.ts';

/** The rows of a backup, put into an object that was emptied for them. Until the last one is there it counts no clicks. */

/** Why rows cannot be loaded, in a sentence for the operator. */
class BadRows extends Error {}

/** Marks an emptied object as one that is being loaded, with the tables of a version. */
export function markLoading(storage: Storage, schema: number): void {
  storage.transactionSync(() => {
    upgradeSchema(storage, schema);
    writeState(storage.sql, 'loading', 1);
  });
}

/** Stores rows, all or none of them. They can be stored again. Returns why they were refused, or null. */
export function loadRows(storage: Storage, sections: readonly Section[]): string | null {
  const { sql } = storage;
  try {
    storage.transactionSync(() => {
      const [tables, schema] = [readTables(sql), readState(sql, 'schema')];
      for (const section of sections) {
        const table = tables.find(({ name }) => name === section.table);
        if (!table) throw new BadRows(`There is no table ${section.table}.`);
        insertRows(sql, table, section);
      }
      if (readState(sql, 'schema') !== schema) throw new BadRows('A row changes the version of the tables.');
    });
    return null;
  } catch (cause) {
    if (cause instanceof BadRows) return cause.message;
    if (BROKEN_RULE.test(String(cause))) return `A row breaks a rule of its table (${String(cause)}).`;
    throw cause;
  }
}

const BROKEN_RULE = /constraint failed|datatype mismatch|cannot store/i;

/** Brings a loaded object to the tables of this version, and lets it count clicks. */
export function endLoading(storage: Storage): void {
  storage.transactionSync(() => {
    writeState(storage.sql, 'loading', null);
    expectUnknownWebhooks(storage.sql, Date.now());
    upgradeSchema(storage);
  });
}

/** True if an object has something to fold, to remove, or to shorten later. */
export function hasWork(sql: SqlStorage): boolean {
  return ['deliveries', 'days', 'purges'].some((table) => [...sql.exec(`SELECT 1 FROM ${table} LIMIT 1`)].length > 0);
}

function insertRows(sql: SqlStorage, table: StoredTable, { columns, rows }: Section): void {
  const types = columns.map((name) => {
    const column = table.columns.find((each) => each.name === name);
    if (!column) throw new BadRows(`${table.name} has no column ${name}.`);
    return column;
  });
  const statement = insertInto(table, columns);
  for (const row of rows) {
    if (row.length !== columns.length) throw new BadRows(`A row of ${table.name} has not one value a column.`);
    sql.exec(statement, ...row.map((value, index) => parseValue(value, types[index]!, table)));
  }
}

// Not OR REPLACE, which would also remove a row with another key, if a name may occur only once.
function insertInto({ name, key }: StoredTable, columns: readonly string[]): string {
  const others = columns.filter((column) => !key.includes(column));
  const update = `UPDATE SET ${others.map((column) => `"${column}" = excluded."${column}"`).join(', ')}`;
  const values = columns.map((_, index) => `?${index + 1}`).join(', ');
  return `INSERT INTO "${name}" (${quote(columns)}) VALUES (${values})
    ON CONFLICT (${quote(key)}) DO ${others.length === 0 ? 'NOTHING' : update}`;
}

const quote = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ');

const INTEGER = /^-?\d{1,16}$/;

function parseValue(value: string | null, { name, type }: StoredColumn, table: StoredTable): SqlStorageValue {
  if (value === null || type === 'TEXT') return value;
  const parsed = type === 'INTEGER' ? parseInteger(value) : parseBytes(value);
  if (parsed === null)
    throw new BadRows(`A value of ${table.name}.${name} is not ${type === 'BLOB' ? 'base64' : 'a whole number'}.`);
  return parsed;
}

function parseInteger(text: string): number | null {
  const value = INTEGER.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : null;
}

function parseBytes(text: string): ArrayBuffer | null {
  const bytes = Buffer.from(text, 'base64');
  // It skips what is not base64.
  return bytes.toString('base64') === text ? new Uint8Array(bytes).buffer : null;
}
