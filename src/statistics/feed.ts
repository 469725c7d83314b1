import type { DeliveredGroup, Delivery } from './delivery.ts';

// A watcher who reads more slowly misses clicks: this is a view of what happens, not a record.
const MOST_WAITING = 100;

/** Those who watch clicks come. While no one does, a delivery costs nothing more. */
export class Feed {
  readonly #watchers = new Set<ReadableStreamDefaultController<Uint8Array>>();

  /** Clicks from now on, as lines of JSON: a `Delivery` each, in UTF-8, with what is stored of it. */
  watch(): ReadableStream<Uint8Array> {
    let watcher: ReadableStreamDefaultController<Uint8Array>;
    return new ReadableStream(
      {
        start: (controller) => void this.#watchers.add((watcher = controller)),
        cancel: () => void this.#watchers.delete(watcher),
      },
      { highWaterMark: MOST_WAITING },
    );
  }

  /** @param groups those of the delivery that are stored, and not delivered before */
  publish(delivery: Delivery, groups: readonly DeliveredGroup[]): void {
    if (this.#watchers.size === 0) return;
    // Visitors' marks are for counting alone.
    const shown = groups.map(([pack, link, profile, clicks, lastAt]) => [pack, link, profile, clicks, lastAt, '']);
    const line = new TextEncoder().encode(`${JSON.stringify({ ...delivery, groups: shown })}\n`);
    for (const watcher of this.#watchers) if ((watcher.desiredSize ?? 0) > 0) watcher.enqueue(line);
  }

  /** Ends all views, as when the statistics are erased. */
  end(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers.clear();
  }
}
