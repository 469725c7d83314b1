/** The tables of an object, read from its schema, so that a new one is part of a backup without further work. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  /** The columns of its primary key, in order. */
  readonly key: readonly string[];
}

export interface StoredColumn {
  readonly name: string;
  readonly type: 'TEXT' | 'INTEGER' | 'BLOB';
}

// What an append changes in place is read first, in one step, before anything else can be appended.
const FIRST = new Set(['state', 'new_words']);

/** All tables except those of the platform and of SQLite itself. */
export function readTables(sql: SqlStorage): StoredTable[] {
  const rows = sql.exec<{ table: string; name: string; type: string; pk: number }>(
    `SELECT m.name AS "table", p.name, p.type, p.pk FROM sqlite_master m, pragma_table_info(m.name) p
     WHERE m.type = 'table' AND substr(m.name, 1, 4) <> '_cf_' AND substr(m.name, 1, 7) <> 'sqlite_'
     ORDER BY m.name, p.cid`,
  );
  const tables = [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]): StoredTable => {
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    return { name, columns: columns.map(toColumn), key: key.map(({ name }) => name) };
  });
  const isFirst = ({ name }: StoredTable) => FIRST.has(name);
  return [...tables.filter(isFirst), ...tables.filter((table) => !isFirst(table))];
}

function toColumn({ name, type }: { readonly name: string; readonly type: string }): StoredColumn {
  if (type === 'TEXT' || type === 'INTEGER' || type === 'BLOB') return { name, type };
  throw new TypeError(`a column of type ${type} cannot be backed up`);
}
