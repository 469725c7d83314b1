import type { Statement } from './database.ts';
import { SCHEMA_VERSION } from './schema-version.ts';

/**
 * The checks of the database that an isolate adds to a round trip that it makes anyway, every few seconds: that no
 * restore is under way, and that the schema still supports writes by this code.
 */

/** The message of a write by code that the schema no longer supports. */
export const CODE_TOO_OLD = 'code_too_old';

/** Selects the number of the newest migration that code must know to write to a database. */
export const SELECT_OLDEST_MIGRATION = 'SELECT oldest_migration FROM schema_support';

// Fails with "integer overflow" while a restore is under way: `restores` then has one row, whose id is 1.
const SELECT_RESTORE = 'SELECT abs(-9223372036854775807 - id) FROM restores';

/** Fails while a restore is under way, in the copy of the database that it reads. */
export const CHECK_RESTORE: Statement = { sql: SELECT_RESTORE, params: [] };

/** Fails also with "bad JSON path" if the schema needs code that knows more migrations than ?1. */
export const CHECK = `SELECT (${SELECT_OLDEST_MIGRATION}) AS oldest_migration, (${SELECT_RESTORE}),
  CASE WHEN (${SELECT_OLDEST_MIGRATION}) > ?1 THEN json_extract('{}', '${CODE_TOO_OLD}') END`;

/** True if a query failed because a restore is under way. */
export function isRestoring(cause: unknown): boolean {
  return /integer overflow/.test(String(cause));
}

/** True if a write was refused because the schema no longer supports this code. */
export function isCodeTooOld(cause: unknown): boolean {
  return String(cause).includes(CODE_TOO_OLD);
}

const WRITE = /\b(?:INSERT|UPDATE|DELETE)\b/;

/** True if statements write something that an error for the caller must mention. */
export const isWrite = (statements: readonly Statement[]): boolean =>
  statements.some(({ sql, isBestEffort }) => !isBestEffort && WRITE.test(sql));

/** True if statements write something that cannot be left out. */
export const needsWrite = (statements: readonly Statement[]): boolean =>
  isWrite(statements.filter(({ canBeLeftOut }) => !canBeLeftOut));

const PAUSE_MS = 10_000;

/** When an isolate last read what it could only read without the writes that can be left out. */
class LeftOutWrites {
  #since = Number.NEGATIVE_INFINITY;

  /** True if they are left out at once, so that not every read is sent twice. */
  get isPaused(): boolean {
    return Math.abs(Date.now() - this.#since) < PAUSE_MS;
  }

  pause(): void {
    this.#since = Date.now();
  }
}

/** Remembers what this isolate saw at its last check. */
export class DatabaseWatch {
  /** The time for which a check is valid, in milliseconds; 0 checks in each round trip. */
  readonly validMs: number;
  /** The newest migration that this code knows. */
  readonly schemaVersion: number;
  readonly leftOut = new LeftOutWrites();
  /** The time of the last check, in milliseconds since the epoch. */
  seenAt = Number.NEGATIVE_INFINITY;
  /** True if the last check has found that the schema does not support writes by this code. */
  isCodeTooOld = false;
  #begunAt = Number.NEGATIVE_INFINITY;

  constructor(validMs: number, schemaVersion = SCHEMA_VERSION) {
    this.validMs = validMs;
    this.schemaVersion = schemaVersion;
  }

  /**
   * @param at when the query was sent, in milliseconds since the epoch
   * @param oldestMigration the newest migration that code must know for writes
   */
  saw(at: number, oldestMigration: number): void {
    this.isCodeTooOld = oldestMigration > this.schemaVersion;
    // A query that was sent before this isolate began a restore may be answered after that.
    if (at > this.#begunAt) this.seenAt = at;
  }

  /** Checks in the next round trip, since this isolate may just have begun a restore. */
  lookAgain(): void {
    this.#begunAt = Date.now();
    this.seenAt = Number.NEGATIVE_INFINITY;
  }
}
