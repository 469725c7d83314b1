/** What becomes of the texts that match. */
type Change = 'none' | 'widened' | 'narrowed';

// A condition on what surrounds a place. Without it a pattern matches what it has matched, and more.
const LOOKAROUND = /\(\?<?[!=](?:[^()\\]|\\.)*\)/g;
// One class of characters, so or so many times: `^[a-z]{1,64}$`.
const ONE_CLASS = /^\^(?<characters>\[(?:[^\]\\]|\\.)+\]|\\[pP]\{\w+\})(?<times>[*+?]|\{\d+(?:,\d*)?\}|)\$$/;

/**
 * What becomes of the texts that match when one pattern takes the place of another, or null where that cannot be told. It can
 * of patterns that are one class of characters, apart from conditions on the surroundings.
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
