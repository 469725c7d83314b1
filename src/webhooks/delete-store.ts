import { ACTING, type Actor } from '../accounts/access.ts';
import { insertAudit } from '../accounts/audit/write-audit.ts';
import type { Statement } from '../database/database.ts';
import { hostOf } from '../targets/blocklist.ts';
import { acting, OF_CLIENT } from './store.ts';

const THIS_WEBHOOK = `w.id = ?8 AND ${OF_CLIENT}`;

/** The number of deliveries that one batch deletes: D1 ends a query after 30 seconds. */
const MAX_DELETED = 10_000;

/**
 * Deletes a webhook and its deliveries: six statements; the second returns the ids of the events whose deliveries
 * are deleted, and the last the webhook's if it is deleted. One with many deliveries is disabled at first, and each batch
 * deletes a part of them.
 */
export function deleteWebhookRows(actor: Actor, now: number, id: string): Statement[] {
  const params = [...acting(actor, now), id];
  const some = [...params, MAX_DELETED];
  const isEmpty = `${THIS_WEBHOOK} AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.webhook_id = w.id)
    AND NOT EXISTS (SELECT 1 FROM delivery_tries d WHERE d.webhook_id = w.id)`;
  const ofWebhook = `webhook_id = (SELECT w.id FROM webhooks w WHERE ${THIS_WEBHOOK})`;
  return [
    {
      sql: `${ACTING} DELETE FROM delivery_tries WHERE (webhook_id, event_id, number) IN (
          SELECT webhook_id, event_id, number FROM delivery_tries WHERE ${ofWebhook} LIMIT ?9)`,
      params: some,
    },
    {
      sql: `${ACTING} DELETE FROM deliveries WHERE (webhook_id, event_id) IN (
          SELECT webhook_id, event_id FROM deliveries WHERE ${ofWebhook} LIMIT ?9) RETURNING event_id`,
      params: some,
    },
    {
      sql: `${ACTING}
        UPDATE webhooks AS w SET disabled_at = ?5, disabled_by = 'owner' WHERE ${THIS_WEBHOOK} AND w.disabled_at IS NULL`,
      params,
    },
    insertAudit(actor, 'webhooks', now, {
      action: 'webhook.deleted',
      subjects: `SELECT w.client_id, w.id, ${hostOf('w.url')}, NULL FROM webhooks w WHERE ${isEmpty}`,
      params: [id],
    }),
    { sql: `${ACTING} SELECT w.id FROM webhooks w WHERE ${THIS_WEBHOOK}`, params },
    { sql: `${ACTING} DELETE FROM webhooks AS w WHERE ${isEmpty} RETURNING id`, params },
  ];
}

/**
 * Deletes those of some events that were for a webhook alone, whose deliveries are deleted: no one can see them any longer.
 */
export const deleteOwnEvents = (webhookId: string, eventIds: readonly string[]): Statement => ({
  sql: 'DELETE FROM events WHERE webhook_id = ?1 AND id IN (SELECT value FROM json_each(?2))',
  params: [webhookId, JSON.stringify(eventIds)],
});
