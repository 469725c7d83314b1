import { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { isSubject } from './subject.ts';

/** The check of the token in which a provider says who signed in (OpenID Connect Core 1.0, section 3.1.3.7). */

/** The public keys of a provider (RFC 7517, section 5). */
export type KeySet = JSONWebKeySet;

/** The claims of a verified token. */
export type IdClaims = JWTPayload & { readonly sub: string };

/** An ID token that does not hold. The message is a complaint, without its subject and its full stop. */
export class IdTokenError extends Error {
  override readonly name = 'IdTokenError';
  /** True if it names a key that is not among those that were given. */
  readonly isOfUnknownKey: boolean;

  constructor(complaint: string, options: ErrorOptions & { readonly isOfUnknownKey?: boolean } = {}) {
    super(complaint, options);
    this.isOfUnknownKey = options.isOfUnknownKey ?? false;
  }
}

/** Signatures with a key pair alone: `none` is no signature, and a secret would let its holder sign for the provider. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
];

/** The clocks of provider and service may differ by as much, in seconds. */
const LEEWAY_SECONDS = 120;
/** A token is issued for one sign-in, and used at once. */
const MAX_AGE_SECONDS = 10 * 60;
const MAX_TOKEN = 64 * 1024;

/** Verifies an ID token. Throws `IdTokenError`. */
export async function verifyIdToken(
  token: string,
  keys: KeySet,
  { issuer, audience, nonce }: { readonly issuer: string; readonly audience: string; readonly nonce: string },
): Promise<IdClaims> {
  if (token.length > MAX_TOKEN) throw new IdTokenError('is too long');
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: LEEWAY_SECONDS,
    maxTokenAge: MAX_AGE_SECONDS,
    requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
  }).catch((error: unknown) => refuse(error, token));
  if (payload['nonce'] !== nonce) throw new IdTokenError('is for another sign-in');
  checkParty(payload, audience);
  const { sub } = payload;
  if (!isSubject(sub)) throw new IdTokenError('names no person');
  return { ...payload, sub };
}

// A token for several is for the one that its `azp` names.
function checkParty({ aud, azp }: JWTPayload, audience: string): void {
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForSeveral : azp !== audience) throw new IdTokenError('was issued to another application');
}

function refuse(error: unknown, token: string): never {
  // A key of the provider that is none, or too short.
  if (error instanceof TypeError || error instanceof DOMException)
    throw new IdTokenError('is signed with a key that cannot be used', { cause: error });
  if (!(error instanceof errors.JOSEError)) throw error;
  throw new IdTokenError(`does not hold (${error.code}: ${error.message.slice(0, 120)})`, {
    cause: error,
    isOfUnknownKey: error instanceof errors.JWKSNoMatchingKey && decodeProtectedHeader(token).kid !== undefined,
  });
}
