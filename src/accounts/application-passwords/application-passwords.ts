import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import { expiredSession } from '../refusals.ts';
import type { Session } from '../sessions/session.ts';
import { keyName } from '../users/names.ts';
import { generateApplicationPassword } from './application-password.ts';
import * as store from './application-password-store.ts';

/** Passwords that users create for their programs, which get tokens with them by HTTP Basic. */

/** An application password as its user sees it, without the secret. */
export interface OwnPassword {
  readonly id: string;
  readonly name: string;
  /** All instants are milliseconds since the epoch; that of the last use is up to ten minutes late. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

export const newPasswordFields = lazy(() => z.strictObject({ name: keyName() }));

interface BasicUseRow {
  readonly used_at: number | null;
}

/**
 * Lists a user's working application passwords, newest first, and when a program last used the account's own password.
 * Throws `invalid_credential`, `store_unavailable`.
 */
export async function listApplicationPasswords(
  db: Database,
  { credential }: Session,
): Promise<{ readonly passwords: readonly OwnPassword[]; readonly basicUsedAt: number | null }> {
  const now = Date.now();
  const [rows, [use]] = await db.batch<[store.PasswordRow, BasicUseRow]>([
    store.selectPasswords(credential, now),
    store.selectBasicUse(credential, now),
  ]);
  if (!use) throw expiredSession();
  return { passwords: rows.map(toPassword), basicUsedAt: use.used_at };
}

/** Throws `not_found`, `store_unavailable`. */
export async function getApplicationPassword(db: Database, { credential }: Session, id: string): Promise<OwnPassword> {
  const [[row]] = await db.batch<[store.PasswordRow]>([store.selectPassword(credential, Date.now(), id)]);
  if (!row) throw new AppError('not_found', 'There is no application password with this id that you can manage.');
  return toPassword(row);
}

/**
 * Creates an application password, once for each nonce. Its text is returned only this once, and is null if the form was
 * sent before. Throws `too_many_keys`, `invalid_credential`, `store_unavailable`.
 */
export async function createApplicationPassword(
  db: Database,
  { credential }: Session,
  nonce: string,
  { name }: { readonly name: string },
): Promise<{ readonly password: OwnPassword; readonly text: string | null }> {
  const now = Date.now();
  const { id, text, secretHash } = generateApplicationPassword();
  const [, , [row], [use]] = await db.batch<[never, never, store.PasswordRow, BasicUseRow]>([
    ...store.insertPassword(credential, now, { id, name, secretHash, nonce }),
    store.selectBasicUse(credential, now),
  ]);
  if (!use) throw expiredSession();
  if (!row) {
    throw new AppError(
      'too_many_keys',
      `The limit of ${store.MAX_PASSWORDS} application passwords is reached. Revoke one that is not used.`,
    );
  }
  return { password: toPassword(row), text: row.id === id ? text : null };
}

/**
 * Revokes an application password, and ends the sign-ins of programs that began with it. It is no error if it was revoked
 * before, or belongs to another user. Throws `store_unavailable`.
 */
export async function revokeApplicationPassword(db: Database, { credential }: Session, id: string): Promise<void> {
  await db.batch(store.revokePassword(credential, Date.now(), id));
}

function toPassword(row: store.PasswordRow): OwnPassword {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
