import { AppError } from '../errors.ts';
import { isCodeTooOld, isRestoring, isWrite } from './database-watch.ts';
import type { Statement } from './database.ts';

/** The meaning of failures of the database for callers. */

/** Why a database that responds to reads takes no writes. */
export type WriteRefusal = 'full' | 'read_only';

// Sources: https://developers.cloudflare.com/d1/observability/debug-d1/ and https://www.sqlite.org/rescode.html
const FULL = /SQLITE_FULL|database or disk is full|exceeded maximum DB size|maximum account storage limit/i;
const READ_ONLY = /SQLITE_READONLY|readonly database|daily row write limit/i;

/** Why a write was refused; null if it failed in another way. */
export function refusalOf(cause: unknown): WriteRefusal | null {
  const text = String(cause);
  if (FULL.test(text)) return 'full';
  return READ_ONLY.test(text) ? 'read_only' : null;
}

// D1 refused the query before it began. Source: https://developers.cloudflare.com/d1/observability/debug-d1/
const NEVER_BEGAN = /overloaded/i;

/** True if a query was refused before it began, because the database has too much to do. */
export const isOverloaded = (cause: unknown): boolean => NEVER_BEGAN.test(String(cause));

const RETRY_AFTER_SECONDS = 5;
const LONG_RETRY_AFTER_SECONDS = 60;

/** The sentence for callers of the API after a write that may have been done. */
export const UNCONFIRMED_WRITE =
  'The database did not confirm whether this was saved. Check, or send it again in a few seconds; a create is done only ' +
  'once with an Idempotency-Key.';

/** The sentences for a write that the database has refused and rolled back. */
const REFUSED_WRITE: Readonly<Record<WriteRefusal, string>> = {
  full:
    'Nothing can be saved at the moment, not even a sign-in, since the database is full. Links still redirect, and what ' +
    'is saved can be read. The operator must free space.',
  read_only:
    'Nothing can be saved at the moment, not even a sign-in, since the database takes no writes. Links still redirect, ' +
    'and what is saved can be read. Try again later.',
};

/**
 * Throws a failure of the database as `store_unavailable`. After a write the sentence says that it may have been done.
 *
 * @param mayBeDone the sentence for a write
 */
export function throwUnavailable(statements: readonly Statement[], cause: unknown, mayBeDone: string): never {
  if (isRestoring(cause)) {
    throw new AppError(
      'store_unavailable',
      'The database is being restored from a backup. Try again in a few minutes.',
      {
        retryAfterSeconds: LONG_RETRY_AFTER_SECONDS,
        cause,
      },
    );
  }
  if (isCodeTooOld(cause)) {
    throw new AppError(
      'store_unavailable',
      'Nothing can be changed at the moment, since the service runs a version that is older than its database. Links ' +
        'still redirect. Try again in a few minutes.',
      { retryAfterSeconds: LONG_RETRY_AFTER_SECONDS, cause },
    );
  }
  const refusal = refusalOf(cause);
  if (refusal !== null) {
    throw new AppError('store_unavailable', REFUSED_WRITE[refusal], {
      retryAfterSeconds: LONG_RETRY_AFTER_SECONDS,
      cause,
    });
  }
  const sentence =
    isWrite(statements) && !isOverloaded(cause)
      ? mayBeDone
      : 'The database is temporarily unavailable. Try again in a few seconds.';
  throw new AppError('store_unavailable', sentence, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
