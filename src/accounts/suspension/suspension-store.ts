import type { Statement } from '../../database/database.ts';
import { insertServiceAudit } from '../audit/write-audit.ts';
import { WARNING_MS } from '../sessions/lifetime.ts';
import { ANOTHER_OWNER, IS_EMERGENCY_OWNER } from '../members/member-store.ts';
import { DAY_MS } from '../../time/day.ts';

/**
 * The SQL that suspends the memberships of an identity, and restores them. A row of `members` is moved to
 * `suspended_members`, so that no statement that asks for a member can forget it.
 */

/** An identity: ?1 is its provider, ?2 its subject. */
export interface IdentityRef {
  readonly providerId: string;
  readonly subject: string;
}

/**
 * The clients that a provider `p` decides about: its own, or if it is that of the service those of the user of the identity
 * `i`, except where the user has an identity at a provider of the client itself.
 */
const isOfProvider = (row: string) => `(p.client_id = ${row}.client_id OR (p.client_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM identities oi JOIN providers op ON op.id = oi.provider_id
    WHERE oi.user_id = i.user_id AND op.client_id = ${row}.client_id AND op.ended_at IS NULL)))`;

const memberships = (table: string, row: string) => `FROM identities i JOIN providers p ON p.id = i.provider_id
  JOIN users u ON u.id = i.user_id JOIN ${table} ${row} ON ${row}.user_id = i.user_id AND ${isOfProvider(row)}
  WHERE i.provider_id = ?1 AND i.subject = ?2`;

const IS_OF_IDENTITY = 'user_id = (SELECT user_id FROM identities WHERE provider_id = ?1 AND subject = ?2)';

/** True if the member `m` is not the last owner of a client. */
const IS_NOT_LAST = `(m.role <> 'owner' OR ${ANOTHER_OWNER})`;

/** True if the person of the identity `i` has a membership that its provider `p` can suspend by not confirming them. */
export const CAN_BE_SUSPENDED = `EXISTS (SELECT 1 FROM members m WHERE m.user_id = i.user_id AND ${isOfProvider('m')}
    AND ${IS_NOT_LAST} AND NOT ${IS_EMERGENCY_OWNER})`;

/**
 * Suspends the memberships of an identity under a condition on the identity `i`, its provider `p` and the membership `m`, at
 * ?3, but never that of a client's last owner.
 */
function suspend({ providerId, subject }: IdentityRef, now: number, reason: Reason, condition: string): Statement[] {
  const params = [providerId, subject, now];
  const rows = `${memberships('members', 'm')} AND ${IS_NOT_LAST} AND p.ended_at IS NULL AND ${condition}`;
  return [
    {
      sql: `INSERT INTO suspended_members (user_id, client_id, created_at, role, role_by_claims, suspended_at)
            SELECT m.user_id, m.client_id, m.created_at, m.role, m.role_by_claims, ?3 ${rows} ON CONFLICT DO NOTHING`,
      params,
    },
    {
      sql: `WITH subject (client_id, id, name, action, provider) AS (
              SELECT m.client_id, u.id, u.name, 'member.suspended', p.name
              ${memberships('suspended_members', 'm')} AND m.suspended_at = ?3)
            ${insertServiceAudit('?3', `json_object('provider', provider, 'reason', '${reason}')`)}`,
      params,
    },
    {
      sql: `DELETE FROM members WHERE EXISTS (
              SELECT 1 FROM suspended_members s WHERE s.user_id = members.user_id AND s.client_id = members.client_id
                AND s.suspended_at = ?3)
              AND ${IS_OF_IDENTITY}`,
      params,
    },
  ];
}

type Reason = 'refused' | 'unconfirmed';

/**
 * Suspends who was refused by the provider, and forgets the refresh token, if it is still the one that was sent: a newer one
 * came from a sign-in that the provider has confirmed.
 */
