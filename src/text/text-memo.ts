// The memory of an entry besides its text: the map's slot, the string's header, and a small object as value.
const ENTRY_BYTES = 250;

/** The bounds of a memory. */
interface MemoBounds {
  readonly mostEntries: number;
  /** An estimate of what texts and values take together. */
  readonly mostBytes: number;
}

/** Remembers what was computed for each of a bounded number of texts; the oldest is dropped first. */
export class TextMemo<Value> {
  readonly #compute: (text: string) => Value;
  readonly #bounds: MemoBounds;
  readonly #values = new Map<string, { readonly value: Value }>();
  #bytes = 0;

  /** @param compute gives the same value each time that it gets the same text */
  constructor(compute: (text: string) => Value, bounds: MemoBounds) {
    this.#compute = compute;
    this.#bounds = bounds;
  }

  of(text: string): Value {
    const known = this.#values.get(text);
    if (known !== undefined) return known.value;
    const value = this.#compute(text);
    this.#add(text, value);
    return value;
  }

  #add(text: string, value: Value): void {
    this.#values.set(text, { value });
    this.#bytes += bytesOf(text);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#bounds.mostEntries && this.#bytes <= this.#bounds.mostBytes) break;
      this.#values.delete(oldest);
      this.#bytes -= bytesOf(oldest);
    }
  }
}

const bytesOf = (text: string): number => 2 * text.length + ENTRY_BYTES;
