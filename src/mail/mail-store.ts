import type { Statement } from '../database/database.ts';
import type { MailKind } from './kinds.ts';

/** The SQL of mails that wait. */

const WAITS = `sent_at IS NULL AND failed_at IS NULL`;

/** A mail that was taken, with what its text needs. */
export interface MailRow {
  readonly id: string;
  readonly kind: MailKind;
  /** Null if the user has no confirmed address, or the mail no longer applies. */
  readonly address: string | null;
  readonly language: string | null;
  readonly time_zone: string | null;
  readonly client_id: string | null;
  readonly client_name: string | null;
  readonly details: string | null;
  readonly token_hash: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly tries: number;
}

/**
 * True if the link of a mail still works, and the reason of a warning has not ended since. A link expires no earlier than
 * its mail.
 */
const STILL_APPLIES = `CASE kind
  WHEN 'invite' THEN EXISTS (SELECT 1 FROM invites WHERE id = mails.id AND accepted_at IS NULL AND revoked_at IS NULL)
  WHEN 'reset' THEN EXISTS (SELECT 1 FROM password_resets WHERE id = mails.id AND ended_at IS NULL)
  WHEN 'confirm' THEN EXISTS (SELECT 1 FROM mail_addresses WHERE user_id = mails.user_id AND pending_hash = mails.token_hash)
  WHEN 'factor_demanded' THEN EXISTS (
    SELECT 1 FROM members m JOIN clients c ON c.id = m.client_id JOIN users u ON u.id = m.user_id
    WHERE m.client_id = mails.client_id AND m.user_id = mails.user_id
      AND c.factors_from = json_extract(details, '$.at') AND u.factor_since IS NULL)
  WHEN 'unconfirmed' THEN EXISTS (
    SELECT 1 FROM identities WHERE user_id = mails.user_id AND provider_id = json_extract(details, '$.provider')
      AND warned_at = json_extract(details, '$.warned_at'))
  ELSE TRUE END`;

/**
 * Takes a mail that is due, so that no message that is delivered twice sends it twice, and returns it. Until `takenUntil`
 * it is not due.
 */
export function takeMail(id: string, now: number, takenUntil: number): Statement {
  return {
    sql: `UPDATE mails SET tries = tries + 1, next_try_at = ?3
          WHERE id = ?1 AND ${WAITS} AND next_try_at <= ?2 AND expires_at > ?2
          RETURNING id, kind, client_id, details, token_hash, created_at, expires_at, tries,
            CASE WHEN ${STILL_APPLIES} THEN
              coalesce(address, (SELECT a.address FROM mail_addresses a JOIN users u ON u.id = a.user_id
                WHERE a.user_id = mails.user_id AND a.confirmed_at IS NOT NULL AND u.disabled_at IS NULL)) END AS address,
            coalesce(language, (SELECT language FROM users WHERE id = mails.user_id)) AS language,
            (SELECT time_zone FROM users WHERE id = mails.user_id) AS time_zone,
            (SELECT coalesce(name, id) FROM clients WHERE id = mails.client_id) AS client_name`,
    params: [id, now, takenUntil],
  };
}

export function markSent(id: string, now: number): Statement {
  return { sql: `UPDATE mails SET sent_at = ?2, error = NULL WHERE id = ?1 AND ${WAITS}`, params: [id, now] };
}

/** @param at when it is tried again; null if it never is */
export function markNotSent(id: string, now: number, at: number | null, error: string): Statement {
  return {
    sql: `UPDATE mails SET error = ?4, next_try_at = coalesce(?3, next_try_at),
            failed_at = CASE WHEN ?3 IS NULL OR ?3 >= expires_at THEN ?2 END WHERE id = ?1 AND ${WAITS}`,
    params: [id, now, at, error],
  };
}

/** Deletes a mail that has no address now. */
export function dropMail(id: string): Statement {
  return { sql: `DELETE FROM mails WHERE id = ?1 AND ${WAITS}`, params: [id] };
}

/** Gives up what is not sent in its time. Returns the ids. */
export function giveUpExpired(now: number): Statement {
  return {
    sql: `UPDATE mails SET failed_at = ?1, error = coalesce(error, 'expired')
          WHERE ${WAITS} AND expires_at <= ?1 RETURNING id, kind, error`,
    params: [now],
  };
}

/** Selects mails that are due, the oldest first. */
export function selectDue(now: number, limit: number): Statement {
  return {
    sql: `SELECT id FROM mails WHERE ${WAITS} AND next_try_at <= ?1 ORDER BY next_try_at LIMIT ?2`,
    params: [now, limit],
  };
}

/** Selects how many mails wait, and what failed last. */
export function selectFailed(limit: number): Statement[] {
  return [
    { sql: `SELECT count(*) AS waiting FROM mails WHERE ${WAITS}`, params: [] },
    {
      sql: `SELECT id, kind, failed_at, tries, error FROM mails WHERE failed_at IS NOT NULL
            ORDER BY failed_at DESC LIMIT ?1`,
      params: [limit],
    },
  ];
}
