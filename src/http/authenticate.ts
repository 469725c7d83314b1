import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { A_PERSON_MUST_SIGN_IN } from '../accounts/access.ts';
import { looksLikeApiKey, parseApiKey } from '../accounts/keys/api-key.ts';
import { carryKeyUse } from '../accounts/keys/key-use.ts';
import type { Credential } from '../accounts/grants.ts';
import { carryGrantUse } from '../accounts/oauth/grant-use.ts';
import { RESOURCE_PATHS } from '../accounts/oauth/resources.ts';
import { AppError } from '../errors.ts';
import type { TokenUse } from '../tokens/jwt.ts';
import type { TokenClaims } from '../tokens/claims.ts';
import { looksLikeOAuthToken } from '../tokens/oauth-type.ts';
import type { HttpEnv, Refusal } from './env.ts';
import { serviceOrigin } from './service-origin.ts';

/** A name and a password of HTTP Basic. */
interface BasicCredentials {
  readonly name: string;
  readonly password: string;
}

/** Sets how this route refuses a caller; before anything can fail. */
export function refuseWith(refusal: Refusal) {
  return createMiddleware<HttpEnv>((c, next) => {
    c.set('refusal', refusal);
    return next();
  });
}

export const BASIC_CHALLENGE = () => 'Basic realm="terse", charset="UTF-8"';
export const API_KEY_CHALLENGE = () => 'ApiKey realm="terse"';

/** RFC 6750, section 3: no error code if the request has no token. */
export const BEARER_CHALLENGE = (error: AppError) =>
  error.code === 'missing_credential'
    ? 'Bearer realm="terse"'
    : `Bearer realm="terse", error="invalid_token", error_description="${error.message}"`;

/** For routes that accept an API key or a bearer token. */
export const ANY_CHALLENGE = (error: AppError) => `${BEARER_CHALLENGE(error)}, ${API_KEY_CHALLENGE()}`;

