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
