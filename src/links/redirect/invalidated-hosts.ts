import { BoundedMap } from '../../isolate/bounded-map.ts';
import { logProblem } from '../../isolate/log.ts';
import { TIMEOUT_MS, withTimeout } from '../../bounds/timeouts.ts';
import { STALENESS_SECONDS } from './staleness.ts';

// Longer than the lifetime of any entry of the cache.
const LIFETIME_SECONDS = 2 * 24 * 3600;
const KNOWN_MS = STALENESS_SECONDS.kvCache * 1000;
const MAX_HOSTS = 2000;
// The clocks of two data centres differ a little.
const LEEWAY_MS = 2000;
const TRIES = 3;
// KV takes one write a second for each key.
const RETRY_MS = 1100;

const PREFIX = 'forgotten:';

/** The key of the entry by which all older ones of a host are invalid. */
export const invalidationKeyOf = (host: string): string => `${PREFIX}${host}`;

/** The host of such a key; null if the key is that of a link. */
export const hostOfKey = (key: string): string | null => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : null);

/** Writes that entry. Throws if KV does. */
export async function writeInvalidation(kv: KVNamespace, host: string, at = invalidFrom()): Promise<void> {
  const put = kv.put(invalidationKeyOf(host), String(at), { expirationTtl: LIFETIME_SECONDS });
  await withTimeout(TIMEOUT_MS.kvWrite, put);
}

const invalidFrom = () => Date.now() + LEEWAY_MS;

interface Known {
  /** Milliseconds since the epoch; 0 if the host was not forgotten. */
  readonly at: number;
  readonly readAt: number;
}

/**
 * The time since when KV entries of a host may be used. A host that is removed or gets another owner may have any
 * number of entries, and one request could delete only some hundreds. So one KV entry for the host says that all
 * older ones are invalid.
 */
export class InvalidatedHosts {
  readonly #known = new BoundedMap<string, Known>(MAX_HOSTS);

  /** True if an entry stored at an instant may still be used. False if KV does not answer. */
  async isCurrent(kv: KVNamespace, host: string, storedAt: number): Promise<boolean> {
    // The service's own host is never forgotten.
    if (host === '') return true;
    try {
      return storedAt > (await this.#forgottenAt(kv, host));
    } catch (cause) {
      logProblem('kv_get_failed', cause);
      return false;
    }
  }

  /**
   * Invalidates all present KV entries of a host: here at once, elsewhere as soon as an edit takes effect. Throws if KV
   * does.
   */
  async forget(kv: KVNamespace, host: string): Promise<void> {
    const at = invalidFrom();
    this.#remember(host, at);
    for (let tries = 1; ; tries++) {
      try {
        return await writeInvalidation(kv, host, at);
      } catch (cause) {
        if (tries === TRIES) throw cause;
        await scheduler.wait(RETRY_MS);
      }
    }
  }

  async #forgottenAt(kv: KVNamespace, host: string): Promise<number> {
    const known = this.#known.get(host);
    if (known && Math.abs(Date.now() - known.readAt) < KNOWN_MS) return known.at;
    const text = await withTimeout(
      TIMEOUT_MS.kvRead,
      kv.get(invalidationKeyOf(host), { cacheTtl: STALENESS_SECONDS.kvCache }),
    );
    // KV may not have this isolate's own write yet.
    const at = Math.max(Number(text ?? 0), known?.at ?? 0);
    this.#remember(host, at);
    return at;
  }

  #remember(host: string, at: number): void {
    this.#known.set(host, { at, readAt: Date.now() });
  }
}
