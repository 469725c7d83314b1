import type { Statement } from '../../database/database.ts';
import { CONFIRMED_MS } from '../sessions/confirmation.ts';
import { IS_CONFIRMED } from '../sessions/confirmation-store.ts';
import { IS_SIGNED_IN, type SessionRef } from '../sessions/session-store.ts';
import { HAS_PASSWORD } from '../users/password.ts';
import type { ReadChallenge } from './challenges.ts';
import { endFactor } from './passkey-factor-store.ts';

/** The SQL of passkeys. */

/**
 * True if the session ?1 of the user ?2 may add a passkey at ?3: it is confirmed, or began at Cloudflare Access within ten
 * minutes and its user has nothing yet to confirm with.
 */
const MAY_ENROL = `(${IS_CONFIRMED} OR (${IS_SIGNED_IN} AND EXISTS (
    SELECT 1 FROM token_families f JOIN providers p ON p.id = f.provider_id JOIN users u ON u.id = f.user_id
    WHERE f.id = ?1 AND f.began_by = 'provider' AND p.kind = 'access' AND f.started_at > ?3 - ${CONFIRMED_MS}
      AND u.factor_since IS NULL AND NOT ${HAS_PASSWORD}
      AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = u.id))))`;

/** The most passkeys of one user. */
export const MAX_PASSKEYS = 20;

export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly rp_id: string;
  /** A JSON list. */
  readonly transports: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

/** True if the session may add a passkey. */
export function selectMayEnrol({ familyId, userId }: SessionRef, now: number): Statement {
  return { sql: `SELECT ${MAY_ENROL} AS may`, params: [familyId, userId, now] };
}

/** The passkeys of a session's user, the oldest first. */
export function selectPasskeys({ familyId, userId }: SessionRef, now: number): Statement {
  return {
    sql: `SELECT id, name, rp_id, transports, created_at, last_used_at FROM passkeys
          WHERE user_id = ?2 AND ${IS_SIGNED_IN} ORDER BY created_at, id`,
    params: [familyId, userId, now],
  };
}

export interface KnownPasskeyRow {
  readonly id: string;
  readonly user_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly rp_id: string;
  readonly password_hash: string;
  /** Null without a second factor. */
  readonly factor_version: number | null;
}

/** The passkey of an id, with its user. */
export function selectPasskey(id: string): Statement {
  return {
    sql: `SELECT p.id, p.user_id, p.public_key, p.counter, p.rp_id, u.password_hash,
            CASE WHEN u.factor_since IS NOT NULL THEN u.factor_version END AS factor_version
          FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.id = ?1 AND u.disabled_at IS NULL`,
    params: [id],
  };
}

/** Spends a challenge for something, if it is not spent yet. */
export function spendChallenge({ hash, endsAt }: ReadChallenge, spentBy: string): Statement {
  return {
    sql: `INSERT INTO spent_challenges (hash, spent_by, ends_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING`,
    params: [hash, spentBy, endsAt],
  };
}

/** True if the statement before it has spent the challenge ?1 for ?2. */
const IS_SPENT = 'EXISTS (SELECT 1 FROM spent_challenges WHERE hash = ?1 AND spent_by = ?2)';

interface PasskeyUsed {
  readonly id: string;
  readonly userId: string;
  readonly counter: number;
}

/**
 * After `spendChallenge`: records the use of a passkey. Returns no row if the challenge was spent for something else, or if
 * the count is not higher than that of another use meanwhile: passkeys without a count always say 0.
 */
export function usePasskey(
  { id, userId, counter }: PasskeyUsed,
  { hash }: ReadChallenge,
  spentBy: string,
  now: number,
): Statement {
  return {
    sql: `UPDATE passkeys SET counter = ?5, last_used_at = ?6, spent_by = ?2
          WHERE id = ?3 AND user_id = ?4 AND (counter < ?5 OR (counter = 0 AND ?5 = 0)) AND ${IS_SPENT}
          RETURNING id`,
    params: [hash, spentBy, id, userId, counter, now],
  };
}

interface NewPasskey {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly rpId: string;
  readonly transports: readonly string[];
}

