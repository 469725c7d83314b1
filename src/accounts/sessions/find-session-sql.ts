import type { Statement } from '../../database/database.ts';
import { wrongCodesOf } from '../factors/code-store.ts';
import { IS_LIMITED, LACKS_PROVIDER, MEETS_FACTORS } from '../grants.ts';
import { givenName } from '../members/given-name.ts';
import { WARNING_MS } from './lifetime.ts';
import { encodeCallersOf } from '../tokens/encode-callers.ts';

/** The SQL by which the session of a request is found, with what its pages need. */

export interface SessionRow {
  readonly family_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly language: string | null;
  readonly confirmed_at: number;
  readonly has_factor: number;
  readonly wrong_codes: number;
  /** The client that it opens alone, or null. */
  readonly limited_to: string | null;
  /** JSON: the `GivenName` of the user, or null. */
  readonly given: string | null;
  /** JSON: {id, name, kind}, or null. */
  readonly provider: string | null;
  /** JSON: [{id, name, role, hasFirstSteps, isRestoring, factorsFrom, meetsFactors}] */
  readonly clients: string;
  /** JSON: [{id, name, why, provider}] */
  readonly closed: string;
  /** JSON: [{id, name, role, endsAt}] */
  readonly deleted: string;
  /** JSON: a list of `EncodeCaller` */
  readonly encode_callers: string;
}

interface Look {
  readonly hash: string;
  readonly now: number;
  /** A session seen at or before this instant has been idle for too long. */
  readonly idleSince: number;
  /** If it was seen before this, it is recorded as seen again. */
  readonly staleSince: number;
  /** The first UTC day whose callers of `/shortener/encode` are shown. */
  readonly encodeSince: string;
}

/** True if the session `s` of the family `f` is valid at ?2, if it was last seen after ?3. */
const IS_ALIVE = `f.ended_at IS NULL AND f.ends_at > ?2 AND s.seen_at > ?3
  AND EXISTS (SELECT 1 FROM users WHERE id = f.user_id AND disabled_at IS NULL)`;

/**
 * The clients of the user `u` that the family `f` does not open, though it is not limited to others: those that demand
 * another provider, and those where the provider has not confirmed the user.
 */
const CLOSED = `
  SELECT c.id, coalesce(c.name, c.id) AS name, 'provider' AS why, (SELECT name FROM providers WHERE id = c.required_provider) AS provider
  FROM members m JOIN clients c ON c.id = m.client_id WHERE m.user_id = u.id AND NOT ${IS_LIMITED} AND ${LACKS_PROVIDER}
  UNION ALL
  SELECT c.id, coalesce(c.name, c.id), 'suspended', (SELECT name FROM providers WHERE client_id = c.id AND ended_at IS NULL)
  FROM suspended_members m JOIN clients c ON c.id = m.client_id
  WHERE m.user_id = u.id AND m.suspended_at IS NOT NULL AND NOT ${IS_LIMITED}
    AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.client_id = c.id AND d.undone_at IS NULL)`;

/** The name of the user `u` in the workspace that the family `f` opens alone, or else that by the service's provider. */
const GIVEN = givenName({ id: 'u.id', name: 'u.name', client: `coalesce(f.client_id, '')` });

/** Records a session as seen, if the last record is old, and selects it. */
export function selectSession({ hash, now, idleSince, staleSince, encodeSince }: Look): Statement[] {
  return [
    {
      sql: `UPDATE sessions AS s SET seen_at = ?2
            WHERE s.hash = ?1 AND s.seen_at < ?4
              AND EXISTS (SELECT 1 FROM token_families f WHERE f.id = s.family_id AND ${IS_ALIVE})`,
      params: [hash, now, idleSince, staleSince],
      isBestEffort: true,
      canBeLeftOut: true,
    },
    {
      sql: `SELECT f.id AS family_id, u.id AS user_id, u.name, u.time_zone, u.language,
              coalesce(f.confirmed_at, f.started_at) AS confirmed_at, u.factor_since IS NOT NULL AS has_factor,
              ${wrongCodesOf('u.id', '?2')} AS wrong_codes,
              f.client_id AS limited_to, ${GIVEN} AS given, (
              SELECT json_group_array(json_object('id', m.client_id, 'name', coalesce(c.name, c.id), 'role', m.role,
                'hasFirstSteps', json(CASE WHEN c.first_steps_ended_at IS NULL THEN 'true' ELSE 'false' END),
                'isRestoring', json(CASE WHEN m.client_id IN (SELECT client_id FROM deletions) THEN 'true' ELSE 'false' END),
                'factorsFrom', c.factors_from,
                'confirmUntil', json((
                  SELECT json_object('at', i.warned_at + ${WARNING_MS}, 'provider', p.name)
                  FROM identities i JOIN providers p ON p.id = i.provider_id
                  WHERE i.user_id = u.id AND i.warned_at IS NOT NULL AND p.ended_at IS NULL
                    AND coalesce(p.client_id, c.id) = c.id ORDER BY i.warned_at LIMIT 1)),
                'meetsFactors', json(CASE WHEN ${MEETS_FACTORS} THEN 'true' ELSE 'false' END)
              ) ORDER BY m.created_at, m.client_id)
              FROM members m JOIN clients c ON c.id = m.client_id
              WHERE m.user_id = u.id AND NOT ${IS_LIMITED} AND NOT ${LACKS_PROVIDER}
            ) AS clients, (
              SELECT json_group_array(json_object('id', id, 'name', name, 'why', why, 'provider', provider) ORDER BY name, id)
              FROM (${CLOSED})
            ) AS closed, (
              SELECT json_object('id', p.id, 'name', p.name, 'kind', p.kind) FROM providers p WHERE p.id = f.provider_id
            ) AS provider, (
              SELECT json_group_array(json_object('id', c.id, 'name', coalesce(c.name, c.id), 'role', m.role, 'endsAt', d.ends_at)
                ORDER BY d.requested_at, c.id)
              FROM suspended_members m JOIN clients c ON c.id = m.client_id JOIN deletions d ON d.client_id = m.client_id
              WHERE m.user_id = u.id AND m.suspended_at IS NULL AND NOT ${IS_LIMITED} AND NOT ${LACKS_PROVIDER}
            ) AS deleted, iif(f.client_id IS NULL, ${encodeCallersOf('u.id', '?4')}, '[]') AS encode_callers
            FROM sessions s JOIN token_families f ON f.id = s.family_id JOIN users u ON u.id = f.user_id
            WHERE s.hash = ?1 AND ${IS_ALIVE}`,
      params: [hash, now, idleSince, encodeSince],
    },
  ];
}
