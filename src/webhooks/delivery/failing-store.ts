import { insertServiceAudit } from '../../accounts/audit/write-audit.ts';
import type { Statement } from '../../database/database.ts';
import { insertNotices, ownersOf } from '../../mail/notice-sql.ts';
import { hostOf } from '../../targets/blocklist.ts';
import { DAY_MS } from '../../time/day.ts';
import type { DisabledBy } from '../webhook.ts';
import type { DueRow } from './store.ts';

/** The SQL about webhooks whose deliveries fail for long. */

/**
 * Begins the time of failures of a webhook anew, at the failure of now, if it began before `failingBefore` and nothing
 * between then and a day ago failed: a webhook that was sent nothing has not failed for all that time.
 */
export function forgetOldFailures(webhookId: string, failedAt: number, failingBefore: number, now: number): Statement {
  return {
    sql: `UPDATE webhooks SET failing_since = ?2 WHERE id = ?1 AND failing_since <= ?3 AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.webhook_id = ?1 AND d.delivered_at IS NULL
          AND d.created_at > ?3 AND d.created_at <= ?4)`,
    params: [webhookId, failedAt, failingBefore, now - DAY_MS],
  };
}

/**
 * Disables an active webhook, with an entry in the audit log, unless it has another URL by now; the last of the three
 * statements returns its id if it did.
 *
 * @param failingBefore only if it has failed since this instant or longer; null to disable it always
 */
export function disableWebhook(
  { webhook_id: webhookId, url }: Pick<DueRow, 'webhook_id' | 'url'>,
  by: Exclude<DisabledBy, 'owner'>,
  now: number,
  failingBefore: number | null = null,
): Statement[] {
  const isFailing = isFailingBy('?1', '?5', '?3');
  return [
    {
      sql: `WITH subject (client_id, id, name, action) AS (
          SELECT client_id, id, ${hostOf('url')}, 'webhook.disabled' FROM webhooks WHERE ${isFailing})
        ${insertServiceAudit('?2', `json_object('by', ?4)`)}`,
      params: [webhookId, now, failingBefore, by, url],
    },
    insertNotices(now, {
      kind: 'webhook_disabled',
      people: ownersOf(`SELECT client_id FROM webhooks WHERE ${isFailingBy('?4', '?5', '?6')}`),
      params: [webhookId, url, failingBefore],
    }),
    {
      sql: `UPDATE webhooks SET disabled_at = ?2, disabled_by = ?4, updated_at = ?2 WHERE ${isFailing}
        RETURNING id`,
      params: [webhookId, now, failingBefore, by, url],
    },
  ];
}

/** True if a webhook is active, has that URL, and has failed since an instant or longer, if that is not NULL. */
const isFailingBy = (id: string, url: string, since: string): string =>
  `id = ${id} AND url = ${url} AND disabled_at IS NULL AND (${since} IS NULL OR failing_since <= ${since})`;
