import type { Database, Results, Statement } from './database.ts';
import { LeftOutWrites } from './refused-writes.ts';
import { SCHEMA_VERSION } from './schema-version.ts';

/**
 * What an isolate checks of the database in a round trip that it makes anyway, every few seconds: that no restore is
 * under way, and that the schema still supports writes by this code.
 */

const CODE_TOO_OLD = 'code_too_old';

/** Selects the number of the newest migration that code must know to write to a database. */
export const SELECT_OLDEST_MIGRATION = 'SELECT oldest_migration FROM schema_support';

// Fails with "integer overflow" while a restore is under way: `restores` then has one row, whose id is 1.
const SELECT_RESTORE = 'SELECT abs(-9223372036854775807 - id) FROM restores';

/** Fails while a restore is under way, in the copy of the database that it reads. */
export const CHECK_RESTORE: Statement = { sql: SELECT_RESTORE, params: [] };

// Fails also with "bad JSON path" if the schema needs code that knows more migrations than ?1.
const CHECK = `SELECT (${SELECT_OLDEST_MIGRATION}) AS oldest_migration, (${SELECT_RESTORE}),
  CASE WHEN (${SELECT_OLDEST_MIGRATION}) > ?1 THEN json_extract('{}', '${CODE_TOO_OLD}') END`;

/** Whether a query failed because a restore is under way. */
export function isRestoring(cause: unknown): boolean {
  return /integer overflow/.test(String(cause));
}

/** Whether a write was refused because the schema no longer supports this code. */
export function isCodeTooOld(cause: unknown): boolean {
  return String(cause).includes(CODE_TOO_OLD);
}

const WRITE = /\b(?:INSERT|UPDATE|DELETE)\b/;

/** Whether statements write something that an error for the caller must mention. */
export const isWrite = (statements: readonly Statement[]): boolean =>
  statements.some(({ sql, isBestEffort }) => !isBestEffort && WRITE.test(sql));

/** Whether statements write something that cannot be left out. */
export const needsWrite = (statements: readonly Statement[]): boolean =>
  isWrite(statements.filter(({ canBeLeftOut }) => !canBeLeftOut));

/** Remembers what this isolate saw at its last check. */
export class DatabaseWatch {
  /** How long a check is valid, in milliseconds; 0 checks in each round trip. */
  readonly validMs: number;
  /** The newest migration that this code knows. */
  readonly schemaVersion: number;
  readonly leftOut = new LeftOutWrites();
  #seenAt = Number.NEGATIVE_INFINITY;
  #begunAt = Number.NEGATIVE_INFINITY;
  #isCodeTooOld = false;

  constructor(validMs: number, schemaVersion = SCHEMA_VERSION) {
    this.validMs = validMs;
    this.schemaVersion = schemaVersion;
  }

  get isDue(): boolean {
    return !(Math.abs(Date.now() - this.#seenAt) < this.validMs);
  }

  get isCodeTooOld(): boolean {
    return this.#isCodeTooOld;
  }

  /**
   * @param at when the query was sent, in milliseconds since the epoch
   * @param oldestMigration the newest migration that code must know for writes
   */
  saw(at: number, oldestMigration: number): void {
    this.#isCodeTooOld = oldestMigration > this.schemaVersion;
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
 * The same database, for all work but backup and restore: every query fails while a restore is under way, and every
 * write fails if the schema no longer supports this code. The check is part of a round trip that is made anyway, and
 * only of one every few seconds: a restore waits that long before it changes anything.
 */
export function withChecks(db: Database, watch: DatabaseWatch): Database {
  const check = async (statements: readonly Statement[]) => {
    const at = Date.now();
    const most = needsWrite(statements) ? watch.schemaVersion : Number.MAX_SAFE_INTEGER;
    const [support, ...results] = await db.batch<readonly unknown[]>([{ sql: CHECK, params: [most] }, ...statements]);
    const [row] = (support ?? []) as readonly { readonly oldest_migration: number }[];
    watch.saw(at, row?.oldest_migration ?? 0);
    return results;
  };
  const refuseKnown = (statements: readonly Statement[]) => {
    if (watch.isCodeTooOld && needsWrite(statements)) throw new Error(CODE_TOO_OLD);
  };
  return {
    first: async <Row>(statement: Statement) => {
      if (!watch.isDue) {
        refuseKnown([statement]);
        return db.first<Row>(statement);
      }
      const [rows] = (await check([statement])) as readonly (readonly Row[])[];
      return rows?.[0] ?? null;
    },
    batch: async <Rows extends readonly unknown[]>(statements: readonly Statement[]) => {
      if (watch.isDue) return (await check(statements)) as unknown as Results<Rows>;
      refuseKnown(statements);
      return db.batch<Rows>(statements);
    },
  };
}
