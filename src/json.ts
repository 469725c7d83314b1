/** Parses a JSON text (RFC 8259) without lone surrogates. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, refuseBrokenText);
}

// A lone surrogate can be written in JSON, but can neither be stored nor sent.
function refuseBrokenText(_: string, value: unknown): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('a lone surrogate');
  return value;
}
