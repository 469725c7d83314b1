import { createHash, randomBytes } from 'node:crypto';
import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { browse, type Browse } from './platform.ts';

/** Providers of workspaces and of the service, and sessions that began by them, as rows. */

interface Provider {
  readonly id: string;
  readonly name: string;
  /** Null for that of the service. */
  readonly clientId: string | null;
}

const HOUR_MS = 3600 * 1000;

/** A provider that is on. */
export async function seedProvider(
  clientId: string | null,
  { kind = 'openid', name = 'Example ID' }: { readonly kind?: 'openid' | 'access'; readonly name?: string } = {},
): Promise<Provider> {
  const id = `provider-${nanoid(8)}`;
  await env.DB.prepare(
    `INSERT INTO providers (id, kind, client_id, issuer, application, name, created_at, updated_at, on_at)
     VALUES (?1, ?2, ?3, 'https://id.example/' || ?1, 'application', ?4, 1, 1, 1)`,
  )
    .bind(id, kind, clientId, name)
    .run();
  return { id, name, clientId };
}

/** The identity of a user at a provider; gives its subject. */
export async function seedIdentity(
  provider: Provider,
  { userId }: { readonly userId: string },
  {
    confirmedAt = Date.now(),
    refreshToken = null,
  }: { readonly confirmedAt?: number; readonly refreshToken?: string | null } = {},
): Promise<string> {
  const subject = `subject-${nanoid(8)}`;
  await env.DB.prepare(
    `INSERT INTO identities (provider_id, subject, user_id, refresh_token, created_at, confirmed_at) VALUES (?, ?, ?, ?, 1, ?)`,
  )
    .bind(provider.id, subject, userId, refreshToken, confirmedAt)
    .run();
  return subject;
}

/** A user who has no name but that which a provider gives, as a member of the provider's workspace, if it has one. */
export async function seedPerson(
  provider: Provider,
  name: string,
  role: 'owner' | 'member' = 'member',
): Promise<{ readonly userId: string }> {
  const userId = crypto.randomUUID();
  await env.DB.prepare('INSERT INTO users (id, name, password_hash, created_at) VALUES (?1, ?1, ?2, 1)')
    .bind(userId, 'none')
    .run();
  if (provider.clientId !== null) await addTo({ userId }, provider.clientId, role);
  await nameBy(provider, { userId }, name);
  return { userId };
}

/** Lets a provider give a name to a user. */
export async function nameBy(provider: Provider, user: { readonly userId: string }, name: string): Promise<void> {
  const subject = await seedIdentity(provider, user);
  await env.DB.prepare('UPDATE identities SET name = ? WHERE provider_id = ? AND subject = ?')
    .bind(name, provider.id, subject)
    .run();
}

/** A browser in a session that began by a provider, or in another way. */
export async function openSession(
  { userId }: { readonly userId: string },
  begun: { readonly provider: Provider } | { readonly beganBy: string },
): Promise<{ readonly browse: Browse; readonly familyId: string; readonly value: string }> {
  const value = randomBytes(32).toString('base64url');
  const familyId = crypto.randomUUID();
  const now = Date.now();
  const [beganBy, provider] = 'provider' in begun ? ['provider', begun.provider] : [begun.beganBy, null];
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO token_families (id, user_id, started_at, ends_at, began_by, begun_with, provider_id, client_id)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)`,
    ).bind(familyId, userId, now, now + 8 * HOUR_MS, beganBy, provider?.id ?? null, provider?.clientId ?? null),
    env.DB.prepare('INSERT INTO sessions (hash, family_id, seen_at) VALUES (?, ?, ?)').bind(
      createHash('sha256').update(value).digest('base64url'),
      familyId,
      now,
    ),
  ]);
  return { browse: browse(`__Host-terse=${value}`), familyId, value };
}

/** Adds a user to a client. */
export const addTo = ({ userId }: { readonly userId: string }, clientId: string, role: 'owner' | 'member' = 'member') =>
  env.DB.prepare('INSERT INTO members (user_id, client_id, created_at, role) VALUES (?, ?, 1, ?)')
    .bind(userId, clientId, role)
    .run();

/** Says that a user has a second factor. */
export const giveFactor = ({ userId }: { readonly userId: string }) =>
  env.DB.prepare('UPDATE users SET factor_since = 1 WHERE id = ?').bind(userId).run();
