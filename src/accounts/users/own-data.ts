import type { Database } from '../../database/database.ts';
import { expiredSession } from '../refusals.ts';
import type { Session } from '../sessions/session.ts';
import { IS_SIGNED_IN } from '../sessions/session-store.ts';
import { CLIENTS_OF_USER } from '../members/user-clients.ts';

/** All that is kept about a user, for the user. */

/** A list of the export. */
interface List {
  /** The columns with ids of users that it covers, as `table.column`. */
  readonly covers: readonly string[];
  /** A SELECT of rows of the user ?2; instants have names that end in `_at`. */
  readonly sql: string;
}

/** By the name of the list in the export. Secrets are stored as hashes, which are in none of them. */
export const LISTS: Readonly<Record<string, List>> = {
  account: {
    covers: ['users.id'],
    sql: `SELECT id AS local_id, name, time_zone, language, created_at, disabled_at,
        basic_used_at AS password_used_by_program_at
      FROM users WHERE id = ?2`,
  },
  workspaces: {
    covers: ['members.user_id'],
    sql: `SELECT m.client_id, c.name, m.role, m.created_at AS joined_at
      FROM members m JOIN clients c ON c.id = m.client_id WHERE m.user_id = ?2 ORDER BY m.created_at, m.client_id`,
  },
  suspended_in: {
    covers: [],
    sql: `SELECT m.client_id, c.name, m.role, m.created_at AS joined_at, m.suspended_at
      FROM suspended_members m JOIN clients c ON c.id = m.client_id
      WHERE m.user_id = ?2 AND m.suspended_at IS NOT NULL ORDER BY m.created_at, m.client_id`,
  },
  deleted_workspaces: {
    covers: ['suspended_members.user_id', 'deletions.user_id'],
    sql: `SELECT m.client_id, c.name, m.role, m.created_at AS joined_at, d.requested_at AS deleted_at,
        d.user_id = ?2 AS deleted_by_you
      FROM suspended_members m JOIN clients c ON c.id = m.client_id JOIN deletions d ON d.client_id = m.client_id
      WHERE m.user_id = ?2 ORDER BY m.created_at, m.client_id`,
  },
  sign_ins: {
    covers: ['token_families.user_id'],
    sql: `SELECT f.id, f.began_by, f.started_at, nullif(f.confirmed_at, 0) AS confirmed_at, f.ends_at, f.ended_at, s.seen_at, s.browser, s.os, s.country
      FROM token_families f LEFT JOIN sessions s ON s.family_id = f.id WHERE f.user_id = ?2 ORDER BY f.started_at, f.id`,
  },
  sign_in_history: {
    covers: ['sign_ins.user_id'],
    sql: `SELECT s.at AS signed_in_at, s.way, s.outcome, s.begun_with, s.browser, s.os, s.country
      FROM sign_ins s WHERE s.user_id = ?2 ORDER BY s.at, s.id`,
  },
  application_passwords: {
    covers: ['application_passwords.user_id'],
    sql: `SELECT p.id, p.name, p.client_id, p.created_at, p.last_used_at, p.revoked_at
      FROM application_passwords p WHERE p.user_id = ?2 ORDER BY p.created_at, p.id`,
  },
  applications: {
    covers: ['oauth_codes.user_id'],
    sql: `SELECT f.id, f.client_id, g.application, g.name, g.host, g.resource, f.scopes, f.started_at AS connected_at,
        g.used_at, f.ends_at, f.ended_at
      FROM oauth_grants g JOIN token_families f ON f.id = g.family_id WHERE f.user_id = ?2 ORDER BY f.started_at, f.id`,
  },
  authenticator_apps: {
    covers: ['totp_seeds.user_id'],
    sql: `SELECT created_at FROM totp_seeds WHERE user_id = ?2`,
  },
  recovery_codes: {
    covers: ['recovery_codes.user_id'],
    sql: `SELECT spent_at AS used_at FROM recovery_codes WHERE user_id = ?2 ORDER BY spent_at, hash`,
  },
  wrong_codes: {
    covers: ['code_tries.user_id'],
    sql: `SELECT tried_at FROM code_tries WHERE user_id = ?2 ORDER BY tried_at`,
  },
  providers: {
    covers: ['identities.user_id'],
    sql: `SELECT p.name AS provider, p.issuer, i.subject, i.name, i.email, i.created_at, i.confirmed_at
      FROM identities i JOIN providers p ON p.id = i.provider_id WHERE i.user_id = ?2 ORDER BY i.created_at, i.subject`,
  },
  passkeys: {
    covers: ['passkeys.user_id'],
    sql: `SELECT id, name, rp_id AS host, transports, created_at, last_used_at FROM passkeys
      WHERE user_id = ?2 ORDER BY created_at, id`,
  },
  mail_address: {
    covers: ['mail_addresses.user_id'],
    sql: `SELECT address, confirmed_at, pending AS not_confirmed FROM mail_addresses WHERE user_id = ?2`,
  },
  mails: {
    covers: ['mails.user_id'],
    sql: `SELECT kind, client_id, address, created_at, sent_at, failed_at FROM mails WHERE user_id = ?2 ORDER BY created_at, id`,
  },
  api_keys: {
    covers: ['api_keys.user_id'],
    sql: `SELECT k.id, k.client_id, k.name, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
      FROM api_keys k WHERE k.client_id IN (${CLIENTS_OF_USER}) AND k.user_id = ?2 ORDER BY k.created_at, k.id`,
  },
  invites: {
    covers: ['invites.user_id', 'invites.accepted_by'],
    sql: `SELECT i.id, i.client_id, i.role, i.created_at, i.expires_at, i.accepted_at, i.revoked_at,
        i.user_id = ?2 AS created_by_you, i.accepted_by IS ?2 AS accepted_by_you
      FROM invites i WHERE i.user_id = ?2 OR i.accepted_by = ?2 ORDER BY i.created_at, i.id`,
  },
  reset_links: {
    covers: ['password_resets.user_id', 'password_resets.made_by'],
    sql: `SELECT r.id, r.client_id, r.created_at, r.expires_at, r.ended_at, r.user_id = ?2 AS for_you,
        r.made_by IS ?2 AS created_by_you
      FROM password_resets r WHERE r.user_id = ?2 OR r.made_by = ?2 ORDER BY r.created_at, r.id`,
  },
  encode_calls: {
    covers: ['encode_days.user_id'],
    sql: `SELECT e.client_id, e.day, e.made AS created, e.refused FROM encode_days e
      WHERE e.client_id IN (${CLIENTS_OF_USER}) AND e.user_id = ?2 ORDER BY e.day, e.client_id`,
  },
  audit_log: {
    covers: ['audit_entries.user_id', 'audit_entries.subject_id'],
    sql: `SELECT e.id, e.client_id, e.created_at AS changed_at, e.action, e.subject_id, e.subject_name, e.details,
        e.credential_kind, e.user_id = ?2 AS changed_by_you
      FROM audit_entries e WHERE e.client_id IN (${CLIENTS_OF_USER}) AND (e.user_id = ?2 OR e.subject_id = ?2)
      ORDER BY e.created_at, e.id`,
  },
};

