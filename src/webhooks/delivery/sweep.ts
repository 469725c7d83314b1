import type { Database, Statement } from '../../database/database.ts';
import { sendDeliveries, sendEvents, type WebhookQueue } from './messages.ts';
import { selectOverdue, selectUndispatched, type OverdueRow, type UndispatchedRow } from './sweep-store.ts';

/** The time within which the queue takes what was sent; older messages were lost. */
const DISPATCHED_WITHIN_MS = 60_000;
const ATTEMPTED_WITHIN_MS = 120_000;

const PAGE = 500;
/** So that a run ends before the next one begins; that one continues. */
const MAX_PAGES = 20;

interface SweepStores {
  readonly db: Database;
  readonly queue: WebhookQueue;
}

/** Sends again what the queue has lost: events that were not dispatched, and deliveries that are overdue. */
export async function sweepDeliveries({ db, queue }: SweepStores, now: number): Promise<void> {
  await eachPage<UndispatchedRow>(
    db,
    (last) => selectUndispatched(now - DISPATCHED_WITHIN_MS, last, PAGE),
    (rows) =>
      sendEvents(
        queue,
        rows.map(({ id }) => ({ event: id })),
      ),
  );
  await eachPage<OverdueRow>(
    db,
    (last) => selectOverdue(now - ATTEMPTED_WITHIN_MS, last, PAGE),
    (rows) =>
      sendDeliveries(
        queue,
        rows.map(({ webhook_id, event_id, next_try_at }) => ({
          webhook: webhook_id,
          event: event_id,
          at: next_try_at,
        })),
        now,
      ),
  );
}

async function eachPage<Row>(
  db: Database,
  select: (last: Row | null) => Statement,
  work: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  let last: Row | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const [rows]: readonly (readonly Row[])[] = await db.batch<[Row]>([select(last)]);
    if (rows === undefined || rows.length === 0) return;
    await work(rows);
    last = rows.at(-1) ?? null;
    if (rows.length < PAGE) return;
  }
}
