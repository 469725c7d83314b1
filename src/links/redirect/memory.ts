import { bytesOf } from '../fields/visitors.ts';
import { BoundedMap } from '../../isolate/bounded-map.ts';
import type { Target } from '../link.ts';

const MAX_BYTES = 8 * 1024 * 1024;
// So that links with long rules do not drive out the others.
const LARGE_BYTES = 2 * 1024;
const MAX_BYTES_OF_LARGE = 2 * 1024 * 1024;
// Rules in memory: the parsed texts, and what is compiled of them.
const BYTES_PER_CHARACTER_OF_EXTRAS = 6;
const MAX_SPELLINGS = 2000;
// Longer paths are looked up each time, so that what visitors invent takes at most a few megabytes.
const MAX_UNITS_OF_SPELLING = 300;
// The memory of an entry besides its texts: the map's slot, the objects, the numbers.
const ENTRY_OVERHEAD_BYTES = 300;

interface Entry {
  readonly target: Target;
  readonly bytes: number;
  readonly rememberedAt: number;
}

/** The stored slug of a path that is spelled otherwise. */
interface Spelling {
  readonly slug: string;
  readonly rememberedAt: number;
}

/**
 * The targets that an isolate remembers, by address: at most 8 MiB of them, where those of more than 2 KiB share 2
 * MiB, and each for a limited time; the oldest is dropped first. Of two states of an address the one with the higher
 * revision stays, so that a slow look-up that began before an edit cannot undo it. Beside them are the stored slugs of at
 * most 2,000 paths that are spelled otherwise, such as in another case.
 */
export class Memory {
  readonly #lifetimeMs: number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  /** The keys of large entries, the oldest first. */
  readonly #large = new Set<string>();
  #bytesOfLarge = 0;
  readonly #spellings = new BoundedMap<string, Spelling>(MAX_SPELLINGS);

  /** @param lifetimeMs how long a state may be answered from memory, in milliseconds; 0 remembers nothing */
  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  find(key: string): Target | null {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#isFresh(entry) ? entry.target : null;
  }

  get hasSpellings(): boolean {
    return this.#spellings.size > 0;
  }

  /** The stored slug of a path that is spelled otherwise, or null. */
  slugAt(key: string): string | null {
    const spelling = this.#spellings.get(key);
    return spelling !== undefined && this.#isFresh(spelling) ? spelling.slug : null;
  }

  rememberSpelling(key: string, slug: string): void {
    if (this.#lifetimeMs > 0 && key.length <= MAX_UNITS_OF_SPELLING)
      this.#spellings.set(key, { slug, rememberedAt: Date.now() });
  }

  /** Call this when a link is created or edited at the address: it is what paths with this key mean, and those below it. */
  forgetSpellings(key: string): void {
    this.#spellings.delete(key);
    // On the service's own host, whose keys begin with the slash, no link is below another.
    if (!key.startsWith('/')) forgetPrefix(this.#spellings, `${key}/`);
  }

  /** The state that could be answered at an instant, or was remembered since, however long ago that is. */
  findFrom(key: string, instant: number): Target | null {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#isFrom(entry, instant) ? entry.target : null;
  }

  /** `slugAt` of an instant, as `findFrom`. */
  slugFrom(key: string, instant: number): string | null {
    const spelling = this.#spellings.get(key);
    return spelling !== undefined && this.#isFrom(spelling, instant) ? spelling.slug : null;
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
    forgetPrefix(this.#spellings, prefix);
  }

  // A clock that was set back must not make an entry live longer.
  #isFresh({ rememberedAt }: { readonly rememberedAt: number }): boolean {
    const ageMs = Date.now() - rememberedAt;
    return ageMs >= 0 && ageMs < this.#lifetimeMs;
  }

  #isFrom({ rememberedAt }: { readonly rememberedAt: number }, instant: number): boolean {
    return rememberedAt + this.#lifetimeMs > instant;
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

function forgetPrefix(spellings: Map<string, Spelling>, prefix: string): void {
  for (const key of spellings.keys()) if (key.startsWith(prefix)) spellings.delete(key);
}

function bytesOfExtras({ extras }: Target): number {
  return extras === null ? 0 : BYTES_PER_CHARACTER_OF_EXTRAS * JSON.stringify(extras).length;
}
