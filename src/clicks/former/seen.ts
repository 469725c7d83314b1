import type { Database } from '../../database/database.ts';
import type { Pack } from '../read-pack.ts';

/** The ids of those packs that the version before has counted, in the database. Throws what the database throws. */
export async function findCountedBefore(db: Database, packs: readonly Pack[]): Promise<ReadonlySet<string>> {
  if (packs.length === 0) return new Set();
  const [rows] = await db.batch<[{ readonly id: string }]>([
    {
      sql: `SELECT id FROM seen_packs WHERE id IN (SELECT value FROM json_each(?1))`,
      params: [JSON.stringify(packs.map(({ id }) => id))],
    },
  ]);
  return new Set(rows.map(({ id }) => id));
}
