import type { Statement } from '../../database/database.ts';
import { FAMILY_LIFETIME_SECONDS, PROVIDER_SESSION_MS } from '../sessions/lifetime.ts';
import { IS_KEPT } from './provider-store.ts';

/** The SQL by which the session of a provider continues after its eight hours. */

const LIFETIME_MS = FAMILY_LIFETIME_SECONDS * 1000;

export interface EndedRow {
  readonly family_id: string;
  readonly user_id: string;
  readonly subject: string;
  /** Sealed, or null. */
  readonly refresh_token: string | null;
  readonly id: string;
  readonly client_id: string | null;
  readonly issuer: string;
  readonly application: string;
  readonly secret: string | null;
}

/**
 * Selects the session of a cookie's hash that ended because its time was over, and was used after `idleSince`: not one that
 * its user has ended, nor one whose provider is off or whose user would not be let in.
 */
export function selectEnded(hash: string, now: number, idleSince: number): Statement {
  return {
    sql: `SELECT f.id AS family_id, f.user_id, i.subject, i.refresh_token, p.id, p.client_id, p.issuer, p.application,
            p.secret
          FROM sessions s JOIN token_families f ON f.id = s.family_id JOIN users u ON u.id = f.user_id
          JOIN providers p ON p.id = f.provider_id
          JOIN identities i ON i.provider_id = f.provider_id AND i.user_id = f.user_id
          WHERE s.hash = ?1 AND s.seen_at > ?3 AND f.ended_at IS NULL AND f.ends_at <= ?2
            AND f.started_at > ?2 - ${LIFETIME_MS} AND u.disabled_at IS NULL AND p.on_at IS NOT NULL AND ${IS_KEPT}
          LIMIT 1`,
    params: [hash, now, idleSince],
  };
}

/** The time that the request which asks a provider has before another one asks. */
const LEASE_MS = 15_000;

/** Returns a row for one of several requests at once: some providers take each refresh token once. */
export function beginAsking(
  { id, subject, refresh_token: token }: Pick<EndedRow, 'id' | 'subject' | 'refresh_token'>,
  now: number,
): Statement {
  return {
    sql: `UPDATE identities SET asked_at = ?3
          WHERE provider_id = ?1 AND subject = ?2 AND refresh_token = ?4 AND coalesce(asked_at, 0) <= ?3 - ${LEASE_MS}
          RETURNING subject`,
    params: [id, subject, now, token],
  };
}

/** After the statements that note the confirmation of a person at `now`: their session continues for eight hours. */
export function extend(
  { family_id: familyId, user_id: userId, id, subject }: Pick<EndedRow, 'family_id' | 'user_id' | 'id' | 'subject'>,
  now: number,
): Statement {
  return {
    sql: `UPDATE token_families SET ends_at = min(?3 + ${PROVIDER_SESSION_MS}, started_at + ${LIFETIME_MS})
          WHERE id = ?1 AND user_id = ?2 AND provider_id = ?4 AND ended_at IS NULL AND EXISTS (
            SELECT 1 FROM identities WHERE provider_id = ?4 AND subject = ?5 AND user_id = ?2 AND confirmed_at = ?3)
          RETURNING id`,
    params: [familyId, userId, now, id, subject],
  };
}
