import { ACTING, authorize, selectAccess, SOLE_CLIENT, type AccessRow, type Actor } from '../accounts/access.ts';
import type { Database } from '../database/database.ts';
import { wants } from '../events/record.ts';
import type { EventType } from '../events/types.ts';
import { forEachConcurrently } from '../bounds/concurrency-limit.ts';
import { logProblem } from '../isolate/log.ts';
import type { Statistics } from '../statistics/statistics.ts';
import { acting } from './store.ts';
import type { WebhookChange } from './webhook.ts';

/** Webhooks for clicks, which the object that counts the clicks has to know. */

const CLICKED: EventType = 'link.clicked';

/** Where webhooks are kept, and what has to know of them. */
export interface ClickWebhookStores {
  readonly db: Database;
  readonly statistics: Statistics;
}

/**
 * Calls the object of the actor's client before a webhook is written that may be for clicks: after that, no click is counted
 * without the queue, whose consumer records its event. Throws what `authorize` and the object throw.
 */
export async function expectClicks(
  { db, statistics }: ClickWebhookStores,
  actor: Actor,
  { events, disabled }: Pick<WebhookChange, 'events' | 'disabled'>,
): Promise<void> {
  if (!events?.includes(CLICKED) && disabled !== false) return;
  const now = Date.now();
  const [access, [client]] = await db.batch<[AccessRow, { readonly id: string }]>([
    selectAccess(actor, 'webhooks', now),
    { sql: `${ACTING} SELECT ${SOLE_CLIENT} AS id`, params: acting(actor, now) },
  ]);
  authorize(access, actor);
  await statistics.call(client!.id, (object) => object.expectClickWebhook());
}

// A Worker has six connections at a time, and 10,000 calls in an invocation.
const MAX_AT_ONCE = 6;
const MAX_CLIENTS = 5000;

/**
 * Calls the objects of clients that have webhooks for clicks, as `expectClicks` does: of those that were written by a former
 * version of the service, or are in the database again after Time Travel, no object knows. Throws what the database throws.
 *
 * @param since only of those that have listened since then at the earliest, in milliseconds since the epoch
 */
export async function expectClicksOfAll({ db, statistics }: ClickWebhookStores, since: number): Promise<void> {
  const [clients] = await db.batch<[{ readonly id: string }]>([
    {
      sql: `SELECT DISTINCT w.client_id AS id FROM webhooks w
        WHERE ${wants('w', `'${CLICKED}'`)} AND max(w.created_at, coalesce(w.listens_since, 0)) >= ?1
        ORDER BY w.client_id LIMIT ${MAX_CLIENTS}`,
      params: [since],
    },
  ]);
  await forEachConcurrently(clients, MAX_AT_ONCE, ({ id }) =>
    statistics
      .call(id, (object) => object.expectClickWebhook())
      .catch((cause: unknown) => logProblem('click_webhook_not_expected', cause, { client_id: id })),
  );
}
