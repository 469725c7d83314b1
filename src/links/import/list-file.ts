import type { RawRow } from './csv-file.ts';
import { isComment, unquoted } from './content-kind.ts';
import { toUtf8, type Chunks } from './file-bytes.ts';
import { rowTooLong } from './file-line.ts';
import type { Columned } from './formats/reading.ts';
import { LineReader, type TextLine } from './line-reader.ts';

/** Reads a text with a URL in each line, with or without its scheme, as a column `url`. */
export async function* readList(chunks: Chunks, reading: Columned): AsyncGenerator<RawRow, void> {
  const reader = new LineReader(isComment);
  let hasBegun = false;
  const toRaw = ({ number, text }: TextLine): RawRow => {
    if (!hasBegun) reading.begin(['url'], { isList: true, separator: null });
    hasBegun = true;
    return [number, text === null ? rowTooLong() : { url: unquoted(text) }];
  };
  for await (const chunk of toUtf8(chunks, reading.charset)) for (const line of reader.read(chunk)) yield toRaw(line);
  for (const line of reader.end()) yield toRaw(line);
}
