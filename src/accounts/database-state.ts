import type { Database, Statement } from '../database/database.ts';
import { SELECT_OLDEST_MIGRATION } from '../database/database-watch.ts';
import { refusalOf, type WriteRefusal } from '../database/outages.ts';
import { isTimeout } from '../bounds/timeouts.ts';
import { GRANTS, grantParams, type Credential } from './grants.ts';
import { invalidCredential } from './refusals.ts';

/** The state of the database for callers: `ok`, or what it does not do. */
export type DatabaseState = 'ok' | 'restoring' | 'newer' | WriteRefusal;

const VALID_MS = 10_000;
// Two pages of SQLite, so that a database without room does not take it.
const FILLER_BYTES = 8192;

/** The knowledge of an isolate about whether the database takes writes, for ten seconds. */
export class WriteChecks {
  #checkedAt = Number.NEGATIVE_INFINITY;
  #refusal: WriteRefusal | null = null;

  get isDue(): boolean {
    return !(Math.abs(Date.now() - this.#checkedAt) < VALID_MS);
  }

  get refusal(): WriteRefusal | null {
    return this.#refusal;
  }

  saw(refusal: WriteRefusal | null): void {
    [this.#checkedAt, this.#refusal] = [Date.now(), refusal];
  }
}

interface StateRow {
  readonly is_restoring: number;
  readonly oldest_migration: number;
  readonly ok: number;
}

/**
 * Reads the state of the database, in one round trip, for a valid credential only. Whether it takes writes is found by a
 * row that the same transaction deletes, at most every ten seconds in an isolate. Throws `invalid_credential`, and what the
 * database throws.
 *
 * @param db without the check of `serveDatabase`, which fails during a restore
 * @param credential null if the caller was verified without the database. During a restore none is compared with the
 *   database, which has only some of its rows.
 * @param schemaVersion the newest migration that this code knows
 */
export async function readDatabaseState(
  db: Database,
  credential: Credential | null,
  { writes, schemaVersion }: { readonly writes: WriteChecks; readonly schemaVersion: number },
): Promise<DatabaseState> {
  const { isDue } = writes;
  const read = selectState(credential);
  let refusal: WriteRefusal | null = null;
  const [rows] = await db.batch<[StateRow]>(isDue ? [read, ...writeAndDelete(credential)] : [read]).catch(
    // What can be read and not written is read-only, whatever it says.
    async (cause: unknown) => {
      if (!isDue || isTimeout(cause)) throw cause;
      const results = await db.batch<[StateRow]>([read]).catch(() => {
        throw cause;
      });
      refusal = refusalOf(cause) ?? 'read_only';
      return results;
    },
  );
  const row = rows[0]!;
  if (row.is_restoring === 1) return 'restoring';
  if (row.ok !== 1) throw invalidCredential();
  if (isDue) writes.saw(refusal);
  if (writes.refusal !== null) return writes.refusal;
  return row.oldest_migration > schemaVersion ? 'newer' : 'ok';
}

function selectState(credential: Credential | null): Statement {
  return {
    sql: `${GRANTS}
      SELECT EXISTS (SELECT 1 FROM restores) AS is_restoring, (${SELECT_OLDEST_MIGRATION}) AS oldest_migration,
        ?6 OR EXISTS (SELECT 1 FROM grants) AS ok`,
    params: paramsOf(credential),
  };
}

function writeAndDelete(credential: Credential | null): Statement[] {
  const id = crypto.randomUUID();
  return [
    {
      sql: `${GRANTS}
        INSERT INTO write_checks (id, filler) SELECT ?7, zeroblob(${FILLER_BYTES})
        WHERE (?6 OR EXISTS (SELECT 1 FROM grants)) AND NOT EXISTS (SELECT 1 FROM restores)`,
      params: [...paramsOf(credential), id],
    },
    { sql: 'DELETE FROM write_checks WHERE id = ?1', params: [id] },
  ];
}

const paramsOf = (credential: Credential | null) =>
  credential === null ? [null, null, null, null, null, 1] : [...grantParams(credential, Date.now()), 0];
