/**
 * The rules of a robots.txt for one crawler, by RFC 9309. Its text comes from a stranger, so that rules and their
 * patterns have limits, and a pattern is compared piece by piece, and never again from the start.
 */

/** True if a crawler may request a path with its query. */
export type RobotRules = (path: string) => boolean;

/** The number of bytes that are read, as many as a crawler must be able to (RFC 9309, section 2.5). */
export const MAX_ROBOTS_BYTES = 500 * 1024;

/** Rules of a group beyond these are left out, and so are those with a longer pattern. */
const MAX_RULES = 1000;
const MAX_PATTERN = 500;

interface Rule {
  readonly allows: boolean;
  readonly pattern: string;
}

/** @param crawler the product token, in lower case */
export function readRobots(text: string, crawler: string): RobotRules {
  const rules = rulesFor(text, crawler);
  return (path) => {
    const target = normalised(path);
    // The longest pattern decides, and of two as long the one that allows.
    let decisive: Rule | null = null;
    for (const rule of rules) {
      const isLonger = decisive === null || rule.pattern.length > decisive.pattern.length;
      const isAsLong = decisive !== null && rule.pattern.length === decisive.pattern.length && rule.allows;
      if ((isLonger || isAsLong) && fits(rule.pattern, target)) decisive = rule;
    }
    return decisive?.allows ?? true;
  };
}

/** All groups that name the crawler count together; those for `*` where none does. */
function rulesFor(text: string, crawler: string): readonly Rule[] {
  const [own, others]: [Rule[], Rule[]] = [[], []];
  let [isNamed, isOwn, isOthers, isBeginning] = [false, false, false, false];
  for (const line of text.replace(/^\u{feff}/u, '').split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^\s*([a-z-]+)\s*:([^#]*)/i.exec(line) ?? [];
    switch (key.toLowerCase()) {
      case 'user-agent': {
        // Agents in a row share the rules that follow.
        if (!isBeginning) [isOwn, isOthers] = [false, false];
        isBeginning = true;
        const [agent = ''] = /^[a-z_-]+|^\*/i.exec(value.trim()) ?? [];
        if (agent === '*') isOthers = true;
        else if (agent.toLowerCase() === crawler) [isNamed, isOwn] = [true, true];
        break;
      }
      case 'allow':
      case 'disallow': {
        isBeginning = false;
        const pattern = value.trim();
        // An empty pattern is no rule.
        if (pattern === '' || pattern.length > MAX_PATTERN) break;
        const rule = { allows: key.toLowerCase() === 'allow', pattern: normalised(pattern) };
        if (isOwn && own.length < MAX_RULES) own.push(rule);
        if (isOthers && others.length < MAX_RULES) others.push(rule);
        break;
      }
    }
  }
  return isNamed ? own : others;
}

// Escapes are compared as octets (section 2.2.2): those of unreserved characters are decoded, all others are in upper
// case.
function normalised(path: string): string {
  return path
    .replaceAll(/[^\x21-\x7E]/gu, (character) => (character.isWellFormed() ? encodeURIComponent(character) : ''))
    .replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    });
}

/** `*` stands for any characters, and a final `$` for the end. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [first = '', ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let from = first.length;
  const last = isWhole ? pieces.pop() : undefined;
  for (const piece of pieces) {
    const at = path.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  if (!isWhole) return true;
  return last === undefined ? from === path.length : path.length - last.length >= from && path.endsWith(last);
}
