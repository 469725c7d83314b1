import type { Chunks } from './file-bytes.ts';
import type { FileFormat } from './file-kinds.ts';
import { readRows } from './file-rows.ts';
import { columnOf } from './formats/columns.ts';
import type { Columned } from './formats/reading.ts';
import { MAPPABLE } from './mapping.ts';
import type { Role } from './formats/format.ts';
import { FORMATS } from './formats/table.ts';
import { textOf } from './formats/values.ts';

/** A column of a file whose format is not known. */
export interface FileColumn {
  readonly name: string;
  /** Its first value, cut. */
  readonly example: string;
  /** The field that it probably becomes, by the formats that are known; null for none. */
  readonly field: string | null;
}

const LONGEST_EXAMPLE = 80;

/**
 * The columns of a file, and the values of its first row. Throws `malformed_body`, and what `chunks` throws.
 *
 * @param charset as `FileOptions.charset`
 */
export async function readColumns(chunks: Chunks, kind: FileFormat, charset?: string): Promise<readonly FileColumn[]> {
  const named: Columned & { columns: readonly string[] } = {
    isOwn: false,
    charset,
    columns: [],
    begin(columns) {
      this.columns = columns;
    },
  };
  let first: Readonly<Record<string, unknown>> = {};
  for await (const [, fields] of readRows(chunks, kind, named)) {
    if (!(fields instanceof Error)) first = fields;
    break;
  }
  const names = new Map(named.columns.map((name) => [columnOf(name), name] as const));
  names.delete('');
  const taken = new Set<string>();
  return [...names].map(([column, name]) => ({
    name: name.slice(0, 200),
    example: textOf(first[column]).slice(0, LONGEST_EXAMPLE),
    field: guessed(column, taken),
  }));
}

// Each field for one column only, as a caller may map them.
function guessed(column: string, taken: Set<string>): string | null {
  const format = FORMATS.find(({ columns }) => Object.hasOwn(columns, column));
  const role: Role | undefined = format?.columns[column];
  const field = Object.entries(MAPPABLE).find(([, it]) => it === role)?.[0] ?? null;
  if (field === null || taken.has(field)) return null;
  taken.add(field);
  return field;
}
