import { BoundedMap } from '../../isolate/bounded-map.ts';

const MAX_LINKS = 2000;
const KNOWN_MS = 60_000;

interface Known {
  readonly revision: number;
  readonly since: number;
}

/**
 * The links for which this isolate knows that all clicks are taken: at most 2,000, the oldest is dropped first. An edit
 * gives the link another revision. Each is known for a minute, since a backup that is restored may have fewer clicks at
 * the same revision.
 */
export class UsedUpLimits {
  readonly #links = new BoundedMap<string, Known>(MAX_LINKS);

  isKnown(linkId: string, revision: number): boolean {
    const known = this.#links.get(linkId);
    return known?.revision === revision && Math.abs(Date.now() - known.since) < KNOWN_MS;
  }

  add(linkId: string, revision: number): void {
    this.#links.set(linkId, { revision, since: Date.now() });
  }
}
