import { createHmac } from 'node:crypto';
import { DerivedKeys, hashSecret } from '../../secrets/random-secrets.ts';

/**
 * The secrets in the addresses of public statistics pages: an HMAC of a random id, so that an address can be shown again,
 * and the database, or a backup of it, has none. A page is found by the hash of its secret.
 */
export class ShareSecrets {
  readonly #keys: DerivedKeys;

  /** @param secrets as those of `DerivedKeys` */
  constructor(secrets: readonly string[]) {
    this.#keys = new DerivedKeys(secrets, 'terse shared statistics');
  }

  /** The secret of a new page: 43 characters of base64url. */
  of(id: string): string {
    return secretBy(this.#keys.first, id);
  }

  /** The secret of a page that has this hash; null if the key that it was derived from is no longer there. */
  find(id: string, secretHash: string): string | null {
    return this.#keys.all.map((key) => secretBy(key, id)).find((secret) => hashSecret(secret) === secretHash) ?? null;
  }
}

const secretBy = (key: Buffer, id: string): string => createHmac('sha256', key).update(id).digest('base64url');
