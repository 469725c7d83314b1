/**
 * The time for which an isolate may respond with the state of a link before another isolate changed it, in addition to
 * `MEMORY_SECONDS`: at most the sum of these, in seconds, or the lag of a replica of the database if that is longer. KV
 * gets nothing from a replica, so the two are not added.
 */
export const STALENESS_SECONDS = {
  /**
   * KV caches entries near each reader: this is its least `cacheTtl`. Source:
   * https://developers.cloudflare.com/kv/platform/limits/
   */
  kvCache: 30,
  /**
   * The delay of KV itself: "60 seconds or more". Source:
   * https://developers.cloudflare.com/kv/concepts/how-kv-works/#consistency
   */
  kvPropagation: 60,
  /** The interval at which an isolate compares a link from KV with the database. */
  check: 60,
} as const;

/**
 * The time for which an isolate relies on the list of entries that KV did not take, in seconds. It is not added: an
 * entry on the list is not asked of KV, and this is less than the sum above.
 */
export const UNWRITTEN_SECONDS = 120;
