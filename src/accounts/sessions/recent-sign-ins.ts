import { createHmac, randomBytes } from 'node:crypto';
import { BoundedMap } from '../../isolate/bounded-map.ts';

const LIFETIME_MS = 60 * 1000;
const MAX_PROOFS = 10_000;
// The longest wait in the queue of hashes. A verification that began earlier is over, or its request was cancelled.
const LONGEST_VERIFICATION_MS = 20_000;
const LOOK_EVERY_MS = 100;

/**
 * Credentials verified in this isolate within the last minute, so that a program that asks for a token on every call
 * does not cost a scrypt hash each time. Each entry is an HMAC, under a random key of this isolate, of the name, the
 * password and the stored hash: it is useless elsewhere, and no longer matches once the password changes.
 */
export class RecentSignIns {
  // Created on first use, since Workers give no random bytes before the first request.
  #key: Buffer | undefined;
  readonly #verifiedAtByProof = new BoundedMap<string, number>(MAX_PROOFS);
  /** Verifications under way, and when the last of them began, by proof. That of a cancelled request never settles. */
  readonly #running = new BoundedMap<string, { readonly count: number; readonly begunAt: number }>(MAX_PROOFS);

  proofOf(name: string, password: string, passwordHash: string): string {
    this.#key ??= randomBytes(32);
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([name, password, passwordHash]))
      .digest('base64');
  }

  /** Runs a verification, and lets other requests with the same credentials wait for its outcome. */
  async verifying<T>(proof: string, verification: () => Promise<T>): Promise<T> {
    const count = (this.#running.get(proof)?.count ?? 0) + 1;
    this.#running.set(proof, { count, begunAt: Date.now() });
    try {
      return await verification();
    } finally {
      const running = this.#running.get(proof);
      if (running && running.count > 1) this.#running.set(proof, { ...running, count: running.count - 1 });
      else this.#running.delete(proof);
    }
  }

  /** Waits while other requests verify the same credentials; then says whether one of them succeeded. */
  async hasSoon(proof: string): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < LONGEST_VERIFICATION_MS; waitedMs += LOOK_EVERY_MS) {
      const running = this.#running.get(proof);
      if (this.has(proof) || !running || Date.now() - running.begunAt > LONGEST_VERIFICATION_MS) break;
      await scheduler.wait(LOOK_EVERY_MS);
    }
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
    this.#verifiedAtByProof.set(proof, Date.now());
  }
}
