import type { Param, Statement } from '../../database/database.ts';
import { insertNotices, ownersOf } from '../../mail/notice-sql.ts';

/** The SQL of mails about changes of second factors, in the batches of these changes. */

/**
 * Inserts a mail to a user about a change.
 *
 * @param isChanged whether there is one, in SQL: ?2 is the instant, ?4 the user; its own parameters begin at ?5
 */
export function insertFactorNotice(
  userId: string,
  now: number,
  isChanged: string,
  params: readonly Param[] = [],
): Statement {
  return insertNotices(now, {
    kind: 'factors_changed',
    people: `SELECT id AS user_id, NULL AS client_id, NULL AS details FROM users WHERE id = ?4 AND ${isChanged}`,
    params: [userId, ...params],
  });
}

/** Inserts mails to a user whose factors the operator removes, and to the other owners of their clients. */
export function insertResetNotices(userId: string, now: number): Statement[] {
  return [
    insertNotices(now, {
      kind: 'factors_reset',
      people: `SELECT id AS user_id, NULL AS client_id, NULL AS details FROM users WHERE id = ?4`,
      params: [userId],
    }),
    insertNotices(now, {
      kind: 'factors_reset',
      people: `SELECT * FROM (${ownersOf('SELECT client_id FROM members WHERE user_id = ?4')}) WHERE user_id <> ?4`,
      params: [userId],
    }),
  ];
}
