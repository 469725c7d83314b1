import { openDatabase, withQueryTimeout, type Database, type Statement } from './database.ts';
import { isCodeTooOld, isRestoring, isWrite, withChecks, type DatabaseWatch } from './database-watch.ts';
import { AppError } from '../errors.ts';

const RETRY_AFTER_SECONDS = 5;
const LONG_RETRY_AFTER_SECONDS = 60;

/** D1 for all work but backup and restore: with a time limit for each round trip, and with `withChecks`. */
export function openServiceDatabase(d1: D1Database, timeoutMs: number, watch: DatabaseWatch): Database {
  return withChecks(withQueryTimeout(openDatabase(d1), timeoutMs), watch);
}

/** The sentence for callers of the API after a write that may have been done. */
const UNCONFIRMED_WRITE =
  'The database did not confirm whether this was saved. Check, or send it again in a few seconds; a create is done only ' +
  'once with an Idempotency-Key.';

/**
 * The same database, whose failures become `store_unavailable`. After a write the sentence says that it may have been
 * done. Statements that are not written for the caller should not come through here, or have `isBestEffort`.
 *
 * @param mayBeDone the sentence for a write
 */
export function withOutageErrors(db: Database, mayBeDone = UNCONFIRMED_WRITE): Database {
  const onFailure = (statements: readonly Statement[]) => (cause: unknown) =>
    throwUnavailable(statements, cause, mayBeDone);
  return {
    first: (statement) => db.first<never>(statement).catch(onFailure([statement])),
    batch: <Rows extends readonly unknown[]>(statements: readonly Statement[]) =>
      db.batch<Rows>(statements).catch(onFailure(statements)),
  };
}

// D1 refused the query before it began. Source: https://developers.cloudflare.com/d1/observability/debug-d1/
const NEVER_BEGAN = /overloaded/i;

function throwUnavailable(statements: readonly Statement[], cause: unknown, mayBeDone: string): never {
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
  const sentence =
    isWrite(statements) && !NEVER_BEGAN.test(String(cause))
      ? mayBeDone
      : 'The database is temporarily unavailable. Try again in a few seconds.';
  throw new AppError('store_unavailable', sentence, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
