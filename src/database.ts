import { AppError } from './errors.ts';
import { withTimeout } from './timeouts.ts';

export type Param = string | number | null;

/** One SQL statement with its bound parameters (`?1` is `params[0]`). */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
  /** Whether it is best effort, such as recording a key's use: an error for the caller need not mention it. */
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

/** Remembers when this isolate last saw that no restore is under way. */
export class RestoreWatch {
  /** How long a check is valid, in milliseconds; 0 checks in each round trip. */
  readonly validMs: number;
  #seenAt = Number.NEGATIVE_INFINITY;
  #begunAt = Number.NEGATIVE_INFINITY;

  constructor(validMs: number) {
    this.validMs = validMs;
  }

  get isDue(): boolean {
    return !(Math.abs(Date.now() - this.#seenAt) < this.validMs);
  }

  /** @param at when the query was sent, in milliseconds since the epoch */
  sawNone(at: number): void {
    // A query that was sent before this isolate began a restore may be answered after that.
    if (at > this.#begunAt) this.#seenAt = at;
  }

  /** Checks in the next round trip, since this isolate may just have begun a restore. */
  lookAgain(): void {
    this.#begunAt = Date.now();
    this.#seenAt = Number.NEGATIVE_INFINITY;
  }
}

/**
 * The same database, for all work but backup and restore: while a restore is under way, every query fails and nothing
 * is written. The check is part of a round trip that is made anyway, and only of one every few seconds: a restore waits
 * that long before it changes anything.
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
      // D1 has no row types; the store that wrote the SELECT lists names them.
      return results.map((result) => result.results) as unknown as Results<Rows>;
    },
  };
}

/** The same database, with a time limit for each round trip. */
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

/** The sentence for callers of the API after a write that may have been done. */
const MAY_BE_DONE =
  'The database did not confirm whether this was saved. Check, or send it again in a few seconds; a create is done only ' +
  'once with an Idempotency-Key.';

/**
 * The same database, whose failures become `store_unavailable`. After a write the sentence says that it may have been
 * done. Statements that are not written for the caller should not come through here, or have `isBestEffort`.
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
// D1 refused the query before it began. Source: https://developers.cloudflare.com/d1/observability/debug-d1/
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
      : 'The database is temporarily unavailable. Try again in a few seconds.';
  throw new AppError('store_unavailable', sentence, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
