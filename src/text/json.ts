/** Parses a JSON text (RFC 8259) without lone surrogates. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, refuseBrokenText);
}

/** JSON in which some characters of texts are written as escapes: a parser reads the same value. */
export function escapedJson(value: unknown, characters: RegExp): string {
  return JSON.stringify(value).replaceAll(characters, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => String.raw`\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/**
 * True if a value is nested at most so many levels deep; no further levels are visited. `JSON.stringify` is recursive,
 * and overflows the stack at some thousand levels, which `JSON.parse` accepts.
 */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}

/**
 * True if all numbers of a value are those that were sent: numbers in JSON may have any length, those of JavaScript
 * have 53 bits. Recursive: the value must be shallow.
 */
export function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return typeof value !== 'object' || value === null || Object.values(value).every(hasExactNumbers);
}

// A lone surrogate can be written in JSON, but can neither be stored nor sent.
function refuseBrokenText(_: string, value: unknown): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('a lone surrogate');
  return value;
}
