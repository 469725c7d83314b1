/** Parses a JSON text (RFC 8259) that holds no half characters. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, refuseBrokenText);
}

// Half a character can be written in JSON, and can neither be stored nor sent again.
function refuseBrokenText(_: string, value: unknown): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('a lone surrogate');
  return value;
}
