import type { Statement } from '../../database/database.ts';
import { skeletonsOf } from '../../text/skeletons.ts';
import { ANOTHER_OWNER, IS_EMERGENCY_OWNER } from '../members/member-store.ts';
import type { Role } from '../roles.ts';
import { confirm } from '../suspension/suspension-store.ts';
import { IS_CONFIRMED } from '../sessions/confirmation-store.ts';
import { insertBrowser, recordSessionBegun, type SessionRef } from '../sessions/session-store.ts';
import type { Device } from '../sessions/device.ts';
import { IS_KEPT } from './provider-store.ts';

/**
 * The SQL of a sign-in at a provider. In all of it ?1 is the provider, ?2 the subject there, and ?3 the instant. Nothing but
 * the identity of both finds a user.
 */

/** The person who signs in. */
export interface Person {
  readonly provider: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  /** Sealed, or null. */
  readonly refreshToken: string | null;
  /** The role by claims; null without rules. */
  readonly role: Role | null;
}

const IS_ON = `EXISTS (SELECT 1 FROM providers p WHERE p.id = ?1 AND p.on_at IS NOT NULL AND ${IS_KEPT})`;

/** The identity `i` that signs in, with its provider `p`. */
const IDENTITY = `FROM identities i JOIN providers p ON p.id = i.provider_id
  WHERE i.provider_id = ?1 AND i.subject = ?2 AND p.on_at IS NOT NULL AND ${IS_KEPT}`;

/** The member `m` who signs in. */
const IS_THE_MEMBER = `(m.user_id, m.client_id) IN (SELECT i.user_id, p.client_id ${IDENTITY})`;

export interface IdentityRow {
  readonly user_id: string;
  readonly password_hash: string;
  readonly has_factor: number;
  readonly is_disabled: number;
}

/** The user of an identity. */
export function selectIdentity(provider: string, subject: string): Statement {
  return {
    sql: `SELECT u.id AS user_id, u.password_hash, u.factor_since IS NOT NULL AS has_factor,
            u.disabled_at IS NOT NULL AS is_disabled
          FROM identities i JOIN users u ON u.id = i.user_id WHERE i.provider_id = ?1 AND i.subject = ?2`,
    params: [provider, subject],
  };
}

/** Uses up the `state` of an attempt, or the id of a person who chooses: returns a row unless it was used before. */
export function spendState(hash: string, endsAt: number): Statement {
  return {
    sql: `INSERT INTO spent_challenges (hash, spent_by, ends_at) VALUES (?1, 'provider', ?2)
          ON CONFLICT DO NOTHING RETURNING hash`,
    params: [hash, endsAt],
  };
}

interface NewUser {
  readonly id: string;
  /** That of no password. */
  readonly passwordHash: string;
  readonly timeZone: string;
}

/** Two statements: inserts a new user, named by the id, for a person who has none, and their identity. */
export function insertPerson({ provider, subject, name, email }: Person, now: number, user: NewUser): Statement[] {
  return [
    {
      sql: `INSERT INTO users (id, name, password_hash, created_at, skeleton, time_zone)
            SELECT ?4, ?4, ?5, ?3, ?6, ?7
            WHERE ${IS_ON} AND NOT EXISTS (SELECT 1 FROM identities WHERE provider_id = ?1 AND subject = ?2)`,
      params: [provider, subject, now, user.id, user.passwordHash, skeletonsOf(user.id).own, user.timeZone],
    },
    {
      sql: `INSERT INTO identities (provider_id, subject, user_id, name, email, created_at, confirmed_at)
            SELECT ?1, ?2, u.id, ?5, ?6, ?3, ?3 FROM users u WHERE u.id = ?4 AND ${IS_ON} ON CONFLICT DO NOTHING`,
      params: [provider, subject, now, user.id, name, email],
    },
  ];
}

/**
 * Two statements: binds a person who has no user to that of a session, which opens all of its user's account and was
 * confirmed within ten minutes; at the provider of a workspace the user is a member there. The second returns a row if it
 * did.
 */
export function bindPerson({ provider, subject, name, email }: Person, now: number, session: SessionRef): Statement[] {
  const params = [session.familyId, session.userId, now, provider, subject];
  const may = `${IS_CONFIRMED} AND EXISTS (
      SELECT 1 FROM providers p WHERE p.id = ?4 AND p.on_at IS NOT NULL AND ${IS_KEPT} AND (p.client_id IS NULL OR EXISTS (
        SELECT 1 FROM members m WHERE m.user_id = ?2 AND m.client_id = p.client_id)))
    AND NOT EXISTS (SELECT 1 FROM identities WHERE provider_id = ?4 AND subject = ?5)`;
  return [
    // Who has a new identity at the provider no longer has the former one.
    { sql: `DELETE FROM identities WHERE provider_id = ?4 AND user_id = ?2 AND ${may}`, params },
    {
      sql: `INSERT INTO identities (provider_id, subject, user_id, name, email, created_at, confirmed_at)
            SELECT ?4, ?5, ?2, ?6, ?7, ?3, ?3 WHERE ${may} RETURNING user_id`,
      params: [...params, name, email],
    },
  ];
}

const AUDIT = `INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id,
  credential_kind, credential_id)`;

