import { countClicks, type Pack } from './pack.ts';

// Some megabytes: a pack of a busy second has 100 KB.
const MAX_PACKS = 500;

/**
 * The packs that a process has given to a queue which ends with it, until they are counted. Of the newest it keeps the
 * clicks, of all their number.
 */
export class QueuedPacks {
  readonly #packs = new Map<string, Pack>();
  readonly #clicks = new Map<string, number>();

  add(pack: Pack): void {
    this.#packs.set(pack.id, pack);
    this.#clicks.set(pack.id, countClicks(pack.groups));
    const [oldest] = this.#packs.keys();
    if (this.#packs.size > MAX_PACKS && oldest !== undefined) this.#packs.delete(oldest);
  }

  /** Forgets a pack that is counted. */
  delete(id: string): void {
    this.#packs.delete(id);
    this.#clicks.delete(id);
  }

  list(): readonly Pack[] {
    return [...this.#packs.values()];
  }

  /** How many clicks are not counted yet. */
  get clicks(): number {
    return [...this.#clicks.values()].reduce((sum, clicks) => sum + clicks, 0);
  }
}
