import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { expiredSession } from '../refusals.ts';
import type { Session } from '../sessions/session.ts';
import * as store from './passkey-store.ts';

/** Passkeys as a second factor: a password alone then begins no session. */

/**
 * Lets passkeys of a session's user be a second factor. A user who has only passkeys holds recovery codes too, for the day
 * on which these are lost. Throws `recovery_codes_missing`, `not_found` without a passkey, `invalid_credential`,
 * `store_unavailable`.
 */
export async function usePasskeysAsFactor(db: Database, { credential }: Session): Promise<void> {
  const now = Date.now();
  const [changed, rows, [factor]] = await db.batch<[unknown, store.PasskeyRow, store.FactorRow]>([
    store.beginFactor(credential, now),
    store.selectPasskeys(credential, now),
    store.selectFactor(credential, now),
  ]);
  if (changed.length > 0) return;
  if (factor === undefined) throw expiredSession();
  if (rows.length === 0) throw new AppError('not_found', 'There is no passkey yet. Add one first.');
  throw new AppError(
    'recovery_codes_missing',
    'Create recovery codes first: without them, a lost passkey would lock you out.',
  );
}

/** Lets passkeys be no second factor. It is no error if they were none. Throws `store_unavailable`. */
export async function endPasskeyFactor(db: Database, { credential }: Session): Promise<void> {
  await db.batch([store.endFactor(credential, Date.now())]);
}
