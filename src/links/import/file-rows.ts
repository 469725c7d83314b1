import { BEGINNING_BYTES, contentOf, type Content } from './content-kind.ts';
import { readCsv, type RawRow } from './csv-file.ts';
import { toUtf8, type Chunks } from './file-bytes.ts';
import type { FileFormat } from './file-kinds.ts';
import type { Columned } from './formats/reading.ts';
import { readJson, readNdjson } from './json-file.ts';
import { readList } from './list-file.ts';

export type { RawRow } from './csv-file.ts';

/** Reads the rows of a file as what its content is. Throws what its reader and `chunks` throw. */
export async function* readRows(chunks: Chunks, kind: FileFormat, reading: Columned): AsyncGenerator<RawRow, void> {
  const iterator = iterate(chunks);
  const begun: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next; length < BEGINNING_BYTES && !(next = await iterator.next()).done;) {
      begun.push(next.value);
      length += next.value.length;
    }
    const content = reading.isList ? 'list' : contentOf(kind, await beginningOf(begun, reading.charset));
    yield* READERS[content](joined(begun, iterator), reading);
  } finally {
    await iterator.return();
  }
}

const READERS = { csv: readCsv, ndjson: readNdjson, json: readJson, list: readList } satisfies Record<Content, unknown>;

async function* iterate(chunks: Chunks): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

async function beginningOf(begun: readonly Uint8Array[], charset: string | undefined): Promise<Uint8Array> {
  const bytes = new Uint8Array(await new Blob([...begun]).arrayBuffer());
  for await (const text of toUtf8([bytes.subarray(0, BEGINNING_BYTES)], charset)) if (text.length > 0) return text;
  return new Uint8Array();
}

async function* joined(
  begun: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield* begun;
  yield* rest;
}
