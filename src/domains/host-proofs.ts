import { createHmac, timingSafeEqual } from 'node:crypto';
import { DerivedKeys } from '../secrets/random-secrets.ts';

/** The path at which every host of this service proves that it is this service. */
export const PROOF_PATH = '/.well-known/terse-domain';

const NONCE = /^[A-Za-z0-9_-]{22,64}$/;

/**
 * Proves that a host is this service: an HMAC of the host and of a nonce that the prober has just generated. A server
 * that replays an earlier answer does not know the nonce, and one that forwards the request to this service under
 * another host name gets a proof for that other host.
 */
export class HostProofs {
  readonly #keys: DerivedKeys;

  /** @param secrets at least one; the first makes proofs and all are accepted, so that a secret can be replaced */
  constructor(secrets: readonly string[]) {
    this.#keys = new DerivedKeys(secrets, 'terse domain proof');
  }

  /** The proof that this service answers at a host; null if the nonce is too weak to be fresh. */
  of(host: string, nonce: string): string | null {
    return NONCE.test(nonce) ? proofUnder(this.#keys.first, host, nonce) : null;
  }

  holds(host: string, nonce: string, proof: string): boolean {
    return this.#keys.all.some((key) => isSame(proofUnder(key, host, nonce), proof));
  }
}

function proofUnder(key: Buffer, host: string, nonce: string): string {
  return createHmac('sha256', key).update(`${host}\n${nonce}`).digest('base64url');
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
