import { createHmac, timingSafeEqual } from 'node:crypto';
import { BoundedMap } from '../../isolate/bounded-map.ts';
import { DerivedKeys } from '../../secrets/random-secrets.ts';

/** The time for which a visitor need not enter the password of a link again. */
export const UNLOCKED_SECONDS = 12 * 3600;

/** A link with a password. `passwordAt` is when the password last changed, in milliseconds since the epoch. */
export interface Lock {
  readonly linkId: string;
  readonly passwordAt: number;
}

// The end in seconds since the epoch, and an HMAC-SHA256 in base64url.
const VALUE = /^(\d{1,12})\.([A-Za-z0-9_-]{43})$/;

// To verify a signature takes half as long as the rest of a redirect.
const MAX_KNOWN = 4000;

/** Values of cookies which say that a visitor has entered the password of a link. They end with that password. */
export class UnlockCookies {
  readonly #keys: DerivedKeys;
  /** The links for which values were valid, besides their end. */
  readonly #known = new BoundedMap<string, string>(MAX_KNOWN);

  /** @param secrets at least one; the first signs and all are accepted, so that a secret can be replaced */
  constructor(secrets: readonly string[], purpose = 'terse link unlocked') {
    this.#keys = new DerivedKeys(secrets, purpose);
  }

  of(lock: Lock, now: number): string {
    const ends = Math.floor(now / 1000) + UNLOCKED_SECONDS;
    return `${ends}.${signature(this.#keys.first, lock, ends).toString('base64url')}`;
  }

  isValid(value: string, lock: Lock, now: number): boolean {
    const [, ends, signed] = VALUE.exec(value) ?? [];
    if (ends === undefined || signed === undefined || Number(ends) * 1000 <= now) return false;
    const subject = subjectOf(lock);
    if (this.#known.get(value) === subject) return true;
    const given = Buffer.from(signed, 'base64url');
    const isSigned = this.#keys.all.some((key) => timingSafeEqual(signature(key, lock, Number(ends)), given));
    if (isSigned) this.#known.set(value, subject);
    return isSigned;
  }
}

const subjectOf = ({ linkId, passwordAt }: Lock) => `${linkId}\n${passwordAt}`;

function signature(key: Buffer, lock: Lock, ends: number): Buffer {
  return createHmac('sha256', key)
    .update(`${subjectOf(lock)}\n${ends}`)
    .digest();
}
