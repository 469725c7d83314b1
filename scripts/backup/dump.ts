import type { Database, Param } from '../../src/database.ts';
import type { Foot, Row } from './file.ts';
import type { Column, Table } from './tables.ts';

// Rows differ: a day's visitors take half a megabyte, an address a few bytes.
const LEAST_ROWS = 50;
const MOST_ROWS = 2000;
const FEW_BYTES = 500_000;
const MANY_BYTES = 2_000_000;

/**
 * Gives every row of every table, page by page, and counts them. What is written meanwhile may be in it or not, but no
 * row is without the one that it belongs to.
 */
export async function dumpTables(
  db: Database,
  tables: readonly Table[],
  line: (value: object) => void,
): Promise<Foot['rows']> {
  const counts: Record<string, number> = {};
  const keys = new Map<string, Set<string | null>>();
  const referred = new Set(tables.flatMap(({ parents }) => parents.map(({ table }) => table)));
  for (const table of tables) {
    const names = table.columns.map(({ name }) => name);
    const own = new Set<string | null>();
    const keyAt = names.indexOf(table.key[0]?.name ?? '');
    const owners = table.parents.map((parent) => ({ keys: keys.get(parent.table), at: names.indexOf(parent.column) }));
    line({ table: table.name, columns: names });
    counts[table.name] = 0;
    for await (const row of rowsOf(db, table)) {
      // Its owner was made after the owners had been read.
      if (owners.some(({ keys, at }) => row[at] != null && keys?.has(row[at]) === false)) continue;
      if (referred.has(table.name)) own.add(row[keyAt] ?? null);
      line(row);
      counts[table.name]! += 1;
    }
    keys.set(table.name, own);
  }
  return counts;
}

async function* rowsOf(db: Database, table: Table): AsyncGenerator<Row, void> {
  let limit = LEAST_ROWS;
  for (let last: Row | null = null; ;) {
    const rows: readonly Row[] = await readPage(db, table, last, limit);
    yield* rows;
    last = rows.at(-1) ?? null;
    if (rows.length < limit || last === null) return;
    const size = JSON.stringify(rows).length;
    if (size < FEW_BYTES) limit = Math.min(limit * 2, MOST_ROWS);
    else if (size > MANY_BYTES) limit = Math.max(Math.floor(limit / 4), 1);
  }
}

async function readPage(db: Database, table: Table, after: Row | null, limit: number): Promise<Row[]> {
  const { name, columns, key } = table;
  const keyed = key.map((column) => `t."${column.name}"`).join(', ');
  const place = key.map((column, index) => read(`?${index + 2}`, column)).join(', ');
  const values = columns.map((column) => `${write(column)} AS "${column.name}"`).join(', ');
  const where = after === null ? '' : `WHERE (${keyed}) > (${place})`;
  const bounds: Param[] = after === null ? [] : key.map((column) => after[columns.indexOf(columnOf(table, column))]!);
  const [rows] = await db.batch<[Readonly<Record<string, string | null>>]>([
    { sql: `SELECT ${values} FROM "${name}" t ${where} ORDER BY ${keyed} LIMIT ?1`, params: [limit, ...bounds] },
  ]);
  return rows.map((found) => columns.map((column) => found[column.name] ?? null));
}

function columnOf({ columns }: Table, { name }: Column): Column {
  const column = columns.find((each) => each.name === name);
  if (!column) throw new TypeError(`the key has a column ${name} that the table has not`);
  return column;
}

// D1 gives integers as doubles, which are exact up to 2^53 only.
function write({ name, type }: Column): string {
  return type === 'INTEGER' ? `CAST(t."${name}" AS TEXT)` : `t."${name}"`;
}

/** An expression for a value of a backup, as the column has it. */
export function read(parameter: string, { type }: Column): string {
  return type === 'INTEGER' ? `CAST(${parameter} AS INTEGER)` : parameter;
}
