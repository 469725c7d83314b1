import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import { tooManyRequests } from '../../bounds/rate-limiter.ts';
import { hashSecret } from '../../secrets/random-secrets.ts';
import * as store from './accept-store.ts';
import type { Credential } from '../grants.ts';
import type { Role } from '../roles.ts';
import { chosenPassword, newUserName } from '../users/names.ts';
import { hashPassword } from '../users/password.ts';
import { expiredSignIn, stepUpRequired } from '../refusals.ts';
import type { SignedInUser, SignInGuard } from '../sessions/sign-in.ts';

/** A user who has just become a member of a client. */
export interface Joined {
  readonly clientId: string;
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  /** Milliseconds since the epoch. */
  readonly joinedAt: number;
}

const token = lazy(() => z.string().meta({ description: 'The last segment of the link that the invite is' }));

/** The fields that a user sends to accept an invite. */
export const acceptFields = lazy(() => z.strictObject({ token: token() }));

/** The fields that a person without an account sends to accept an invite. */
export const acceptAsNewFields = lazy(() =>
  z.strictObject({
    token: token(),
    name: newUserName(),
    password: chosenPassword(),
  }),
);

/**
 * Makes the user of an access token a member. Throws `invalid_credential`, `insufficient_scope`, `step_up_required`,
 * `not_found`, `gone`, `already_member`, `store_unavailable`.
 */
export async function acceptInvite(db: Database, credential: Credential, inviteToken: string): Promise<Joined> {
  const tokenHash = hashSecret(inviteToken);
  const joiner = store.userOf(credential, Date.now());
  const [conditions, , used, , joined] = await db.batch<[store.ConditionsRow, never, unknown, never, store.JoinedRow]>([
    store.selectConditions(joiner, tokenHash, null),
    ...store.useInvite(joiner, tokenHash),
  ]);
  // The token is the person's, but began with an application password, or without the second factor.
  if (conditions[0]?.key_only && credential.kind === 'token' && credential.use === 'access') throw stepUpRequired();
  return toJoined(conditions, used, joined);
}

/**
 * Creates an account, and makes its user a member. Hashing a password is expensive, and the caller is not authenticated
 * yet: so the number of attempts is limited, and a bad invite does not count as an attempt. Throws `too_many_requests`,
 * `busy`, `not_found`, `gone`, `name_taken`, `store_unavailable`.
 *
 * @returns who has joined, and the user, signed in
 */
export async function acceptInviteAsNew(
  db: Database,
  { limits, hashing, address }: SignInGuard,
  fields: z.output<ReturnType<typeof acceptAsNewFields>>,
): Promise<{ joined: Joined; user: SignedInUser }> {
  if (!(await limits.address(address).catch(throwUnavailable))) {
    throw tooManyRequests('Too many attempts from this address. Wait a minute, then try again.');
  }
  const now = Date.now();
  const tokenHash = hashSecret(fields.token);
  const id = crypto.randomUUID();
  const joiner = store.newUser(id, now);
  const conditionsQuery = store.selectConditions(joiner, tokenHash, fields.name);
  const refusal = refusalOf(await db.first<store.ConditionsRow>(conditionsQuery));
  if (refusal) throw refusal;
  const passwordHash = await hashing.take(() => hashPassword(fields.password));
  const user = { id, name: fields.name, passwordHash, hasFactor: false };
  const [conditions, , , used, , joined] = await db.batch<
    [store.ConditionsRow, never, never, unknown, never, store.JoinedRow]
  >([conditionsQuery, store.insertInvitedUser(user, tokenHash, now), ...store.useInvite(joiner, tokenHash)]);
  return { joined: toJoined(conditions, used, joined), user };
}

// Without the limiter any stranger could keep the service busy with hashing, so joining stops.
function throwUnavailable(cause: unknown): never {
  throw new AppError('store_unavailable', 'Joining is temporarily unavailable. Try again in a few seconds.', {
    retryAfterSeconds: 5,
    cause,
  });
}

function toJoined(
  [conditions]: readonly store.ConditionsRow[],
  used: readonly unknown[],
  [row]: readonly store.JoinedRow[],
): Joined {
  if (used.length === 0 || !row) {
    throw refusalOf(conditions ?? null) ?? new TypeError('an open invite was not accepted');
  }
  return {
    clientId: row.client_id,
    userId: row.local_id,
    name: row.name,
    role: row.role,
    joinedAt: row.created_at,
  };
}

function refusalOf(conditions: store.ConditionsRow | null): AppError | null {
  if (!conditions?.credential_ok) {
    return expiredSignIn();
  }
  if (conditions.key_only) {
    return new AppError('insufficient_scope', 'Only a person can accept an invite. Use an access token.');
  }
  if (!conditions.invite_known)
    return new AppError('not_found', 'Invite not found. Check that you opened the complete link.');
  if (!conditions.invite_open) {
    return new AppError('gone', 'The invite has been used or revoked, or has expired. Ask for a new one.');
  }
  if (conditions.member_already) {
    return new AppError('already_member', 'You are already a member. Another person can still use the invite.');
  }
  if (conditions.name_taken) {
    return new AppError(
      'name_taken',
      'This user name is already in use. Choose another one, or sign in and accept the invite as that user.',
    );
  }
  return null;
}
