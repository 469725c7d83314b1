import type { Statement } from '../../database/database.ts';
import { wasSpentFor } from '../factors/spent.ts';
import { CONFIRMED_MS } from './confirmation.ts';
import { IS_IN_SESSION, IS_SIGNED_IN, type SessionRef } from './session-store.ts';

/** The SQL by which the user of a session confirms who they are, and by which that is checked. */

/** True if the family ?1 was confirmed within ten minutes before ?3. */
export const IS_FRESH = `EXISTS (
    SELECT 1 FROM token_families WHERE id = ?1 AND coalesce(confirmed_at, started_at) > ?3 - ${CONFIRMED_MS})`;

/** True if the family ?1 of the user ?2 is as in `IS_SIGNED_IN` at ?3, and was confirmed within ten minutes. */
export const IS_CONFIRMED = `${IS_SIGNED_IN} AND ${IS_FRESH}`;

/**
 * Returns a row if the session is confirmed: by a code or a passkey that was spent for `spentFor` earlier in the batch, or
 * by the password with this hash.
 */
export function confirmSession(
  { familyId, userId }: SessionRef,
  now: number,
  by: { readonly spentFor: string } | { readonly passwordHash: string },
): Statement {
  const [condition, param] =
    'spentFor' in by
      ? [wasSpentFor('?2', '?4'), by.spentFor]
      : [`EXISTS (SELECT 1 FROM users WHERE id = ?2 AND password_hash = ?4)`, by.passwordHash];
  return {
    sql: `UPDATE token_families SET confirmed_at = ?3 WHERE id = ?1 AND ${IS_IN_SESSION} AND ${condition} RETURNING id`,
    params: [familyId, userId, now, param],
  };
}
