import type { Click } from './click.ts';
import { PackSize } from './pack.ts';

/** Sends clicks on their way for good: it never fails, it logs. */
export type Send = (clicks: readonly Click[]) => Promise<void>;
/** Goes on with work after the answer (`waitUntil`). */
export type Defer = (work: Promise<unknown>) => void;

const QUIET_MS = 1000;
const OVERDUE_MS = 1500;
// A message may hold 128 KB, and the estimate is high rather than low.
const FULL_BYTES = 100_000;

/**
 * The clicks an isolate has not sent yet. After a quiet second a click is sent at once; otherwise the first to be
 * buffered leads: it waits, then sends all that gathered as one message. Whoever fills the buffer sends it, and whoever
 * finds it overdue, its leader having died, takes over. It holds plain values only, and nobody awaits another's promise.
 */
export class ClickBuffer {
  readonly #waitMs: number;
  #clicks: Click[] = [];
  #size = new PackSize();
  #openedAt = 0;
  #lastClickAt = -Infinity;

  /** @param waitMs how long the leader gathers, in milliseconds; 0 sends each click by itself */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  add(click: Click, send: Send, defer: Defer): void {
    const { at } = click;
    const isQuiet = at - this.#lastClickAt >= QUIET_MS;
    this.#lastClickAt = at;
    if (this.#clicks.length === 0) {
      if (isQuiet || this.#waitMs === 0) return defer(send([click]));
      this.#openedAt = at;
      this.#push(click);
      return defer(this.#lead(this.#clicks, send));
    }
    this.#push(click);
    if (this.#size.bytes >= FULL_BYTES || at - this.#openedAt > this.#waitMs + OVERDUE_MS - QUIET_MS)
      defer(send(this.#take()));
  }

  #push(click: Click): void {
    this.#clicks.push(click);
    this.#size.add(click);
  }

  #take(): readonly Click[] {
    const taken = this.#clicks;
    this.#clicks = [];
    this.#size = new PackSize();
    return taken;
  }

  // Whether the buffer is still the one it led from: if another has sent that, the next one has a leader of its own.
  async #lead(led: readonly Click[], send: Send): Promise<void> {
    await scheduler.wait(this.#waitMs);
    if (this.#clicks === led) await send(this.#take());
  }
}
