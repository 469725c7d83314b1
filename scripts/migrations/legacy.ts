/**
 * Brings a database of version 1.x, which has no record of migrations, to the state of the first migration. No step is
 * added here: changes of the schema are files in `migrations/`.
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

/** An index, as it was created. */
export interface IndexRow {
  readonly name: string;
  readonly sql: string;
}

/** The columns and other objects of a database. */
export interface Schema {
  readonly columns: readonly ColumnRow[];
  /** Without those that SQLite creates by itself. */
  readonly indexes: readonly IndexRow[];
}

/** A table that every version has had. */
const OLDEST_TABLE = 'links';

/** True if a database is one of Terse; without a record of migrations it is of version 1.x. */
export const hasOurTables = ({ columns }: Schema): boolean => columns.some(({ table }) => table === OLDEST_TABLE);

/**
 * The statements that prepare such a database for those of the first migration, in order. Indexes that differ from those
 * of the first migration are dropped.
 */
export function legacyStatements(present: Schema, wanted: Schema): string[] {
  const same = new Set(wanted.indexes.map(withoutLayout));
  const former = present.indexes.filter((index) => !same.has(withoutLayout(index)));
  return [
    ...neededSteps(present.columns).flatMap(({ statements }) => statements),
    ...former.map(({ name }) => `DROP INDEX "${name.replaceAll('"', '""')}"`),
  ];
}

const withoutLayout = ({ sql }: IndexRow): string => sql.replaceAll(/\s+/g, ' ');

/**
 * The columns that such a database would still lack, as `table.column`: those of a version between releases that is not
 * known.
 *
 * @param wanted what the first migration gives
 */
export function missingColumns({ columns }: Schema, wanted: Schema): string[] {
  const tables = new Set(columns.map(({ table }) => table));
  const present = new Set([...columns, ...neededSteps(columns)].map(nameOf));
  return wanted.columns
    .filter(({ table }) => tables.has(table))
    .map(nameOf)
    .filter((name) => !present.has(name));
}

const nameOf = ({ table, column }: ColumnRow): string => `${table}.${column}`;

function neededSteps(columns: readonly ColumnRow[]): readonly Step[] {
  const tables = new Set(columns.map(({ table }) => table));
  const present = new Set(columns.map(nameOf));
  return STEPS.filter((step) => tables.has(step.table) && !present.has(nameOf(step)));
}
