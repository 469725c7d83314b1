import type { TokenClaims } from './claims.ts';
import { invalidToken, signAs, verifyAs } from './jwt.ts';
import type { KeyRing } from './keys.ts';
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
export const signOAuthToken = (ring: KeyRing, issuer: string, claims: OAuthClaims): Promise<string> =>
  signAs(ring, { issuer, type: OAUTH_TYPE, audience: claims.resource }, claims, {
    client_id: claims.application,
    scope: claims.scope,
  });

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
