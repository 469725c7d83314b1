import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { customAlphabet } from 'nanoid';
import { normalizeBounded } from '../../text/nfc.ts';
import { MAX_PASSWORD_LENGTH } from './names.ts';

/**
 * Passwords as scrypt hashes that state their own parameters, in the PHC string format
 * (https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md): `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`, salt
 * and hash in unpadded base64. Workers cap N·r·p at 2^20, so this is close to the most that is possible there.
 */
const LOG2_N = 14;
const BLOCK_SIZE = 8;
const PARALLELISM = 5;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Verified against if the user is unknown, so that the answer takes as long as for a wrong password. */
export const DUMMY_HASH = '$scrypt$ln=14,r=8,p=5$k4zer5QFtFJKaYT5QnGdhQ$4BaF0hfmtbSGyceL8cXR4He+ZpeZlTGWY+Xzt8ryzoA';

/** The hash of an account without a password: no password has it. */
export const NO_PASSWORD = '!';

/** True if the user `u` has a password, in SQL. */
export const HAS_PASSWORD = `u.password_hash LIKE '$scrypt$%'`;

/** A password for people to copy: 20 characters that cannot be mistaken for one another, 103 bits. */
export const generatePassword = customAlphabet('6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz', 20);

/** Hashes a password, in about 150 ms of CPU. */
export function hashPassword(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const hash = derive(password, salt, HASH_BYTES, LOG2_N, BLOCK_SIZE, PARALLELISM);
  return `$scrypt$ln=${LOG2_N},r=${BLOCK_SIZE},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** True if a password is the hashed one, compared in constant time. */
export function verifyPassword(password: string, passwordHash: string): boolean {
  const [, logN, blockSize, parallelism, salt = '', hash = ''] = PHC.exec(passwordHash) ?? [];
  if (hash === '') return false;
  const expected = Buffer.from(hash, 'base64');
  const actual = derive(
    password,
    Buffer.from(salt, 'base64'),
    expected.length,
    Number(logN),
    Number(blockSize),
    Number(parallelism),
  );
  return timingSafeEqual(actual, expected);
}

// A password has at most four times as many code units before it is composed.
const MAX_UNITS = MAX_PASSWORD_LENGTH * 4;

/**
 * A password as it is hashed. Accents are composed, since keyboards differ in how they send them (RFC 8265, 4.2.2). A
 * text that is too long is cut to a length that is still too long, since composing takes quadratic time.
 */
export function preparedPassword(password: string): string {
  return normalizeBounded(password, MAX_UNITS) ?? password.slice(0, MAX_UNITS + 1);
}

function derive(password: string, salt: Buffer, bytes: number, logN: number, r: number, p: number): Buffer {
  const N = 2 ** logN;
  return scryptSync(preparedPassword(password), salt, bytes, { N, r, p, maxmem: 256 * N * r });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
