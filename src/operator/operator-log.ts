import * as z from 'zod';
import { asAppError } from '../http/failure.ts';
import type { Database, Statement } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { logProblem } from '../isolate/log.ts';
import type { RecentlySeen } from '../isolate/recently-seen.ts';
import { HOUR_MS } from '../time/day.ts';
import { toInstant } from '../time/instant.ts';
import { command, type OperatorCommand } from './command.ts';

/**
 * The operator's log: each command that came with a good key, what it was about, the thumbprint of the key (RFC 7638),
 * and its outcome. It is written before the command runs, so that one that ends with its process is in it too.
 */

/** A command that was sent with a good key. */
interface LoggedCommand {
  readonly command: string;
  readonly keyThumbprint: string;
}

// The tools send these many times in a row, so that equal ones of an hour share an entry. A backup reads the statistics of
// all clients: their entry has no subject.
const MANY: ReadonlySet<string> = new Set([
  'read-rows',
  'read-statistics',
  'read-limits',
  'restore-rows',
  'restore-statistics',
  'empty-database',
  'empty-statistics',
  'empty-cache',
  'import-rows',
  'publish-links-to',
]);
const WITHOUT_SUBJECT: ReadonlySet<string> = new Set(['read-statistics', 'empty-statistics']);

const READS = /^(?:read|list)-/;
const MAX_SUBJECT = 300;

/** The entry of one command. */
export class OperatorLogEntry {
  readonly #db: Database;
  readonly #logged: LoggedCommand;
  readonly #written: RecentlySeen;
  readonly #begunAt = Date.now();
  #id: string | null = null;

  /** @param written the entries for equal commands that this isolate has written */
  constructor(db: Database, logged: LoggedCommand, written: RecentlySeen) {
    this.#db = db;
    this.#logged = logged;
    this.#written = written;
  }

  /**
   * Writes the entry, before the command changes anything. A command that changes something fails if this does; one that
   * only reads does not, since a backup has to work while the database takes no writes.
   *
   * @param subject what the command is about; null if its body was not valid
   */
  async begin(subject: string | null): Promise<void> {
    const { command, keyThumbprint } = this.#logged;
    const isOneOfMany = MANY.has(command);
    const about = WITHOUT_SUBJECT.has(command) ? null : (subject?.slice(0, MAX_SUBJECT) ?? null);
    const hour = Math.floor(this.#begunAt / HOUR_MS);
    this.#id = isOneOfMany ? JSON.stringify([hour, command, about, keyThumbprint]) : crypto.randomUUID();
    if (isOneOfMany && this.#written.wasSeen(this.#id, HOUR_MS)) return;
    const outcome = isOneOfMany ? 'done' : 'begun';
    try {
      await this.#db.batch([
        insertEntry({ id: this.#id, at: this.#begunAt, command, subject: about, keyThumbprint, outcome }),
      ]);
    } catch (cause) {
      this.#written.forget(this.#id);
      if (isOlderDatabase(cause)) return;
      if (!READS.test(command)) throw cause;
      logProblem('operator_log_failed', cause, { command, subject: about, key: keyThumbprint });
    }
  }

  /** Writes the outcome: null, or the error. Does not throw, since the command has ended. */
  async end(error: unknown): Promise<void> {
    const { command, keyThumbprint } = this.#logged;
    const isOneOfMany = MANY.has(command);
    if (error === null && (isOneOfMany || this.#id === null)) return;
    const outcome = error === null ? 'done' : asAppError(error).code;
    const entry = { id: crypto.randomUUID(), at: this.#begunAt, command, subject: null, keyThumbprint, outcome };
    try {
      await this.#db.batch([
        this.#id === null || isOneOfMany
          ? insertEntry(entry)
          : { sql: 'UPDATE operator_log SET outcome = ?2 WHERE id = ?1', params: [this.#id, outcome] },
      ]);
    } catch (cause) {
      if (isOlderDatabase(cause)) return;
      logProblem('operator_log_failed', cause, { command, outcome, key: keyThumbprint });
    }
  }
}

// A tool without a server reads a database of an earlier version as it is.
function isOlderDatabase(cause: unknown): boolean {
  return String(cause instanceof AppError ? cause.cause : cause).includes('no such table: operator_log');
}

interface NewEntry extends LoggedCommand {
  readonly id: string;
  readonly at: number;
  readonly subject: string | null;
  readonly outcome: string;
}

function insertEntry({ id, at, command, subject, keyThumbprint, outcome }: NewEntry): Statement {
  return {
    sql: `INSERT INTO operator_log (id, at, command, subject, key_thumbprint, outcome)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING`,
    params: [id, at, command, subject, keyThumbprint, outcome],
  };
}

// A year, as the audit log.
const KEPT_MS = 366 * 24 * HOUR_MS;

/** For the daily clean-up: deletes entries after a year. */
export function deleteOldOperatorEntries(now: number): Statement {
  return { sql: 'DELETE FROM operator_log WHERE at < ?1', params: [now - KEPT_MS] };
}

interface EntryRow {
  readonly at: number;
  readonly command: string;
  readonly subject: string | null;
  readonly key_thumbprint: string;
  readonly outcome: string;
}

export const LOG_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'list-log': command(
    () => z.strictObject({ limit: z.int().min(1).max(1000) }),
    async ({ store }, { limit }) => {
      const [rows] = await store.batch<[EntryRow]>([
        {
          sql: `SELECT at, command, subject, key_thumbprint, outcome FROM operator_log
                ORDER BY at DESC, id DESC LIMIT ?1`,
          params: [limit],
        },
      ]);
      return {
        entries: rows.map(({ at, ...rest }) => ({ at: toInstant(at), ...rest })),
      };
    },
  ),
};
