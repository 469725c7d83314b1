import { bytesOf } from '../fields/visitors.ts';
import type { Target } from '../link.ts';

const MAX_BYTES = 8 * 1024 * 1024;
// So that links with long rules do not drive out the others.
const LARGE_BYTES = 2 * 1024;
const MAX_BYTES_OF_LARGE = 2 * 1024 * 1024;
// Rules in memory: the parsed texts, and what is compiled of them.
const BYTES_PER_CHARACTER_OF_EXTRAS = 6;
// The memory of an entry besides its texts: the map's slot, the objects, the numbers.
const ENTRY_OVERHEAD_BYTES = 300;

interface Entry {
  readonly target: Target;
  readonly bytes: number;
  readonly rememberedAt: number;
}

/**
 * The targets that an isolate remembers, by address: at most 8 MiB of them, where those of more than 2 KiB share 2
 * MiB, and each for a limited time; the oldest is dropped first. Of two states of an address the one with the higher
 * revision stays, so that a slow look-up that began before an edit cannot undo it.
 */
export class Memory {
  readonly #lifetimeMs: number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  /** The keys of large entries, the oldest first. */
  readonly #large = new Set<string>();
  #bytesOfLarge = 0;

  /** @param lifetimeMs how long a state may be answered from memory, in milliseconds; 0 remembers nothing */
  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  find(key: string): Target | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    // A clock that was set back must not make an entry live longer.
    const ageMs = Date.now() - entry.rememberedAt;
    return ageMs >= 0 && ageMs < this.#lifetimeMs ? entry.target : null;
  }

  /** Remembers a state, and returns the one to answer with: this one, or a newer one that was remembered meanwhile. */
  remember(key: string, target: Target): Target {
    const newer = this.find(key);
    if (newer !== null && newer.revision > target.revision) return newer;
    this.replace(key, target);
    return target;
  }

  /** Remembers a state, even in place of a newer one. */
  replace(key: string, target: Target): void {
    this.forget(key);
    if (this.#lifetimeMs > 0) this.#add(key, target);
  }

  forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
    if (this.#large.delete(key)) this.#bytesOfLarge -= entry.bytes;
  }

  /** Forgets every key with this prefix. */
  forgetAll(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.forget(key);
  }

  #add(key: string, target: Target): void {
    // Keys may be Unicode, and take two bytes for each character.
    const bytes = 2 * key.length + bytesOfExtras(target) + bytesOf(target) + ENTRY_OVERHEAD_BYTES;
    this.#entries.set(key, { target, bytes, rememberedAt: Date.now() });
    this.#bytes += bytes;
    if (bytes > LARGE_BYTES) {
      this.#large.add(key);
      this.#bytesOfLarge += bytes;
      for (const oldest of this.#large) {
        if (this.#bytesOfLarge <= MAX_BYTES_OF_LARGE) break;
        this.forget(oldest);
      }
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.forget(oldest);
    }
  }
}

function bytesOfExtras({ extras }: Target): number {
  return extras === null ? 0 : BYTES_PER_CHARACTER_OF_EXTRAS * JSON.stringify(extras).length;
}
