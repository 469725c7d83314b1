/** Bytes up to a bound; more are counted, not kept. */
export class BoundedBytes {
  length = 0;
  readonly #bytes: Uint8Array;

  constructor(max: number) {
    this.#bytes = new Uint8Array(max);
  }

  get isTooLong(): boolean {
    return this.length > this.#bytes.length;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  add(byte: number): void {
    if (this.length < this.#bytes.length) this.#bytes[this.length] = byte;
    this.length += 1;
  }

  addAll(bytes: Uint8Array): void {
    const room = this.#bytes.length - this.length;
    if (room > 0) this.#bytes.set(bytes.subarray(0, room), this.length);
    this.length += bytes.length;
  }

  clear(): void {
    this.length = 0;
  }

  /** Leaves out what was added after that length. */
  cut(length: number): void {
    this.length = Math.min(this.length, length);
  }
}
