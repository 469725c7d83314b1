import type { Database } from '../../database/database.ts';
import { derivedEventId } from '../../events/record.ts';
import type { Limit } from '../../link-limit/limit.ts';
import { logProblem } from '../../isolate/log.ts';
import { insertLinkEvents } from './link-event.ts';

const DELAYS_MS = [0, 500, 3000];

/**
 * Records that the last click of a limit was taken, for a link whose owner has a webhook for it. The event of one limit is
 * recorded once, even if the visit is repeated. Tried three times, since no one waits; it does not reject.
 */
export async function recordLimitReached(db: Database, linkId: string, { max, since }: Limit): Promise<void> {
  const id = derivedEventId([linkId, String(since), String(max)]);
  for (const [tries, delayMs] of DELAYS_MS.entries()) {
    if (delayMs > 0) await scheduler.wait(delayMs);
    try {
      await db.batch([{ sql: INSERT, params: [linkId, Date.now(), id], returnsEvents: true }]);
      return;
    } catch (cause) {
      if (tries === DELAYS_MS.length - 1) logProblem('event_not_recorded', cause, { link_id: linkId });
    }
  }
}

const INSERT = insertLinkEvents('link.limit_reached', 'FROM links l WHERE l.id = ?1', '?2', { id: '?3' });
