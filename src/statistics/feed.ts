import { countedOf, FIRST_PLACE, isAfter, type Counted, type Place } from './counted.ts';
import type { DeliveredGroup, Delivery } from './delivery.ts';

/** What a view shows. */
export interface Watched {
  /** The only link whose clicks are shown, by id; null for all. */
  readonly link: string | null;
  /** Clicks after this place are shown as far as they were counted in the last minute; null for those from now on. */
  readonly after: Place | null;
}

/** Clicks, or how many were left out and the place of the last of them: a line of a view. */
export type FeedLine = Counted | (Place & { readonly more: number });

/** The most views at a time. */
export const MOST_VIEWS = 20;
/** The most clicks of a view in a second. Those that are alike and came together are one. */
export const MOST_A_SECOND = 50;
/** For how long a view can continue where another one ended. */
export const KEPT_MS = 60_000;
/** How many clicks are kept for that. */
export const MOST_KEPT = 5000;

// A watcher who reads more slowly misses clicks: this is a view of what happens, not a record.
const MOST_WAITING = 20;
// Longer than a view lasts.
const LONGEST_VIEW_MS = 16 * 60_000;
// The end of a reader is noticed by the next write only. Source: https://github.com/cloudflare/workerd/pull/7298
const BEAT_MS = 5000;

/** The views of clicks as they are counted. While there are none, a delivery costs nothing more. */
export class Feed {
  readonly #views = new Set<View>();
  /** The clicks of the last minute in order; null if they were not noted. */
  #kept: Counted[] | null = null;
  #keptUntil = 0;
  #last: Place = FIRST_PLACE;
  #beating: ReturnType<typeof setInterval> | undefined;

  /**
   * Clicks from now on, as lines of JSON in UTF-8: a `FeedLine` each, or an empty line every few seconds. Null if there
   * are `MOST_VIEWS` already.
   *
   * @param readKept reads the clicks of the last minute from where they are stored
   */
  watch({ link, after }: Watched, now: number, readKept: () => Counted[]): ReadableStream<Uint8Array> | null {
    if (!this.hasRoom(now)) return null;
    const kept = (this.#isKeeping(now) ? this.#kept : null) ?? readKept();
    this.#kept = kept;
    const last = kept.at(-1);
    if (last && isAfter(last, this.#last)) this.#last = last;
    const view = new View(link, now, () => this.#leave(view, false));
    this.#views.add(view);
    this.#beating ??= setInterval(() => this.#beat(), BEAT_MS);
    if (after !== null) view.show(kept, after);
    return view.stream;
  }

  /** Whether there can be one more view. */
  hasRoom(now: number): boolean {
    this.#endForgotten(now);
    return this.#views.size < MOST_VIEWS;
  }

  /** @param groups those of the delivery that are stored, and not delivered before */
  publish(delivery: Delivery, groups: readonly DeliveredGroup[], now: number): void {
    if (groups.length === 0 || !this.#isKeeping(now)) return;
    const counted = countedOf(delivery, groups, this.#last, now);
    this.#last = counted.at(-1)!;
    const kept = [...(this.#kept ?? []), ...counted].slice(-MOST_KEPT);
    this.#kept = kept.slice(kept.findIndex(({ countedAt }) => countedAt > now - KEPT_MS));
    for (const view of this.#views) view.show(counted, null);
  }

  /** Ends all views, as when the statistics are erased. */
  end(): void {
    for (const view of this.#views) this.#leave(view, true);
    this.#kept = null;
    this.#keptUntil = 0;
  }

  /** Whether there is a view, or was one in the last minute. */
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

const encoder = new TextEncoder();

/** One view, with what it shows in a second. */
class View {
  readonly begunAt: number;
  readonly stream: ReadableStream<Uint8Array>;
  readonly #link: string | null;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #second = 0;
  #shown = 0;
  #missed = 0;

  constructor(link: string | null, now: number, leave: () => void) {
    this.#link = link;
    this.begunAt = now;
    this.stream = new ReadableStream(
      { start: (controller) => void (this.#controller = controller), cancel: leave },
      { highWaterMark: MOST_WAITING },
    );
  }

  /**
   * Writes the clicks that are shown, and the number of the others.
   *
   * @param after the place after which they are written: those before have been shown, and count for their second
   */
  show(counted: readonly Counted[], after: Place | null): void {
    const lines: FeedLine[] = [];
    let left = this.#missed;
    let last: Place | null = null;
    for (const clicks of counted) {
      if (this.#link !== null && clicks.link !== this.#link) continue;
      const isShown = this.#hasRoom(clicks);
      if (after !== null && !isAfter(clicks, after)) continue;
      last = clicks;
      if (isShown) lines.push(clicks);
      else left += clicks.clicks;
    }
    if (last === null) return;
    if (left > 0) lines.push({ countedAt: last.countedAt, n: last.n, more: left });
    const isWritten = this.#write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    this.#missed = isWritten ? 0 : lines.reduce((sum, line) => ('more' in line ? sum : sum + line.clicks), left);
  }

  beat(): void {
    this.#write('\n');
  }

  end(): void {
    this.#controller.close();
  }

  #write(text: string): boolean {
    if ((this.#controller.desiredSize ?? 0) <= 0) return false;
    this.#controller.enqueue(encoder.encode(text));
    return true;
  }

  /** Whether a second has room for one more. By the time of counting, so that a view that continues shows the same. */
  #hasRoom({ countedAt }: Place): boolean {
    const second = Math.floor(countedAt / 1000);
    if (second !== this.#second) [this.#second, this.#shown] = [second, 0];
    this.#shown += 1;
    return this.#shown <= MOST_A_SECOND;
  }
}
