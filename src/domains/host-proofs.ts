import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The path at which every host of this service proves that it is this service. */
export const PROOF_PATH = '/.well-known/terse-domain';

const NONCE = /^[A-Za-z0-9_-]{22,64}$/;

/**
 * Proves that a host is this service: an HMAC of the host and of a nonce that the prober has just generated. A server
 * that replays an earlier answer does not know the nonce, and one that forwards the request to this service under
 * another host name gets a proof for that other host.
 */
export class HostProofs {
  readonly #secrets: readonly string[];
  #keys: readonly Buffer[] | undefined;

  /** @param secrets at least one; the first makes proofs and all are accepted, so that a secret can be replaced */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** The proof that this service answers at a host; null if the nonce is too weak to be fresh. */
  of(host: string, nonce: string): string | null {
    const [key] = this.#openKeys();
    return key && NONCE.test(nonce) ? proofUnder(key, host, nonce) : null;
  }

  holds(host: string, nonce: string, proof: string): boolean {
    return this.#openKeys().some((key) => isSame(proofUnder(key, host, nonce), proof));
  }

  // A key for this purpose only (RFC 5869), so that a proof cannot be used as anything else.
  #openKeys(): readonly Buffer[] {
    return (this.#keys ??= this.#secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', 'terse domain proof', 32)),
    ));
  }
}

function proofUnder(key: Buffer, host: string, nonce: string): string {
  return createHmac('sha256', key).update(`${host}\n${nonce}`).digest('base64url');
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
