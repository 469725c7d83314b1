import { hashSecret } from '../../secrets/random-secrets.ts';

/** Codes for who has lost a second factor: ten at a time, shown once, stored as hashes, each for one sign-in. */

const CODES = 10;
/** Crockford's base 32, whose letters are not read as others. Source: https://www.crockford.com/base32.html */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits, so that a hash without salt says nothing about them. */
const LENGTH = 16;
const PART = 4;

/** Ten new codes, as they are shown and as they are stored. */
export function newRecoveryCodes(): { readonly codes: readonly string[]; readonly hashes: readonly string[] } {
  const codes = Array.from({ length: CODES }, newCode);
  return { codes, hashes: codes.flatMap((code) => recoveryHash(code) ?? []) };
}

/** The hash of a code as a person types it, with or without hyphens; null if it has not the form of one. */
export function recoveryHash(typed: string): string | null {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return IS_CODE.test(letters) ? hashSecret(letters) : null;
}

const IS_CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  // 256 is a multiple of 32, so that each letter is as likely.
  const letters = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.match(new RegExp(`.{${PART}}`, 'g'))!.join('-');
}
