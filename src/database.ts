import { AppError } from './errors.ts';
import { withTimeout } from './timeouts.ts';

export type Param = string | number | null;

/** One SQL statement with its bound parameters (`?1` is `params[0]`). */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
  /** That it is a note by the way: whoever is answered need not know whether it was done. */
  readonly isBestEffort?: true;
}

/** For each statement of a batch, its rows. */
export type Results<Rows extends readonly unknown[]> = { readonly [Index in keyof Rows]: readonly Rows[Index][] };

/** D1 as the domain rooms see it: each call is one round trip. */
export interface Database {
  /** The first row, or null. */
  first<Row>(statement: Statement): Promise<Row | null>;
  /** All statements in one transaction; the rows of each, in order, of the types that `Rows` lists. */
  batch<Rows extends readonly unknown[]>(statements: readonly Statement[]): Promise<Results<Rows>>;
}

// Fails with "integer overflow" while a restore is under way: `restores` then has one row, whose id is 1.
const REFUSE_RESTORING: Statement = { sql: 'SELECT abs(-9223372036854775807 - id) FROM restores', params: [] };

/** Whether a query failed because of `unlessRestoring`. */
export function isRestoring(cause: unknown): boolean {
  return /integer overflow/.test(String(cause));
}

/** When this isolate has last seen that no restore is under way. */
export class RestoreWatch {
  /** How long it need not look again, in milliseconds; 0 looks in each round trip. */
  readonly validMs: number;
  #seenAt = Number.NEGATIVE_INFINITY;
  #begunAt = Number.NEGATIVE_INFINITY;

  constructor(validMs: number) {
    this.validMs = validMs;
  }

  get isDue(): boolean {
    return !(Math.abs(Date.now() - this.#seenAt) < this.validMs);
  }

  /** @param at before the database was asked, in milliseconds since the epoch */
  sawNone(at: number): void {
    // What was asked before this isolate has begun a restore may be answered after it.
    if (at > this.#begunAt) this.#seenAt = at;
  }

  /** Looks in the next round trip, since this isolate may just have begun a restore. */
  lookAgain(): void {
    this.#begunAt = Date.now();
    this.#seenAt = Number.NEGATIVE_INFINITY;
  }
}

/**
 * The same database, for all work but backup and restore: while a restore is under way, every query fails and nothing
 * is written. The check is part of a round trip that is made anyway, and of one every few seconds only: a restore waits as
 * long before it changes anything.
 */
export function unlessRestoring(db: Database, watch: RestoreWatch): Database {
  const check = async (statements: readonly Statement[]) => {
    const at = Date.now();
    const [, ...results] = await db.batch<readonly unknown[]>([REFUSE_RESTORING, ...statements]);
    watch.sawNone(at);
    return results;
  };
  return {
    first: async <Row>(statement: Statement) => {
      if (!watch.isDue) return db.first<Row>(statement);
      const [rows] = (await check([statement])) as readonly (readonly Row[])[];
      return rows?.[0] ?? null;
    },
    batch: async <Rows extends readonly unknown[]>(statements: readonly Statement[]) =>
      watch.isDue ? ((await check(statements)) as unknown as Results<Rows>) : db.batch<Rows>(statements),
  };
}

const RETRY_AFTER_SECONDS = 5;
const RESTORE_RETRY_AFTER_SECONDS = 60;

/** Opens D1 for the domain rooms. Source: https://developers.cloudflare.com/d1/worker-api/d1-database/ */
export function openDatabase(d1: D1Database): Database {
  const prepare = ({ sql, params }: Statement) => d1.prepare(sql).bind(...params);
  return {
    first: async (statement) => prepare(statement).first(),
    batch: async <Rows extends readonly unknown[]>(statements: readonly Statement[]) => {
      const results = await d1.batch(statements.map(prepare));
      // D1 knows no row types; the store that wrote the SELECT lists names them.
      return results.map((result) => result.results) as unknown as Results<Rows>;
    },
  };
}

/** The same database, given up on where a round trip takes longer than this. */
export function withQueryTimeout(db: Database, milliseconds: number): Database {
  return {
    first: (statement) => withTimeout(milliseconds, db.first<never>(statement)),
    batch: <Rows extends readonly unknown[]>(statements: readonly Statement[]) =>
      withTimeout(milliseconds, db.batch<Rows>(statements)),
  };
}

/** D1 for all work but backup and restore: with a time limit for each round trip, and closed during a restore. */
export function openServiceDatabase(d1: D1Database, timeoutMs: number, restores: RestoreWatch): Database {
  return unlessRestoring(withQueryTimeout(openDatabase(d1), timeoutMs), restores);
}

/** What callers of the API are told of a write that may have been done. */
const MAY_BE_DONE =
  'The database has not said whether this was done. Look, or send it again in a few seconds; a create is made only ' +
  'once under an Idempotency-Key.';

/**
 * The same database, with its failures told as `store_unavailable`: for a write they say that it may have been done. What
 * is not written for the caller's sake should not come through here, or as `isBestEffort`.
 *
 * @param mayBeDone the sentence for a write
 */
export function withOutageErrors(db: Database, mayBeDone = MAY_BE_DONE): Database {
  const onFailure = (statements: readonly Statement[]) => (cause: unknown) =>
    throwUnavailable(statements, cause, mayBeDone);
  return {
    first: (statement) => db.first<never>(statement).catch(onFailure([statement])),
    batch: <Rows extends readonly unknown[]>(statements: readonly Statement[]) =>
      db.batch<Rows>(statements).catch(onFailure(statements)),
  };
}

const WRITE = /\b(?:INSERT|UPDATE|DELETE)\b/;
// It was turned away before it began. Source: https://developers.cloudflare.com/d1/observability/debug-d1/
const NEVER_BEGAN = /overloaded/i;

function throwUnavailable(statements: readonly Statement[], cause: unknown, mayBeDone: string): never {
  if (isRestoring(cause)) {
    throw new AppError(
      'store_unavailable',
      'The database is being restored from a backup. Try again in a few minutes.',
      {
        retryAfterSeconds: RESTORE_RETRY_AFTER_SECONDS,
        cause,
      },
    );
  }
  const isWrite = statements.some(({ sql, isBestEffort }) => !isBestEffort && WRITE.test(sql));
  const sentence =
    isWrite && !NEVER_BEGAN.test(String(cause))
      ? mayBeDone
      : 'The database is out of reach. Try again in a few seconds.';
  throw new AppError('store_unavailable', sentence, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
