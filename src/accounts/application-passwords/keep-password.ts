import * as z from 'zod';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { lazy } from '../../isolate/lazy.ts';
import { requireConfirmation } from '../sessions/confirmation.ts';
import type { Session } from '../sessions/session.ts';
import { parseApplicationPassword } from './application-password.ts';
import * as store from './keep-password-store.ts';

/** Confirming, in a session of a provider, application passwords that were created before workspaces demanded it. */

/** An application password that no provider has confirmed. */
export interface Unconfirmed {
  readonly id: string;
  readonly name: string;
}

/**
 * Lists those that the session's provider can confirm; none in a session that opens one workspace alone, which sees nothing
 * else of its user. Throws `store_unavailable`.
 */
export async function listUnconfirmed(db: Database, { credential }: Session): Promise<readonly Unconfirmed[]> {
  const [rows] = await db.batch<[store.UnconfirmedRow]>([store.selectUnconfirmed(credential, Date.now())]);
  return rows;
}

export const keptPasswordFields = lazy(() => z.strictObject({ application_password: z.string() }));

const BEGINNING = /^ap_([0-9A-Za-z]{12})_?$/;

/**
 * Confirms an application password, so that workspaces which demand the session's provider let it in, and all that has begun
 * with it. Throws `invalid_password` beside the field `application_password`, `step_up_required`, `store_unavailable`.
 *
 * @param typed the application password, or its beginning up to the second underscore
 */
export async function keepApplicationPassword(db: Database, session: Session, typed: string): Promise<void> {
  requireConfirmation(session);
  const text = typed.trim();
  const whole = parseApplicationPassword(text);
  const id = whole?.id ?? BEGINNING.exec(text)?.[1];
  if (id === undefined) throw unknown();
  const [kept] = await db.batch<[unknown, never]>(
    store.keepPassword(session.credential, Date.now(), { id, secretHash: whole?.secretHash ?? null }),
  );
  if (kept.length === 0) throw unknown();
}

function unknown(): AppError {
  const sentence = 'You have no such application password, or a provider has confirmed it already.';
  return new AppError('invalid_password', sentence, { faults: [{ field: 'application_password', sentence }] });
}
