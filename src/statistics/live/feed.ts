import { countedOf, FIRST_POSITION, isAfter, type Counted, type ClickPosition } from './counted-clicks.ts';
import type { IsOther } from '../append/append.ts';
import type { DeliveredGroup, Delivery } from '../append/delivery.ts';
import { View } from './view.ts';

/** The content of a view. */
export interface Watched {
  /** The only link whose clicks are shown, by id; null for all. */
  readonly link: string | null;
  /** Clicks after this place are shown as far as they were counted in the last minute; null for those from now on. */
  readonly after: ClickPosition | null;
}

/** The most views at a time. */
export const MAX_VIEWS = 20;
/** For how long a view can continue where another one ended. */
export const KEPT_MS = 60_000;
/** The number of clicks that are kept for that. */
export const MAX_KEPT = 5000;

// Longer than a view lasts.
const LONGEST_VIEW_MS = 16 * 60_000;
// The end of a reader is noticed by the next write only. Source: https://github.com/cloudflare/workerd/pull/7298
const BEAT_MS = 2000;

/** The views of clicks as they are counted. While there are none, a delivery costs nothing more. */
export class Feed {
  readonly #views = new Set<View>();
  /** The clicks of the last minute in order; null if they were not noted. */
  #kept: Counted[] | null = null;
  #keptUntil = 0;
  #last: ClickPosition = FIRST_POSITION;
  #beating: ReturnType<typeof setInterval> | undefined;

  /**
   * Clicks from now on, as lines of JSON in UTF-8: a `FeedLine` each, or an empty line every few seconds. Null if there
   * are `MAX_VIEWS` already.
   *
   * @param readKept reads the clicks of the last minute from where they are stored
   */
  watch({ link, after }: Watched, now: number, readKept: () => Counted[]): ReadableStream<Uint8Array> | null {
    if (!this.hasRoom(now)) return null;
    const noted = this.#isKeeping(now) ? this.#kept : null;
    const kept = noted === null ? readKept() : lastMinute(noted, now);
    this.#kept = kept;
    const last = kept.at(-1);
    if (last && isAfter(last, this.#last)) this.#last = last;
    const view = new View(link, now, () => this.#leave(view, false));
    this.#views.add(view);
    this.#beating ??= setInterval(() => this.#beat(), BEAT_MS);
    if (after !== null) view.show(kept, after);
    return view.stream;
  }

  /** True if there can be one more view. */
  hasRoom(now: number): boolean {
    this.#endForgotten(now);
    return this.#views.size < MAX_VIEWS;
  }

  /**
   * @param groups those of the delivery that are stored, and not delivered before
   * @param isOther whether a word is stored as `other`
   */
  publish(delivery: Delivery, groups: readonly DeliveredGroup[], now: number, isOther: IsOther = () => false): void {
    if (groups.length === 0 || !this.#isKeeping(now)) return;
    const counted = countedOf(delivery, groups, this.#last, now, isOther);
    this.#last = counted.at(-1)!;
    this.#kept = lastMinute([...(this.#kept ?? []), ...counted].slice(-MAX_KEPT), now);
    for (const view of this.#views) view.show(counted, null);
  }

  /** Ends all views, as when the statistics are erased. */
  end(): void {
    for (const view of this.#views) this.#leave(view, true);
    this.#kept = null;
    this.#keptUntil = 0;
  }

  /** True if there is a view, or was one in the last minute. */
  #isKeeping(now: number): boolean {
    if (this.#views.size > 0) return true;
    if (now >= this.#keptUntil) this.#kept = null;
    return this.#kept !== null;
  }

  #leave(view: View, isEnded: boolean): void {
    this.#views.delete(view);
    this.#keptUntil = Date.now() + KEPT_MS;
    if (isEnded) view.end();
    if (this.#views.size > 0) return;
    clearInterval(this.#beating);
    this.#beating = undefined;
  }

  // A reader that neither reads nor leaves would keep the object in memory.
  #endForgotten(now: number): void {
    for (const view of this.#views) if (now - view.begunAt > LONGEST_VIEW_MS) this.#leave(view, true);
  }

  #beat(): void {
    this.#endForgotten(Date.now());
    for (const view of this.#views) view.beat();
  }
}

/** @param clicks in the order of their counting */
function lastMinute(clicks: readonly Counted[], now: number): Counted[] {
  const first = clicks.findIndex(({ countedAt }) => countedAt > now - KEPT_MS);
  return first === -1 ? [] : clicks.slice(first);
}
