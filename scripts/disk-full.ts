/** The sentence for a disk that is full, whatever failed because of it. */
const FULL = 'The disk is full: free some space, then run the same command again.';

// What Node, SQLite, D1 and workerd say.
const SAYS_FULL =
  /\bENOSPC\b|\bEDQUOT\b|\bSQLITE_FULL\b|database or disk is full|no space left on device|disk quota exceeded/i;

/** The sentence above if an error, or one that has caused it, says that there is no room; else null. */
export function diskFullSentence(error: unknown): string | null {
  const seen = new Set<unknown>();
  for (let each = error; each instanceof Error && !seen.has(each); each = each.cause) {
    seen.add(each);
    const code = 'code' in each ? String(each.code) : '';
    if (SAYS_FULL.test(`${code} ${each.message}`)) return FULL;
  }
  return null;
}
