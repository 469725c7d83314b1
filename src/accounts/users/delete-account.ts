import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import * as store from './delete-account-store.ts';
import { MAX_PASSWORD_LENGTH } from './names.ts';
import { verifyOwnPassword } from './own-account.ts';
import { waysToConfirm } from '../factors/ways-to-confirm.ts';
import { expiredSession } from '../refusals.ts';
import { requireConfirmation } from '../sessions/confirmation.ts';
import type { Session } from '../sessions/session.ts';
import type { SignInGuard } from '../sessions/sign-in.ts';

/** The deletion of accounts by their users. */

/** A client whose last owner is the user. */
export interface LastOwned {
  readonly id: string;
  readonly name: string;
  /** The number of other members. */
  readonly others: number;
  /** True if it is kept open by the user for emergencies, and has other owners. */
  readonly isEmergency: boolean;
}

/** The clients that keep a user from deleting their account. Throws `store_unavailable`. */
export async function listLastOwned(db: Database, { credential }: Session): Promise<readonly LastOwned[]> {
  const [rows] = await db.batch<[store.BlockingRow]>([store.selectBlocking(credential, Date.now())]);
  return rows.map(({ client_id: id, name, others, is_emergency_owner: emergency }) => ({
    id,
    name,
    others,
    isEmergency: emergency === 1,
  }));
}

export const accountDeletionFields = lazy(() =>
  z.strictObject({
    name: z.string().max(1024, 'must be your user name'),
    /** Absent for an account without a password. */
    current_password: z
      .string()
      .max(MAX_PASSWORD_LENGTH, `must be at most ${MAX_PASSWORD_LENGTH} characters long`)
      .optional(),
  }),
);

/**
 * Deletes the user's account with all that is theirs: sessions, tokens, keys, invites and memberships. Links stay with
 * their clients, and entries of audit logs stay without the name. A user without a password has confirmed the session in
 * another way, within ten minutes. Throws `invalid_name`, `missing_field`, `invalid_password`, `step_up_required`,
 * `last_owner`, `invalid_credential`, and what a sign-in throws.
 *
 * @param typed.name the name that the pages show
 */
export async function deleteOwnAccount(
  db: Database,
  guard: SignInGuard,
  session: Session,
  typed: { readonly name: string; readonly password: string | undefined },
): Promise<void> {
  const { credential, userId, userName, shownName } = session;
  if (typed.name.trim().normalize('NFC') !== shownName.normalize('NFC')) {
    const sentence = 'This must be your user name.';
    throw new AppError('invalid_name', sentence, { faults: [{ field: 'name', sentence }] });
  }
  const passwordHash = await proofOf(db, guard, session, typed.password);
  const now = Date.now();
  const [blocking, clients] = await db.batch<[store.BlockingRow, store.ClientRow]>([
    store.selectBlocking(credential, now),
    store.selectClientsOf(credential, now),
  ]);
  if (blocking.length > 0) throw refusalOf(blocking);
  // One client a statement, since a log may have 10,000 entries.
  for (const { client_id: clientId } of clients) await db.batch(store.forgetName(userId, userName, clientId));
  const [deleted] = await db.batch<[unknown]>(store.deleteUser(credential, passwordHash, now));
  if (deleted.length > 0) return;
  const [still] = await db.batch<[store.BlockingRow]>([store.selectBlocking(credential, Date.now())]);
  if (still.length > 0) throw refusalOf(still);
  throw expiredSession();
}

/** The hash of the password that was typed; null for a user without one, who has confirmed the session. */
async function proofOf(
  db: Database,
  guard: SignInGuard,
  session: Session,
  password: string | undefined,
): Promise<string | null> {
  if (!(await hasPassword(db, session))) {
    requireConfirmation(session);
    return null;
  }
  if (password === undefined) {
    const sentence = 'This is required.';
    throw new AppError('missing_field', sentence, { faults: [{ field: 'current_password', sentence }] });
  }
  return (await verifyOwnPassword(db, guard, session, password)).passwordHash;
}

/** True if the user of a session has a password. Throws `invalid_credential`, `store_unavailable`. */
export const hasPassword = async (db: Database, session: Session): Promise<boolean> =>
  (await waysToConfirm(db, session, null)).password;

function refusalOf(blocking: readonly store.BlockingRow[]): AppError {
  if (blocking.every((row) => row.is_emergency_owner === 1)) {
    return new AppError(
      'edit_conflict',
      'You are the emergency owner of a workspace. Its owners have to choose another one first.',
    );
  }
  return lastOwner();
}

function lastOwner(): AppError {
  return new AppError(
    'last_owner',
    'You are the last owner of a workspace. Delete it, or give another member the owner role.',
  );
}
