import { stepUpRequired } from '../refusals.ts';
import type { Session } from './session.ts';

/** Confirming who the user of a session is, before what a stolen cookie must not do. */

/** A confirmation counts for this long, in milliseconds. */
export const CONFIRMED_MS = 10 * 60_000;

/** Requires a session whose user signed in or confirmed who they are within ten minutes. Throws `step_up_required`. */
export function requireConfirmation({ confirmedAt }: Pick<Session, 'confirmedAt'>): void {
  if (confirmedAt <= Date.now() - CONFIRMED_MS) throw stepUpRequired();
}
