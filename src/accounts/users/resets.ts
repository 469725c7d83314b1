import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import { tooManyRequests } from '../../bounds/rate-limiter.ts';
import { hashSecret, newSecret, newSecretId } from '../../secrets/random-secrets.ts';
import { authorize, selectAccess, type AccessRow, type Actor } from '../access.ts';
import { auditMember } from '../operator-audit.ts';
import { getMember } from '../members/members.ts';
import { checkNewPassword } from './new-password.ts';
import { hashPassword } from './password.ts';
import { insertLinkNotice } from './password-notices.ts';
import * as store from './reset-store.ts';
import type { SignInGuard } from '../sessions/sign-in.ts';
import { findUserByName } from '../store.ts';

/**
 * Links by which users choose a new password. A link works once, within 24 hours, and only if it is the user's newest.
 */

const LIFETIME_MS = 24 * 3600 * 1000;

/** A new link. */
interface NewResetLink {
  readonly token: string;
  readonly userName: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

function newReset(now: number) {
  const token = newSecret();
  return { token, reset: { id: newSecretId(), tokenHash: hashSecret(token), expiresAt: now + LIFETIME_MS } };
}

/**
 * Creates a link for a member. Its token is returned only this once, and the member's former links end. It sets no
 * password while the member belongs to another client as well, which the owner does not learn here. Throws `not_found`,
 * `invalid_password` for oneself or a disabled account, and what `authorize` throws.
 */
export async function createResetLink(db: Database, actor: Actor, userId: string): Promise<NewResetLink> {
  const now = Date.now();
  const { token, reset } = newReset(now);
  const [access, , [user]] = await db.batch<[AccessRow, never, { readonly name: string }, never]>([
    selectAccess(actor, 'members', now),
    ...store.insertMemberReset(actor, now, userId, reset),
  ]);
  authorize(access, actor);
  if (!user) throw refusalOf(await getMember(db, actor, userId));
  return { token, userName: user.name, expiresAt: reset.expiresAt };
}

function refusalOf({ disabledAt }: Awaited<ReturnType<typeof getMember>>): AppError {
  return disabledAt === null
    ? new AppError('invalid_password', 'Change your own password on your account page.')
    : new AppError(
        'invalid_password',
        'The account is disabled, so a new password would not work. Ask the operator of the service to enable it.',
      );
}

/** For the operator: creates a link for any user whose account is not disabled. Returns the reason if it does not. */
export async function createResetLinkByName(
  db: Database,
  name: string,
): Promise<NewResetLink | 'no_such_user' | 'disabled'> {
  const user = await findUserByName(db, name);
  if (!user) return 'no_such_user';
  if (user.disabledAt !== null) return 'disabled';
  const now = Date.now();
  const { token, reset } = newReset(now);
  await db.batch([
    ...store.insertReset(user.id, now, reset),
    auditMember('member.reset_link_made', { id: user.id, now }),
  ]);
  return { token, userName: user.name, expiresAt: reset.expiresAt };
}

/** A link as its holder sees it. */
interface Reset {
  readonly userName: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** True if its page is shown: it is not used, replaced, expired or invalid. */
  readonly isOpen: boolean;
}

/** Finds the user of a link, without using it up; null if there is no such link. Throws `store_unavailable`. */
export async function findReset(db: Database, token: string): Promise<Reset | null> {
  const row = await db.first<store.ResetRow>(store.selectReset(hashSecret(token), Date.now()));
  return row && { userName: row.user_name, expiresAt: row.expires_at, isOpen: row.is_open === 1 };
}

export const resetFields = lazy(() =>
  z.strictObject({ new_password: z.string(), new_password_again: z.string() }).superRefine(checkNewPassword),
);

/**
 * Uses up a link to set a new password. That ends all sessions and token families of the user; keys stay valid. Hashing
 * a password is expensive: the number of attempts is limited, and a bad link does not count as an attempt. Throws
 * `too_many_requests`, `busy`, `not_found`, `gone`, `store_unavailable`.
 */
export async function resetPassword(
  db: Database,
  { limits, hashing, address }: SignInGuard,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  if (!(await limits.address(address).catch(throwUnavailable))) {
    throw tooManyRequests('Too many attempts from this address. Wait a minute, then try again.');
  }
  const reset = await findReset(db, token);
  if (!reset) throw new AppError('not_found', 'Link not found. Check that you opened the complete link.');
  if (!reset.isOpen) throw ended();
  const passwordHash = await hashing.take(() => hashPassword(password));
  const [tokenHash, now] = [hashSecret(token), Date.now()];
  const [, changed] = await db.batch<[never, unknown, ...never[]]>([
    ...store.useReset(tokenHash, passwordHash, now),
    insertLinkNotice(tokenHash, passwordHash, now),
  ]);
  if (changed.length > 0) return;
  const stillOpen = await findReset(db, token);
  throw stillOpen?.isOpen === true ? notForThisAccount() : ended();
}

function ended(): AppError {
  return new AppError('gone', 'The link has been used or replaced, or has expired. Ask for a new one.');
}

function notForThisAccount(): AppError {
  return new AppError(
    'gone',
    'This link cannot set the password of this account. Ask the operator of the service for a link.',
  );
}

function throwUnavailable(cause: unknown): never {
  throw new AppError('store_unavailable', 'This is temporarily unavailable. Try again in a few seconds.', {
    retryAfterSeconds: 5,
    cause,
  });
}
