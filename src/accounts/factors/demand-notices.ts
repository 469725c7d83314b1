import type { Statement } from '../../database/database.ts';
import { insertNotices } from '../../mail/notice-sql.ts';
import { HAS_PASSWORD } from '../users/password.ts';
import { DAY_MS } from '../../time/day.ts';

/** The SQL of mails to members without a second factor whose workspace demands one from an instant on. */

/**
 * Inserts the warnings of the time until demands begin, once for each demand and member. The daily clean-up does it, for
 * who has joined or confirmed an address since a demand was set, and for the last day. A run can be late or missing.
 */
export const insertDemandNotices = (now: number): Statement[] => [
  insertFirstWarnings(now),
  insertWarnings(now, 'last', [now, now + 2 * DAY_MS], `max(?2, p.factors_from - ${DAY_MS})`, 'TRUE'),
];

/**
 * Inserts the warnings that leave at once, in the batch that sets a demand. A demand that owners turn off and on again is
 * not mailed twice in a day. Who learns of it in its last day gets the other warning alone.
 */
export const insertFirstWarnings = (now: number): Statement =>
  insertWarnings(now, 'first', [now + DAY_MS, now + 7 * DAY_MS], '?2', NOT_JUST_WARNED);

const NOT_JUST_WARNED = `NOT EXISTS (SELECT 1 FROM mails w WHERE w.user_id = m.user_id AND w.kind = 'factor_demanded'
  AND w.created_at > ?2 - ${DAY_MS} AND w.client_id = m.client_id)`;

function insertWarnings(
  now: number,
  warning: 'first' | 'last',
  [after, until]: readonly [number, number],
  dueAt: string,
  condition: string,
): Statement {
  return insertNotices(now, {
    kind: 'factor_demanded',
    people: `SELECT m.user_id, m.client_id, c.factors_from, json_object('at', c.factors_from) AS details
      FROM clients c JOIN members m ON m.client_id = c.id JOIN users u ON u.id = m.user_id
      WHERE c.factors_from > ?4 AND c.factors_from <= ?5 AND u.factor_since IS NULL AND NOT ${NEEDS_NONE}
        AND ${condition}`,
    params: [after, until],
    id: `'${warning} ' || p.factors_from || ' ' || p.user_id || ' ' || hex(p.client_id)`,
    dueAt,
  });
}

/** True if sessions of a provider are the only ones in which the user `u` opens the client `c`: they meet its demand. */
const NEEDS_NONE = `(c.required_provider IS NOT NULL OR (NOT ${HAS_PASSWORD} AND EXISTS (
    SELECT 1 FROM identities i JOIN providers p ON p.id = i.provider_id
    WHERE i.user_id = u.id AND p.client_id = c.id AND p.ended_at IS NULL)))`;
