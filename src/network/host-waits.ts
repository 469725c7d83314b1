import { BoundedMap } from '../isolate/bounded-map.ts';
import { hostnameOf } from './hosts.ts';
import { retryAfterOf } from './retry-after.ts';

/** The statuses whose `Retry-After` asks every client to wait; after a redirect it says something else. */
const WAITING = new Set([429, 503]);
const MAX_WAIT_MS = 24 * 3_600_000;
const MAX_REMEMBERED = 10_000;

/** The hosts that ask to be left alone for a while, by `Retry-After`. */
export class HostWaits {
  readonly #until = new BoundedMap<string, number>(MAX_REMEMBERED);

  /** Takes from a response how long its host wants to be left alone, for a day at most. */
  heed(url: URL, response: Response): void {
    if (!WAITING.has(response.status)) return;
    const now = Date.now();
    const until = retryAfterOf(response, now);
    if (until !== null) this.#until.set(hostnameOf(url), Math.min(until, now + MAX_WAIT_MS));
  }

  /** The instant until which a host wants to be left alone, in milliseconds since the epoch; null if it does not. */
  closedUntil(host: string): number | null {
    const until = this.#until.get(host) ?? 0;
    return until > Date.now() ? until : null;
  }
}
