import { createHmac, timingSafeEqual } from 'node:crypto';
import { DerivedKeys } from './random-secrets.ts';

// The end in milliseconds since the epoch, the text in base64url, and an HMAC-SHA256 of both.
const VALUE = /^(\d{1,15})\.([A-Za-z0-9_-]{1,3800})\.([A-Za-z0-9_-]{43})$/;

/** The most bytes of such a text: browsers drop a cookie of more than 4,096 with its name. */
const MAX_BYTES = (3800 / 4) * 3;

/** True if a text can be read again. */
export const fitsSigned = (text: string): boolean => Buffer.byteLength(text) <= MAX_BYTES;

/** Texts that a browser holds for the service until an instant, and cannot change. Anyone can read them. */
export class SignedTexts {
  readonly #keys: DerivedKeys;

  /** @param secrets as those of `DerivedKeys` */
  constructor(secrets: readonly string[], purpose: string) {
    this.#keys = new DerivedKeys(secrets, purpose);
  }

  /** @param endsAt milliseconds since the epoch */
  of(text: string, endsAt: number): string {
    const signed = `${endsAt}.${Buffer.from(text).toString('base64url')}`;
    return `${signed}.${signature(this.#keys.first, signed).toString('base64url')}`;
  }

  /** The text of a value; null if it was changed, or its end is past. */
  read(value: string, now: number): string | null {
    const [, endsAt = '', text = '', given = ''] = VALUE.exec(value) ?? [];
    if (Number(endsAt) <= now) return null;
    const isSigned = this.#keys.all.some((key) =>
      timingSafeEqual(signature(key, `${endsAt}.${text}`), Buffer.from(given, 'base64url')),
    );
    return isSigned ? Buffer.from(text, 'base64url').toString() : null;
  }
}

const signature = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
