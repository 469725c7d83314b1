import { DurableObject } from 'cloudflare:workers';
import { readCounted, type Counted, type Wish } from './counted-clicks.ts';
import { Feed, KEPT_MS, MAX_KEPT, type Watched } from './feed.ts';

/** The part of an object that shows clicks as they are counted. */
export class WatchedStatistics extends DurableObject<Env> {
  protected readonly feed = new Feed();

  /** Clicks as they are stored from now on, as `Feed` gives them; null if there are too many views. */
  async watch(watched: Watched): Promise<ReadableStream<Uint8Array> | null> {
    const now = Date.now();
    const wish = { since: now - KEPT_MS, most: MAX_KEPT, link: null };
    return this.feed.watch(watched, now, () => readCounted(this.ctx.storage.sql, wish));
  }

  /** True if `watch` would give a view. */
  async hasRoom(): Promise<boolean> {
    return this.feed.hasRoom(Date.now());
  }

  /** The last clicks, as `readCounted` gives them. */
  async lately(wish: Wish): Promise<Counted[]> {
    return readCounted(this.ctx.storage.sql, wish);
  }
}
