/** Converts between a list of values and the text of an input, in which commas separate them. */

// What would be read as something else: nothing at all, a separator, a quoted value, spaces that are cut off, and
// characters that an input of one line does not keep.
const NEEDS_QUOTES = /^$|^\s|\s$|^"|[,\p{Cc}\p{Cs}]/u;

/** Values that need it are quoted as JSON strings. */
export function toValueText(values: readonly string[]): string {
  return values.map((value) => (NEEDS_QUOTES.test(value) ? JSON.stringify(value) : value)).join(', ');
}

const SPACES = /\s*/y;
const QUOTED = /"(?:[^"\\]|\\.)*"\s*(?=,|$)/y;
const PLAIN = /[^,]*/y;

/** The values of a text. Empty ones are left out unless they are quoted. */
export function readValueText(text: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    at += (readAt(SPACES, text, at) ?? '').length;
    const quoted = readAt(QUOTED, text, at);
    const value = quoted === null ? null : unquoted(quoted.trimEnd());
    if (quoted !== null && value !== null) {
      values.push(value);
      at += quoted.length;
      continue;
    }
    const plain = readAt(PLAIN, text, at) ?? '';
    if (plain.trim() !== '') values.push(plain.trim());
    at += plain.length;
  }
  return values;
}

function readAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function unquoted(text: string): string | null {
  try {
    return String(JSON.parse(text));
  } catch {
    return null;
  }
}
