import { createHmac, randomBytes } from 'node:crypto';

const LIFETIME_MS = 60 * 1000;
const MAX_PROOFS = 10_000;

/**
 * Credentials verified in this isolate within the last minute, so that a program which asks for a token on every call
 * does not pay scrypt each time. What is kept is an HMAC under a random key of this isolate over name, password and
 * the stored hash they were verified against: of no use elsewhere, and void once the password changes.
 */
export class RecentSignIns {
  // Made on first use: Workers give no random bytes before the first request.
  #key: Buffer | undefined;
  readonly #verifiedAtByProof = new Map<string, number>();
  readonly #running = new Map<string, number>();

  proofOf(name: string, password: string, passwordHash: string): string {
    this.#key ??= randomBytes(32);
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([name, password, passwordHash]))
      .digest('base64');
  }

  /** Runs a verification, so that others of the same credentials can wait for what comes of it. */
  async verifying<T>(proof: string, verification: () => Promise<T>): Promise<T> {
    this.#running.set(proof, (this.#running.get(proof) ?? 0) + 1);
    try {
      return await verification();
    } finally {
      const others = (this.#running.get(proof) ?? 1) - 1;
      if (others > 0) this.#running.set(proof, others);
      else this.#running.delete(proof);
    }
  }

  /** Waits, a second at most, while others verify the same credentials; then says whether one of them succeeded. */
  async hasSoon(proof: string): Promise<boolean> {
    for (let tries = 0; tries < 20 && this.#running.has(proof) && !this.has(proof); tries++) await scheduler.wait(50);
    return this.has(proof);
  }

  has(proof: string): boolean {
    const verifiedAt = this.#verifiedAtByProof.get(proof);
    if (verifiedAt === undefined) return false;
    // A clock that has jumped back must not lengthen the minute.
    const ageMs = Date.now() - verifiedAt;
    return ageMs >= 0 && ageMs < LIFETIME_MS;
  }

  add(proof: string): void {
    this.#verifiedAtByProof.delete(proof);
    this.#verifiedAtByProof.set(proof, Date.now());
    const [oldest] = this.#verifiedAtByProof.keys();
    if (this.#verifiedAtByProof.size > MAX_PROOFS && oldest !== undefined) this.#verifiedAtByProof.delete(oldest);
  }
}
