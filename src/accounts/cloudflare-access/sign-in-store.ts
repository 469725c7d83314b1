import type { Statement } from '../../database/database.ts';
import { insertBrowser, recordSessionBegun } from '../sessions/session-store.ts';
import { insertUser } from '../store.ts';
import { NO_PASSWORD } from '../users/password.ts';
import { confirm } from '../suspension/suspension-store.ts';

/** The SQL of sign-ins at Cloudflare Access. Its application is a row of `providers`, and a person one of `identities`. */

interface Application {
  readonly issuer: string;
  readonly audience: string;
}

const IS_THE_PROVIDER = `client_id IS NULL AND kind = 'access' AND issuer = ?1 AND application = ?2`;

export interface KnownRow {
  readonly provider_id: string;
  /** Null if the person is not known. */
  readonly user_id: string | null;
  readonly is_disabled: number;
  /** Another user who has the address, here or at the provider of the service, or by a mailed link; or null. */
  readonly address_of: string | null;
}

/** Inserts the provider, if it is new, and selects the person. */
export function selectPerson(
  { issuer, audience }: Application,
  subject: string,
  email: string,
  now: number,
): Statement[] {
  return [
    {
      sql: `INSERT INTO providers (id, kind, client_id, issuer, application, name, created_at, updated_at, on_at)
            SELECT lower(hex(randomblob(16))), 'access', NULL, ?1, ?2, 'Cloudflare Access', ?3, ?3, ?3
            WHERE NOT EXISTS (SELECT 1 FROM providers WHERE ${IS_THE_PROVIDER})`,
      params: [issuer, audience, now],
    },
    {
      sql: `SELECT p.id AS provider_id, i.user_id, u.disabled_at IS NOT NULL AS is_disabled, coalesce((
              SELECT o.user_id FROM identities o JOIN providers op ON op.id = o.provider_id
              WHERE op.client_id IS NULL AND lower(o.email) = lower(?4) AND NOT (o.provider_id = p.id AND o.subject = ?3)
              LIMIT 1
            ), (
              SELECT a.user_id FROM mail_addresses a WHERE lower(a.address) = lower(?4) AND a.user_id IS NOT i.user_id
              LIMIT 1
            )) AS address_of
            FROM (SELECT id FROM providers WHERE ${IS_THE_PROVIDER}) p
            LEFT JOIN identities i ON i.provider_id = p.id AND i.subject = ?3 LEFT JOIN users u ON u.id = i.user_id`,
      params: [issuer, audience, subject, email],
    },
  ];
}

interface NewPerson {
  readonly providerId: string;
  readonly subject: string;
  readonly email: string;
  /** The address, if it can be the name of a user. */
  readonly name: string;
  readonly userId: string;
  readonly clientId: string;
  readonly role: 'owner' | 'member';
  readonly now: number;
}

/**
 * Inserts a person with an account, in a client that exists: the name is the address, or the account's id where that is
 * taken. Of two requests at once the second one inserts nothing.
 */
export function insertPerson({
  providerId,
  subject,
  email,
  name,
  userId,
  clientId,
  role,
  now,
}: NewPerson): Statement[] {
  const user = { id: userId, passwordHash: NO_PASSWORD, now };
  return [
    insertUser({ ...user, name }),
    insertUser({ ...user, name: userId }),
    {
      sql: `INSERT INTO identities (provider_id, subject, user_id, email, created_at, confirmed_at)
            SELECT ?1, ?2, u.id, ?4, ?5, ?5 FROM users u JOIN clients c ON c.id = ?6
            WHERE u.id = ?3 AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.client_id = c.id AND d.undone_at IS NULL)
            ON CONFLICT DO NOTHING`,
      params: [providerId, subject, userId, email, now, clientId],
    },
    {
      sql: `DELETE FROM users WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM identities WHERE user_id = ?1)`,
      params: [userId],
    },
    {
      sql: `INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id,
              credential_kind, credential_id)
            SELECT ?2, ?4, lower(hex(randomblob(8))), 'member.joined', u.id, u.name, json_object('role', ?3), u.id, 'session', ''
            FROM users u WHERE u.id = ?1`,
      params: [userId, clientId, role, now],
    },
    {
      sql: `INSERT INTO members (user_id, client_id, created_at, role) SELECT id, ?2, ?4, ?3 FROM users WHERE id = ?1`,
      params: [userId, clientId, role, now],
    },
  ];
}

interface AccessSession {
  readonly providerId: string;
  readonly subject: string;
  readonly email: string;
  readonly familyId: string;
  readonly hash: string;
  readonly now: number;
  readonly endsAt: number;
  readonly browser: string | null;
  readonly os: string | null;
  readonly country: string | null;
}

/**
 * Begins a session of a known person; the first statement returns a row if it did. Its beginning is no confirmation, since
 * Access asks for none at that moment.
 */
export function beginAccessSession(session: AccessSession): Statement[] {
  const { providerId, subject, email, familyId, now, endsAt } = session;
  return [
    {
      sql: `INSERT INTO token_families (id, user_id, started_at, ends_at, began_by, begun_with, provider_id, confirmed_at)
            SELECT ?1, u.id, ?4, ?5, 'provider', i.provider_id, i.provider_id, 0
            FROM identities i JOIN users u ON u.id = i.user_id
            WHERE i.provider_id = ?2 AND i.subject = ?3 AND u.disabled_at IS NULL AND ?5 > ?4
            RETURNING user_id`,
      params: [familyId, providerId, subject, now, endsAt],
    },
    insertBrowser(session),
    recordSessionBegun(familyId),
    {
      sql: `UPDATE identities SET email = ?3 WHERE provider_id = ?1 AND subject = ?2 AND email IS NOT ?3`,
      params: [providerId, subject, email],
    },
    ...confirm({ providerId, subject }, now),
  ];
}
