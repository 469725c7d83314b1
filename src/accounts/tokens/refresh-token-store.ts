import type { Database, Statement } from '../../database/database.ts';
import { DAY_MS } from '../../time/day.ts';

/** A family that has not ended, as these statements return it. */
export interface FamilyRow {
  readonly id: string;
  readonly user_id: string;
  readonly ends_at: number;
}

interface Rotation {
  readonly presentedHash: string;
  readonly successorHash: string;
  readonly now: number;
  /** A token used before this instant no longer counts as a lost response. */
  readonly lostResponseSince: number;
  /** The application of OAuth that it was given to; null for the token of a sign-in. */
  readonly application: string | null;
  /** The end of the family from now on, but a year after its beginning at the latest; null if it stays. */
  readonly endsAt: number | null;
}

const YEAR_MS = 366 * 24 * 3600 * 1000;

/** True if the family `f` was begun by the application `parameter`, or by a sign-in if that is NULL. */
const isOf = (parameter: string) => `CASE WHEN ${parameter} IS NULL THEN f.began_by IS NOT 'oauth'
    ELSE f.began_by IS 'oauth' AND f.begun_with IS ${parameter} END`;

/**
 * Replaces the presented token by its successor, in one transaction; null if it is refused. The order matters: first a
 * reuse ends the family, then only a family that has not ended takes a new token, and the rest happens only if it did.
 */
export async function rotateRefreshToken(db: Database, rotation: Rotation): Promise<FamilyRow | null> {
  const { presentedHash, successorHash, now, lostResponseSince, application, endsAt } = rotation;
  const endOnReuse: Statement = {
    sql: `UPDATE token_families SET ended_at = ?2
          WHERE ended_at IS NULL AND id = (
            SELECT t.family_id FROM refresh_tokens t JOIN token_families f ON f.id = t.family_id
            LEFT JOIN refresh_tokens s ON s.hash = t.successor_hash
            WHERE t.hash = ?1 AND ${isOf('?4')}
              AND (t.status = 'replaced' OR (t.status = 'spent' AND (t.spent_at < ?3 OR s.status <> 'live'))))`,
    params: [presentedHash, now, lostResponseSince, application],
  };
  const insertSuccessor: Statement = {
    sql: `INSERT INTO refresh_tokens (hash, family_id, status)
          SELECT ?2, f.id, 'live'
          FROM refresh_tokens t JOIN token_families f ON f.id = t.family_id JOIN users u ON u.id = f.user_id
          WHERE t.hash = ?1 AND f.ended_at IS NULL AND f.ends_at > ?3 AND u.disabled_at IS NULL
            AND ${isOf('?4')}`,
    params: [presentedHash, successorHash, now, application],
  };
  const replaceUnused: Statement = {
    sql: `UPDATE refresh_tokens SET status = 'replaced'
          WHERE hash = (SELECT successor_hash FROM refresh_tokens WHERE hash = ?1)
            AND EXISTS (SELECT 1 FROM refresh_tokens WHERE hash = ?2)`,
    params: [presentedHash, successorHash],
  };
  const spend: Statement = {
    sql: `UPDATE refresh_tokens SET status = 'spent', spent_at = coalesce(spent_at, ?3), successor_hash = ?2
          WHERE hash = ?1 AND EXISTS (SELECT 1 FROM refresh_tokens WHERE hash = ?2)`,
    params: [presentedHash, successorHash, now],
  };
  const extend: Statement = {
    sql: `UPDATE token_families SET ends_at = max(ends_at, min(?2, started_at + ${YEAR_MS}))
          WHERE id = (SELECT family_id FROM refresh_tokens WHERE hash = ?1)`,
    params: [successorHash, endsAt],
  };
  const selectFamily: Statement = {
    sql: `SELECT f.id, f.user_id, f.ends_at
          FROM refresh_tokens t JOIN token_families f ON f.id = t.family_id WHERE t.hash = ?1`,
    params: [successorHash],
  };
  const steps = [endOnReuse, insertSuccessor, replaceUnused, spend, ...(endsAt === null ? [] : [extend]), selectFamily];
  const results = await db.batch<FamilyRow[]>(steps);
  return results.at(-1)?.[0] ?? null;
}

interface Revocation {
  readonly refreshHash: string | null;
  readonly familyId: string | null;
  readonly now: number;
}

/** Ends the family of a refresh token or an id, unless it has ended, or is one of OAuth. */
export async function endFamily(db: Database, { refreshHash, familyId, now }: Revocation): Promise<void> {
  await db.first({
    sql: `UPDATE token_families SET ended_at = ?3
          WHERE ended_at IS NULL AND began_by IS NOT 'oauth'
            AND id IN (?1, (SELECT family_id FROM refresh_tokens WHERE hash = ?2))`,
    params: [familyId, refreshHash, now],
  });
}

/** For the batch that disables a user or changes a password. */
export function endFamiliesOf(userId: string, now: number): Statement {
  return {
    sql: `UPDATE token_families SET ended_at = ?2 WHERE user_id = ?1 AND ended_at IS NULL`,
    params: [userId, now],
  };
}

const MAX_FAMILIES = 1000;

/**
 * Ends all sign-ins except the newest 1,000 of a user, so that the statements after this one delete them. Browsers,
 * programs and grants of OAuth are counted separately: a script gets tokens each minute, and a grant lasts a year. Those of
 * the last day are kept, since their tokens may be in use.
 */
export function endSurplusFamilies(now: number): Statement {
  return {
    sql: `UPDATE token_families SET ends_at = ?1 WHERE id IN (
            SELECT id FROM (
              SELECT f.id, f.started_at, row_number() OVER (
                PARTITION BY f.user_id, s.hash IS NULL, f.began_by IS 'oauth' ORDER BY f.started_at DESC, f.id) AS place
              FROM token_families f LEFT JOIN sessions s ON s.family_id = f.id)
            WHERE place > ${MAX_FAMILIES} AND started_at < ?2)`,
    params: [now, now - DAY_MS],
  };
}

export function deleteTokensOfEndedFamilies(now: number): Statement {
  return {
    sql: `DELETE FROM refresh_tokens WHERE family_id IN (SELECT id FROM token_families WHERE ends_at <= ?1)`,
    params: [now],
  };
}

export function deleteEndedFamilies(now: number): Statement {
  return { sql: `DELETE FROM token_families WHERE ends_at <= ?1`, params: [now] };
}