export function suspendRefused(identity: IdentityRef, now: number, token: string | null): Statement[] {
  const { providerId, subject } = identity;
  return [
    {
      sql: `UPDATE identities SET refresh_token = NULL, asked_at = ?3, refused_at = ?3
            WHERE provider_id = ?1 AND subject = ?2 AND refresh_token IS ?4`,
      params: [providerId, subject, now, token],
    },
    // The members of a deleted client have been moved before, and its undo restores those that no provider has refused.
    {
      sql: `UPDATE suspended_members SET suspended_at = ?3
            WHERE suspended_at IS NULL AND ${IS_OF_IDENTITY} AND client_id IN (
              SELECT m.client_id ${memberships('suspended_members', 'm')} AND p.ended_at IS NULL AND i.refused_at = ?3
                AND (m.role <> 'owner' OR EXISTS (SELECT 1 FROM suspended_members om
                  WHERE om.client_id = m.client_id AND om.user_id <> m.user_id AND om.role = 'owner'
                    AND om.suspended_at IS NULL)))`,
      params: [providerId, subject, now],
    },
    ...suspend(identity, now, 'refused', 'i.refused_at = ?3'),
  ];
}

/** Suspends who was warned long enough ago, and has not been confirmed since; the emergency owner need not be. */
export const suspendUnconfirmed = (identity: IdentityRef, now: number): Statement[] =>
  suspend(identity, now, 'unconfirmed', `${isDue('?3')} AND NOT ${IS_EMERGENCY_OWNER}`);

/** True if the identity `i` of the provider `p` has to be suspended at an instant. */
const isDue = (now: string) =>
  `i.refresh_token IS NULL AND p.unconfirmed_days IS NOT NULL AND i.warned_at <= ${now} - ${WARNING_MS}`;

/** Warns those whom their provider has not confirmed for long: seven days before they are suspended. */
export function warnUnconfirmed(now: number): Statement {
  return {
    sql: `UPDATE identities AS i SET warned_at = ?1
          WHERE i.warned_at IS NULL AND i.refresh_token IS NULL AND EXISTS (
            SELECT 1 FROM providers p WHERE p.id = i.provider_id AND p.ended_at IS NULL
              AND i.confirmed_at <= ?1 - p.unconfirmed_days * ${DAY_MS} + ${WARNING_MS})`,
    params: [now],
  };
}

/** Ends the warnings of providers whose owners have turned the suspension off, or have given more days. */
export function endWarnings(now: number): Statement {
  return {
    sql: `UPDATE identities AS i SET warned_at = NULL
          WHERE i.warned_at IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM providers p WHERE p.id = i.provider_id AND p.ended_at IS NULL
              AND i.confirmed_at <= ?1 - p.unconfirmed_days * ${DAY_MS} + ${WARNING_MS})`,
    params: [now],
  };
}

export interface AskedRow {
  readonly id: string;
  readonly client_id: string | null;
  readonly issuer: string;
  readonly application: string;
  readonly secret: string | null;
  readonly subject: string;
  readonly refresh_token: string;
  /** True if the person opens a client also when the provider that it demands fails. */
  readonly is_emergency: number;
}

/**
 * The people for whom a provider can be asked, with what would outlive their sessions: of each provider in turn, so that one
 * with many leaves room for others, those asked longest ago first.
 */
export function selectAsked(now: number, limit: number): Statement {
  return {
    sql: `SELECT p.id, p.client_id, p.issuer, p.application, p.secret, i.subject, i.refresh_token,
            i.user_id IN (SELECT break_glass_id FROM clients WHERE required_provider IS NOT NULL) AS is_emergency
          FROM identities i JOIN providers p ON p.id = i.provider_id
          WHERE i.refresh_token IS NOT NULL AND p.ended_at IS NULL AND (p.client_id IS NULL OR p.on_at IS NOT NULL)
            AND EXISTS (SELECT 1 FROM members m WHERE m.user_id = i.user_id AND ${isOfProvider('m')})
            AND (EXISTS (SELECT 1 FROM api_keys k WHERE k.user_id = i.user_id AND k.revoked_at IS NULL
                AND (k.expires_at IS NULL OR k.expires_at > ?1))
              OR EXISTS (SELECT 1 FROM application_passwords a WHERE a.user_id = i.user_id AND a.revoked_at IS NULL)
              OR EXISTS (SELECT 1 FROM token_families f
                WHERE f.user_id = i.user_id AND f.ended_at IS NULL AND f.ends_at > ?1 AND f.began_by IS NOT 'provider'))
          ORDER BY row_number() OVER (PARTITION BY i.provider_id ORDER BY i.asked_at, i.subject), i.asked_at LIMIT ?2`,
    params: [now, limit],
  };
}

