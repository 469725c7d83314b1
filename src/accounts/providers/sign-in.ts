import type { Database } from '../../database/database.ts';
import { hashSecret, randomToken } from '../../secrets/random-secrets.ts';
import { seal, type SealingKey } from '../../secrets/sealing.ts';
import type { Role } from '../roles.ts';
import { expiredSession } from '../refusals.ts';
import type { Device } from '../sessions/device.ts';
import { PROVIDER_SESSION_MS } from '../sessions/lifetime.ts';
import type { Session } from '../sessions/session.ts';
import type { SignedInUser } from '../sessions/sign-in.ts';
import { NO_PASSWORD } from '../users/password.ts';
import { authorizationUrl, readResponse, type Confirmed, type ProviderTools } from './ask-provider.ts';
import { ATTEMPT_SECONDS, newAttempt, writeAttempt, type Attempt, type Unbound } from './attempts.ts';
import type { Provider } from './provider.ts';
import { ProviderError } from './provider-error.ts';
import { roleBy } from './roles.ts';
import * as store from './sign-in-store.ts';

/** Signing in at a provider. */

/** The capabilities of a sign-in at one provider. */
export interface SignInTools extends ProviderTools {
  readonly db: Database;
  /** Sign the cookies of attempts. */
  readonly secrets: readonly string[];
  /** Seal what a provider gives; an empty list keeps nothing of it. */
  readonly sealingKeys: readonly SealingKey[];
  /** Where the provider sends a browser back. */
  readonly redirectUri: string;
  /** The tenants of the service's provider whose word about an address counts. */
  readonly tenants: readonly string[];
}

/**
 * Sends a browser to a provider: where to, and the cookie that it keeps meanwhile. Throws `ProviderError`, and what the
 * guard throws.
 *
 * @param cookie that of the attempts which are under way in the browser
 */
export async function beginAtProvider(
  tools: SignInTools,
  provider: Provider,
  asked: Pick<Attempt, 'purpose' | 'next' | 'session'>,
  cookie: string | undefined,
): Promise<{ readonly url: string; readonly cookie: string }> {
  const attempt = newAttempt(provider.id, asked);
  const url = await authorizationUrl(tools, provider, attempt, tools.redirectUri);
  return { url, cookie: writeAttempt(tools.secrets, attempt, cookie) };
}

/**
 * Takes the response that a browser brings back, once, and only from the browser that was sent. Throws `ProviderError`,
 * `store_unavailable`, and what the guard throws.
 */
export async function returnFromProvider(
  tools: SignInTools,
  provider: Provider,
  attempt: Attempt,
  query: Readonly<Record<string, string>>,
): Promise<Confirmed> {
  if (attempt.provider !== provider.id || query['state'] !== attempt.state)
    throw new ProviderError('stale', 'The response belongs to no attempt of this browser.');
  await spend(tools, attempt.state);
  return readResponse(tools, provider, attempt, query, tools.redirectUri);
}

/** Spends the secret of a cookie, which works once: what the provider has said may no longer be true. */
async function spend({ db }: Pick<SignInTools, 'db'>, secret: string): Promise<void> {
  const endsAt = Date.now() + 2 * ATTEMPT_SECONDS * 1000;
  const [spent] = await db.batch<[unknown]>([store.spendState(hashSecret(secret), endsAt)]);
  if (spent.length === 0) throw new ProviderError('stale', 'The response was used before.');
}

/** The outcome of a sign-in: a session, the second step of an account, or a person without an account. */
export type SignedIn =
  | { readonly kind: 'begun'; readonly userId: string; readonly value: string }
  | { readonly kind: 'second_step'; readonly user: SignedInUser }
  | { readonly kind: 'unbound'; readonly person: Unbound };

/**
 * Begins the session of a person whom a provider has confirmed. A new person of the service's provider is known by a
 * verified address alone. Throws `ProviderError`, `store_unavailable`.
 */
export async function signInByProvider(
  tools: SignInTools,
  provider: Provider,
  confirmed: Confirmed,
  next: string,
  device: Device,
): Promise<SignedIn> {
  const person = await unboundOf(tools, provider, confirmed, next);
  const [[identity]] = await tools.db.batch<[store.IdentityRow]>([
    store.selectIdentity(provider.id, confirmed.subject),
  ]);
  const isOfService = provider.clientId === null;
  if (!identity) {
    if (!isOfService || hasProvenAddress(confirmed, tools.tenants)) return { kind: 'unbound', person };
    const complaint = `The provider does not say that it has verified the e-mail address of this person, whose subject is ${person.subject}.`;
    throw new ProviderError('denied', complaint);
  }
  if (isOfService && identity.has_factor === 1 && identity.is_disabled === 0) {
    // The provider has confirmed the person, however the second step ends.
    await tools.db.batch(store.confirmPerson(person, Date.now()));
    const { user_id: id, password_hash: passwordHash } = identity;
    const user = { id, passwordHash, hasFactor: true, provider: provider.id };
    return { kind: 'second_step', user };
  }
  return beginSession(tools, person, device, []);
}

