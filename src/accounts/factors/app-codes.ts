import { Secret, TOTP } from 'otpauth/dist/otpauth.node.mjs';

/**
 * The codes of authenticator apps: six digits, a new one every 30 seconds, by HMAC-SHA-1, which all apps know. Source:
 * RFC 6238.
 */

const DIGITS = 6;
const PERIOD_SECONDS = 30;
const SEED_BYTES = 20;
// A clock that is slightly wrong, and the time that typing takes.
const STEPS_OF_DRIFT = 1;

/** A new seed, in base 32 as apps take it. */
export const newSeed = (): string => new Secret({ size: SEED_BYTES }).base32;

/**
 * The URL of a seed that an app reads from a QR code. Source:
 * https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export const seedUrl = (seed: string, issuer: string, userName: string): string =>
  totpOf(seed, { issuer, label: userName }).toString();

/** The step of the code in whole periods since the epoch, if it is that of now, of before or of after; else null. */
export function stepOf(seed: string, code: string, nowMs: number): number | null {
  const delta = totpOf(seed).validate({ token: code, timestamp: nowMs, window: STEPS_OF_DRIFT });
  return delta === null ? null : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta;
}

/** True if a text has the form of such a code. */
export const looksLikeAppCode = (text: string): boolean => /^\d{6}$/.test(text);

const totpOf = (seed: string, names: { readonly issuer?: string; readonly label?: string } = {}): TOTP =>
  new TOTP({
    ...names,
    algorithm: 'SHA1',
    digits: DIGITS,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(seed),
  });
