import { isTimeout, withTimeout } from '../bounds/timeouts.ts';
import type { Database, Results, Statement } from './database.ts';
import { CHECK, CODE_TOO_OLD, isCodeTooOld, isRestoring, needsWrite, type DatabaseWatch } from './database-watch.ts';
import { isOverloaded, throwUnavailable } from './outages.ts';

/** A statement that a batch carries for the service itself. */
export interface Carried {
  readonly statement: Statement;
  /** Called if the batch has failed. */
  readonly onFailure: () => void;
}

type Rows = readonly (readonly unknown[])[];

export interface ServiceOptions {
  /** The time limit of a round trip, in milliseconds; null if the caller limits it. */
  readonly timeoutMs?: number | null;
  /** The state of the database that the isolate has seen; null for the work of backup and restore itself. */
  readonly watch?: DatabaseWatch | null;
  /** The sentence after a write that may be done: failures become `store_unavailable`; null throws them as they are. */
  readonly mayBeDone?: string | null;
  /** The caller, who may have a statement that the next batch carries. */
  readonly carrier?: { readonly carry?: () => Carried | null };
  /** Gets the statements of each batch that has recorded something for webhooks, and their rows. */
  readonly onResults?: (statements: readonly Statement[], results: Rows) => void;
}

/** Opens D1 as it is. Source: https://developers.cloudflare.com/d1/worker-api/d1-database/ */
export function openDatabase(d1: D1Database): Database {
  const prepare = ({ sql, params }: Statement) => d1.prepare(sql).bind(...params);
  return {
    first: async (statement) => prepare(statement).first(),
    batch: async <Each extends readonly unknown[]>(statements: readonly Statement[]) => {
      const rows: (readonly unknown[])[] = [];
      for (const { results } of await d1.batch(statements.map(prepare))) rows.push(results);
      // D1 has no row types; the store that wrote the SELECT lists names them.
      return rows as unknown as Results<Each>;
    },
  };
}

/** D1 for all work, as `serveDatabase` makes it. */
export const openServiceDatabase = (d1: D1Database, options: ServiceOptions): Database =>
  serveDatabase(openDatabase(d1), options);

/**
 * A database with what the service needs of each round trip:
 *
 * - a time limit;
 * - every query fails while a restore is under way, and every write if the schema no longer supports this code. The check is
 *   part of a round trip that is made anyway, and only of one every few seconds: a restore waits that long before it
 *   changes anything;
 * - reads succeed although the database takes no writes: statements with `canBeLeftOut`, such as the use of a session, are
 *   left out if a batch fails with them, and then for ten seconds;
 * - its failures are errors for callers. A statement that is not written for the caller has `isBestEffort`.
 */
export function serveDatabase(
  database: Database,
  { timeoutMs = null, watch = null, mayBeDone = null, carrier, onResults }: ServiceOptions,
): Database {
  const run = (statements: readonly Statement[]): Promise<Rows> => {
    const rows = database.batch<readonly unknown[]>(statements);
    return timeoutMs === null ? rows : withTimeout(timeoutMs, rows);
  };

  const runWithout = async (statements: readonly Statement[]): Promise<Rows> => {
    const left = (await run(statements.filter(({ canBeLeftOut }) => !canBeLeftOut))).values();
    return statements.map(({ canBeLeftOut }) => (canBeLeftOut ? [] : left.next().value!));
  };

  const runAll = async (statements: readonly Statement[]): Promise<Rows> => {
    // A batch that also writes something else would not succeed either, and must not be sent twice.
    const isRead = watch !== null && statements.some(({ canBeLeftOut }) => canBeLeftOut) && !needsWrite(statements);
    if (!isRead) return run(statements);
    if (watch.leftOut.isPaused) return runWithout(statements);
    try {
      return await run(statements);
    } catch (cause) {
      if (isRestoring(cause) || isCodeTooOld(cause) || isOverloaded(cause) || isTimeout(cause)) throw cause;
      const results = await runWithout(statements).catch(() => {
        throw cause;
      });
      watch.leftOut.pause();
      return results;
    }
  };

  // Null if neither a check is due, nor the last one has found that the schema does not support writes by this code.
  const toCheck = (): DatabaseWatch | null => (watch !== null && (watch.isCodeTooOld || isDue(watch)) ? watch : null);

  const runChecked = async (watched: DatabaseWatch, statements: readonly Statement[]): Promise<Rows> => {
    if (!isDue(watched)) {
      if (needsWrite(statements)) throw new Error(CODE_TOO_OLD);
      return runAll(statements);
    }
    const at = Date.now();
    const most = needsWrite(statements) ? watched.schemaVersion : Number.MAX_SAFE_INTEGER;
    const [support, ...results] = await runAll([{ sql: CHECK, params: [most] }, ...statements]);
    const [row] = (support ?? []) as readonly { readonly oldest_migration: number }[];
    watched.saw(at, row?.oldest_migration ?? 0);
    return results;
  };

  const fail = (statements: readonly Statement[], cause: unknown): never => {
    if (mayBeDone === null) throw cause;
    return throwUnavailable(statements, cause, mayBeDone);
  };

  const batch = async (statements: readonly Statement[]): Promise<Rows> => {
    const watched = toCheck();
    const carried = carrier?.carry?.() ?? null;
    try {
      const all = carried === null ? statements : [...statements, carried.statement];
      const rows = await (watched === null ? runAll(all) : runChecked(watched, all));
      const results = carried === null ? rows : rows.slice(0, statements.length);
      if (statements.some((statement, index) => isRecording(statement) && (results[index] ?? []).length > 0))
        onResults?.(statements, results);
      return results;
    } catch (cause) {
      carried?.onFailure();
      return fail(statements, cause);
    }
  };

  return {
    first: async <Row>(statement: Statement) => {
      const watched = toCheck();
      try {
        if (watched !== null) return ((await runChecked(watched, [statement]))[0]?.[0] ?? null) as Row | null;
        const row = database.first<Row>(statement);
        return await (timeoutMs === null ? row : withTimeout(timeoutMs, row));
      } catch (cause) {
        return fail([statement], cause);
      }
    },
    batch: async <Each extends readonly unknown[]>(statements: readonly Statement[]) =>
      (await batch(statements)) as unknown as Results<Each>,
  };
}

// True if the last check is no longer valid, or the clock was set back since.
const isDue = ({ seenAt, validMs }: DatabaseWatch): boolean => !(Math.abs(Date.now() - seenAt) < validMs);

/** True if a statement returns what it has recorded for webhooks. */
const isRecording = ({ returnsEvents, returnsDeliveries, returnsMails }: Statement): boolean =>
  returnsEvents === true || returnsDeliveries === true || returnsMails === true;
