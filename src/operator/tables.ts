import type { Database, Statement } from '../database/database.ts';

/** A table of the database, read from its schema. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns of its primary key, in order. */
  readonly key: readonly string[];
  readonly parents: readonly Parent[];
}

export interface Column {
  readonly name: string;
  readonly type: 'TEXT' | 'INTEGER';
  /** True if a row can be inserted without a value for it. */
  readonly isOptional: boolean;
}

/** A column whose values, if not null, are keys of another table. */
interface Parent {
  readonly table: string;
  readonly column: string;
  /** True if the rows of one parent can be found by an index. */
  readonly isIndexed: boolean;
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly pk: number;
  readonly is_optional: number;
}

interface ParentRow {
  readonly child: string;
  readonly table: string;
  readonly column: string;
  readonly is_indexed: number;
}

// All tables of the service are STRICT; those of D1 and of SQLite itself are not. Excluded are the progress of a
// restore, the operator's log, which a restore must not replace, and tables that a killed restore by an earlier version
// left behind.
const OURS = `FROM sqlite_schema m, %(m.name) p
  WHERE m.type = 'table' AND m.sql LIKE '%STRICT%' AND m.name NOT IN ('restores', 'operator_log')
    AND m.name NOT LIKE 'restoring\\_%' ESCAPE '\\'`;
const ours = (pragma: string) => OURS.replace('%', () => pragma);

/**
 * Reads the list of tables. Each table stands after the tables that its rows refer to; tables that others refer to come
 * first.
 */
export async function readTables(db: Database): Promise<readonly Table[]> {
  const [columns, parents] = await db.batch<[ColumnRow, ParentRow]>([
    select(`SELECT m.name AS "table", p.name, p.type, p.pk, p."notnull" = 0 OR p.dflt_value IS NOT NULL AS is_optional
      ${ours('pragma_table_info')} ORDER BY m.name, p.cid`),
    select(`SELECT m.name AS child, p."table", p."from" AS "column", EXISTS (
        SELECT 1 FROM pragma_index_list(m.name) i, pragma_index_info(i.name) c WHERE c.seqno = 0 AND c.name = p."from"
      ) AS is_indexed ${ours('pragma_foreign_key_list')}`),
  ]);
  const tables = [...Map.groupBy(columns, ({ table }) => table)].map(([name, own]): Table => {
    const key = own.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    return {
      name,
      columns: own.map(toColumn),
      key: key.map(({ name }) => name),
      parents: parents.filter(({ child }) => child === name).map(toParent),
    };
  });
  return inOrder(tables);
}

function select(sql: string): Statement {
  return { sql, params: [] };
}

function toColumn({ name, type, is_optional }: ColumnRow): Column {
  if (type !== 'TEXT' && type !== 'INTEGER') throw new TypeError(`a column of type ${type} cannot be backed up`);
  return { name, type, isOptional: is_optional === 1 };
}

function toParent({ table, column, is_indexed }: ParentRow): Parent {
  return { table, column, isIndexed: is_indexed === 1 };
}

// Children are read after their parents, so that a row added during a backup is left out together with its children.
function inOrder(tables: readonly Table[]): readonly Table[] {
  const referred = new Set(tables.flatMap(({ parents }) => parents.map(({ table }) => table)));
  const ordered: Table[] = [];
  const place = (table: Table): void => {
    if (ordered.includes(table)) return;
    for (const { table: parent } of table.parents) for (const each of tables) if (each.name === parent) place(each);
    ordered.push(table);
  };
  for (const table of tables) if (referred.has(table.name)) place(table);
  for (const table of tables) place(table);
  return ordered;
}
