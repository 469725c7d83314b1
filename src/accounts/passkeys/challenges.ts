import { createHmac, timingSafeEqual } from 'node:crypto';
import { DerivedKeys, hashSecret, newNonce } from '../../secrets/random-secrets.ts';

/** The use of a passkey: a challenge for one of them is refused for the others. */
type PasskeyUse = 'sign_in' | 'enrol' | 'confirm';

/** The facts to which a challenge is bound. */
export interface ChallengeFor {
  readonly use: PasskeyUse;
  /** The host of the pages. */
  readonly host: string;
  /** The id of the session that asks, or '' at the sign-in, which has none. */
  readonly sessionId: string;
}

/** A challenge that came back in time. */
export interface ReadChallenge {
  /** The hash by which it is spent. */
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** The time in which a challenge has to be signed, in milliseconds. */
export const CHALLENGE_MS = 5 * 60 * 1000;

// The end in milliseconds since the epoch, a nonce, and an HMAC-SHA256 in base64url.
const CHALLENGE = /^(\d{1,16})\.([\w-]{22})\.([\w-]{43})$/;
const MAX_ENCODED = 200;

/**
 * The challenges that passkeys sign. Each says itself what it is for and until when, so that a page view of a stranger
 * stores nothing; only one that was signed is stored, by its hash, since it must not be used twice.
 */
export class PasskeyChallenges {
  readonly #keys: DerivedKeys;

  /** @param secrets at least one; the first signs and all are accepted, so that a secret can be replaced */
  constructor(secrets: readonly string[]) {
    this.#keys = new DerivedKeys(secrets, 'terse passkey challenge');
  }

  /** A new challenge, in base64url as browsers take it. */
  issue(subject: ChallengeFor): string {
    const [endsAt, nonce] = [Date.now() + CHALLENGE_MS, newNonce()];
    const signed = signature(this.#keys.first, subject, String(endsAt), nonce).toString('base64url');
    return Buffer.from(`${endsAt}.${nonce}.${signed}`).toString('base64url');
  }

  /** Reads a challenge as browsers send it back; null if it is not ours, is for something else, or has expired. */
  read(encoded: string, subject: ChallengeFor): ReadChallenge | null {
    if (encoded.length > MAX_ENCODED) return null;
    const text = Buffer.from(encoded, 'base64url').toString('latin1');
    const [, endsAt, nonce, signed] = CHALLENGE.exec(text) ?? [];
    if (endsAt === undefined || nonce === undefined || signed === undefined) return null;
    if (Number(endsAt) <= Date.now()) return null;
    const given = Buffer.from(signed, 'base64url');
    const isOurs = this.#keys.all.some((key) => timingSafeEqual(signature(key, subject, endsAt, nonce), given));
    // Of the signature alone: several spellings of base64url have the same bytes.
    return isOurs ? { hash: hashSecret(given.toString('base64url')), endsAt: Number(endsAt) } : null;
  }
}

function signature(key: Buffer, { use, host, sessionId }: ChallengeFor, endsAt: string, nonce: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([use, host, sessionId, endsAt, nonce]))
    .digest();
}
