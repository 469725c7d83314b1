import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  errors,
  importJWK,
  jwtVerify,
  SignJWT,
  type CryptoKey,
} from 'jose';
import * as z from 'zod';
import { AppError } from '../errors.ts';
import { publicHalf, type OperatorKey, type TokenKey } from '../secrets/jwks.ts';
import { lazy } from '../isolate/lazy.ts';
import { RecentlySeen } from '../isolate/recently-seen.ts';
import { ALGORITHM } from './keys.ts';

/**
 * Tokens of the operator's tools (RFC 7519). Each is for one request to the operator's surface of one service. They
 * have a key, type, issuer and audience of their own, so that users' tokens are refused there, and these elsewhere.
 */

const TYPE = 'terse-operator+jwt';
const ISSUER = 'terse-operator-tools';
/** The lifetime of a token, in seconds. */
const OPERATOR_TOKEN_SECONDS = 60;
// The clocks of the tool's machine and of a data centre differ a little.
const CLOCK_LEEWAY_SECONDS = 5;
// Tokens have about 400 characters.
const MAX_TOKEN_LENGTH = 1024;
// As in `jwt.ts`: the last character of a signature carries only two bits.
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{85}[AQgw]$/;

/** @param host the host name of the service, with its port if that is not the default of the scheme */
function audienceOf(host: string): string {
  return `terse:operator:${host}`;
}

/** Signs a token for one request to the service at a host. */
export async function signOperatorToken(key: TokenKey, host: string): Promise<string> {
  const issuedAtSeconds = Math.floor(Date.now() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: await calculateJwkThumbprint({ ...publicHalf(key) }) })
    .setIssuer(ISSUER)
    .setAudience(audienceOf(host))
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(issuedAtSeconds + OPERATOR_TOKEN_SECONDS)
    .setJti(crypto.randomUUID())
    .sign(await importJWK({ ...key }, ALGORITHM));
}

const claims = lazy(() => z.object({ iat: z.int(), exp: z.int(), jti: z.uuid() }));

// The lifetime of a token, and some seconds for clocks that differ.
const REPLAY_MS = (OPERATOR_TOKEN_SECONDS + 30) * 1000;

/** True if a bearer token says that it is one of an operator's tool. It is not verified yet. */
export function looksLikeOperatorToken(token: string): boolean {
  if (!isWellFormed(token)) return false;
  try {
    return decodeProtectedHeader(token).typ === TYPE;
  } catch {
    return false;
  }
}

const isWellFormed = (token: string): boolean => token.length <= MAX_TOKEN_LENGTH && COMPACT_JWS.test(token);

/** A token that was verified. */
interface VerifiedToken {
  /** The thumbprint of the key that signed it (RFC 7638). */
  readonly keyThumbprint: string;
}

/** Verifies a token for a host, once. Throws `invalid_credential`. */
export type OperatorVerifier = (token: string, host: string) => Promise<VerifiedToken>;

/**
 * Creates a verifier, which imports each key once, and refuses a token that it has verified before. Tokens that are too
 * long or malformed are refused without decoding.
 */
export function openOperatorVerifier(keys: readonly OperatorKey[]): OperatorVerifier {
  let imported: ReadonlyMap<string, CryptoKey> | undefined;
  const used = new RecentlySeen();
  return async (token, host) => {
    if (!isWellFormed(token)) throw invalidToken();
    imported ??= await importAll(keys);
    const known = imported;
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => known.get(kid ?? '') ?? refuse(), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: audienceOf(host),
      clockTolerance: CLOCK_LEEWAY_SECONDS,
      maxTokenAge: OPERATOR_TOKEN_SECONDS,
      requiredClaims: ['iat', 'exp', 'jti'],
    }).catch((cause: unknown) => {
      if (cause instanceof errors.JOSEError) throw invalidToken(cause);
      throw cause;
    });
    const { success, data } = claims().safeParse(payload);
    if (!success || data.exp - data.iat > OPERATOR_TOKEN_SECONDS) throw invalidToken();
    if (used.wasSeen(data.jti, REPLAY_MS))
      throw new AppError('invalid_credential', 'The token has already been used: sign a new one for each request.');
    return { keyThumbprint: protectedHeader.kid ?? '' };
  };
}

async function importAll(keys: readonly OperatorKey[]): Promise<ReadonlyMap<string, CryptoKey>> {
  const entries = keys.map(async (key) => {
    const imported = await importJWK({ ...key }, ALGORITHM);
    if (imported instanceof Uint8Array) throw new TypeError('an Ed25519 JWK is never a symmetric key');
    return [await calculateJwkThumbprint({ ...key }), imported] as const;
  });
  return new Map(await Promise.all(entries));
}

function refuse(): never {
  throw invalidToken();
}

// One sentence for every fault: which check failed would help only an attacker. In ASCII, since a header has it too.
function invalidToken(cause?: unknown): AppError {
  return new AppError(
    'invalid_credential',
    "The token is not valid here. Send requests with the operator's tools, which sign a new one for each.",
    {
      cause,
    },
  );
}
