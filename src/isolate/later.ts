/**
 * A value that an isolate loads, by a dynamic import, when it is first needed. Each caller imports by itself, since a
 * promise of one request must not be awaited by another; once it is loaded, it is at hand without a promise. A failed
 * import is tried again by the next caller.
 */
export class Later<Value> {
  /** The value, or undefined if it is not loaded yet. */
  loaded: Value | undefined;
  readonly #load: () => Promise<Value>;

  /** @param load imports it, such as `() => import('./module.ts')`; of several results the first one is kept */
  constructor(load: () => Promise<Value>) {
    this.#load = load;
  }

  async load(): Promise<Value> {
    const value = await this.#load();
    return (this.loaded ??= value);
  }

  /** Calls a function with the value: at once if it is loaded. */
  use<Result>(work: (value: Value) => Result | Promise<Result>): Result | Promise<Result> {
    return this.loaded === undefined ? this.load().then(work) : work(this.loaded);
  }
}
