import { challengeOf, type Attempt } from './attempts.ts';
import { discover } from './discovery.ts';
import { fetchJson } from './fetch-json.ts';
import type { IdClaims } from '../../tokens/id-token.ts';
import { readIdToken } from './id-token.ts';
import { firstCharacters } from '../../text/first-characters.ts';
import type { Application, Discovered, Provider, ProviderReach } from './provider.ts';
import { ProviderError } from './provider-error.ts';
import { claimOf } from './roles.ts';

/** The code flow of OpenID Connect Core 1.0 (section 3.1) with PKCE, as a client. */

/** The requests to a provider, and the secret that it gave this service. */
export interface ProviderTools extends ProviderReach {
  /** Null without one. */
  readonly secretOf: (provider: Application) => Promise<string | null>;
}

/** The URL at which a person signs in to a provider. Throws `ProviderError`, and what the guard throws. */
export async function authorizationUrl(
  reach: ProviderReach,
  provider: Provider,
  { state, nonce, verifier, purpose }: Attempt,
  redirectUri: string,
): Promise<string> {
  const { authorizationEndpoint } = await discover(reach, provider.issuer);
  const url = new URL(authorizationEndpoint);
  const params = {
    response_type: 'code',
    client_id: provider.application,
    redirect_uri: redirectUri,
    scope: provider.scope,
    state,
    nonce,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    // The provider asks its person anew, and says when that was.
    ...(purpose === 'confirm' && { max_age: '0', prompt: 'login' }),
    // It shows nothing, and says so if it would have to.
    ...(purpose === 'resume' && { prompt: 'none' }),
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** The person whom a provider has confirmed. */
export interface Confirmed {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  /** When the person last gave proof there, in milliseconds since the epoch; 0 if the provider does not say. */
  readonly provenAt: number;
  readonly refreshToken: string | null;
}

/**
 * Takes the response that a browser brings back from a provider: exchanges its code, and verifies who signed in. Throws
 * `ProviderError`, and what the guard throws.
 *
 * @param query of the request
 */
export async function readResponse(
  tools: ProviderTools,
  provider: Provider,
  attempt: Attempt,
  query: Readonly<Record<string, string>>,
  redirectUri: string,
): Promise<Confirmed> {
  const described = await discover(tools, provider.issuer);
  const { code, iss, error } = query;
  // RFC 9207: a response of another provider, whose code this one must not get.
  if (iss === undefined ? described.namesIssuer : iss !== provider.issuer)
    throw new ProviderError('invalid', 'The response is of another issuer.');
  if (error !== undefined) throw errorOf(error, query['error_description']);
  if (code === undefined || code === '') throw new ProviderError('invalid', 'The response has no code.');
  const tokens = await exchange(tools, provider, described, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: attempt.verifier,
  });
  const { id_token: idToken, access_token: accessToken, refresh_token: refreshToken } = tokens;
  if (typeof idToken !== 'string') throw new ProviderError('invalid', 'The provider sent no ID token.');
  const verified = await readIdToken(tools, provider, described, idToken, attempt.nonce);
  const claims = await withUserinfo(tools, provider, described, verified, accessToken);
  return { ...personOf(verified, claims), refreshToken: typeof refreshToken === 'string' ? refreshToken : null };
}

/**
 * Asks a provider with a refresh token whether it still confirms its person (RFC 6749, section 6): the next token, or null
 * if the one that was sent stays. Throws `ProviderError`: `invalid` if the provider refuses the token, and so the person.
 */
export async function refresh(
  tools: ProviderTools,
  provider: Application,
  refreshToken: string,
): Promise<string | null> {
  const described = await discover(tools, provider.issuer);
  const tokens = await exchange(tools, provider, described, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
  if (typeof tokens['access_token'] !== 'string' && typeof tokens['id_token'] !== 'string')
    throw new ProviderError('unavailable', 'The provider sent no token.');
  const { refresh_token: next } = tokens;
  return typeof next === 'string' ? next : null;
}

const REFUSALS = new Set([
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]);
const OUTAGES = new Set(['temporarily_unavailable', 'server_error']);

function errorOf(error: string, description = ''): ProviderError {
  const said = `${error.slice(0, 60)}${description === '' ? '' : `: ${description.slice(0, 200)}`}`;
  if (OUTAGES.has(error)) return new ProviderError('unavailable', `The provider responded ${said}`);
  return new ProviderError(REFUSALS.has(error) ? 'denied' : 'misconfigured', `The provider responded ${said}`);
}

/** Asks the token endpoint of a provider. Throws `ProviderError`, and what the guard throws. */
async function exchange(
  tools: ProviderTools,
  provider: Application,
  described: Discovered,
  fields: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { application } = provider;
  const secret = await tools.secretOf(provider);
  const body = new URLSearchParams(fields);
  const headers: Record<string, string> = {};
  if (secret !== null && !described.takesSecretInBody) {
    // RFC 6749, section 2.3.1: both are encoded as in a form.
    const [name, password] = [application, secret].map((text) => new URLSearchParams({ a: text }).toString().slice(2));
    headers['Authorization'] = `Basic ${btoa(`${name}:${password}`)}`;
  } else {
    body.set('client_id', application);
    if (secret !== null) body.set('client_secret', secret);
  }
  const { status, body: tokens } = await fetchJson(tools, described.tokenEndpoint, { method: 'POST', body, headers });
  if (status === 200) return tokens;
  const error = typeof tokens['error'] === 'string' ? tokens['error'].slice(0, 60) : `status ${status}`;
  throw new ProviderError(
    error === 'invalid_grant' ? 'invalid' : 'misconfigured',
    `The provider did not exchange the code (${error}).`,
  );
}

/**
 * Adds the claims of the userinfo endpoint (section 5.3), where the token has too few: some providers keep a person's name,
 * or their groups, out of it.
 */
async function withUserinfo(
  reach: ProviderReach,
  { rules, scope }: Provider,
  { userinfoEndpoint }: Discovered,
  claims: IdClaims,
  accessToken: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const wanted = [...(scope.includes('profile') ? ['name'] : []), ...(scope.includes('email') ? ['email'] : [])];
  const isWhole = [...wanted, ...rules.map(({ claim }) => claim)].every((name) => claimOf(claims, name) !== undefined);
  if (isWhole || userinfoEndpoint === null || typeof accessToken !== 'string') return claims;
  const headers = { Authorization: `Bearer ${accessToken}` };
  const { status, body } = await fetchJson(reach, userinfoEndpoint, { headers });
  // Without it, roles would be lost that the person has.
  if (status !== 200) throw new ProviderError('unavailable', `The userinfo endpoint responded with status ${status}.`);
  if (body['sub'] !== claims.sub) throw new ProviderError('invalid', 'The userinfo endpoint names another person.');
  return { ...body, ...claims };
}

const MAX_NAME = 80;
const MAX_EMAIL = 254;

function personOf(
  { sub, auth_time: at }: IdClaims,
  claims: Readonly<Record<string, unknown>>,
): Omit<Confirmed, 'refreshToken'> {
  const { name, preferred_username: login, email } = claims;
  const address = typeof email === 'string' && email.length <= MAX_EMAIL ? cleanLine(email, MAX_EMAIL) : null;
  return {
    claims,
    subject: sub,
    name: cleanLine(name) ?? cleanLine(login) ?? cleanLine(email),
    email: address,
    provenAt: typeof at === 'number' && at > 0 ? Math.min(Math.floor(at * 1000), Date.now()) : 0,
  };
}

/** A claim as one line, without characters that are not seen or change the direction of the text; null without any. */
function cleanLine(value: unknown, most = MAX_NAME): string | null {
  if (typeof value !== 'string' || value.length > 1000) return null;
  const line = value
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return line === '' ? null : firstCharacters(line, most);
}
