import { lazy } from '../isolate/lazy.ts';
import type { TokenClaims } from './claims.ts';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import * as z from 'zod';
import { AppError } from '../errors.ts';
import { ALGORITHM, type KeyRing } from './keys.ts';

/** The use of a token: `access` goes into `Authorization: Bearer`, `api` into `X-API-Key`. */
export type TokenUse = 'access' | 'api';

const AUDIENCE: Record<TokenUse, string> = { access: 'terse:access', api: 'terse:api' };
// RFC 9068, section 2.1; here for both uses, which differ by audience.
const TYPE = 'at+jwt';
// The clocks of two data centres may differ a little.
const CLOCK_LEEWAY_SECONDS = 5;
// Our tokens have about 430 characters, those of OAuth some more. Longer ones are refused without decoding.
const MAX_TOKEN_LENGTH = 2048;

// The compact form (RFC 7515, section 7.1) in base64url without padding. A signature has 64 octets, so its last
// character carries only two bits. Other characters would decode to the same signature, and are refused, so that each
// token has only one text.
const CANONICAL = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{85}[AQgw]$/;

const payloadClaims = lazy(() => z.object({ sub: z.string(), sid: z.string(), iat: z.number(), exp: z.number() }));

/** Signs a token as compact JWS (RFC 7519). */
export const signToken = (ring: KeyRing, issuer: string, use: TokenUse, claims: TokenClaims): Promise<string> =>
  signAs(ring, { issuer, type: TYPE, audience: AUDIENCE[use] }, claims);

/**
 * `signToken` for any type, which is the first member of the header, and any audience.
 *
 * @param more the further claims
 */
export async function signAs(
  ring: KeyRing,
  { issuer, type, audience }: Expected,
  claims: TokenClaims,
  more: JWTPayload = {},
): Promise<string> {
  return new SignJWT({ sid: claims.familyId, ...more })
    .setProtectedHeader({ typ: type, alg: ALGORITHM, kid: ring.signing.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(claims.userId)
    .setIssuedAt(claims.issuedAtSeconds)
    .setExpirationTime(claims.expiresAtSeconds)
    .setJti(crypto.randomUUID())
    .sign(ring.signing.key);
}

/** The type of `verifyToken`. */
export type TokenVerifier = typeof verifyToken;

/**
 * Verifies a token and returns its claims: algorithm, type, key, issuer, audience and times are all pinned. Throws
 * `invalid_credential`. Whether its family has ended is checked by the statement that uses the token.
 *
 * @param expiredSeconds how long ago the token may have expired, where that makes no difference
 */
export async function verifyToken(
  ring: KeyRing,
  issuer: string,
  use: TokenUse,
  token: string,
  { expiredSeconds = 0 } = {},
): Promise<TokenClaims> {
  return verifyAs(ring, { issuer, type: TYPE, audience: AUDIENCE[use] }, token, expiredSeconds, (cause) =>
    use === 'access' && isApiToken(cause) ? misplacedApiToken(cause) : invalidToken(cause),
  );
}

/** The claims that say whose and what a token is. */
interface Expected {
  readonly issuer: string;
  readonly type: string;
  readonly audience: string;
}

/**
 * `verifyToken` for any type and audience.
 *
 * @param refuse the refusal of a token that is not valid, by its cause if there is one
 */
export async function verifyAs(
  ring: KeyRing,
  expected: Expected,
  token: string,
  expiredSeconds: number,
  refuse: (cause?: unknown) => AppError,
): Promise<TokenClaims> {
  if (token.length > MAX_TOKEN_LENGTH || !CANONICAL.test(token)) throw refuse();
  const purpose = `${expected.issuer} ${expected.type} ${expected.audience}`;
  const known = ring.verified.find(purpose, token);
  const claims = known ?? (await verifySignature(ring, expected, token, expiredSeconds, refuse));
  if (known === null) ring.verified.remember(purpose, token, claims);
  if (isOutOfTime(claims, expiredSeconds)) throw refuse();
  return claims;
}

async function verifySignature(
  ring: KeyRing,
  { issuer, type, audience }: Expected,
  token: string,
  expiredSeconds: number,
  refuse: (cause?: unknown) => AppError,
): Promise<TokenClaims> {
  const { payload } = await jwtVerify(
    token,
    (header) => {
      const key = ring.verifying.get(header.kid ?? '');
      if (!key) throw refuse();
      return key;
    },
    {
      algorithms: [ALGORITHM],
      typ: type,
      issuer,
      audience,
      clockTolerance: expiredSeconds,
      requiredClaims: ['sub', 'sid', 'iat', 'exp', 'jti'],
    },
  ).catch((cause: unknown) => {
    if (cause instanceof errors.JOSEError || cause instanceof AppError) throw refuse(cause);
    throw cause;
  });
  const claims = readClaims(payload);
  if (claims === null) throw refuse();
  return claims;
}

// The audience is checked after the signature, so this reveals nothing about a token that is not ours.
function isApiToken(cause: unknown): boolean {
  const isAudience = cause instanceof errors.JWTClaimValidationFailed && cause.claim === 'aud';
  return isAudience && cause.payload.aud === AUDIENCE.api;
}

function misplacedApiToken(cause: unknown): AppError {
  return new AppError(
    'invalid_credential',
    'This is an api_token, which only the header X-API-Key takes. Send the access_token of the same sign-in here.',
    { cause },
  );
}

function readClaims(payload: JWTPayload): TokenClaims | null {
  const claims = payloadClaims().safeParse(payload);
  if (!claims.success) return null;
  const { sub, sid, iat, exp } = claims.data;
  return { userId: sub, familyId: sid, issuedAtSeconds: iat, expiresAtSeconds: exp };
}

function isOutOfTime({ issuedAtSeconds, expiresAtSeconds }: TokenClaims, expiredSeconds: number): boolean {
  const now = Date.now() / 1000;
  return expiresAtSeconds <= Math.floor(now) - expiredSeconds || issuedAtSeconds > now + CLOCK_LEEWAY_SECONDS;
}

// One sentence for every fault: naming the failed check would help only an attacker.
export function invalidToken(
  cause?: unknown,
  sentence = 'The token is not valid or has expired. Get a new one with GET /tokens/create_token.',
): AppError {
  return new AppError('invalid_credential', sentence, { cause });
}
