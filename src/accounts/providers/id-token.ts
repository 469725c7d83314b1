import { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { discover, keysOf } from './discovery.ts';
import type { Provider, ProviderReach } from './provider.ts';
import { ProviderError } from './provider-error.ts';

/** The check of the token in which a provider says who signed in (OpenID Connect Core 1.0, section 3.1.3.7). */

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
const MAX_SUBJECT = 255;

/** The claims of a verified token. */
export type Claims = JWTPayload & { readonly sub: string };

/** Verifies an ID token of a provider. Throws `ProviderError`, and what the guard throws. */
export async function verifyIdToken(
  reach: ProviderReach,
  { issuer, application }: Pick<Provider, 'issuer' | 'application'>,
  token: string,
  nonce: string,
): Promise<Claims> {
  if (token.length > MAX_TOKEN) throw invalid('is too long');
  const described = await discover(reach, issuer);
  const verify = async (again: boolean) =>
    jwtVerify(token, createLocalJWKSet(await keysOf(reach, described, { again })), {
      issuer,
      audience: application,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
    });
  // An unknown key may have been added since the keys were read.
  const { payload } = await verify(false)
    .catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey && isNamed(token)) return verify(true);
      throw error;
    })
    .catch(refuse);
  if (payload['nonce'] !== nonce) throw invalid('is for another sign-in');
  checkParty(payload, application);
  const { sub } = payload;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT) throw invalid('names no person');
  return { ...payload, sub };
}

const isNamed = (token: string) => typeof decodeProtectedHeader(token).kid === 'string';

// A token for several is for the one that its `azp` names.
function checkParty({ aud, azp }: JWTPayload, application: string): void {
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForSeveral : azp !== application) throw invalid('was issued to another application');
}

function refuse(error: unknown): never {
  if (!(error instanceof errors.JOSEError)) throw error;
  throw invalid(`does not hold (${error.code}: ${error.message.slice(0, 120)})`, error);
}

const invalid = (complaint: string, cause?: unknown) =>
  new ProviderError('invalid', `The provider’s ID token ${complaint}.`, { cause });
