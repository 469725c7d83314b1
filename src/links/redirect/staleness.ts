/**
 * For how long at most an isolate may answer a link as it was before another isolate changed it, beside `MEMORY_SECONDS`:
 * the sum of these, in seconds.
 */
export const STALENESS_SECONDS = {
  /** What KV keeps near whoever asked: its least `cacheTtl`. Source: https://developers.cloudflare.com/kv/platform/limits/ */
  kvCache: 30,
  /** KV's own: "60 seconds or more". Source: https://developers.cloudflare.com/kv/concepts/how-kv-works/#consistency */
  kvPropagation: 60,
  /** An isolate compares a link that it has from KV with the database this often. */
  check: 60,
} as const;
