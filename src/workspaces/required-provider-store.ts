import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../accounts/access.ts';
import { insertAudit } from '../accounts/audit/write-audit.ts';
import { givenName, shownName } from '../accounts/members/given-name.ts';
import { HAS_PASSWORD } from '../accounts/users/password.ts';
import type { Statement } from '../database/database.ts';

/** The SQL by which the owners of a client demand that it is opened by a provider alone. */

/** The provider `p` by which the session ?3 began, if the client `c` can demand it. */
const OFFERED = `FROM token_families f JOIN providers p ON p.id = f.provider_id
  WHERE f.id = ?3 AND f.began_by IN ('provider', 'app', 'recovery_code') AND p.kind = 'openid' AND p.ended_at IS NULL
    AND (p.client_id IS NULL OR (p.client_id = c.id AND p.on_at IS NOT NULL))`;

/** The owners `u` of the client `c` who have a password and a second factor. */
const CANDIDATES = `FROM members m JOIN users u ON u.id = m.user_id
  WHERE m.client_id = c.id AND m.role = 'owner' AND u.disabled_at IS NULL AND u.factor_since IS NOT NULL
    AND ${HAS_PASSWORD}`;

/** The user `u` as a member of the client `m`. */
const MEMBER = { id: 'u.id', name: 'u.name', client: 'm.client_id' };

/** JSON: {userId, name, given} */
const NAMED = `json_object('userId', u.id, 'name', u.name, 'given', json(${givenName(MEMBER)}))`;

export interface DemandRow {
  /** Null if none is demanded; the name of a provider that no longer exists is ''. */
  readonly required: string | null;
  readonly required_since: number | null;
  /** JSON: {userId, name, given}, or null. */
  readonly emergency_owner: string | null;
  readonly offered: string | null;
  /** True if the client has a provider of its own that is on. */
  readonly has_provider: number;
  readonly unconfirmed_days: number | null;
  /** JSON: [{userId, name, given}] */
  readonly candidates: string;
}

export function selectDemand(actor: Actor, now: number): Statement {
  return {
    sql: `${ACTING}
      SELECT CASE WHEN c.required_provider IS NOT NULL
          THEN coalesce((SELECT name FROM providers WHERE id = c.required_provider), '') END AS required,
        c.required_since, (SELECT ${NAMED} FROM users u JOIN members m ON m.user_id = u.id AND m.client_id = c.id
          WHERE u.id = c.break_glass_id) AS emergency_owner,
        (SELECT p.name ${OFFERED}) AS offered,
        EXISTS (SELECT 1 FROM providers WHERE client_id = c.id AND on_at IS NOT NULL AND ended_at IS NULL) AS has_provider,
        (SELECT unconfirmed_days FROM providers WHERE client_id = c.id AND ended_at IS NULL) AS unconfirmed_days,
        (SELECT json_group_array(${NAMED} ORDER BY ${shownName(MEMBER)}) ${CANDIDATES}) AS candidates
      FROM clients c WHERE c.id = ${SOLE_CLIENT}`,
    params: actingParams(actor, 'members', now),
  };
}

export interface StoppedRow {
  readonly local_id: string;
  readonly name: string;
  readonly given: string | null;
  readonly has_identity: number;
  readonly passwords: number;
  readonly applications: number;
  readonly programs: number;
}

/** The most members of whom is shown what stops. */
const MAX_SHOWN = 200;

const isOther = (row: string) => `${row}.provider_id IS NOT (SELECT provider_id FROM token_families WHERE id = ?3)`;

/** The members for whom something stops once the provider of the session ?3 is demanded, and how much of what. */
export function selectStopped(actor: Actor, now: number): Statement {
  const families = `FROM token_families f
    WHERE f.user_id = m.user_id AND f.ended_at IS NULL AND f.ends_at > ?5 AND coalesce(f.client_id, m.client_id) = m.client_id
      AND ${isOther('f')}`;
  return {
    sql: `${ACTING}
      SELECT * FROM (
        SELECT m.user_id AS local_id, u.name, ${givenName(MEMBER)} AS given,
          EXISTS (SELECT 1 FROM identities i WHERE i.user_id = m.user_id AND NOT ${isOther('i')}) AS has_identity,
          (SELECT count(*) FROM application_passwords p
            WHERE p.user_id = m.user_id AND p.revoked_at IS NULL AND coalesce(p.client_id, m.client_id) = m.client_id
              AND ${isOther('p')}) AS passwords,
          (SELECT count(*) ${families} AND f.began_by = 'oauth') AS applications,
          (SELECT count(*) ${families} AND f.began_by IS NOT 'oauth' AND f.began_by IS NOT 'application_password'
            AND f.id NOT IN (SELECT family_id FROM sessions)) AS programs
        FROM members m JOIN users u ON u.id = m.user_id WHERE m.client_id = ${SOLE_CLIENT})
      WHERE NOT has_identity OR passwords > 0 OR applications > 0 OR programs > 0
      ORDER BY coalesce(json_extract(given, '$.name'), name), local_id LIMIT ${MAX_SHOWN}`,
    params: actingParams(actor, 'members', now),
  };
}

/**
 * Demands the provider of the session ?3, with an owner for emergencies; the second statement returns a row if it did. A
 * session of that owner which began before is not in the audit log, so it no longer opens the client.
 */
export function demandProvider(actor: Actor, now: number, emergencyId: string): Statement[] {
  const where = `c.id = ${SOLE_CLIENT} AND EXISTS (SELECT 1 ${OFFERED}) AND EXISTS (SELECT 1 ${CANDIDATES} AND u.id = ?8)`;
  return [
    insertAudit(actor, 'members', now, {
      action: 'client.provider_required',
      subjects: `SELECT c.id, c.id, c.name, json_object('provider', (SELECT p.name ${OFFERED}),
          'emergency_owner', (SELECT name FROM users WHERE id = ?8))
        FROM clients c WHERE ${where}`,
      params: [emergencyId],
    }),
    {
      sql: `${ACTING} UPDATE clients AS c SET required_since = ?5, break_glass_id = ?8,
          required_provider = (SELECT provider_id FROM token_families WHERE id = ?3)
        WHERE ${where} RETURNING id`,
      params: [...actingParams(actor, 'members', now), emergencyId],
    },
  ];
}
