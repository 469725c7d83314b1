import * as z from 'zod';
import { PLATFORM_LANGUAGES, type PlatformLanguage } from '../../languages/list.ts';
import { lazy } from '../../isolate/lazy.ts';
import { isTimeZone } from '../../time/time-zone.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { password } from './names.ts';
import { checkNewPassword, checkPassword } from './new-password.ts';
import { hashPassword } from './password.ts';
import { insertPasswordNotice } from './password-notices.ts';
import { confirmSession } from '../sessions/confirmation-store.ts';
import { expiredSession } from '../refusals.ts';
import type { Device } from '../sessions/device.ts';
import { newSession, type Session } from '../sessions/session.ts';
import * as store from '../sessions/session-store.ts';
import { updateLanguage, updateTimeZone } from './own-account-store.ts';
import { signIn, type SignedInUser, type SignInGuard } from '../sessions/sign-in.ts';

/** The actions of users on their own account when they are signed in to the platform. */

export const passwordChangeFields = lazy(() =>
  z
    .strictObject({ current_password: z.string(), new_password: z.string(), new_password_again: z.string() })
    .superRefine((fields, ctx) => {
      checkPassword('current_password', fields.current_password, password(), ctx);
      checkNewPassword(fields, ctx);
    }),
);

/**
 * Changes the user's own password. That ends all of their sessions and token families, and begins a new session for the
 * browser of the request, whose cookie value is returned. Throws `invalid_credential`, `too_many_requests`, `busy`,
 * `store_unavailable`.
 */
export async function changeOwnPassword(
  db: Database,
  guard: SignInGuard,
  session: Session,
  passwords: { readonly current: string; readonly next: string },
  device: Device,
): Promise<string> {
  const verified = await verifyOwnPassword(db, guard, session, passwords.current);
  const next = await guard.hashing.take(() => hashPassword(passwords.next));
  const { familyId, userId } = session.credential;
  const { value, session: successor } = newSession({ id: userId, passwordHash: next }, device, { replaces: familyId });
  const now = successor.startedAt;
  const [changed] = await db.batch<[unknown, ...never[]]>([
    store.updateOwnPassword(session.credential, now, { verified: verified.passwordHash, next }),
    ...store.endAllUnder(userId, next, now),
    insertPasswordNotice({ id: userId, passwordHash: next }, now, 'session'),
    ...store.insertSession(successor),
  ]);
  if (changed.length === 0) throw expiredSession();
  return value;
}

/** Verifies the current password of a session's user. Throws `invalid_password`, and what a sign-in throws. */
export function verifyOwnPassword(
  db: Database,
  guard: SignInGuard,
  session: Session,
  password: string,
): Promise<SignedInUser> {
  return signIn(db, guard, { name: session.userName, password }).catch(nameCurrentPassword);
}

function nameCurrentPassword(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'invalid_credential') throw error;
  const sentence = 'This is not your current password.';
  throw new AppError('invalid_password', sentence, { faults: [{ field: 'current_password', sentence }] });
}

/** Confirms who the person of a session is by the password. Throws like `verifyOwnPassword`. */
export async function confirmByPassword(
  db: Database,
  guard: SignInGuard,
  session: Session,
  password: string,
): Promise<void> {
  const { passwordHash } = await verifyOwnPassword(db, guard, session, password);
  const [confirmed] = await db.batch<[unknown]>([confirmSession(session.credential, Date.now(), { passwordHash })]);
  if (confirmed.length === 0) throw expiredSession();
}

export const timeZoneFields = lazy(() =>
  z.strictObject({
    tz: z.string().refine(isTimeZone, { error: 'must be the name of a time zone, such as Europe/Paris' }),
  }),
);

/** Sets the time zone of the pages. Throws `invalid_credential`, `store_unavailable`. */
export async function setTimeZone(db: Database, { credential }: Session, timeZone: string): Promise<void> {
  const [changed] = await db.batch<[unknown]>([updateTimeZone(credential, Date.now(), timeZone)]);
  if (changed.length === 0) throw expiredSession();
}

export const languageFields = lazy(() =>
  z.strictObject({
    language: z.enum(PLATFORM_LANGUAGES, { error: 'must be one of the languages of the list' }).nullable(),
  }),
);

/** Sets the language of the pages; null for that of the browser. Throws `invalid_credential`, `store_unavailable`. */
export async function setLanguage(
  db: Database,
  { credential }: Session,
  language: PlatformLanguage | null,
): Promise<void> {
  const [changed] = await db.batch<[unknown]>([updateLanguage(credential, Date.now(), language)]);
  if (changed.length === 0) throw expiredSession();
}