/** Two statements, after `insertPerson`: a new user of the service's provider becomes a member of a client that is open. */
export function joinClient(
  { provider, subject }: Person,
  now: number,
  { clientId, role }: { readonly clientId: string; readonly role: Role },
): Statement[] {
  const params = [provider, subject, now, clientId, role];
  const joining = `${IDENTITY} AND p.client_id IS NULL AND EXISTS (SELECT 1 FROM clients c WHERE c.id = ?4)
    AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.client_id = ?4 AND d.undone_at IS NULL)`;
  return [
    {
      sql: `${AUDIT}
            SELECT ?4, ?3, lower(hex(randomblob(8))), 'member.joined', i.user_id, coalesce(i.name, i.user_id),
              json_object('role', ?5), i.user_id, 'provider', ?1
            ${joining} AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = i.user_id AND m.client_id = ?4)`,
      params,
    },
    {
      sql: `INSERT INTO members (user_id, client_id, created_at, role)
            SELECT i.user_id, ?4, ?3, ?5 ${joining} ON CONFLICT DO NOTHING`,
      params,
    },
  ];
}

/**
 * A user of the provider becomes a member of its workspace, and gets the role by claims; the last owner and that for
 * emergencies stay owners.
 */
function applyMembership({ provider, subject, role }: Person, now: number): Statement[] {
  const params = [provider, subject, now, role];
  const isChanged = `${IS_THE_MEMBER} AND ?4 IS NOT NULL AND (
    ?4 = 'owner' OR m.role = 'member' OR (${ANOTHER_OWNER} AND NOT ${IS_EMERGENCY_OWNER}))`;
  return [
    {
      sql: `${AUDIT}
            SELECT p.client_id, ?3, lower(hex(randomblob(8))), 'member.joined', i.user_id, coalesce(i.name, i.user_id),
              json_object('role', coalesce(?4, 'member')), i.user_id, 'provider', ?1
            ${IDENTITY} AND p.client_id IS NOT NULL AND NOT EXISTS (
              SELECT 1 FROM members m WHERE m.user_id = i.user_id AND m.client_id = p.client_id)`,
      params,
    },
    {
      sql: `INSERT INTO members (user_id, client_id, created_at, role, role_by_claims)
            SELECT i.user_id, p.client_id, ?3, coalesce(?4, 'member'), ?4 IS NOT NULL
            ${IDENTITY} AND p.client_id IS NOT NULL ON CONFLICT DO NOTHING`,
      params,
    },
    {
      sql: `${AUDIT}
            SELECT m.client_id, ?3, lower(hex(randomblob(8))), 'member.role_changed', m.user_id, u.name,
              json_object('role', ?4, 'former_role', m.role), m.user_id, 'provider', ?1
            FROM members m JOIN users u ON u.id = m.user_id WHERE ${isChanged} AND m.role <> ?4`,
      params,
    },
    { sql: `UPDATE members AS m SET role = ?4, role_by_claims = 1 WHERE ${isChanged}`, params },
  ];
}

/** Notes how the provider calls a person, and the token by which it can be asked for them later. */
function nameIdentity({ provider, subject, name, email, refreshToken }: Person, now: number): Statement {
  return {
    sql: `UPDATE identities SET asked_at = ?3, name = coalesce(?4, name), email = coalesce(?5, email),
            refresh_token = coalesce(?6, refresh_token)
          WHERE provider_id = ?1 AND subject = ?2 AND ${IS_ON}`,
    params: [provider, subject, now, name, email, refreshToken],
  };
}

interface ProviderSession extends Device {
  readonly familyId: string;
  readonly hash: string;
  readonly endsAt: number;
  /** When the person gave proof of who they are, in milliseconds since the epoch; 0 if that is not known. */
  readonly provenAt: number;
}

export interface BegunRow {
  readonly user_id: string;
}

/**
 * Begins the session of an identity, which opens the workspace of its provider alone; that of the service's own provider
 * opens the account, unless it has a second factor. The first statement returns a row if it did; all others follow it.
 */
function insertProviderSession({ provider, subject }: Person, now: number, session: ProviderSession): Statement[] {
  return [
    {
      sql: `INSERT INTO token_families (id, user_id, started_at, ends_at, began_by, begun_with, client_id, provider_id,
              confirmed_at)
            SELECT ?4, u.id, ?3, ?5, 'provider', ?1, p.client_id, ?1, ?6
            FROM users u, (SELECT i.user_id, p.client_id ${IDENTITY}) p
            WHERE u.id = p.user_id AND u.disabled_at IS NULL AND CASE WHEN p.client_id IS NULL THEN u.factor_since IS NULL
              ELSE EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.id AND m.client_id = p.client_id) END
            RETURNING user_id`,
      params: [provider, subject, now, session.familyId, session.endsAt, session.provenAt],
    },
    insertBrowser(session),
    recordSessionBegun(session.familyId),
  ];
}

/** Notes that the provider has confirmed a person. */
export const confirmPerson = (person: Person, now: number): Statement[] => [
  nameIdentity(person, now),
  ...confirm({ providerId: person.provider, subject: person.subject }, now),
];

/** The statements of a sign-in. */
export function signInPerson(person: Person, now: number, session: ProviderSession): Statement[] {
  return [
    ...confirmPerson(person, now),
    ...applyMembership(person, now),
    ...insertProviderSession(person, now, session),
  ];
}

/** The number of statements of `signInPerson` before the one that begins the session. */
export const BEFORE_SESSION = 10;

/** Returns a row if the person whom a provider has confirmed is the user of a session that began there. */
export function confirmByIdentity(
  { provider, subject }: Pick<Person, 'provider' | 'subject'>,
  now: number,
  { familyId, userId }: SessionRef,
): Statement {
  return {
    sql: `UPDATE token_families SET confirmed_at = ?3
          WHERE id = ?4 AND user_id = ?5 AND provider_id = ?1 AND ended_at IS NULL AND ends_at > ?3
            AND user_id IN (SELECT i.user_id ${IDENTITY})
          RETURNING id`,
    params: [provider, subject, now, familyId, userId],
  };
}