async function unboundOf(
  { sealingKeys }: SignInTools,
  provider: Provider,
  { subject, name, email, claims, provenAt, refreshToken }: Confirmed,
  next: string,
): Promise<Unbound> {
  const isKept = refreshToken !== null && sealingKeys.length > 0;
  return {
    id: randomToken(16),
    provider: provider.id,
    subject,
    name,
    email,
    role: roleBy(provider.rules, claims),
    confirmedAt: provenAt,
    refreshToken: isKept ? await seal(sealingKeys, provider.id, refreshToken) : null,
    next,
  };
}

/**
 * True if the provider of the service has verified the address of a person. Entra ID says so in `xms_edov`, which counts for
 * the tenants of a list, since others can claim any address.
 */
function hasProvenAddress({ claims, email }: Confirmed, tenants: readonly string[]): boolean {
  if (email === null) return false;
  const { email_verified: isVerified, xms_edov: isOfDomain, tid } = claims;
  if (isVerified === true) return true;
  const isOwned = isOfDomain === true || isOfDomain === 1 || isOfDomain === '1' || isOfDomain === 'true';
  return isOwned && typeof tid === 'string' && tenants.includes(tid);
}

/**
 * Creates the user of a person who has none, as a member of the provider's workspace, and signs them in. At the provider of
 * the service it is the workspace of `joins`, and no new person joins without one. Throws `ProviderError`,
 * `store_unavailable`.
 */
export async function joinByProvider(
  tools: Pick<SignInTools, 'db'>,
  provider: Provider,
  person: Unbound,
  joins: { readonly clientId: string; readonly role: Role } | null,
  timeZone: string | null,
  device: Device,
): Promise<SignedIn> {
  const isOfService = provider.clientId === null;
  if (isOfService && joins === null) throw new ProviderError('denied', 'New people do not join by themselves here.');
  await spend(tools, person.id);
  const user = { id: crypto.randomUUID(), passwordHash: NO_PASSWORD, timeZone: timeZone ?? 'UTC' };
  const now = Date.now();
  const joined = isOfService && joins !== null ? store.joinClient(person, now, joins) : [];
  return beginSession(tools, person, device, [...store.insertPerson(person, now, user), ...joined]);
}

/**
 * Binds a person to the account of a session, whose user has just confirmed who they are, and signs them in. Throws
 * `invalid_credential` if the session opens one workspace alone or is not confirmed, or its user is no member of the
 * provider's workspace; `ProviderError`, `store_unavailable`.
 */
export async function bindToProvider(
  tools: Pick<SignInTools, 'db'>,
  person: Unbound,
  { credential }: Session,
  device: Device,
): Promise<SignedIn> {
  const [, bound] = await tools.db.batch<[never, unknown]>(store.bindPerson(person, Date.now(), credential));
  if (bound.length === 0) throw expiredSession();
  await spend(tools, person.id);
  return beginSession(tools, person, device, []);
}

async function beginSession(
  { db }: Pick<SignInTools, 'db'>,
  person: Unbound,
  { browser, os, country }: Device,
  before: ReturnType<typeof store.insertPerson>,
): Promise<SignedIn> {
  const [now, value] = [Date.now(), randomToken(32)];
  const rows = await db.batch<store.BegunRow[]>([
    ...before,
    ...store.signInPerson(person, now, {
      familyId: crypto.randomUUID(),
      hash: hashSecret(value),
      endsAt: now + PROVIDER_SESSION_MS,
      provenAt: person.confirmedAt,
      browser,
      os,
      country,
    }),
  ]);
  const [begun] = rows[before.length + store.BEFORE_SESSION] ?? [];
  if (!begun) throw new ProviderError('denied', 'The account is disabled, or the provider was just turned off.');
  return { kind: 'begun', userId: begun.user_id, value };
}

/**
 * Confirms who the user of a session is: its provider has just asked its person anew. Throws `ProviderError`,
 * `store_unavailable`.
 */
export async function confirmByProvider(
  { db }: Pick<SignInTools, 'db'>,
  provider: Provider,
  { begunAt }: Attempt,
  { subject, provenAt }: Confirmed,
  { credential }: Session,
): Promise<void> {
  // To the second, as providers say it, and by a clock that may be late.
  if (provenAt < begunAt - CLOCK_MS)
    throw new ProviderError('invalid', 'The provider does not say that it has asked again (auth_time).');
  const [confirmed] = await db.batch<[unknown]>([
    store.confirmByIdentity({ provider: provider.id, subject }, Date.now(), credential),
  ]);
  if (confirmed.length === 0) throw new ProviderError('denied', 'Another person has signed in at the provider.');
}

const CLOCK_MS = 60_000;
