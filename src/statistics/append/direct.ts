import { readState, writeState } from '../schema.ts';

/** The rate of appends and the webhooks of a client decide if clicks may come to its object without the queue. */

/** The result for clicks that came without the queue. */
export interface Offered {
  /** True if they are stored. If not, they have to take the queue. */
  readonly isStored: boolean;
  /** True if the next ones should take the queue, which is cheaper for many. */
  readonly isBusy: boolean;
}

const BUSY_APPENDS = 5;
const BUSY_MS = 10_000;

/** Counts the appends of the last seconds. */
export class AppendRate {
  /** When the last appends were, the oldest first. */
  readonly #at: number[] = [];

  note(now: number): void {
    this.#at.push(now);
    if (this.#at.length > BUSY_APPENDS + 1) this.#at.shift();
  }

  /** True if there were more than five in ten seconds. */
  isBusy(now: number): boolean {
    return this.#at.length > BUSY_APPENDS && now - this.#at[0]! < BUSY_MS;
  }
}

/**
 * For how long a write of a webhook may be under way after the object was called, in milliseconds: D1 takes at most 30 s
 * for a statement. What was read of the database before that may be without the webhook.
 */
export const WRITE_MS = 2 * 60_000;

const ALLOWED = 0;

/**
 * Notes in an object that was emptied or restored that webhooks may have been written, as by a restore of the database:
 * what was read of the database before says nothing of them.
 */
export function expectUnknownWebhooks(sql: SqlStorage, now: number): void {
  writeState(sql, 'click_webhooks_at', now);
}

/**
 * The knowledge that a client may have webhooks for clicks: then its clicks take the queue, since only its consumer
 * records their events. An object that knows nothing, such as a new one, assumes it.
 */
export class ClickWebhooks {
  readonly #sql: SqlStorage;
  /** When one was last about to be written; `ALLOWED` if there are none; null if that is not known. */
  #expectedAt: number | null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#expectedAt = readState(sql, 'click_webhooks_at');
  }

  get mayExist(): boolean {
    return this.#expectedAt !== ALLOWED;
  }

  /** Before one is written. */
  expect(now: number): void {
    this.#set(now);
  }

  /** @param readAt when the database had none, in milliseconds since the epoch */
  exclude(readAt: number): void {
    if (this.mayExist && readAt > (this.#expectedAt ?? 0) + WRITE_MS) this.#set(ALLOWED);
  }

  #set(value: number): void {
    writeState(this.#sql, 'click_webhooks_at', value);
    this.#expectedAt = value;
  }
}
