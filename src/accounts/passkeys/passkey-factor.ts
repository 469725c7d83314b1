import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { insertFactorNotice } from '../factors/factor-notices.ts';
import { insertMissingCodes } from '../factors/factor-store.ts';
import { newRecoveryCodes } from '../factors/recovery-codes.ts';
import { expiredSession, stepUpRequired } from '../refusals.ts';
import { requireConfirmation } from '../sessions/confirmation.ts';
import type { Session } from '../sessions/session.ts';
import * as store from './passkey-factor-store.ts';

/** Passkeys as a second factor: a password alone then begins no session. */

/**
 * Lets passkeys of a session's user be a second factor. A user without recovery codes gets ten, for the day on which all
 * passkeys are lost; they are returned only this once. Throws `not_found` without a passkey, `step_up_required`,
 * `invalid_credential`, `store_unavailable`.
 */
export async function usePasskeysAsFactor(db: Database, session: Session): Promise<readonly string[]> {
  requireConfirmation(session);
  const { credential } = session;
  const now = Date.now();
  const { codes, hashes } = newRecoveryCodes();
  const [, , inserted, [row]] = await db.batch<[never, never, unknown, store.FactorRow, unknown]>([
    ...store.beginFactor(credential, now),
    insertMissingCodes(credential, now, hashes),
    store.selectFactor(credential, now),
    insertFactorNotice(credential.userId, now, 'passkeys_are_factor = 1'),
  ]);
  if (readFactor(row).passkeys === 0) throw new AppError('not_found', 'There is no passkey yet. Add one first.');
  return inserted.length === 0 ? [] : codes;
}

/**
 * Lets passkeys be no second factor. It is no error if they were none. Throws `step_up_required`, `invalid_credential`,
 * `store_unavailable`.
 */
export async function endPasskeyFactor(db: Database, session: Session): Promise<void> {
  requireConfirmation(session);
  const { credential } = session;
  const now = Date.now();
  const [[factor]] = await db.batch<[store.FactorRow, ...unknown[]]>([
    store.selectFactor(credential, now),
    insertFactorNotice(credential.userId, now, 'passkeys_are_factor = 1'),
    ...store.endFactor(credential, now),
  ]);
  readFactor(factor);
}

function readFactor(row: store.FactorRow | undefined): store.FactorRow {
  if (row === undefined) throw expiredSession();
  if (row.is_confirmed !== 1) throw stepUpRequired();
  return row;
}
