import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UsageError } from './cli-error.ts';

/** Where miniflare keeps the files of a D1 database, below `--persist-to`, and how it names them. */
export const D1_FOLDER = 'v3/d1/miniflare-D1DatabaseObject';
/** Where it keeps those of the clients' statistics, which have such names too. */
export const STATISTICS_FOLDER = 'v3/do/terse-ClientStatistics';
export const DATABASE_NAME = /^[0-9a-f]{64}\.sqlite$/;
/**
 * A file up to this size is checked completely, in less than a second; of a larger file only the header and the length
 * are checked.
 */
const WHOLE_BYTES = 64 * 1024 * 1024;

/**
 * Checks the files of the local database before workerd opens them, since workerd only says that a query failed. Throws
 * a `UsageError` if one cannot be written or is damaged.
 */
export function checkStoredDatabase(persistTo: string): void {
  const folder = join(resolve(persistTo), D1_FOLDER);
  if (!existsSync(folder)) return;
  for (const name of readNames(folder, persistTo)) {
    const file = join(folder, name);
    try {
      for (const path of [folder, file]) accessSync(path, constants.R_OK | constants.W_OK);
    } catch (cause) {
      throw cannotBeWritten(persistTo, cause);
    }
    const fault = faultIn(file);
    if (fault !== null) {
      throw new UsageError(
        `The database in ${persistTo} is damaged (${fault}): move that folder away, then restore a backup with ` +
          '"npm run restore -- FILE".',
      );
    }
  }
}

function readNames(folder: string, persistTo: string): string[] {
  try {
    return readdirSync(folder).filter((name) => DATABASE_NAME.test(name));
  } catch (cause) {
    throw cannotBeWritten(persistTo, cause);
  }
}

function cannotBeWritten(persistTo: string, cause: unknown): UsageError {
  return new UsageError(
    `The database in ${persistTo} cannot be written: give your user write access to that folder and its files, or choose another with ` +
      '--persist-to DIR.',
    { cause },
  );
}

// The fault that SQLite finds in a file; null if there is none.
function faultIn(file: string): string | null {
  const { size } = statSync(file);
  // For SQLite an empty file is an empty database.
  if (size === 0) return null;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 1000 });
    // Writes the log of a killed server into the file, so that the file has all its pages.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const wanted = numberOf(database, 'page_count') * numberOf(database, 'page_size');
    if (statSync(file).size < wanted) return `${wanted - size} bytes of ${wanted} are missing`;
    if (size > WHOLE_BYTES) return null;
    const [first] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {});
    return first === 'ok'
      ? null
      : String(first)
          .replaceAll(/[\s*]+/g, ' ')
          .trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    database?.close();
  }
}

function numberOf(database: DatabaseSync, pragma: 'page_count' | 'page_size'): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}
