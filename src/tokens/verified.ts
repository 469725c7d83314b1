import { createHash } from 'node:crypto';
import type { TokenClaims } from './claims.ts';

const MAX_TOKENS = 1000;

/**
 * Tokens whose signature this isolate has verified, by their hash, so that a program which sends one token with every
 * call pays for it once. Whether one has expired, and whether its family still lives, is to be asked each time.
 */
export class VerifiedTokens {
  readonly #claimsByHash = new Map<string, TokenClaims>();

  find(hash: string): TokenClaims | null {
    return this.#claimsByHash.get(hash) ?? null;
  }

  remember(hash: string, claims: TokenClaims): void {
    this.#claimsByHash.set(hash, claims);
    const [oldest] = this.#claimsByHash.keys();
    if (this.#claimsByHash.size > MAX_TOKENS && oldest !== undefined) this.#claimsByHash.delete(oldest);
  }
}

/** @param purpose what the token was verified for: one that is good for one thing may be bad for another */
export function hashToken(purpose: string, token: string): string {
  return createHash('sha256').update(`${purpose} ${token}`).digest('base64');
}
