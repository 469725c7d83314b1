import type { Database } from '../src/database.ts';

/**
 * Brings a database of an older version up to date before the schema is applied, which leaves existing tables as they
 * are. Each step checks whether it is needed, so that it can run again.
 */

interface Step {
  readonly table: string;
  /** The column whose absence means that the step is needed. */
  readonly column: string;
  readonly statements: readonly string[];
}

const STEPS: readonly Step[] = [
  addColumn('users', 'time_zone', `TEXT NOT NULL DEFAULT 'UTC'`),
  addColumn('members', 'role', `TEXT NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'member'))`),
  addColumn('api_keys', 'scopes', `TEXT NOT NULL DEFAULT 'links:read links:write stats:read'`),
  addColumn('api_keys', 'former_secret_hash', 'TEXT'),
  addColumn('api_keys', 'former_until_at', 'INTEGER'),
  addColumn('domains', 'token', 'TEXT'),
  addColumn('domains', 'root_url', 'TEXT'),
  addColumn('domains', 'not_found_url', 'TEXT'),
  addColumn('domains', 'verified_at', 'INTEGER'),
  addColumn('domains', 'checked_at', 'INTEGER'),
  addColumn('domains', 'removed_at', 'INTEGER'),
  addColumn('domains', 'failures', 'INTEGER NOT NULL DEFAULT 0'),
  addColumn('links', 'user_id', 'TEXT'),
  addColumn('links', 'key_id', 'TEXT'),
  addColumn('links', 'title', 'TEXT'),
  addColumn('links', 'comments', 'TEXT'),
  addColumn('click_days', 'links', `TEXT NOT NULL DEFAULT '{}'`),
  {
    // Until then every slug was a generated id, in ASCII.
    table: 'addresses',
    column: 'folded',
    statements: [
      `CREATE TABLE addresses_folded (
        domain_id TEXT NOT NULL,
        folded TEXT NOT NULL,
        slug TEXT NOT NULL,
        link_id TEXT NOT NULL REFERENCES links (id) DEFERRABLE INITIALLY DEFERRED,
        PRIMARY KEY (domain_id, folded)
      ) STRICT, WITHOUT ROWID`,
      `INSERT INTO addresses_folded SELECT domain_id, lower(slug), slug, link_id FROM addresses`,
      `DROP TABLE addresses`,
      `ALTER TABLE addresses_folded RENAME TO addresses`,
    ],
  },
  {
    // The skeleton of an ASCII name is the name in small letters. Of existing names that look alike, only one gets a
    // skeleton. Names with other characters get none, and are compared exactly.
    table: 'users',
    column: 'skeleton',
    statements: [
      `ALTER TABLE users ADD COLUMN skeleton TEXT`,
      `CREATE UNIQUE INDEX IF NOT EXISTS users_by_skeleton ON users (skeleton) WHERE skeleton IS NOT NULL`,
      `UPDATE OR IGNORE users SET skeleton = lower(name) WHERE name NOT GLOB '*[^ -~]*'`,
    ],
  },
  {
    table: 'domains',
    column: 'case_sensitive',
    statements: [
      `ALTER TABLE domains ADD COLUMN case_sensitive INTEGER NOT NULL DEFAULT 0 CHECK (case_sensitive IN (0, 1))`,
      // Earlier versions folded ẞ to ß, not to ss. Such slugs keep their row, and get a second one under the new key,
      // so that they are not given out again.
      `INSERT OR IGNORE INTO addresses (domain_id, folded, slug, link_id)
        SELECT domain_id, replace(folded, 'ß', 'ss'), slug, link_id FROM addresses WHERE instr(folded, 'ß') > 0`,
    ],
  },
];

function addColumn(table: string, column: string, type: string): Step {
  return { table, column, statements: [`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`] };
}

/** A column that a table has. */
export interface ColumnRow {
  readonly table: string;
  readonly column: string;
}

/** Selects the columns that the steps check, and others. */
export const SELECT_COLUMNS = `
  SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c
  WHERE m.type = 'table' AND m.name IN (${[...new Set(STEPS.map(({ table }) => `'${table}'`))].join(', ')})`;

/** The statements that bring such a database up to date, in order. An empty database needs none. */
export function upgradeStatements(columns: readonly ColumnRow[]): string[] {
  const tables = new Set(columns.map(({ table }) => table));
  const present = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const needed = STEPS.filter(({ table, column }) => tables.has(table) && !present.has(`${table}.${column}`));
  return needed.flatMap(({ statements }) => statements);
}

/** Runs the needed steps in one transaction. */
export async function upgrade(db: Database): Promise<void> {
  const [columns] = await db.batch<[ColumnRow]>([{ sql: SELECT_COLUMNS, params: [] }]);
  const statements = upgradeStatements(columns);
  if (statements.length > 0) await db.batch(statements.map((sql) => ({ sql, params: [] })));
}
