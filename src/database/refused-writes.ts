/** A database that responds to reads and takes no writes. */

/** Why it takes none. */
export type WriteRefusal = 'full' | 'read_only';

// Sources: https://developers.cloudflare.com/d1/observability/debug-d1/ and https://www.sqlite.org/rescode.html
const FULL = /SQLITE_FULL|database or disk is full|exceeded maximum DB size|maximum account storage limit/i;
const READ_ONLY = /SQLITE_READONLY|readonly database|daily row write limit/i;

/** Why a write was refused; null if it failed in another way. */
export function refusalOf(cause: unknown): WriteRefusal | null {
  const text = String(cause);
  if (FULL.test(text)) return 'full';
  return READ_ONLY.test(text) ? 'read_only' : null;
}

// D1 refused the query before it began. Source: https://developers.cloudflare.com/d1/observability/debug-d1/
const NEVER_BEGAN = /overloaded/i;

/** Whether a query was refused before it began, because the database has too much to do. */
export const isOverloaded = (cause: unknown): boolean => NEVER_BEGAN.test(String(cause));

const PAUSE_MS = 10_000;

/** When an isolate last read what it could only read without the writes that can be left out. */
export class LeftOutWrites {
  #since = Number.NEGATIVE_INFINITY;

  /** Whether they are left out at once, so that not every read is sent twice. */
  get isPaused(): boolean {
    return Math.abs(Date.now() - this.#since) < PAUSE_MS;
  }

  pause(): void {
    this.#since = Date.now();
  }
}
