import type { Database, Statement } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { expiredSession, stepUpRequired } from '../refusals.ts';
import type { Session } from '../sessions/session.ts';
import * as store from './passkey-factor-store.ts';

/** Passkeys as a second factor: a password alone then begins no session. */

/**
 * Lets passkeys of a session's user be a second factor. A user who has only passkeys holds recovery codes too, for the day
 * on which these are lost. Throws `recovery_codes_missing`, `not_found` without a passkey, `step_up_required`,
 * `invalid_credential`, `store_unavailable`.
 *
 * @param newCodes statements that store new recovery codes, for a user who has none: the last part of the same batch
 */
export async function usePasskeysAsFactor(
  db: Database,
  { credential }: Session,
  newCodes: readonly Statement[] = [],
): Promise<void> {
  const now = Date.now();
  const results = await db.batch<[...never[], store.FactorRow]>([
    ...store.beginFactor(credential, now, newCodes.length > 0),
    ...newCodes,
    store.selectFactor(credential, now),
  ]);
  const factor = readFactor(results.at(-1)?.[0]);
  if (factor.passkeys === 0) throw new AppError('not_found', 'There is no passkey yet. Add one first.');
  if (factor.passkeys_are_factor === 1) return;
  throw new AppError(
    'recovery_codes_missing',
    'Create recovery codes first: without them, a lost passkey would lock you out.',
  );
}

/**
 * Lets passkeys be no second factor. It is no error if they were none. Throws `step_up_required`, `invalid_credential`,
 * `store_unavailable`.
 */
export async function endPasskeyFactor(db: Database, { credential }: Session): Promise<void> {
  const now = Date.now();
  const [[factor]] = await db.batch<[store.FactorRow, ...never[]]>([
    store.selectFactor(credential, now),
    ...store.endFactor(credential, now),
  ]);
  readFactor(factor);
}

function readFactor(row: store.FactorRow | undefined): store.FactorRow {
  if (row === undefined) throw expiredSession();
  if (row.is_confirmed !== 1) throw stepUpRequired();
  return row;
}