/** Columns with ids of users that are not exported, each with the reason. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  'links.user_id': 'Links belong to the workspace, whose members see and export them.',
  'link_history.user_id': 'The history of a link belongs to the workspace, whose members see it.',
};

const MAX_ROWS = 10_000;

/**
 * All that is kept about the user of a session, by list; at most 10,000 rows of each. Instants are in ISO 8601. Throws
 * `invalid_credential`, `store_unavailable`.
 */
export async function exportOwnData(
  db: Database,
  { credential: { familyId, userId } }: Session,
): Promise<Record<string, unknown>> {
  const params = [familyId, userId, Date.now()];
  const rows = await db.batch<Row[]>(
    Object.values(LISTS).map(({ sql }) => ({
      sql: `SELECT * FROM (${sql}) WHERE ${IS_SIGNED_IN} LIMIT ${MAX_ROWS}`,
      params,
    })),
  );
  const lists = Object.keys(LISTS).map((name, index): [string, unknown[]] => [name, rows[index]?.map(toShown) ?? []]);
  const { account, ...others } = Object.fromEntries(lists);
  const [user] = account ?? [];
  if (user === undefined) throw expiredSession();
  return { account: user, ...others };
}

type Row = Readonly<Record<string, string | number | null>>;

function toShown(row: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shownAs(name, value)]));
}

function shownAs(name: string, value: string | number | null): unknown {
  if (value === null) return null;
  if (typeof value === 'number') {
    if (name.endsWith('_you')) return value === 1;
    return name.endsWith('_at') ? new Date(value).toISOString() : value;
  }
  if (name === 'details' || name === 'transports') return JSON.parse(value);
  return name === 'scopes' ? value.split(' ') : value;
}
