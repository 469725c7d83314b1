import type { Database } from '../../database/database.ts';
import { tooManyRequests, type Limiter } from '../../bounds/rate-limiter.ts';
import { AppError } from '../../errors.ts';
import { logProblem } from '../../isolate/log.ts';
import { hashSecret, newHexId } from '../../secrets/random-secrets.ts';
import type { Device } from '../sessions/device.ts';
import { unseal, UnsealError, type SealingKey } from '../../secrets/sealing.ts';
import { looksLikeAppCode, stepOf } from './app-codes.ts';
import * as store from './code-store.ts';
import { recoveryHash } from './recovery-codes.ts';

/** The codes by which people show that they have a second factor: those of an app, and recovery codes. */

/** The capabilities of the verbs of second factors. */
export interface FactorTools {
  readonly db: Database;
  /** The keys that seal the seeds of apps. */
  readonly keys: readonly SealingKey[];
  /** The secrets that sign what a browser holds. */
  readonly secrets: readonly string[];
  /** The caller's IP address, and the attempts from it. */
  readonly address: string;
  readonly limit: Limiter;
}

/** The name of the owner of a seed, with which it is sealed. */
export const seedOwner = (userId: string): string => `totp ${userId}`;

/** A code that is right for its user, and the statement that ends its try once it was spent. */
interface CheckedCode {
  readonly user: store.StepRow;
  readonly code: store.RightCode;
  readonly isApp: boolean;
  readonly endTry: (spentFor: string) => ReturnType<typeof store.deleteTry>;
}

/**
 * Checks a code that a person has typed. A wrong one of an app counts: after ten in an hour from one address, or fifty in a
 * day, only recovery codes and browsers in which the user has signed in before are let in. Throws `invalid_token` beside the
 * field `code`, `too_many_requests`, `store_unavailable`.
 *
 * @param isKnown says of a user whether the request comes from such a browser
 */
export async function checkCode(
  { db, keys, address, limit }: FactorTools,
  userId: string,
  { code: typed, device }: { readonly code: string; readonly device: Device },
  isKnown: (user: store.StepRow) => boolean,
): Promise<CheckedCode> {
  if (!(await limit(address).catch(throwUnavailable)))
    throw tooManyRequests('Too many sign-in attempts. Wait a minute, then try again.');
  const now = Date.now();
  const code = readCode(typed);
  const recovery = recoveryHash(code);
  const [[user]] = await db.batch<[store.StepRow]>([store.selectStep(userId)]);
  if (!user || user.disabled_at !== null) throw wrongCode();
  if (recovery !== null) return { user, code: { recoveryHash: recovery }, isApp: false, endTry: () => [] };
  if (!looksLikeAppCode(code) || user.seed === null) throw wrongCode();
  const seed = await unseal(keys, seedOwner(userId), user.seed).catch(throwUnreadable);
  const id = newHexId();
  const attempt = { id, userId, address: hashSecret(address), now, isKnown: isKnown(user), device };
  const [[counted]] = await db.batch<[unknown, never]>(store.insertTry(attempt));
  if (counted === undefined) throw tooManyCodes();
  const step = stepOf(seed, code, now);
  if (step === null) throw wrongCode();
  return { user, code: { step }, isApp: true, endTry: (spentFor) => store.deleteTry(attempt, spentFor) };
}

const MAX_CODE_LENGTH = 64;

/** A code as it was typed, without spaces. */
export const readCode = (typed: string): string => typed.slice(0, MAX_CODE_LENGTH).replaceAll(/\s/g, '');

// Without its limiter codes would be open to guessing, so they are not read.
function throwUnavailable(cause: unknown): never {
  throw new AppError('store_unavailable', 'Sign-in is temporarily unavailable. Try again in a few seconds.', {
    retryAfterSeconds: 5,
    cause,
  });
}

// It is no wrong code, and nothing that the user can change.
function throwUnreadable(cause: unknown): never {
  if (!(cause instanceof UnsealError)) throw cause;
  logProblem('factor_seed_unreadable', cause);
  throw new AppError(
    'store_unavailable',
    'The codes of your app cannot be checked at the moment. Enter a recovery code, or use a passkey.',
    { retryAfterSeconds: 600, cause },
  );
}

function wrongCode(): AppError {
  const sentence = 'This code is not right. Enter the newest code of your app, or one of your recovery codes.';
  return new AppError('invalid_token', sentence, { faults: [{ field: 'code', sentence }] });
}

/** A code that was right, but has been used. */
export function spentCode(isApp: boolean): AppError {
  const sentence = isApp
    ? 'This code has been used already. Wait until your app shows the next one.'
    : 'This is none of your recovery codes that are left. Enter another one, or the code of your app.';
  return new AppError('invalid_token', sentence, { faults: [{ field: 'code', sentence }] });
}

function tooManyCodes(): AppError {
  return new AppError(
    'too_many_requests',
    'Too many wrong codes were entered. Enter a recovery code, sign in with a passkey, or try again in an hour.',
    { retryAfterSeconds: 3600 },
  );
}
