import type { Database } from '../../database/database.ts';
import { wants } from '../../events/record.ts';
import { DAY_MS } from '../../time/day.ts';
import { insertLinkEvents } from './link-event.ts';

// How long the cron may not have run without an event being lost.
const LOOK_BACK_MS = 3 * DAY_MS;

// A webhook that was just enabled or given other events gets no events of long before.
const BEFORE_CHANGE_MS = 10 * 60_000;

const LINKS_A_ROUND = 500;
const MAX_ROUNDS = 40;

/**
 * Records the events of links that have expired, for clients with a webhook for them. The id follows from the link and the
 * instant, so that each expiry has one event however often this runs. More than 20,000 wait for the next run. Throws what
 * the database throws.
 */
export async function recordExpired(db: Database, now: number): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [ids] = await db.batch<[unknown]>([{ sql: INSERT, params: [now], returnsEvents: true }]);
    if (ids.length < LINKS_A_ROUND) return;
  }
}

const ID = `'evt_x' || l.id || '_' || l.expires_at`;

const HOOKED = `WITH hooked (client_id, since) AS MATERIALIZED (
    SELECT client_id, max(?1 - ${LOOK_BACK_MS}, min(max(created_at, coalesce(listens_since, 0) - ${BEFORE_CHANGE_MS}))) FROM webhooks
    WHERE ${wants('webhooks', `'link.expired'`)} GROUP BY client_id)`;

// Under CROSS JOIN the planner begins with the clients, which are few.
const FROM = `FROM hooked h CROSS JOIN links l INDEXED BY links_by_end
    ON l.client_id = h.client_id AND l.expires_at > h.since AND l.expires_at <= ?1
  WHERE l.deleted_at IS NULL AND l.expires_at > l.created_at AND NOT EXISTS (SELECT 1 FROM events e WHERE e.id = ${ID})`;

const INSERT = `${HOOKED} ${insertLinkEvents('link.expired', FROM, 'l.expires_at', { id: ID, most: LINKS_A_ROUND })}`;
