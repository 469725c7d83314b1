import type { Click } from './click.ts';
import { ClickGroups, type ClickGroup } from './groups.ts';

/** Sends clicks on their way for good: it never fails, it logs. */
export type Send = (groups: readonly ClickGroup[]) => Promise<void>;
/** Goes on with work after the answer (`waitUntil`). */
export type Defer = (work: Promise<unknown>) => void;

const QUIET_MS = 1000;
const OVERDUE_MS = 1500;
const FULL_BYTES = 4_000_000;

/**
 * The clicks an isolate has not sent yet. After a quiet second a click is sent at once; otherwise the first to be
 * buffered leads: it waits, then sends all that gathered. Whoever fills the buffer sends it, and whoever
 * finds it overdue, its leader having died, takes over. It holds plain values only, and nobody awaits another's promise.
 */
export class ClickBuffer {
  readonly #waitMs: number;
  #gathered = new ClickGroups();
  #openedAt = 0;
  #lastClickAt = -Infinity;

  /** @param waitMs how long the leader gathers, in milliseconds; 0 sends each click by itself */
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
      return defer(this.#lead(gathered, send));
    }
    const isOverdue = Math.abs(at - this.#openedAt) > this.#waitMs + OVERDUE_MS - QUIET_MS;
    if (gathered.bytes >= FULL_BYTES || isOverdue) defer(send(this.#take()));
  }

  #take(): readonly ClickGroup[] {
    const taken = this.#gathered;
    this.#gathered = new ClickGroups();
    return taken.list();
  }

  // Whether the buffer is still the one it led from: if another has sent that, the next one has a leader of its own.
  async #lead(gathered: ClickGroups, send: Send): Promise<void> {
    await scheduler.wait(this.#waitMs);
    if (this.#gathered === gathered) await send(this.#take());
  }
}
