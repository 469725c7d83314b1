import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import * as z from 'zod';
import { readUpTo } from '../bounds/read-up-to.ts';
import { lazy } from '../isolate/lazy.ts';
import { logProblem } from '../isolate/log.ts';
import { isSubject } from './subject.ts';

/**
 * The assertions of Cloudflare Access, which are JWTs in a header of each request:
 * https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/validating-json/
 */

/** The application whose assertions are accepted. */
interface Application {
  readonly issuer: string;
  readonly audience: string;
}

/** The person of an assertion. */
export interface AccessPerson {
  readonly subject: string;
  readonly email: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** `invalid` if Access has not signed it for a person of this application, `unavailable` if its keys could not be read. */
type VerifiedAssertion = AccessPerson | 'invalid' | 'unavailable';
export type AccessVerifier = (assertion: string) => Promise<VerifiedAssertion>;

const MAX_LENGTH = 8192;
const MAX_KEYS_BYTES = 64 * 1024;
const TIMEOUT_MS = 5000;
const CLOCK_LEEWAY_SECONDS = 5;
/** Keys are read again after this time. A former key stays valid for seven days after it was rotated. */
const KEPT_MS = 3600 * 1000;
/** The time for which keys are used while the new ones cannot be read. */
const KEPT_IN_OUTAGE_MS = 24 * 3600 * 1000;
/** An unknown `kid` reads the keys again, but only so often: any caller can send one. */
const AGAIN_AFTER_MS = 60_000;

// A token of a service has a `common_name`, and an empty `sub`.
const personClaims = lazy(() =>
  z.object({
    type: z.literal('app'),
    sub: z.string().refine(isSubject),
    email: z.string().min(3).max(320).includes('@'),
    exp: z.number(),
    common_name: z.undefined().optional(),
  }),
);

/** Verifies the assertions of an application, with the keys of its team in the memory of this isolate. */
export function openAccessVerifier({ issuer, audience }: Application): AccessVerifier {
  let known: { readonly keys: JSONWebKeySet; readonly readAt: number } | null = null;
  let triedAt = 0;

  /** Reads the keys, unless they were read lately; null without any. */
  async function keysOf(isAgain: boolean): Promise<JSONWebKeySet | null> {
    const now = Date.now();
    const ageMs = known === null ? Infinity : now - known.readAt;
    const isFresh = ageMs >= 0 && ageMs < (isAgain ? AGAIN_AFTER_MS : KEPT_MS);
    const wasTried = now - triedAt >= 0 && now - triedAt < AGAIN_AFTER_MS && known !== null;
    if (!isFresh && !wasTried) {
      triedAt = now;
      const keys = await readKeys(issuer);
      if (keys !== null) known = { keys, readAt: now };
    }
    return known !== null && now - known.readAt < KEPT_IN_OUTAGE_MS ? known.keys : null;
  }

  async function verify(assertion: string, isAgain: boolean): Promise<VerifiedAssertion> {
    const keys = await keysOf(isAgain);
    if (keys === null) return 'unavailable';
    try {
      const { payload } = await jwtVerify(assertion, createLocalJWKSet(keys), {
        algorithms: ['RS256'],
        issuer,
        audience,
        clockTolerance: CLOCK_LEEWAY_SECONDS,
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return personOf(payload);
    } catch (cause) {
      if (!isAgain && cause instanceof errors.JWKSNoMatchingKey) return verify(assertion, true);
      if (cause instanceof errors.JOSEError || cause instanceof TypeError) return 'invalid';
      throw cause;
    }
  }

  return async (assertion) => (assertion.length > MAX_LENGTH ? 'invalid' : verify(assertion, false));
}

function personOf(payload: JWTPayload): VerifiedAssertion {
  const claims = personClaims().safeParse(payload);
  if (!claims.success) return 'invalid';
  const { sub, email, exp } = claims.data;
  return { subject: sub, email, expiresAt: exp * 1000 };
}

const keySet = lazy(() =>
  z.object({
    keys: z
      .array(z.looseObject({ kid: z.string(), kty: z.literal('RSA') }))
      .min(1)
      .max(20),
  }),
);

async function readKeys(issuer: string): Promise<JSONWebKeySet | null> {
  try {
    const response = await fetch(`${issuer}/cdn-cgi/access/certs`, {
      headers: { Accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = response.status === 200 ? await readUpTo(response, MAX_KEYS_BYTES) : null;
    if (body === null) throw new TypeError(`the keys of Access came with status ${response.status}, or are too long`);
    return keySet().parse(JSON.parse(body.toString('utf8')));
  } catch (cause) {
    logProblem('access_keys_not_read', cause, { issuer });
    return null;
  }
}
