import { DAY_MS, HOUR_MS } from '../time/day.ts';

/** When it is set for after a failure. The platform itself gives up an alarm after six. */
export const RETRY_MS = 60_000;

/** The alarm of an object. */
export class Alarm {
  readonly #storage: DurableObjectStorage;
  readonly #notBefore: () => number;
  /** When it is set for; undefined before that is known. */
  #at: number | null | undefined;

  /** @param notBefore the earliest time for it, in milliseconds since the epoch */
  constructor(storage: DurableObjectStorage, notBefore: () => number) {
    this.#storage = storage;
    this.#notBefore = notBefore;
  }

  // Each call to the storage writes a row, so that an alarm that is early enough stays.
  async set(wanted: number): Promise<void> {
    const at = Math.max(wanted, this.#notBefore());
    if (this.#at === undefined) this.#at = await this.#storage.getAlarm();
    if (this.#at !== null && this.#at <= at) return;
    await this.#storage.setAlarm(at);
    this.#at = at;
  }

  /** Notes that it has come. */
  hasCome(): void {
    this.#at = null;
  }

  async remove(): Promise<void> {
    await this.#storage.deleteAlarm();
    this.#at = null;
  }
}

// The first hour is not that of midnight, when many objects would wake at once.
export function nextDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS + Math.floor(Math.random() * 4 * HOUR_MS);
}
