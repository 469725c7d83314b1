import { SignJWT } from 'jose';
import type { TokenClaims } from './claims.ts';
import { invalidToken, verifyAs } from './jwt.ts';
import { ALGORITHM, type KeyRing } from './keys.ts';
import { OAUTH_TYPE } from './oauth-type.ts';

/** The claims of a token of OAuth (RFC 9068, section 2.2), except those of every token. */
interface OAuthClaims extends TokenClaims {
  /** `aud`: the URL of what it is for. */
  readonly resource: string;
  /** `client_id` */
  readonly application: string;
  readonly scope: string;
}

/** Signs an access token of OAuth. Its type is the first member of the header, by which it is recognised. */
export async function signOAuthToken(ring: KeyRing, issuer: string, claims: OAuthClaims): Promise<string> {
  return new SignJWT({ sid: claims.familyId, client_id: claims.application, scope: claims.scope })
    .setProtectedHeader({ typ: OAUTH_TYPE, alg: ALGORITHM, kid: ring.signing.kid })
    .setIssuer(issuer)
    .setAudience(claims.resource)
    .setSubject(claims.userId)
    .setIssuedAt(claims.issuedAtSeconds)
    .setExpirationTime(claims.expiresAtSeconds)
    .setJti(crypto.randomUUID())
    .sign(ring.signing.key);
}

/** The type of `verifyOAuthToken`. */
export type OAuthVerifier = typeof verifyOAuthToken;

/**
 * Verifies an access token of OAuth for one resource, as `verifyToken` does. Throws `invalid_credential`.
 *
 * @param expiredSeconds how long ago the token may have expired, where that makes no difference
 */
export async function verifyOAuthToken(
  ring: KeyRing,
  issuer: string,
  resource: string,
  token: string,
  { expiredSeconds = 0 } = {},
): Promise<TokenClaims> {
  return verifyAs(ring, { issuer, type: OAUTH_TYPE, audience: resource }, token, expiredSeconds, (cause) =>
    invalidToken(cause, 'The token is not valid here or has expired. Refresh it, or connect the application again.'),
  );
}
