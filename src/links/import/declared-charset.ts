import type { Chunks } from './file-bytes.ts';

/**
 * Reads a file whose request names an encoding of one byte a character, as programs do by habit: a text with other letters
 * than ASCII that is valid UTF-8 is UTF-8. Returns the encoding and the bytes, which are held until it is certain.
 *
 * @param charset the encoding that the request names, as `charsetIn`
 */
export async function withDeclaredCharset(
  chunks: Chunks,
  charset: string | undefined,
): Promise<{ readonly chunks: Chunks; readonly charset?: string }> {
  if (charset === undefined) return { chunks };
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
