import type { AppLinkFile } from './app-links.ts';

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_ENTRIES = 2000;
// The memory of an entry besides its file and its key.
const ENTRY_OVERHEAD_BYTES = 200;

interface Entry {
  /** The file in UTF-8, or null if the host does not have it. */
  readonly file: Uint8Array<ArrayBuffer> | null;
  readonly bytes: number;
  readonly rememberedAt: number;
}

/**
 * The files of app links that an isolate remembers, by host, and which hosts have none: at most 2,000 and 2 MiB, each for
 * a limited time; the oldest is dropped first.
 */
export class AppLinkMemory {
  readonly #lifetimeMs: number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #generation = 0;

  /** @param lifetimeMs how long a file may be answered from memory, in milliseconds; 0 remembers nothing */
  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** Grows with every change by this isolate. A look-up that began with an earlier value may have found a former file. */
  get generation(): number {
    return this.#generation;
  }

  /** The file, null if the host does not have it, or undefined if that is not remembered. */
  find(host: string, file: AppLinkFile): Uint8Array<ArrayBuffer> | null | undefined {
    const entry = this.#entries.get(keyOf(host, file));
    if (entry === undefined) return undefined;
    // A clock that was set back must not make an entry live longer.
    const ageMs = Date.now() - entry.rememberedAt;
    return ageMs >= 0 && ageMs < this.#lifetimeMs ? entry.file : undefined;
  }

  /** @param generation the value of `generation` before the look-up */
  remember(host: string, file: AppLinkFile, content: Uint8Array<ArrayBuffer> | null, generation: number): void {
    if (generation !== this.#generation || this.#lifetimeMs === 0) return;
    const key = keyOf(host, file);
    this.#remove(key);
    const bytes = key.length + (content?.byteLength ?? 0) + ENTRY_OVERHEAD_BYTES;
    this.#entries.set(key, { file: content, bytes, rememberedAt: Date.now() });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES && this.#bytes <= MAX_BYTES) break;
      this.#remove(oldest);
    }
  }

  /** Call this when the files of a host have changed, or the domain that serves it. */
  forget(host: string): void {
    this.#generation += 1;
    this.#remove(keyOf(host, 'apple_app_site_association'));
    this.#remove(keyOf(host, 'asset_links'));
  }

  forgetAll(): void {
    this.#generation += 1;
    this.#entries.clear();
    this.#bytes = 0;
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

const keyOf = (host: string, file: AppLinkFile) => `${host}/${file}`;
