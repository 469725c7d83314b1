import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import type { Page } from '../../input/pagination.ts';
import { hashSecret, newSecret, newSecretId } from '../../secrets/random-secrets.ts';
import { authorize, selectAccess, type AccessRow, type Actor } from '../access.ts';
import type { MailTokens } from '../../mail/mail-tokens.ts';
import { mailAddressField } from '../users/mail-address.ts';
import * as store from './invite-store.ts';
import { listPage } from '../list-page.ts';
import { toGivenName, type GivenName } from '../members/given-name.ts';
import { roleField } from '../members/members.ts';
import type { Role } from '../roles.ts';
import { selectUsedNonce, useNonce } from '../form-nonces.ts';

/** An invite that can be accepted. Its token is not part of it. */
export interface Invite {
  readonly id: string;
  /** The role of its future user. */
  readonly role: Role;
  /** Instants are milliseconds since the epoch. */
  readonly createdAt: number;
  readonly createdBy: string;
  /** The name that a provider gives to who created it, if they have none of their own; for pages. */
  readonly given: GivenName | null;
  readonly expiresAt: number;
}

export const newInviteFields = lazy(() =>
  z.strictObject({
    role: roleField().default('member'),
    email: mailAddressField()
      .meta({ description: 'An e-mail address to which the link is mailed too', example: 'ann@example.com' })
      .optional(),
  }),
);

/** An invite as the form of the pages asks for it. */
export const mailedInviteFields = lazy(() =>
  z.strictObject({ role: roleField().default('member'), address: mailAddressField().optional() }),
);

/** Where an invite is mailed. */
interface InviteMail {
  readonly address: string;
  readonly tokens: MailTokens;
  /** The language of the mail; null for the one that the owner has chosen. */
  readonly language: string | null;
}

/** A new invite. Its token is returned only this once. */
interface NewInvite {
  readonly invite: Invite;
  readonly token: string;
  /** False without an address, and if too many invites were mailed. */
  readonly isMailed: boolean;
}

const LIFETIME_MS = 72 * 3600 * 1000;

/** Lists the invites of a client that can still be accepted, newest first. Throws what `authorize` throws. */
export async function listInvites(
  db: Database,
  actor: Actor,
  page: Page,
): Promise<{ invites: readonly Invite[]; cursor: string | null }> {
  const { items: invites, cursor } = await listPage(db, actor, page, {
    permission: 'members',
    select: (now) => store.selectInvites(actor, now, page),
    positionOf: (row: store.InviteRow) => [row.created_at, row.id],
    toItem: toInvite,
  });
  return { invites, cursor };
}

/**
 * Creates an invite for one person, valid for 72 hours. With `mail` the link is mailed too, unless too many were. Throws
 * `too_many_invites`, and what `authorize` throws.
 */
export async function createInvite(
  db: Database,
  actor: Actor,
  role: Role,
  mail: InviteMail | null = null,
): Promise<NewInvite> {
  const now = Date.now();
  const { token, fields } = newInvite(role, now, mail);
  const [access, , , [row], mailed] = await db.batch<[AccessRow, never, never, store.InviteRow, unknown]>([
    selectAccess(actor, 'members', now),
    ...store.insertInvite(actor, now, fields),
    ...(mail === null ? [] : [store.insertInviteMail(fields, now, mail)]),
  ]);
  authorize(access, actor);
  if (!row) throw tooManyInvites();
  return { invite: toInvite(row), token, isMailed: isSent(mailed) };
}

/** Refuses an invite with an address where the service sends no mail. Throws `mail_off`. */
export function inviteMailOf(address: string | undefined, tokens: MailTokens | null): InviteMail | null {
  if (address === undefined) return null;
  if (tokens !== null) return { address, tokens, language: null };
  throw new AppError('mail_off', 'This service sends no mail. Leave out email, and pass the link on.');
}

// A batch without the statement of the mail has no rows for it.
const isSent = (mailed: readonly unknown[] | undefined): boolean => mailed !== undefined && mailed.length > 0;

function newInvite(role: Role, now: number, mail: InviteMail | null = null) {
  const id = newSecretId();
  // The link that is shown is the one that is mailed.
  const token = mail === null ? newSecret() : mail.tokens.newToken(id);
  return { token, fields: { id, tokenHash: hashSecret(token), role, expiresAt: now + LIFETIME_MS } };
}

function tooManyInvites(): AppError {
  return new AppError(
    'too_many_invites',
    `The limit of ${store.MAX_INVITES} open invites is reached. Revoke one that is no longer needed.`,
  );
}

/**
 * Like `createInvite`, but once for each nonce of a form: null if the form was sent before, since the token was
 * returned then. With `mail` the link is mailed too, unless too many were. Throws `too_many_invites`, and what
 * `authorize` throws.
 */
export async function createInviteOnce(
  db: Database,
  actor: Actor,
  nonce: string,
  role: Role,
  mail: InviteMail | null = null,
): Promise<NewInvite | null> {
  const now = Date.now();
  const { token, fields } = newInvite(role, now, mail);
  const form = { nonce, secretHash: fields.tokenHash };
  const [access, , , , [row], used, mailed] = await db.batch<
    [AccessRow, never, never, never, store.InviteRow, unknown, unknown]
  >([
    selectAccess(actor, 'members', now),
    useNonce(actor, 'members', now, form, fields.id, store.ROOM_FOR_INVITE),
    ...store.insertInvite(actor, now, fields, form),
    selectUsedNonce(actor, 'members', now, nonce),
    ...(mail === null ? [] : [store.insertInviteMail(fields, now, mail)]),
  ]);
  authorize(access, actor);
  if (used.length === 0) throw tooManyInvites();
  return row ? { invite: toInvite(row), token, isMailed: isSent(mailed) } : null;
}

/** An invite as the holder of its link sees it. */
export interface Invitation {
  readonly clientId: string;
  readonly role: Role;
  /** The name of the owner who invites, and that which a provider gives to one who has none of their own. */
  readonly createdBy: string;
  readonly given: GivenName | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Not valid: its creator is no longer an owner. */
  readonly state: store.InvitationRow['state'];
  readonly isMemberAlready: boolean;
}

/**
 * Finds the invite of a link, without using it up; null if there is no such invite. Throws `store_unavailable`.
 *
 * @param userId the user who opens the link, if known
 */
export async function findInvitation(db: Database, token: string, userId: string | null): Promise<Invitation | null> {
  const row = await db.first<store.InvitationRow>(store.selectInvitation(hashSecret(token), userId, Date.now()));
  return (
    row && {
      clientId: row.client_id,
      role: row.role,
      createdBy: row.created_by,
      given: toGivenName(row.given),
      expiresAt: row.expires_at,
      state: row.state,
      isMemberAlready: row.member_already === 1,
    }
  );
}

/** Revokes an invite. Throws `not_found` if it can no longer be accepted, and what `authorize` throws. */
export async function revokeInvite(db: Database, actor: Actor, id: string): Promise<void> {
  const now = Date.now();
  const [access, , revoked] = await db.batch<[AccessRow, never, unknown]>([
    selectAccess(actor, 'members', now),
    ...store.revokeInvite(actor, now, id),
  ]);
  authorize(access, actor);
  if (revoked.length === 0) throw new AppError('not_found', 'There is no open invite with this id.');
}

function toInvite(row: store.InviteRow): Invite {
  return {
    id: row.id,
    role: row.role,
    createdAt: row.created_at,
    createdBy: row.created_by,
    given: toGivenName(row.given),
    expiresAt: row.expires_at,
  };
}
