import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';

/** Everything that the stores hold, so that tests find what a deletion has left. */

export type Row = Readonly<Record<string, unknown>>;
/** The rows of every table of the database, by its name. */
type Rows = ReadonlyMap<string, readonly Row[]>;

/** Reads every table of the database, whatever it is called; those of SQLite and of D1 itself are left out. */
export async function readAllTables(): Promise<Rows> {
  const tables = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'
      AND name NOT LIKE 'd1_%'`,
  ).all<{ readonly name: string }>();
  const names = tables.results.map(({ name }) => name);
  const answers = await env.DB.batch<Row>(names.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)));
  return new Map(names.map((name, index) => [name, answers[index]!.results]));
}

/** A statement that removes all rows of the service's tables, for one batch. */
export async function emptyTables(): Promise<D1PreparedStatement> {
  tables ??= await env.DB.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'`).all<{
    readonly name: string;
  }>();
  const statements = tables.results.map(({ name }) => `DELETE FROM ${name}`);
  // As one text, since D1 takes longer to receive a statement than to execute it.
  return env.DB.prepare(['PRAGMA defer_foreign_keys = on', ...statements].join(';\n'));
}

// Read once, as thousands of tests begin with this.
let tables: D1Result<{ readonly name: string }> | undefined;

/** Finds the rows in which one of the words is, alone or within a longer text. */
export function rowsWith(all: Rows, words: readonly string[]): Record<string, readonly Row[]> {
  const found = [...all].map(([table, rows]): [string, Row[]] => [table, rows.filter((row) => hasOne(row, words))]);
  return Object.fromEntries(found.filter(([, rows]) => rows.length > 0));
}

/** All rows without those of `rowsWith`. */
export function rowsWithout(all: Rows, words: readonly string[]): Record<string, readonly Row[]> {
  return Object.fromEntries([...all].map(([table, rows]) => [table, rows.filter((row) => !hasOne(row, words))]));
}

const hasOne = (row: Row, words: readonly string[]) => {
  const text = JSON.stringify(Object.values(row));
  return words.some((word) => text.includes(word));
};

/** The keys and values of KV in which one of the words stands. */
export async function entriesWith(words: readonly string[]): Promise<readonly string[]> {
  const { keys } = await env.LINKS.list();
  const entries = await Promise.all(keys.map(async ({ name }) => `${name} ${await env.LINKS.get(name)}`));
  return entries.filter((entry) => words.some((word) => entry.includes(word)));
}

type Namespace = 'STATISTICS' | 'LIMITS';

/** All rows of an object, by table; none where nothing was ever stored. */
export async function readObject(namespace: Namespace, name: string): Promise<Record<string, readonly Row[]>> {
  const objects: DurableObjectNamespace = env[namespace];
  return runInDurableObject(objects.getByName(name), (_, { storage: { sql } }) => {
    const tables = sql.exec<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'`,
    );
    return Object.fromEntries([...tables].map((table) => [table.name, [...sql.exec(`SELECT * FROM "${table.name}"`)]]));
  });
}
