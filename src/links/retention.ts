import { deleteForgottenAnswers } from '../accounts/kept-answers.ts';
import type { Statement } from '../database.ts';
import { REMOVED_CONTENT } from './fields/content.ts';
import { RESTORABLE_MS } from './managed.ts';

/**
 * What the daily clean-up removes of links: the content and the history of links deleted more than 30 days ago, whose
 * addresses stay reserved; and idempotency keys after a day.
 */
export function expiredLinkRows(now: number): Statement[] {
  const deletedAt = now - RESTORABLE_MS;
  return [
    {
      sql: `DELETE FROM link_history WHERE link_id IN (
              SELECT id FROM links WHERE deleted_at IS NOT NULL AND url <> '' AND deleted_at <= ?1)`,
      params: [deletedAt],
    },
    {
      sql: `UPDATE links SET ${REMOVED_CONTENT}
            WHERE deleted_at IS NOT NULL AND url <> '' AND deleted_at <= ?1`,
      params: [deletedAt],
    },
    deleteForgottenAnswers(now),
  ];
}
