import type { NoTarget } from '../link.ts';
import { foldSlug } from '../slugs/slug.ts';

const LIFETIME_MS = 60 * 1000;
const MAX_ENTRIES = 4000;
const MAX_BYTES = 1024 * 1024;
// The memory of an entry besides its strings.
const ENTRY_OVERHEAD_BYTES = 200;

interface Entry {
  readonly answer: NoTarget;
  /** The key without case. */
  readonly folded: string;
  readonly bytes: number;
  readonly storedAt: number;
}

/**
 * Addresses on custom domains at which this isolate has found no link, each kept for a minute: at most 4,000 and 1 MiB;
 * the oldest is dropped first. Repeated requests for such an address do not reach the database. A link that another
 * isolate creates there is found within a minute.
 */
export class MissingAddresses {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #generation = 0;

  /** Grows with every new link of this isolate. A look-up that began with an earlier value may have missed a link. */
  get generation(): number {
    return this.#generation;
  }

  find(key: string): NoTarget | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    const ageMs = Date.now() - entry.storedAt;
    if (ageMs >= 0 && ageMs < LIFETIME_MS) return entry.answer;
    this.#remove(key);
    return null;
  }

  /** The response of several keys, if all of them are known to have no link. */
  findAll(keys: readonly string[]): NoTarget | null {
    const found = keys.map((key) => this.find(key));
    return found.includes(null) ? null : (found[0] ?? null);
  }

  /** @param generation the value of `generation` before the look-up */
  add(key: string, response: NoTarget, generation: number): void {
    if (generation !== this.#generation) return;
    this.#remove(key);
    const folded = foldSlug(key);
    // Strings may be Unicode and take two bytes a code unit.
    const bytes = 2 * (key.length + folded.length + (response.notFoundUrl?.length ?? 0)) + ENTRY_OVERHEAD_BYTES;
    this.#entries.set(key, { answer: response, folded, bytes, storedAt: Date.now() });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES && this.#bytes <= MAX_BYTES) break;
      this.#remove(oldest);
    }
  }

  /**
   * Call this when a link is created or edited at the address: it is followed in any case, and one that passes paths on
   * is found below it too.
   */
  forget(key: string): void {
    const folded = this.#entries.size === 0 ? '' : foldSlug(key);
    this.#forgetWhere((entry) => entry.folded === folded || entry.folded.startsWith(`${folded}/`));
  }

  /** Call this when the answers below a key, or those of a whole host, have changed. */
  forgetAll(above: string): void {
    this.#forgetWhere((_entry, key) => key.startsWith(`${above}/`));
  }

  #forgetWhere(isForgotten: (entry: Entry, key: string) => boolean): void {
    this.#generation += 1;
    for (const [key, entry] of this.#entries) if (isForgotten(entry, key)) this.#remove(key);
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
