import type { Statement } from '../../database/database.ts';
import type { PasswordChange } from '../../mail/kinds.ts';
import { insertNotices } from '../../mail/notice-sql.ts';

/** The SQL of mails about new passwords, after the change in its batch. No other change has its hash, due to the salt. */

/** Inserts a mail to a user whose password is the new one. */
export const insertPasswordNotice = (
  user: { readonly id: string; readonly passwordHash: string },
  now: number,
  by: Exclude<PasswordChange, 'link'>,
): Statement =>
  insertNotices(now, {
    kind: 'password_changed',
    people: `SELECT id AS user_id, NULL AS client_id, json_object('by', ?6) AS details FROM users
      WHERE id = ?4 AND password_hash = ?5`,
    params: [user.id, user.passwordHash, by],
  });

/** Inserts a mail to the user of a link that has set the password; for that of an owner it names the client. */
export const insertLinkNotice = (tokenHash: string, passwordHash: string, now: number): Statement =>
  insertNotices(now, {
    kind: 'password_changed',
    people: `SELECT r.user_id, r.client_id, json_object('by', 'link') AS details
      FROM password_resets r JOIN users u ON u.id = r.user_id WHERE r.token_hash = ?4 AND u.password_hash = ?5`,
    params: [tokenHash, passwordHash],
  });
