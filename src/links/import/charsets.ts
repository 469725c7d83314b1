/**
 * The encodings of files, by the labels of the Encoding Standard: https://encoding.spec.whatwg.org/#names-and-labels. The
 * scripts of the pages read these too.
 */

/** True if a text names an encoding. */
export const isCharset = (label: string): boolean => charsetOf(label) !== null;

/** The name of an encoding by one of its labels, such as `windows-1252` for `latin1`; null if it is none. */
export function charsetOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** The number of bytes that are enough to find out if a file is in UTF-16. */
const BYTES_TO_RECOGNISE = 512;

/**
 * UTF-16 by its zero bytes, if it has no byte order mark: in a table most characters are ASCII, whose every second byte
 * is zero. Null if the file is not in UTF-16.
 */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const start = bytes.subarray(0, BYTES_TO_RECOGNISE);
  let [even, odd] = [0, 0];
  for (const [index, byte] of start.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const most = Math.max(even, odd);
  if (most < start.length / 8 || Math.min(even, odd) > 0 || most === 0) return null;
  return odd > 0 ? 'utf-16le' : 'utf-16be';
}

/** The likely charset of a file that is not in UTF-8. */
export const guessedCharset = (bytes: Uint8Array): string => utf16Of(bytes) ?? 'windows-1252';