/** Reads HTTP Basic credentials (RFC 7617, UTF-8). Throws `missing_credential` or `invalid_credential`. */
export function readBasic(c: Context<HttpEnv>): BasicCredentials {
  const encoded = readAuthorization(c, 'basic');
  if (encoded === null) throw new AppError('missing_credential', 'Send a user name and a password by HTTP Basic.');
  const pair = decodeBasic(encoded);
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === null || colon < 0 || /\p{Cc}/u.test(pair)) {
    throw new AppError('invalid_credential', 'The user name or the password is wrong.');
  }
  return { name: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function decodeBasic(encoded: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The advice of endpoints that accept only a token. */
const SEND_BEARER = 'Send an access token as "Authorization: Bearer <ACCESS_TOKEN>".';

/** Reads a bearer token, unverified (RFC 6750, section 2.1). Throws `missing_credential`. */
export function readBearer(c: Context<HttpEnv>): string {
  const token = readAuthorization(c, 'bearer');
  if (token === null) throw new AppError('missing_credential', SEND_BEARER);
  return token;
}

/** The bearer token of a request, unverified; null if it has none. */
export const bearerOf = (c: Context<HttpEnv>): string | null => readAuthorization(c, 'bearer');

/** Reads an API key or an `api_token`, unverified. Throws `missing_credential`. */
export function readApiKey(c: Context<HttpEnv>): string {
  const key = c.req.header('X-API-Key');
  if (!key) throw new AppError('missing_credential', 'Send an API key in the header X-API-Key.');
  return key;
}

/** Verifies a token for one use. Throws `invalid_credential`. */
export async function verifyFor(
  c: Context<HttpEnv>,
  use: TokenUse,
  token: string,
  options?: { readonly expiredSeconds: number },
): Promise<TokenClaims> {
  if (looksLikeApiKey(token)) {
    throw new AppError(
      'invalid_credential',
      'This is an API key, which is not accepted here. Sign in, and send the access_token of GET /tokens/create_token.',
    );
  }
  const { keyRing, verifyToken } = c.get('services');
  return verifyToken(await keyRing(), issuerName(c), use, token, options);
}

/** The `iss` of this service's tokens: its public origin, or a fixed name if that is not set. */
export function issuerName(c: Context<HttpEnv>): string {
  return c.get('services').config.publicUrl?.origin ?? 'terse';
}

/** The credential of a verified token, for the statement that checks whether it is still valid. */
export function tokenCredential(use: TokenUse, { familyId, userId }: TokenClaims): Credential {
  return { kind: 'token', use, familyId, userId };
}

/** Makes the credential of an `X-API-Key` header. Throws `invalid_credential`. */
async function apiKeyCredential(c: Context<HttpEnv>, text: string): Promise<Credential> {
  const key = parseApiKey(text);
  if (key) {
    const credential = { kind: 'api_key', keyId: key.id, secretHash: key.secretHash } as const;
    c.get('caller').carry ??= carryKeyUse(credential, c.get('services').keyUses);
    return credential;
  }
  if (looksLikeApiKey(text)) {
    throw new AppError(
      'invalid_credential',
      'The API key is incomplete. Copy all of it: tk_, 12 characters, _ and 43 characters.',
    );
  }
  return tokenCredential('api', await verifyFor(c, 'api', text).catch(explainKeys));
}

function explainKeys(refusal: unknown): never {
  if (!(refusal instanceof AppError) || refusal.code !== 'invalid_credential') throw refusal;
  throw new AppError(
    'invalid_credential',
    'X-API-Key takes an API key, which begins with tk_, or a valid api_token of GET /tokens/create_token. ' +
      'An access_token goes into Authorization: Bearer.',
    { cause: refusal },
  );
}

/** The advice of endpoints that accept a key or a token. */
const SEND_ANY =
  'Send an API key in the header X-API-Key, or an access token as "Authorization: Bearer <ACCESS_TOKEN>".';

/**
 * Like `readAnyCredential`, for endpoints that accept no API key. The step refuses a bad key with the same sentence,
 * since another key would be refused too.
 */
export function readPersonalCredential(c: Context<HttpEnv>): () => Promise<Credential> {
  const verify = readAnyCredential(c, SEND_BEARER);
  const isKey = Boolean(c.req.header('X-API-Key')) || looksLikeApiKey(readAuthorization(c, 'bearer') ?? '');
  return async () =>
    verify().catch((cause: unknown) => {
      if (!isKey || !(cause instanceof AppError) || cause.code !== 'invalid_credential') throw cause;
      throw new AppError('invalid_credential', A_PERSON_MUST_SIGN_IN, { cause });
    });
}

/**
 * Reads the caller's credential, an API key in either header or a bearer token, and returns the step that verifies it,
 * so that faults of the request can be reported first. Throws `missing_credential`; the step throws
 * `invalid_credential`.
 *
 * @param advice the sentence for a request without a credential
 */
export function readAnyCredential(c: Context<HttpEnv>, advice = SEND_ANY): () => Promise<Credential> {
  const key = c.req.header('X-API-Key');
  if (key) {
    const refusal = c.get('refusal');
    // A bad X-API-Key is not an error of a bearer token, so the challenge names no such error.
    if (refusal) c.set('refusal', { ...refusal, challenge: () => refusal.challenge(noCredential(advice)) });
    return () => apiKeyCredential(c, key);
  }
  const token = readAuthorization(c, 'bearer');
  if (token === null) throw noCredential(advice);
  if (looksLikeApiKey(token)) return () => apiKeyCredential(c, token);
  if (looksLikeOAuthToken(token)) return () => oauthCredential(c, token);
  return async () => tokenCredential('access', await verifyFor(c, 'access', token));
}

/**
 * Makes the credential of an access token of OAuth, for the resource to which the request goes: MCP or the API. Throws
 * `invalid_credential`.
 */
async function oauthCredential(c: Context<HttpEnv>, token: string): Promise<Credential> {
  const path = RESOURCE_PATHS.find((path) => c.req.path === path || c.req.path.startsWith(`${path}/`));
  if (path === undefined)
    throw new AppError('invalid_credential', 'A token of OAuth is not accepted here, only at /mcp and below /v1/.');
  const { keyRing, verifyOAuthToken, keyUses } = c.get('services');
  const resource = `${serviceOrigin(c.get('site'))}${path}`;
  const { familyId, userId } = await verifyOAuthToken(await keyRing(), issuerName(c), resource, token);
  const credential = { kind: 'token', use: 'oauth', familyId, userId } as const;
  c.get('caller').carry ??= carryGrantUse(credential, keyUses);
  return credential;
}

function noCredential(advice: string): AppError {
  return new AppError('missing_credential', advice);
}

// The scheme is case-insensitive (RFC 9110, section 11.1). Another scheme counts as no credential.
function readAuthorization(c: Context<HttpEnv>, scheme: string): string | null {
  const [given, value] = /^([^ ]+) +(.*)$/.exec(c.req.header('Authorization') ?? '')?.slice(1) ?? [];
  return given?.toLowerCase() === scheme ? (value ?? '') : null;
}
