import type { Database, Statement } from '../database/database.ts';

interface SaltRow {
  readonly day: string;
  readonly salt: string;
}

/**
 * Stores salts, and returns the stored ones: for each day the first that any isolate has stored. Of a database that takes no
 * writes, only those that it has.
 */
export async function insertSalts(db: Database, candidates: readonly SaltRow[]): Promise<SaltRow[]> {
  const json = JSON.stringify(candidates);
  const [, rows] = await db.batch<[never, SaltRow]>([
    {
      sql: `INSERT INTO visitor_salts (day, salt) SELECT value ->> 'day', value ->> 'salt' FROM json_each(?1) WHERE true
            ON CONFLICT DO NOTHING`,
      params: [json],
      canBeLeftOut: true,
    },
    {
      sql: `SELECT day, salt FROM visitor_salts WHERE day IN (SELECT value ->> 'day' FROM json_each(?1))`,
      params: [json],
    },
  ]);
  return [...rows];
}

export function deleteSaltsBefore(day: string): Statement {
  return { sql: `DELETE FROM visitor_salts WHERE day < ?1`, params: [day] };
}
