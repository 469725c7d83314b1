import type { Actor } from '../accounts/access.ts';
import { insertFirstWarnings } from '../accounts/factors/demand-notices.ts';
import { requireConfirmation } from '../accounts/sessions/confirmation.ts';
import type { Session } from '../accounts/sessions/session.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { changeClient } from './change-client.ts';

/** The time that members have to set up a second factor. */
const GRACE_MS = 7 * 24 * 3600 * 1000;

/**
 * Demands a second factor of all members of the actor's client, from seven days on, or no longer. Members without one are
 * mailed. Owners demand only what they have themselves, so that they do not shut themselves out. Throws
 * `step_up_required`, `factor_required`, and what `changeClient` throws.
 */
export async function demandFactors(db: Database, actor: Actor, session: Session, isOn: boolean): Promise<void> {
  requireConfirmation(session);
  if (isOn && !session.hasFactor) {
    throw new AppError('factor_required', 'Set up a second factor of your own before you demand one of all members.');
  }
  const now = Date.now();
  await changeClient(db, actor, {
    action: isOn ? 'client.factors_on' : 'client.factors_off',
    value: isOn ? now + GRACE_MS : null,
    isChanged: '(c.factors_from IS NULL) = (?8 IS NOT NULL)',
    set: 'factors_from = ?8',
    name: 'c.name',
    details: 'NULL',
    after: isOn ? [insertFirstWarnings(now)] : [],
  });
}
