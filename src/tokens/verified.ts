import { createHash } from 'node:crypto';
import { BoundedMap } from '../isolate/bounded-map.ts';
import type { TokenClaims } from './claims.ts';

const MAX_TOKENS = 1000;

/**
 * Tokens whose signature this isolate has verified, by their hash, so that a program that sends the same token with
 * every call costs one verification. Expiry and the state of the family must be checked each time.
 */
export class VerifiedTokens {
  readonly #claimsByHash = new BoundedMap<string, TokenClaims>(MAX_TOKENS);

  find(hash: string): TokenClaims | null {
    return this.#claimsByHash.get(hash) ?? null;
  }

  remember(hash: string, claims: TokenClaims): void {
    this.#claimsByHash.set(hash, claims);
  }
}

/** @param purpose what the token was verified for; a token that is valid for one purpose may be invalid for another */
export function hashToken(purpose: string, token: string): string {
  return createHash('sha256').update(`${purpose} ${token}`).digest('base64');
}
