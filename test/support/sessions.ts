import { env } from 'cloudflare:workers';
import { findSession, startSession, type Session } from '../../src/accounts/sessions/session.ts';
import { db } from './seed.ts';

/** Sessions of browsers. */

export const FIREFOX = { browser: 'Firefox', os: 'Linux', country: null };

export async function passwordHashOf({ userId }: { userId: string }): Promise<string> {
  const row = await env.DB.prepare('SELECT password_hash FROM users WHERE id = ?')
    .bind(userId)
    .first<string>('password_hash');
  return row ?? '';
}

/** Ends the ten minutes for which the sessions of a user count as confirmed. */
export async function makeStale({ userId }: { readonly userId: string }): Promise<void> {
  await env.DB.prepare(
    'UPDATE token_families SET started_at = started_at - 601000, confirmed_at = NULL WHERE user_id = ?',
  )
    .bind(userId)
    .run();
}

export async function seedSession(tenant: { userId: string }): Promise<{ value: string; session: Session }> {
  const value = await startSession(
    db,
    { id: tenant.userId, passwordHash: await passwordHashOf(tenant), hasFactor: false },
    FIREFOX,
  );
  const session = await findSession(db, value);
  if (!session) throw new Error('the session did not take');
  return { value, session };
}
