import { charsetOf } from './charsets.ts';
import type { Chunks } from './file-bytes.ts';

/**
 * Reads a file whose request names an encoding of one byte a character, as programs do by habit: a text with other letters
 * than ASCII that is valid UTF-8 is UTF-8. Returns the encoding and the bytes, which are held until it is certain.
 *
 * @param label the name of the encoding; a file with one that is not known is read as UTF-8
 */
export async function withDeclaredCharset(
  chunks: Chunks,
  label: string,
): Promise<{ readonly chunks: Chunks; readonly charset?: string }> {
  const name = label.toLowerCase();
  const charset = OF_UTF_8.has(name) ? null : charsetOf(name);
  if (charset === null) return { chunks };
  if (charset === 'utf-8' || charset.startsWith('utf-16')) return { chunks, charset };
  const held: Uint8Array[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let isUtf8 = true;
  const decode = (bytes: Uint8Array, stream: boolean) => {
    try {
      decoder.decode(bytes, { stream });
    } catch {
      isUtf8 = false;
    }
  };
  for await (const chunk of chunks) {
    held.push(Uint8Array.from(chunk));
    if (isUtf8) decode(chunk, true);
  }
  if (isUtf8) decode(new Uint8Array(), false);
  return isUtf8 ? { chunks: held } : { chunks: held, charset };
}

// Of clients that name the encoding of their own texts, which UTF-8 contains.
const OF_UTF_8: ReadonlySet<string> = new Set(['us-ascii', 'ascii']);
