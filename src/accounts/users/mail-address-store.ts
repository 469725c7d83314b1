import type { Statement } from '../../database/database.ts';
import { lifetimeOf } from '../../mail/kinds.ts';
import { insertMail, type NewMail } from '../../mail/new-mail-sql.ts';
import { IS_SIGNED_IN, type SessionRef } from '../sessions/session-store.ts';
import { DAY_MS } from '../../time/day.ts';

/** The SQL of the address to which a user's mails go. */

export interface AddressRow {
  readonly address: string | null;
  readonly confirmed_at: number | null;
  readonly pending: string | null;
}

export function selectAddress({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `SELECT a.address, a.confirmed_at, CASE WHEN a.pending_until > ?3 THEN a.pending END AS pending
          FROM (SELECT 1) LEFT JOIN mail_addresses a ON a.user_id = ?2 WHERE ${IS_SIGNED_IN}`,
    params: [familyId, userId, now],
  };
}

/** The most links in a day that one account, and all accounts for one address, can have mailed. */
const MOST_OF_ACCOUNT = 10;
const MOST_TO_ADDRESS = 3;

/** True if the user ?2 may have one more link mailed to the address ?4 at ?3. */
const ROOM = `
  (SELECT count(*) FROM mails m WHERE m.user_id = ?2 AND m.kind = 'confirm' AND m.created_at > ?3 - ${DAY_MS}) < ${MOST_OF_ACCOUNT}
  AND (SELECT count(*) FROM mails m WHERE lower(m.address) = lower(?4) AND m.kind = 'confirm'
    AND m.created_at > ?3 - ${DAY_MS}) < ${MOST_TO_ADDRESS}`;

/**
 * Keeps an address that a mailed link has yet to confirm, and inserts that mail, unless too many were mailed. The first
 * statement returns a row if it did; the third says whether the session is valid.
 */
export function insertPending(
  { familyId, userId }: SessionRef,
  mail: NewMail & { readonly address: string },
  until: number,
  language: string,
): Statement[] {
  const { now, address, tokenHash } = mail;
  return [
    {
      sql: `INSERT INTO mail_addresses (user_id, pending, pending_hash, pending_until)
            SELECT ?2, ?4, ?5, ?6 WHERE ${IS_SIGNED_IN} AND ${ROOM}
            ON CONFLICT (user_id) DO UPDATE SET pending = ?4, pending_hash = ?5, pending_until = ?6
            RETURNING user_id`,
      params: [familyId, userId, now, address, tokenHash, until],
    },
    insertMail(
      mail,
      `SELECT user_id, NULL AS client_id, ?8 AS language FROM mail_addresses WHERE user_id = ?7 AND pending_hash = ?4`,
      [userId, language],
    ),
    selectAddress({ familyId, userId }, now),
  ];
}

/** True if the address ?2 of a session waits for the token whose hash is ?4. */
const IS_PENDING = `user_id = ?2 AND pending_hash = ?4 AND pending_until > ?3 AND ${IS_SIGNED_IN}`;

export function selectPending({ familyId, userId }: SessionRef, now: number, tokenHash: string): Statement {
  return {
    sql: `SELECT pending FROM mail_addresses WHERE ${IS_PENDING}`,
    params: [familyId, userId, now, tokenHash],
  };
}

/**
 * Uses up a link: its address is the confirmed one, and a mail says so to the former one. The second statement returns a
 * row if it did.
 */
export function confirmPending(session: SessionRef, now: number, tokenHash: string, mailId: string): Statement[] {
  const { familyId, userId } = session;
  return [
    insertFarewell(session, now, mailId, `${IS_PENDING} AND lower(address) <> lower(pending)`, tokenHash),
    {
      sql: `UPDATE mail_addresses SET address = pending, confirmed_at = ?3, pending = NULL, pending_hash = NULL,
              pending_until = NULL WHERE ${IS_PENDING} RETURNING user_id`,
      params: [familyId, userId, now, tokenHash],
    },
    endMailedResets(userId, now, 'EXISTS (SELECT 1 FROM mail_addresses WHERE user_id = ?2 AND confirmed_at = ?1)'),
  ];
}

/** Removes the address, and a mail says so to it. The second statement returns a row if there was one. */
export function deleteAddress(session: SessionRef, now: number, mailId: string): Statement[] {
  const { familyId, userId } = session;
  const isOwn = `user_id = ?2 AND ${IS_SIGNED_IN}`;
  return [
    insertFarewell(session, now, mailId, isOwn),
    {
      sql: `DELETE FROM mail_addresses WHERE ${isOwn} RETURNING user_id`,
      params: [familyId, userId, now],
    },
    endMailedResets(userId, now, 'NOT EXISTS (SELECT 1 FROM mail_addresses WHERE user_id = ?2)'),
  ];
}

/** After an address is no longer that of a user: links to choose a password that were mailed there end with it. */
const endMailedResets = (userId: string, now: number, condition: string): Statement => ({
  sql: `UPDATE password_resets SET ended_at = ?1 WHERE user_id = ?2 AND ended_at IS NULL
          AND id IN (SELECT id FROM mails WHERE user_id = ?2 AND kind = 'reset') AND ${condition}`,
  params: [now, userId],
});

/**
 * Inserts a mail to a confirmed address that is about to be no longer used.
 *
 * @param condition of its row, for the session ?1 and the user ?2 at ?3
 * @param tokenHash ?4 of the condition, if it has one
 */
function insertFarewell(
  { familyId, userId }: SessionRef,
  now: number,
  id: string,
  condition: string,
  tokenHash: string | null = null,
): Statement {
  return {
    sql: `INSERT INTO mails (id, kind, user_id, address, created_at, expires_at, next_try_at)
          SELECT ?5, 'address_changed', user_id, address, ?3, ?3 + ${lifetimeOf('address_changed')}, ?3 FROM mail_addresses
          WHERE address IS NOT NULL AND ${condition} RETURNING id`,
    params: [familyId, userId, now, tokenHash, id],
    returnsMails: true,
  };
}
