import type { Statement } from '../../database/database.ts';
import { rowsOfPage, type Page } from '../../input/pagination.ts';
import { ACTING, actingParams, SOLE_CLIENT, type Actor } from '../access.ts';
import { insertAudit } from '../audit/write-audit.ts';
import { insertMail } from '../../mail/new-mail-sql.ts';
import { givenName } from '../members/given-name.ts';
import type { Role } from '../roles.ts';
import { FORM_IS_OURS, formParams, type SecretForm } from '../form-nonces.ts';
import { DAY_MS } from '../../time/day.ts';

/** The SQL by which owners manage invites. */

export interface InviteRow {
  readonly id: string;
  readonly role: Role;
  readonly created_at: number;
  readonly created_by: string;
  readonly given: string | null;
  readonly expires_at: number;
}

/** True if the invite `i` can still be accepted at ?5. It cannot if its creator is disabled or no longer an owner. */
export const IS_OPEN = `i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > ?5 AND EXISTS (
    SELECT 1 FROM members om JOIN users ou ON ou.id = om.user_id
    WHERE om.user_id = i.user_id AND om.client_id = i.client_id AND om.role = 'owner' AND ou.disabled_at IS NULL
  )`;

const CREATOR = `u.name AS created_by, ${givenName({ id: 'u.id', name: 'u.name', client: 'i.client_id' })} AS given`;

const COLUMNS = `i.id, i.role, i.created_at, ${CREATOR}, i.expires_at`;

export function selectInvites(actor: Actor, now: number, { after, limit }: Page): Statement {
  return {
    sql: `${ACTING}
      SELECT ${COLUMNS} FROM invites i JOIN users u ON u.id = i.user_id
      WHERE i.client_id = ${SOLE_CLIENT} AND (i.created_at, i.id) < (?8, ?9) AND ${IS_OPEN}
      ORDER BY i.created_at DESC, i.id DESC LIMIT ?10`,
    params: [...actingParams(actor, 'members', now), ...after, rowsOfPage(limit)],
  };
}

/** The most open invites that a client may have. */
export const MAX_INVITES = 100;

/** Selects a row if the actor's client may have one more open invite; for `useNonce` and the insert. */
export const ROOM_FOR_INVITE = `SELECT client_id, user_id FROM acting
  WHERE client_id = ${SOLE_CLIENT} AND (
    SELECT count(*) FROM invites
    WHERE client_id = ${SOLE_CLIENT} AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ?5) < ${MAX_INVITES}`;

interface NewInvite {
  readonly id: string;
  readonly tokenHash: string;
  readonly role: Role;
  readonly expiresAt: number;
}

/**
 * Inserts an invite and its audit entry, unless the client has too many open invites, and selects it: three statements.
 *
 * @param form the form that asks for the invite, if there is one, after `useNonce`
 */
export function insertInvite(
  actor: Actor,
  now: number,
  { id, tokenHash, role, expiresAt }: NewInvite,
  form: SecretForm | null = null,
): Statement[] {
  const acting = actingParams(actor, 'members', now);
  return [
    {
      sql: `${ACTING}
        INSERT INTO invites (id, client_id, user_id, token_hash, role, created_at, expires_at)
        SELECT ?8, client_id, user_id, ?9, ?10, ?5, ?11 FROM (${ROOM_FOR_INVITE})
        WHERE ${FORM_IS_OURS('?12', '?13')}`,
      params: [...acting, id, tokenHash, role, expiresAt, ...formParams(form)],
    },
    insertAudit(actor, 'members', now, {
      action: 'invite.created',
      subjects: `SELECT client_id, id, NULL, json_object('role', role) FROM invites WHERE id = ?8`,
      params: [id],
    }),
    {
      sql: `${ACTING}
        SELECT ${COLUMNS} FROM invites i JOIN users u ON u.id = i.user_id
        WHERE i.id = ?8 AND i.client_id = ${SOLE_CLIENT}`,
      params: [...acting, id],
    },
  ];
}

/** The most invites that a client mails in a day, and that all clients mail to one address in a week. */
const MOST_MAILED = 20;
const MOST_TO_ADDRESS = 3;

/** After `insertInvite`: inserts the mail about the invite, unless too many were mailed; returns a row if it did. */
export function insertInviteMail(
  { id, tokenHash }: Pick<NewInvite, 'id' | 'tokenHash'>,
  now: number,
  { address, language }: { readonly address: string; readonly language: string | null },
): Statement {
  return insertMail(
    { id, kind: 'invite', now, address, tokenHash },
    `SELECT NULL AS user_id, i.client_id, coalesce(?8, (SELECT language FROM users WHERE id = i.user_id)) AS language
     FROM invites i WHERE i.id = ?7
       AND (SELECT count(*) FROM mails m WHERE m.client_id = i.client_id AND m.kind = 'invite' AND m.created_at > ?9) < ${MOST_MAILED}
       AND (SELECT count(*) FROM mails m WHERE lower(m.address) = lower(?3) AND m.kind = 'invite' AND m.created_at > ?10) < ${MOST_TO_ADDRESS}`,
    [id, language, now - DAY_MS, now - 7 * DAY_MS],
  );
}

/** Revokes an open invite; the second statement returns a row if it did. */
export function revokeInvite(actor: Actor, now: number, id: string): Statement[] {
  const open = `i.id = ?8 AND i.client_id = ${SOLE_CLIENT} AND ${IS_OPEN}`;
  return [
    insertAudit(actor, 'members', now, {
      action: 'invite.revoked',
      subjects: `SELECT client_id, id, NULL, json_object('role', role) FROM invites i WHERE ${open}`,
      params: [id],
    }),
    {
      sql: `${ACTING} UPDATE invites AS i SET revoked_at = ?5 WHERE ${open} RETURNING id`,
      params: [...actingParams(actor, 'members', now), id],
    },
  ];
}

export interface InvitationRow {
  readonly client_id: string;
  readonly role: Role;
  readonly created_by: string;
  readonly given: string | null;
  readonly expires_at: number;
  readonly state: 'open' | 'used' | 'revoked' | 'expired' | 'void';
  readonly member_already: number;
}

/** True if a user is a member of the client of the invite `i`, also if a provider has suspended the membership. */
export const isMember = (
  userId: string,
) => `(EXISTS (SELECT 1 FROM members WHERE user_id = ${userId} AND client_id = i.client_id)
    OR EXISTS (SELECT 1 FROM suspended_members
      WHERE user_id = ${userId} AND client_id = i.client_id AND suspended_at IS NOT NULL))`;

/** Selects the invite of a token in whatever state it is, and whether the user is a member of the client already. */
export function selectInvitation(tokenHash: string, userId: string | null, now: number): Statement {
  return {
    sql: `SELECT i.client_id, i.role, ${CREATOR}, i.expires_at, CASE
            WHEN ${IS_OPEN} THEN 'open' WHEN i.accepted_at IS NOT NULL THEN 'used'
            WHEN i.revoked_at IS NOT NULL THEN 'revoked' WHEN i.expires_at <= ?5 THEN 'expired' ELSE 'void' END AS state,
            ${isMember('?2')} AS member_already
          FROM invites i JOIN users u ON u.id = i.user_id WHERE i.token_hash = ?1`,
    params: [tokenHash, userId, null, null, now],
  };
}

export function deleteInvitesBefore(expiredBefore: number): Statement {
  return { sql: `DELETE FROM invites WHERE expires_at < ?1`, params: [expiredBefore] };
}
