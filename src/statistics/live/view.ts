import { BoundedMap } from '../../isolate/bounded-map.ts';
import { isAfter, type Counted, type ClickPosition } from './counted-clicks.ts';

/** Clicks, or how many were left out and the place of the last of them: a line of a view. */
export type FeedLine = Counted | Missed;

type Missed = ClickPosition & { readonly more: number };

/** The most clicks of a view that happened in a second. Those that are alike and came together are one. */
export const MAX_A_SECOND = 50;
/** The most of those that are counted together: the queue gathers clicks for five seconds. */
export const MAX_AT_ONCE = 5 * MAX_A_SECOND;

// A watcher who reads more slowly misses clicks: this is a view of what happens, not a record.
const MAX_WAITING = 20;
// Clicks are counted some seconds after they happened, but after an outage some hours.
const MAX_SECONDS = 1000;

const encoder = new TextEncoder();

/** One view, with what it has shown of each second. */
export class View {
  readonly begunAt: number;
  readonly stream: ReadableStream<Uint8Array>;
  readonly #link: string | null;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  readonly #shown = new BoundedMap<number, number>(MAX_SECONDS);
  /** Since when it counts those that are counted together, and how many of them it has shown. */
  #countedAt = 0;
  #together = 0;
  #missed: Missed | null = null;

  constructor(link: string | null, now: number, leave: () => void) {
    this.#link = link;
    this.begunAt = now;
    this.stream = new ReadableStream(
      { start: (controller) => void (this.#controller = controller), cancel: leave },
      { highWaterMark: MAX_WAITING },
    );
  }

  /**
   * Writes the clicks that are shown, and after those that were counted together the number of the others.
   *
   * @param after the place after which they are written: those before have been shown, and count for their second
   */
  show(counted: readonly Counted[], after: ClickPosition | null): void {
    const isNew = (place: ClickPosition) => after === null || isAfter(place, after);
    const lines: FeedLine[] = [];
    let left = 0;
    let last: Counted | null = null;
    const showRest = () => {
      if (left > 0 && last !== null && isNew(last)) lines.push({ countedAt: last.countedAt, n: last.n, more: left });
      left = 0;
    };
    for (const clicks of counted) {
      if (this.#link !== null && clicks.link !== this.#link) continue;
      if (clicks.countedAt !== last?.countedAt) showRest();
      last = clicks;
      if (!this.#hasRoom(clicks)) left += clicks.clicks;
      else if (isNew(clicks)) lines.push(clicks);
    }
    showRest();
    if (lines.length > 0) this.#write(lines);
  }

  /** Writes how many clicks its reader has missed, or an empty line. */
  beat(): void {
    if (this.#missed === null) this.#enqueue('\n');
    else this.#write([]);
  }

  end(): void {
    this.#controller.close();
  }

  #write(lines: readonly FeedLine[]): void {
    const all = this.#missed === null ? lines : [this.#missed, ...lines];
    if (this.#enqueue(all.map((line) => `${JSON.stringify(line)}\n`).join(''))) {
      this.#missed = null;
      return;
    }
    const { countedAt, n } = all.at(-1)!;
    const more = all.reduce((sum, line) => sum + ('more' in line ? line.more : line.clicks), 0);
    this.#missed = { countedAt, n, more };
  }

  #enqueue(text: string): boolean {
    if ((this.#controller.desiredSize ?? 0) <= 0) return false;
    this.#controller.enqueue(encoder.encode(text));
    return true;
  }

  /**
   * True if a second has room for one more. By the time of the click, since those of five seconds are counted together;
   * so a view that continues shows the same.
   */
  #hasRoom({ at, countedAt }: Counted): boolean {
    if (countedAt !== this.#countedAt) [this.#countedAt, this.#together] = [countedAt, 0];
    const second = Math.floor(at / 1000);
    const shown = this.#shown.get(second) ?? 0;
    if (shown >= MAX_A_SECOND || this.#together >= MAX_AT_ONCE) return false;
    this.#shown.set(second, shown + 1);
    this.#together += 1;
    return true;
  }
}
