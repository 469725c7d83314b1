import { DIMENSIONS } from './facts.ts';
import type { Storage } from './schema.ts';

/**
 * Campaigns with another name. The clicks of a campaign are stored under the number of its name, so that a rename changes
 * two rows, however many clicks there are.
 */

// Longer than isolates and KV remember a link, and than its clicks usually wait in the queue.
const FORMER_MS = 10 * 60_000;

const CAMPAIGN = 2;

/**
 * Gives the clicks of a campaign a new name, unless there are clicks with that name: then both keep their own. Clicks that
 * come with the former name in the next minutes get the new one too. Can be repeated.
 *
 * @returns whether the clicks have the new name now
 */
export function renameClicks(storage: Storage, former: string, name: string, now: number): boolean {
  const { sql } = storage;
  const params = [CAMPAIGN, DIMENSIONS.indexOf('campaign'), former, name] as const;
  return storage.transactionSync(() => {
    const { known, taken } = sql
      .exec<{ known: number; taken: number }>(
        `SELECT max(name = ?3) AS known, max(name = ?4) AS taken FROM (
           SELECT name FROM subjects WHERE kind = ?1 AND name IN (?3, ?4)
           UNION ALL SELECT word FROM words WHERE dimension = ?2 AND word IN (?3, ?4)
           UNION ALL SELECT NULL)`,
        ...params,
      )
      .one();
    if (known === 1 && taken === 1) return false;
    sql.exec('UPDATE subjects SET name = ?4 WHERE kind = ?1 AND name = ?3 AND ?2 = ?2', ...params);
    sql.exec('UPDATE words SET word = ?4 WHERE dimension = ?2 AND word = ?3 AND ?1 = ?1', ...params);
    sql.exec('DELETE FROM renames WHERE until <= ?1 OR former = ?2', now, name);
    sql.exec('UPDATE renames SET name = ?2 WHERE name = ?1', former, name);
    sql.exec(
      `INSERT INTO renames (former, name, until) VALUES (?1, ?2, ?3)
       ON CONFLICT DO UPDATE SET name = excluded.name, until = excluded.until`,
      former,
      name,
      now + FORMER_MS,
    );
    return true;
  });
}

/** The campaigns that were renamed lately: their names by the former ones. */
export function readRenames(sql: SqlStorage, now: number): ReadonlyMap<string, string> {
  const rows = sql.exec<{ former: string; name: string }>('SELECT former, name FROM renames WHERE until > ?1', now);
  return new Map([...rows].map(({ former, name }) => [former, name]));
}
