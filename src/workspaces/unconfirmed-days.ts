import * as z from 'zod';
import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../accounts/access.ts';
import { insertAudit } from '../accounts/audit/write-audit.ts';
import { requireConfirmation } from '../accounts/sessions/confirmation.ts';
import type { Session } from '../accounts/sessions/session.ts';
import type { Database } from '../database/database.ts';
import { fault } from '../input/validation.ts';
import { lazy } from '../isolate/lazy.ts';

/** The numbers of days after which a member can be suspended whom the provider has not confirmed. */
export const UNCONFIRMED_DAYS = [14, 30, 60, 90] as const;

const VALUES: ReadonlySet<string> = new Set(['never', ...UNCONFIRMED_DAYS.map(String)]);

export const unconfirmedFields = lazy(() =>
  z.strictObject({
    unconfirmed_days: z
      .string()
      .refine((text) => VALUES.has(text), { error: 'must be one of those in the list', ...fault('malformed_body') }),
  }),
);

/**
 * Sets after how many days without a confirmation by the client's provider a member is suspended; null for never. Throws
 * `step_up_required`, and what `authorize` throws.
 */
export async function setUnconfirmedDays(
  db: Database,
  actor: Actor,
  session: Session,
  days: number | null,
): Promise<void> {
  requireConfirmation(session);
  const now = Date.now();
  const where = `p.client_id = ${SOLE_CLIENT} AND p.ended_at IS NULL AND p.unconfirmed_days IS NOT ?8`;
  const [access] = await db.batch<[AccessRow, never, never]>([
    selectAccess(actor, 'members', now),
    insertAudit(actor, 'members', now, {
      action: 'client.changed',
      subjects: `SELECT c.id, c.id, c.name, json_object('unconfirmed_days', CAST(?8 AS INTEGER))
        FROM providers p JOIN clients c ON c.id = p.client_id WHERE ${where}`,
      params: [days],
    }),
    {
      sql: `${ACTING} UPDATE providers AS p SET unconfirmed_days = ?8, updated_at = ?5 WHERE ${where}`,
      params: [...actingParams(actor, 'members', now), days],
    },
  ]);
  authorize(access, actor);
}
