import { logProblem } from '../../isolate/log.ts';
import { isTimeout, TIMEOUT_MS, withTimeout } from '../../bounds/timeouts.ts';
import type { CachePause } from './cache-pause.ts';
import { areExtras } from './extras.ts';
import { isVisitorContent } from '../fields/visitors.ts';
import type { Address, Target } from '../link.ts';
import { STALENESS_SECONDS } from './staleness.ts';

/**
 * KV as a cache of hot links: a state of a link under each of its addresses. If KV fails or hangs, redirects are slower
 * but still answered, so every failure here is logged and counts as a miss.
 */

const EXPIRATION_TTL_SECONDS = 24 * 3600;

/** The key of an address, for KV and for memory: a host has no slash, so the first one ends it. */
export function keyOf({ host, slug }: Address): string {
  return `${host}/${slug}`;
}

/** A path as it was requested. */
interface Requested {
  readonly host: string;
  readonly pathname: string;
  /** Null if the path can be no slug. */
  readonly slug: string | null;
}

/** The key of a path, under which memory has the slug that it means. A path that can be no slug has that of no address. */
export const spellingKeyOf = ({ host, pathname, slug }: Requested): string =>
  slug === null ? host + pathname : keyOf({ host, slug });

/** The address of a key; null if the key is that of something else. */
export function addressOfKey(key: string): Address | null {
  const end = key.indexOf('/');
  return end < 0 ? null : { host: key.slice(0, end), slug: key.slice(end + 1) };
}

/** A state of a link as stored in KV. */
interface Cached {
  readonly target: Target;
  /** When it was read from the database, in milliseconds since the epoch. */
  readonly at: number;
}

export async function readCache(kv: KVNamespace, pause: CachePause, key: string): Promise<Cached | null> {
  try {
    const text = await withTimeout(TIMEOUT_MS.kvRead, kv.get(key, { cacheTtl: STALENESS_SECONDS.kvCache }));
    if (pause.isPossible) pause.responded();
    if (text === null) return null;
    const stored = text.length > MAX_CHARACTERS ? null : parse(text);
    if (isEntry(stored)) {
      const { at = 0, ...target } = stored;
      return { target, at };
    }
    throw new TypeError('the entry cannot be parsed');
  } catch (cause) {
    if (isTimeout(cause)) pause.timedOut();
    logProblem('kv_get_failed', cause);
    return null;
  }
}

// Enough for a target of 8,192 characters, each of them escaped, rules and texts of 16 KB, and the rest of an entry.
const MAX_CHARACTERS = 60_000;

// The engine's own error message would put the entry into the log.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Entries of an earlier version have no time. */
type Entry = Target & { readonly at?: number };

// A damaged entry must be a miss, not a broken Location header. Written without a schema, since it runs before every
// redirect from KV, where a schema would cost more than the rest of the look-up.
function isEntry(stored: unknown): stored is Entry {
  if (typeof stored !== 'object' || stored === null) return false;
  const { linkId, clientId, ending, extras, revision, at }: Partial<Record<keyof Entry, unknown>> = stored;
  return (
    (at === undefined || Number.isSafeInteger(at)) &&
    typeof linkId === 'string' &&
    typeof clientId === 'string' &&
    isVisitorContent(stored as Partial<Entry>) &&
    // An entry of an earlier version says nothing of a password or a limit.
    (extras === null || areExtras(extras)) &&
    (ending === null || ending === 'deleted' || ending === 'disabled' || ending === 'blocked') &&
    Number.isSafeInteger(revision)
  );
}

/**
 * Stores a state. Returns false if KV did not confirm it.
 *
 * @param at when it was read from the database, in milliseconds since the epoch
 */
export async function writeCache(kv: KVNamespace, key: string, target: Target, at: number): Promise<boolean> {
  try {
    const put = kv.put(key, JSON.stringify({ ...target, at }), { expirationTtl: EXPIRATION_TTL_SECONDS });
    await withTimeout(TIMEOUT_MS.kvWrite, put);
    return true;
  } catch (cause) {
    logProblem('kv_put_failed', cause);
    return false;
  }
}

/** Deletes an entry. Returns false if KV did not confirm it. */
export async function clearCache(kv: KVNamespace, key: string): Promise<boolean> {
  try {
    await withTimeout(TIMEOUT_MS.kvWrite, kv.delete(key));
    return true;
  } catch (cause) {
    logProblem('kv_delete_failed', cause);
    return false;
  }
}
