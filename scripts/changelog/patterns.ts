/** The change of the set of matching texts. */
type Change = 'none' | 'widened' | 'narrowed';

// A lookaround. Without it a pattern matches the same texts or more.
const LOOKAROUND = /\(\?<?[!=](?:[^()\\]|\\.)*\)/g;
// One class of characters with a number of repetitions: `^[a-z]{1,64}$`.
const ONE_CLASS = /^\^(?<characters>\[(?:[^\]\\]|\\.)+\]|\\[pP]\{\w+\})(?<times>[*+?]|\{\d+(?:,\d*)?\}|)\$$/;

/**
 * The change of the set of matching texts when one pattern replaces another, or null if that is not known. It is known
 * for patterns of one class of characters, with or without lookarounds.
 */
export function patternChange(before: string, after: string): Change | null {
  const [old, now] = [ONE_CLASS.exec(unconditional(before))?.groups, ONE_CLASS.exec(after)?.groups];
  if (!old || !now || old['times'] !== now['times']) return null;
  const change = classChange(old['characters'] ?? '', now['characters'] ?? '');
  if (before === unconditional(before)) return change;
  return change === 'none' || change === 'widened' ? 'widened' : null;
}

function unconditional(pattern: string): string {
  return pattern.replaceAll(LOOKAROUND, '');
}

const LAST = 0x10ffff;

function classChange(before: string, after: string): Change | null {
  if (before === after) return 'none';
  const [old, now] = [before, after].map((characters) => new RegExp(`^${characters}$`, 'u'));
  let [gained, lost] = [false, false];
  for (let code = 0; code <= LAST; code++) {
    const character = String.fromCodePoint(code);
    const [was, is] = [old?.test(character), now?.test(character)];
    if (was !== is) [gained, lost] = [gained || is === true, lost || was === true];
  }
  if (gained && lost) return null;
  return gained ? 'widened' : lost ? 'narrowed' : 'none';
}