/** Notes that a provider was asked in vain, so that others come first the next time. */
export const noteAsked = ({ providerId, subject }: IdentityRef, now: number): Statement => ({
  sql: `UPDATE identities SET asked_at = ?3 WHERE provider_id = ?1 AND subject = ?2`,
  params: [providerId, subject, now],
});

export interface DueRow {
  readonly provider_id: string;
  readonly subject: string;
}

/** Selects the identities that have to be suspended, without owners who stay: they would fill it each day. */
export function selectDue(now: number, limit: number): Statement {
  return {
    sql: `SELECT i.provider_id, i.subject FROM identities i JOIN providers p ON p.id = i.provider_id
          WHERE p.ended_at IS NULL AND ${isDue('?1')}
            AND ${CAN_BE_SUSPENDED}
          ORDER BY i.warned_at LIMIT ?2`,
    params: [now, limit],
  };
}

/**
 * Notes that the provider has confirmed the person at ?3, and restores the memberships that it has suspended. With `next`
 * the refresh token becomes that, if it is still the one that was sent. Five statements.
 */
export function confirm(
  { providerId, subject }: IdentityRef,
  now: number,
  next: { readonly sent: string; readonly received: string | null } | null = null,
): Statement[] {
  const params = [providerId, subject, now];
  const restored = `${memberships('suspended_members', 's')} AND s.suspended_at IS NOT NULL AND i.confirmed_at = ?3
    AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.client_id = s.client_id AND d.undone_at IS NULL)`;
  return [
    {
      sql: `UPDATE identities SET confirmed_at = ?3, asked_at = ?3, warned_at = NULL, refused_at = NULL,
              refresh_token = CASE WHEN ?4 IS NOT NULL AND refresh_token IS ?4 THEN coalesce(?5, refresh_token)
                ELSE refresh_token END
            WHERE provider_id = ?1 AND subject = ?2`,
      params: [...params, next?.sent ?? null, next?.received ?? null],
    },
    {
      sql: `WITH subject (client_id, id, name, action, provider) AS (
              SELECT s.client_id, u.id, u.name, 'member.confirmed', p.name
              ${restored})
            ${insertServiceAudit('?3', `json_object('provider', provider)`)}`,
      params,
    },
    {
      sql: `INSERT INTO members (user_id, client_id, created_at, role, role_by_claims)
            SELECT s.user_id, s.client_id, s.created_at, s.role, s.role_by_claims ${restored} ON CONFLICT DO NOTHING`,
      params,
    },
    {
      sql: `DELETE FROM suspended_members WHERE suspended_at IS NOT NULL
              AND ${IS_OF_IDENTITY} AND EXISTS (SELECT 1 FROM members m
                WHERE m.user_id = suspended_members.user_id AND m.client_id = suspended_members.client_id)`,
      params: [providerId, subject],
    },
    // The undo of a deletion restores them then.
    {
      sql: `UPDATE suspended_members SET suspended_at = NULL
            WHERE suspended_at IS NOT NULL AND ${IS_OF_IDENTITY} AND client_id IN (
              SELECT s.client_id ${memberships('suspended_members', 's')} AND s.client_id IN (
                SELECT client_id FROM deletions WHERE undone_at IS NULL))`,
      params: [providerId, subject],
    },
  ];
}
