import type { Statement } from '../../database/database.ts';
import { insertNotices } from '../../mail/notice-sql.ts';
import { HAS_PASSWORD } from '../users/password.ts';

/** The SQL of mails to members without a second factor whose workspace demands one from an instant on. */

const DAY_MS = 24 * 3600 * 1000;

/**
 * Inserts the warnings of the time until demands begin, once for each demand and member: one now, and one that leaves a day
 * before. The batch that sets a demand does it, and the daily clean-up for who has joined, or confirmed an address, since.
 * A run can be late or missing.
 */
export const insertDemandNotices = (now: number): Statement[] => [
  // Who learns of it in the last day gets one mail.
  insertWarnings(now, 'first', [now + DAY_MS, now + 7 * DAY_MS], '?2'),
  insertWarnings(now, 'last', [now, now + 2 * DAY_MS], `max(?2, p.factors_from - ${DAY_MS})`),
];

function insertWarnings(
  now: number,
  warning: 'first' | 'last',
  [after, until]: readonly [number, number],
  dueAt: string,
): Statement {
  return insertNotices(now, {
    kind: 'factor_demanded',
    people: `SELECT m.user_id, m.client_id, c.factors_from, json_object('at', c.factors_from) AS details
      FROM clients c JOIN members m ON m.client_id = c.id JOIN users u ON u.id = m.user_id
      WHERE c.factors_from > ?4 AND c.factors_from <= ?5 AND u.factor_since IS NULL AND NOT ${NEEDS_NONE}`,
    params: [after, until],
    id: `'${warning} ' || p.factors_from || ' ' || p.user_id || ' ' || hex(p.client_id)`,
    dueAt,
  });
}

/** True if sessions of a provider are the only ones in which the user `u` opens the client `c`: they meet its demand. */
const NEEDS_NONE = `(c.required_provider IS NOT NULL OR (NOT ${HAS_PASSWORD} AND EXISTS (
    SELECT 1 FROM identities i JOIN providers p ON p.id = i.provider_id
    WHERE i.user_id = u.id AND p.client_id = c.id AND p.ended_at IS NULL)))`;
