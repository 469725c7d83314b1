import { createHash } from 'node:crypto';
import type { Database, Statement } from '../../src/database.ts';

/** What a database of ours holds, as it says itself: its tables, and how they hang together. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns of its primary key, in their order. */
  readonly key: readonly Column[];
  readonly parents: readonly Parent[];
}

export interface Column {
  readonly name: string;
  readonly type: 'TEXT' | 'INTEGER';
}

/** A column whose values, where they are not null, are keys of another table. */
export interface Parent {
  readonly table: string;
  readonly column: string;
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

interface ParentRow extends Parent {
  readonly child: string;
}

// All of ours are STRICT; those of D1 and of SQLite itself are not.
const OURS = `FROM sqlite_schema m, %(m.name) p WHERE m.type = 'table' AND m.sql LIKE '%STRICT%'`;
const ours = (pragma: string) => OURS.replace('%', () => pragma);

/** Reads which tables there are: each after those that its rows refer to, and those that are referred to before all others. */
export async function readTables(db: Database): Promise<readonly Table[]> {
  const [columns, parents] = await db.batch<[ColumnRow, ParentRow]>([
    select(`SELECT m.name AS "table", p.name, p.type, p.pk ${ours('pragma_table_info')} ORDER BY m.name, p.cid`),
    select(`SELECT m.name AS child, p."table", p."from" AS "column" ${ours('pragma_foreign_key_list')}`),
  ]);
  const tables = [...Map.groupBy(columns, ({ table }) => table)].map(([name, own]): Table => {
    const key = own.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    return {
      name,
      columns: own.map(toColumn),
      key: key.map(toColumn),
      parents: parents.filter(({ child }) => child === name).map(({ table, column }) => ({ table, column })),
    };
  });
  return inOrder(tables);
}

function select(sql: string): Statement {
  return { sql, params: [] };
}

function toColumn({ name, type }: ColumnRow): Column {
  if (type !== 'TEXT' && type !== 'INTEGER') throw new TypeError(`a column of type ${type} cannot be backed up`);
  return { name, type };
}

// A row that is made while a backup runs is left out with all that belongs to it, if what belongs to a row is read after it.
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

/** A hash of all tables and columns with their types: whether the rows of one database fit into another. */
export function schemaOf(tables: readonly Table[]): string {
  const words = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} ${column.type}`));
  return createHash('sha256').update(words.toSorted().join('\n')).digest('hex');
}
