import { AppError } from './errors.ts';
import { within } from './patience.ts';

export type Param = string | number | null;

/** One SQL statement with its bound parameters (`?1` is `params[0]`). */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Param[];
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

const RETRY_AFTER_SECONDS = 5;

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
export function withPatience(db: Database, milliseconds: number): Database {
  return {
    first: (statement) => within(milliseconds, db.first<never>(statement)),
    batch: <Rows extends readonly unknown[]>(statements: readonly Statement[]) =>
      within(milliseconds, db.batch<Rows>(statements)),
  };
}

/**
 * The same database, with its failures told as `store_unavailable`: for a write they say that it may have been done. What
 * is not written for the caller's sake should not come through here.
 */
export function tellingOutages(db: Database): Database {
  return {
    first: (statement) => db.first<never>(statement).catch((cause: unknown) => tellOutage([statement], cause)),
    batch: <Rows extends readonly unknown[]>(statements: readonly Statement[]) =>
      db.batch<Rows>(statements).catch((cause: unknown) => tellOutage(statements, cause)),
  };
}

const WRITE = /\b(?:INSERT|UPDATE|DELETE)\b/;
// It was turned away before it began. Source: https://developers.cloudflare.com/d1/observability/debug-d1/
const NEVER_BEGAN = /overloaded/i;

function tellOutage(statements: readonly Statement[], cause: unknown): never {
  const mayBeDone = statements.some(({ sql }) => WRITE.test(sql)) && !NEVER_BEGAN.test(String(cause));
  const sentence = mayBeDone
    ? 'The database has not said whether this was done. Look, or send it again in a few seconds; a create is made only ' +
      'once under an Idempotency-Key.'
    : 'The database is out of reach. Try again in a few seconds.';
  throw new AppError('store_unavailable', sentence, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
