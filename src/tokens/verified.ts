import { BoundedMap } from '../isolate/bounded-map.ts';
import type { TokenClaims } from './claims.ts';

const MAX_TOKENS = 1000;

/**
 * Tokens whose signature this isolate has verified, so that a program that sends the same token with every call costs one
 * verification. Expiry and the state of the family must be checked each time.
 *
 * They are kept as texts, since to hash each token took a tenth of a request. A map compares a text only with one of the
 * same hash, whose seed is secret, so that the time of a look-up says nothing about other tokens.
 */
export class VerifiedTokens {
  readonly #claimsByToken = new BoundedMap<string, TokenClaims>(MAX_TOKENS);

  /** @param purpose what the token was verified for; a token that is valid for one purpose may be invalid for another */
  find(purpose: string, token: string): TokenClaims | null {
    return this.#claimsByToken.get(keyOf(purpose, token)) ?? null;
  }

  remember(purpose: string, token: string, claims: TokenClaims): void {
    this.#claimsByToken.set(keyOf(purpose, token), claims);
  }
}

const keyOf = (purpose: string, token: string): string => `${purpose} ${token}`;
