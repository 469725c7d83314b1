import type { Database, Statement } from '../database/database.ts';

/** A table with rows of clients. */
export interface OwnedTable {
  readonly name: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** Which of its rows belong to the client `?1`, as a condition in SQL. */
  readonly isOwned: string;
  /** The column that names the link to which a row belongs, if there is one. */
  readonly link: string | null;
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly pk: number;
}

interface ReferenceRow {
  readonly child: string;
  readonly column: string;
  readonly parent: string;
  readonly to: string;
}

// Those of SQLite and of D1 itself are no tables of ours.
const OURS = `FROM sqlite_schema m, %(m.name) p
  WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND m.name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
    AND m.name NOT LIKE 'd1\\_%' ESCAPE '\\'`;
const ours = (pragma: string) => OURS.replace('%', () => pragma);

/**
 * Reads from the schema which tables have rows of clients, so that a new one counts without further work: those with a
 * `client_id`, those whose rows refer to a row of a client, and those with a `link_id`. A table stands before the tables
 * that its rows refer to; `clients` is the last one.
 */
export async function readOwnedTables(db: Database): Promise<readonly OwnedTable[]> {
  const [columns, references] = await db.batch<[ColumnRow, ReferenceRow]>([
    select(`SELECT m.name AS "table", p.name, p.pk ${ours('pragma_table_info')} ORDER BY m.name, p.cid`),
    select(
      `SELECT m.name AS child, p."from" AS "column", p."table" AS parent, p."to" ${ours('pragma_foreign_key_list')}`,
    ),
  ]);
  const byTable = Map.groupBy(columns, ({ table }) => table);
  const referencesOf = (table: string): ReferenceRow[] => {
    const own = references.filter(({ child, parent }) => child === table && parent !== table);
    const hasLink = byTable.get(table)?.some(({ name }) => name === LINK_ID) === true;
    return hasLink && !own.some(({ column }) => column === LINK_ID)
      ? [...own, { child: table, column: LINK_ID, parent: 'links', to: 'id' }]
      : own;
  };
  const ordered: OwnedTable[] = [];
  const placed = new Map<string, OwnedTable | null>();
  // Parents are placed before their children, and the order is reversed at the end.
  const place = (name: string): OwnedTable | null => {
    const known = placed.get(name);
    if (known !== undefined) return known;
    placed.set(name, null);
    const own = byTable.get(name) ?? [];
    const parents = referencesOf(name).map((reference) => ({ reference, table: place(reference.parent) }));
    const owned = parents.filter(({ table }) => table !== null);
    // One reference says whose a row is, and the first column of the key is an index.
    const first = owned.filter(({ reference: { column } }) =>
      own.some(({ name: each, pk }) => each === column && pk === 1),
    );
    const isOwned = hasColumn(own, 'client_id')
      ? 'client_id = ?1'
      : name === 'clients'
        ? 'id = ?1'
        : (first.length > 0 ? first.slice(0, 1) : owned)
            .map(
              ({ reference: { column, parent, to }, table }) =>
                `"${column}" IN (SELECT "${to}" FROM "${parent}" WHERE ${table!.isOwned})`,
            )
            .join(' OR ');
    if (isOwned === '') return null;
    const key = own.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    const link = owned.find(({ reference: { parent } }) => parent === 'links')?.reference.column ?? null;
    const table = { name, key: key.map(({ name }) => name), isOwned, link };
    placed.set(name, table);
    ordered.push(table);
    return table;
  };
  for (const name of ['clients', ...byTable.keys()]) place(name);
  return ordered.toReversed();
}

const LINK_ID = 'link_id';

const hasColumn = (columns: readonly ColumnRow[], wanted: string) => columns.some(({ name }) => name === wanted);

const select = (sql: string): Statement => ({ sql, params: [] });
