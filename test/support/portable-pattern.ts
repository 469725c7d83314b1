/**
 * The part of a regular expression that some language rejects or reads differently; null if there is none. Patterns of
 * the API document are compiled by JavaScript, Python (`re`), Go (RE2), Java and others.
 */
export function unportablePart(pattern: string): string | null {
  for (let at = 0; at < pattern.length;) {
    const [token = pattern.slice(at, at + 1)] = TOKENS.exec(pattern.slice(at)) ?? [];
    if (!isPortable(token)) return token;
    at += token.length;
  }
  return null;
}

// A class as a whole, a group's head, an escape, a repetition, or one character.
const TOKENS = /^(?:\[\^?(?:[^\]\\]|\\.)*\]|\(\?<?[^)]?|\\(?:x[0-9a-f]{2}|.)|\{[^}]*\}[?+]?|[*+?][?+]?|[^])/u;

// Letters after a backslash mean different things in other languages, or nothing; other characters mean themselves.
// `\d` matches more digits in other languages, never fewer.
const ESCAPE = /^\\(?:x[0-9a-f]{2}|[dnrt]|[^\w\s])$/;
const CLASS = /^\[\^?(?:\\(?:x[0-9a-f]{2}|[dnrt]|[^\w\s])|[^\\[\]&~|\u{80}-\u{10ffff}]|(?<![&~|])[&~|](?![&~|]))+\]$/u;
const MAX_REPETITIONS = 1000;

function isPortable(token: string): boolean {
  if (token.startsWith('\\')) return ESCAPE.test(token);
  if (token.startsWith('[')) return CLASS.test(token);
  if (token.startsWith('(?')) return token === '(?:';
  if (token.startsWith('{')) return isRepetition(token);
  return !/^[*+?]./.test(token) && token !== '}' && token !== ']' && /^\p{ASCII}*$/u.test(token);
}

// RE2 allows no more than this.
function isRepetition(token: string): boolean {
  const [, least = '', most = least] = /^\{(\d+)(?:,(\d*))?\}$/.exec(token) ?? [];
  return least !== '' && Number(least) <= MAX_REPETITIONS && Number(most) <= MAX_REPETITIONS;
}
