import type { Database, Statement } from '../../database/database.ts';
import type { MailTokens } from '../../mail/mail-tokens.ts';
import { insertMail } from '../../mail/new-mail-sql.ts';
import { hashSecret, newSecretId } from '../../secrets/random-secrets.ts';
import { normalizeBounded } from '../../text/nfc.ts';
import { MAX_UNITS_OF_NAME } from './names.ts';
import { HOUR_MS } from '../../time/day.ts';

/** Links to choose a new password that are mailed to the confirmed address of a user. */

/** Links that are mailed to one account in an hour, so that no stranger fills a mailbox. */
const MOST_IN_AN_HOUR = 3;
/** Accounts with the same confirmed address that get a link each. */
const MOST_ACCOUNTS = 5;

/**
 * Mails a link to each account with this name or this confirmed address that is not disabled. It works once, for an hour.
 * Other links of the account stay, since a stranger can ask for this one; using any of them ends all. Throws
 * `store_unavailable`.
 *
 * @param name as it was typed
 */
export async function requestResets(db: Database, tokens: MailTokens, name: string): Promise<void> {
  const typed = normalizeBounded(name.trim(), MAX_UNITS_OF_NAME);
  if (typed === null || typed === '') return;
  const now = Date.now();
  const [users] = await db.batch<[{ readonly id: string }]>([selectRecipients(typed)]);
  if (users.length === 0) return;
  await db.batch(users.flatMap(({ id }) => insertMailedReset(tokens, id, now)));
}

function selectRecipients(typed: string): Statement {
  return {
    sql: `SELECT u.id FROM users u JOIN mail_addresses a ON a.user_id = u.id
          WHERE u.disabled_at IS NULL AND a.confirmed_at IS NOT NULL
            AND (u.name = ?1 OR u.id IN (SELECT user_id FROM mail_addresses WHERE lower(address) = lower(?1) AND address IS NOT NULL))
          ORDER BY u.name = ?1 DESC, u.created_at LIMIT ${MOST_ACCOUNTS}`,
    params: [typed],
  };
}

/** Inserts a link and its mail, unless the account has had too many. */
function insertMailedReset(tokens: MailTokens, userId: string, now: number): Statement[] {
  const id = newSecretId();
  const tokenHash = hashSecret(tokens.newToken(id));
  return [
    {
      sql: `INSERT INTO password_resets (id, token_hash, user_id, created_at, expires_at)
            SELECT ?1, ?2, ?3, ?4, ?4 + ${HOUR_MS}
            WHERE (SELECT count(*) FROM mails WHERE user_id = ?3 AND kind = 'reset' AND created_at > ?4 - ${HOUR_MS}) < ${MOST_IN_AN_HOUR}`,
      params: [id, tokenHash, userId, now],
    },
    insertMail(
      { id, kind: 'reset', now, address: null, tokenHash },
      `SELECT user_id, NULL AS client_id, NULL AS language FROM password_resets WHERE id = ?7`,
      [id],
    ),
  ];
}
