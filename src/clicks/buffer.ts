import type { Click } from './click.ts';
import { ClickGroups, type ClickGroup } from './groups.ts';

/** Sends clicks, and retries. It never rejects: it logs the clicks that are lost. */
type Send = (groups: readonly ClickGroup[]) => Promise<void>;
/** Continues work after the response (`waitUntil`). */
export type Defer = (work: Promise<unknown>) => void;

const QUIET_MS = 1000;
const OVERDUE_MS = 1500;
const FULL_BYTES = 4_000_000;

/**
 * The clicks that an isolate has not sent yet. After a quiet second a click is sent at once. Otherwise the request of
 * the first buffered click waits, then sends all that has gathered. If the buffer is full, the request that filled it
 * sends it. If it is overdue, the waiting request was cancelled, and the next request sends it. The buffer holds plain
 * values only, since a request must not await a promise of another one.
 */
export class ClickBuffer {
  readonly #waitMs: number;
  #gathered = new ClickGroups();
  #openedAt = 0;
  #lastClickAt = -Infinity;

  /** @param waitMs how long the first click's request waits, in milliseconds; 0 sends each click by itself */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  add(click: Click, send: Send, defer: Defer): void {
    const { at } = click;
    const gathered = this.#gathered;
    const isFirst = gathered.isEmpty;
    const isAlone = isFirst && (at - this.#lastClickAt >= QUIET_MS || this.#waitMs === 0);
    this.#lastClickAt = at;
    gathered.add(click);
    if (isAlone) return defer(send(this.#take()));
    if (isFirst) {
      this.#openedAt = at;
      return defer(this.#sendLater(gathered, send));
    }
    const isOverdue = Math.abs(at - this.#openedAt) > this.#waitMs + OVERDUE_MS - QUIET_MS;
    if (gathered.bytes >= FULL_BYTES || isOverdue) defer(send(this.#take()));
  }

  get isEmpty(): boolean {
    return this.#gathered.isEmpty;
  }

  /** Sends at once what has gathered. */
  async flush(send: Send): Promise<void> {
    if (!this.#gathered.isEmpty) await send(this.#take());
  }

  #take(): readonly ClickGroup[] {
    const taken = this.#gathered;
    this.#gathered = new ClickGroups();
    return taken.list();
  }

  // Sends only the buffer that it waited for: if another request has sent that one, the next buffer has its own waiting
  // request.
  async #sendLater(gathered: ClickGroups, send: Send): Promise<void> {
    await scheduler.wait(this.#waitMs);
    if (this.#gathered === gathered) await send(this.#take());
  }
}
