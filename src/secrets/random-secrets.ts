import { createHash, hkdfSync } from 'node:crypto';
import { customAlphabet } from 'nanoid';

/** Random secrets, the nonces and ids that go with them, and the hashes by which they are stored. */

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The public id of a secret: 12 letters and digits. */
export const newSecretId = customAlphabet(ALPHANUMERIC, 12);

/** A secret for people to copy: 43 letters and digits, 256 bits. */
export const newSecret = customAlphabet(ALPHANUMERIC, 43);

/** SHA-256 of a random secret, base64url. A secret of 256 random bits needs no salt and no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Random bytes as base64url: 16 bytes are 22 characters, 32 are 43. */
export function randomToken(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url');
}

/** An id of 64 random bits in hexadecimal, as `lower(hex(randomblob(8)))` of SQLite gives. */
export function newHexId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex');
}

/** A number to be used once: 128 random bits as base64url. */
export function newNonce(): string {
  return randomToken(16);
}

/**
 * Keys of 32 bytes for one purpose (HKDF with SHA-256, RFC 5869), so that what is signed with them cannot be used as
 * anything else. They are derived when one is first needed.
 */
export class DerivedKeys {
  readonly #secrets: readonly string[];
  readonly #purpose: string;
  #keys: readonly Buffer[] | undefined;

  /** @param secrets at least one; the first signs and all are accepted, so that a secret can be replaced */
  constructor(secrets: readonly string[], purpose: string) {
    this.#secrets = secrets;
    this.#purpose = purpose;
  }

  /** The key that signs. */
  get first(): Buffer {
    const [key] = this.all;
    if (key === undefined) throw new TypeError('there is no secret to derive a key from');
    return key;
  }

  get all(): readonly Buffer[] {
    return (this.#keys ??= this.#secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', this.#purpose, 32)),
    ));
  }
}
