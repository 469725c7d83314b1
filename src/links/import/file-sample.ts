import type { Chunks } from './file-bytes.ts';
import type { FileFormat } from './file-kinds.ts';
import { readRows } from './file-rows.ts';
import type { Columned } from './formats/reading.ts';
import { textOf } from './formats/values.ts';

const MAX_SAMPLE = 5;
const LONGEST_CELL = 80;
const BEYOND_ASCII = /[^\p{ASCII}]/u;

/**
 * The first rows of a file whose encoding is not certain, as they would be read: those with letters beyond ASCII, if there
 * are any, since only these depend on the encoding. Throws `malformed_body`, and what `chunks` throws.
 *
 * @param charset as `FileOptions.charset`
 */
export async function readSample(chunks: Chunks, kind: FileFormat, charset?: string): Promise<readonly string[]> {
  const [plain, others]: [string[], string[]] = [[], []];
  const add = (cells: readonly unknown[]) => {
    const texts = cells.map(textOf).filter((cell) => cell !== '');
    const rows = texts.some((cell) => BEYOND_ASCII.test(cell)) ? others : plain;
    if (rows.length < MAX_SAMPLE) rows.push(texts.map((cell) => cell.slice(0, LONGEST_CELL)).join(' · '));
  };
  // The names of columns are the first row of a CSV.
  const begin: Columned['begin'] = (names) => (kind === 'csv' ? add(names) : undefined);
  const columns: Columned = { isOwn: false, charset, begin };
  for await (const [, fields] of readRows(chunks, kind, columns)) {
    if (!(fields instanceof Error)) add(Object.values(fields));
    if (others.length === MAX_SAMPLE) break;
  }
  return others.length > 0 ? others : plain;
}
