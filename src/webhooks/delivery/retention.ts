import type { Database } from '../../database.ts';
import { DAY_MS } from '../../time/day.ts';
import { deleteOldEvents } from './sweep-store.ts';

/** For how long events and the log of their deliveries are kept. */
export const KEPT_DAYS = 30;

const PAGE = 200;
/** In a run, of which there is one every five minutes. */
const MOST_PAGES = 25;

/** Deletes events, deliveries and attempts of more than 30 days ago. */
export async function removeOldEvents(db: Database, now: number): Promise<void> {
  for (let page = 0; page < MOST_PAGES; page++) {
    const [, , events] = await db.batch<[never, never, { readonly id: string }]>(
      deleteOldEvents(now - KEPT_DAYS * DAY_MS, PAGE),
    );
    if (events.length < PAGE) return;
  }
}
