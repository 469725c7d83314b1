import { hashSecret, newNonce } from '../../secrets/random-secrets.ts';
import { SignedTexts } from '../../secrets/signed-texts.ts';

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
  /** Until when it has to be kept at least, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** The time in which a challenge has to be signed, in milliseconds. */
const CHALLENGE_MS = 5 * 60 * 1000;

const MAX_ENCODED = 200;

/**
 * The challenges that passkeys sign. Each says itself what it is for and until when, so that a page view of a stranger
 * stores nothing; only one that was signed is stored, by its hash, since it must not be used twice.
 */
export class PasskeyChallenges {
  readonly #signed: SignedTexts;

  /** @param secrets as those of `DerivedKeys` */
  constructor(secrets: readonly string[]) {
    this.#signed = new SignedTexts(secrets, 'terse passkey challenge');
  }

  /** A new challenge, in base64url as browsers take it. */
  issue(subject: ChallengeFor): string {
    const signed = this.#signed.of(`${nameOf(subject)}.${newNonce()}`, Date.now() + CHALLENGE_MS);
    return Buffer.from(signed).toString('base64url');
  }

  /** Reads a challenge as browsers send it back; null if it is not ours, is for something else, or has expired. */
  read(encoded: string, subject: ChallengeFor): ReadChallenge | null {
    if (encoded.length > MAX_ENCODED) return null;
    const now = Date.now();
    const text = this.#signed.read(Buffer.from(encoded, 'base64url').toString('latin1'), now);
    if (text === null || !text.startsWith(`${nameOf(subject)}.`)) return null;
    // Of the text alone: several spellings of its signature have the same bytes.
    return { hash: hashSecret(text), endsAt: now + CHALLENGE_MS };
  }
}

// As a hash, so that a challenge is short.
const nameOf = ({ use, host, sessionId }: ChallengeFor): string => hashSecret(JSON.stringify([use, host, sessionId]));
