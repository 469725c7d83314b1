import { openDatabase, withQueryTimeout, type Database, type Statement } from './database.ts';
import { isCodeTooOld, isRestoring, isWrite, withChecks, type DatabaseWatch } from './database-watch.ts';
import { AppError } from '../errors.ts';
import { withWritesLeftOut } from './left-out-writes.ts';
import { isOverloaded, refusalOf, type WriteRefusal } from './refused-writes.ts';

const RETRY_AFTER_SECONDS = 5;
const LONG_RETRY_AFTER_SECONDS = 60;

/** D1 for all work but backup and restore: with a time limit for each round trip, and with `withChecks`. */
export function openServiceDatabase(d1: D1Database, timeoutMs: number, watch: DatabaseWatch): Database {
  return withChecks(withWritesLeftOut(withQueryTimeout(openDatabase(d1), timeoutMs), watch.leftOut), watch);
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

/** The sentences for a write that the database has refused and rolled back. */
const REFUSED_WRITE: Readonly<Record<WriteRefusal, string>> = {
  full:
    'Nothing can be saved at the moment, not even a sign-in, since the database is full. Links still redirect, and what ' +
    'is saved can be read. The operator must free space.',
  read_only:
    'Nothing can be saved at the moment, not even a sign-in, since the database takes no writes. Links still redirect, ' +
    'and what is saved can be read. Try again later.',
};

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
