import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Where every host of this service says, to whoever asks, that it is this very service. */
export const PROOF_PATH = '/.well-known/terse-domain';

const NONCE = /^[A-Za-z0-9_-]{22,64}$/;

/**
 * What only this service can say of a host: an HMAC of the host and of a number that the asker has just made up. A server
 * that repeats an older answer does not know the new number, and one that passes the question on to this service under
 * another host name gets a proof of that other host.
 */
export class HostProofs {
  readonly #secrets: readonly string[];
  #keys: readonly Buffer[] | undefined;

  /** @param secrets at least one; the first proves, all are believed, so that a secret can be replaced */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** The proof that this service answers at a host; null where the number is not one that would make it fresh. */
  of(host: string, nonce: string): string | null {
    const [key] = this.#openKeys();
    return key && NONCE.test(nonce) ? proofUnder(key, host, nonce) : null;
  }

  holds(host: string, nonce: string, proof: string): boolean {
    return this.#openKeys().some((key) => isSame(proofUnder(key, host, nonce), proof));
  }

  // A key of its own for this purpose (RFC 5869), so that what is said here can be mistaken for nothing else.
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
