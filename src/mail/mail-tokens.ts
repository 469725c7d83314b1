import { createHmac } from 'node:crypto';
import { DerivedKeys, hashSecret } from '../secrets/random-secrets.ts';

const ALPHABET = /[^A-Za-z0-9]/g;

/**
 * The tokens in the links of mails. Each is derived from the id of its mail, so that it is in no row and in no message of
 * the queue, and a mail that is sent a second time has the same link.
 */
export class MailTokens {
  readonly #keys: DerivedKeys;

  /** @param secrets at least one; the first one is used for new mails, the others for those that wait */
  constructor(secrets: readonly string[]) {
    this.#keys = new DerivedKeys(secrets, 'terse links in mails');
  }

  /** The token of a new mail: 43 letters and digits. */
  newToken(id: string): string {
    return derive(this.#keys.first, id);
  }

  /** The token of a mail whose hash is stored; null if its key is no longer in the settings. */
  tokenOf(id: string, hash: string): string | null {
    return this.#keys.all.map((key) => derive(key, id)).find((token) => hashSecret(token) === hash) ?? null;
  }
}

// 512 bits are 86 characters of base64; some of them are no letters and digits.
const derive = (key: Buffer, id: string): string =>
  createHmac('sha512', key).update(id).digest('base64').replaceAll(ALPHABET, '').slice(0, 43);