/**
 * Inserts a passkey of a session's user, who has confirmed who they are, unless its challenge was spent, its id is known, or
 * the user has too many. Returns a row if so.
 */
export function insertPasskey(
  { familyId, userId }: SessionRef,
  now: number,
  passkey: NewPasskey,
  { hash }: ReadChallenge,
): Statement {
  return {
    sql: `INSERT INTO passkeys (id, user_id, name, public_key, counter, rp_id, transports, created_at)
          SELECT ?4, ?2, ?5, ?6, ?7, ?8, ?9, ?3
          WHERE ${MAY_ENROL} AND (SELECT count(*) FROM passkeys WHERE user_id = ?2) < ${MAX_PASSKEYS}
            AND NOT EXISTS (SELECT 1 FROM spent_challenges WHERE hash = ?10)
          ON CONFLICT DO NOTHING RETURNING id`,
    params: [
      familyId,
      userId,
      now,
      passkey.id,
      passkey.name,
      passkey.publicKey,
      passkey.counter,
      passkey.rpId,
      JSON.stringify(passkey.transports),
      hash,
    ],
  };
}

/** After `insertPasskey`, in the same batch: spends its challenge, if the passkey was inserted. */
export function spendForPasskey(userId: string, now: number, id: string, { hash, endsAt }: ReadChallenge): Statement {
  return {
    sql: `INSERT INTO spent_challenges (hash, spent_by, ends_at)
          SELECT ?4, id, ?5 FROM passkeys WHERE id = ?3 AND user_id = ?1 AND created_at = ?2 ON CONFLICT DO NOTHING`,
    params: [userId, now, id, hash, endsAt],
  };
}

export interface RefusedRow {
  readonly is_signed_in: number;
  readonly is_confirmed: number;
  readonly is_spent: number;
  readonly is_known: number;
}

/** Selects why `insertPasskey`, which comes before it in the batch, has returned no row. */
export function selectRefused(
  { familyId, userId }: SessionRef,
  now: number,
  id: string,
  { hash }: ReadChallenge,
): Statement {
  return {
    sql: `SELECT ${IS_SIGNED_IN} AS is_signed_in, ${MAY_ENROL} AS is_confirmed,
            EXISTS (SELECT 1 FROM passkeys WHERE id = ?4) AS is_known,
            EXISTS (SELECT 1 FROM spent_challenges WHERE hash = ?5) AS is_spent`,
    params: [familyId, userId, now, id, hash],
  };
}

export function updateName({ familyId, userId }: SessionRef, now: number, id: string, name: string): Statement {
  return {
    sql: `UPDATE passkeys SET name = ?5 WHERE id = ?4 AND user_id = ?2 AND ${IS_SIGNED_IN} RETURNING id`,
    params: [familyId, userId, now, id, name],
  };
}

/** Deletes a passkey, if its user has confirmed who they are; without the last one, passkeys are no second factor. */
export function deletePasskey({ familyId, userId }: SessionRef, now: number, id: string): Statement[] {
  return [
    {
      sql: `DELETE FROM passkeys WHERE id = ?4 AND user_id = ?2 AND ${IS_CONFIRMED}`,
      params: [familyId, userId, now, id],
    },
    ...endFactor({ familyId, userId }, now, 'NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = ?2)'),
  ];
}

export interface HostRow {
  readonly host: string;
}

/** The hosts for which there are passkeys, up to ten of them: each is one step in the index. */
export function selectHosts(): Statement {
  return {
    sql: `WITH RECURSIVE hosts (host) AS (
            SELECT min(rp_id) FROM passkeys
            UNION ALL SELECT (SELECT min(rp_id) FROM passkeys WHERE rp_id > hosts.host) FROM hosts WHERE host IS NOT NULL LIMIT 11
          ) SELECT host FROM hosts WHERE host IS NOT NULL LIMIT 10`,
    params: [],
  };
}

export function selectHost(host: string): Statement {
  return { sql: 'SELECT rp_id AS host FROM passkeys WHERE rp_id = ?1 LIMIT 1', params: [host] };
}

export function deleteSpentChallenges(now: number): Statement {
  return { sql: 'DELETE FROM spent_challenges WHERE ends_at <= ?1', params: [now] };
}
