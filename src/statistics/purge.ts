import type { Pause } from './days/fold-deliveries.ts';
import type { Storage } from './schema.ts';
import { BLOCK_IDS, DAY_IDS } from './row-ids.ts';
import { gatherFreshLinks } from './days/subject-days.ts';
import { deleteSubject, findSubjects } from './subjects.ts';

const SLICE_LINKS = 20;

/** Keeps in mind that links are to be purged. */
export function planPurge(sql: SqlStorage, ids: readonly string[]): void {
  sql.exec(
    'INSERT INTO purges (link) SELECT value FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING',
    JSON.stringify(ids),
  );
}

/**
 * Removes all that is kept of the links that are to be purged; the client's sums keep their clicks, without their names.
 * Links with clicks that are not folded yet are left for the next time.
 */
export async function purgeLinks(storage: Storage, pause: Pause): Promise<void> {
  const { sql } = storage;
  for (let after = ''; ; await pause()) {
    const rows = sql.exec<{ link: string }>(
      'SELECT link FROM purges WHERE link > ?1 ORDER BY link LIMIT ?2',
      after,
      SLICE_LINKS,
    );
    const ids = [...rows].map(({ link }) => link);
    if (ids.length === 0) return;
    after = ids.at(-1)!;
    const numbers = findSubjects(sql, 'link', ids);
    const fresh = gatherFreshLinks(sql, new Set(numbers.values()));
    storage.transactionSync(() => {
      for (const id of ids) {
        const number = numbers.get(id);
        if (number === undefined || !fresh.has(number)) purge(sql, id, number);
      }
    });
  }
}

function purge(sql: SqlStorage, link: string, number: number | undefined): void {
  if (number !== undefined) {
    sql.exec('DELETE FROM days WHERE id BETWEEN ?1 AND ?2', ...DAY_IDS.between(number));
    sql.exec('DELETE FROM carried_days WHERE id BETWEEN ?1 AND ?2', ...DAY_IDS.between(number));
    sql.exec('DELETE FROM blocks WHERE id BETWEEN ?1 AND ?2', ...BLOCK_IDS.between(number));
    sql.exec('DELETE FROM visitor_days WHERE id BETWEEN ?1 AND ?2', ...BLOCK_IDS.between(number));
    sql.exec('DELETE FROM visitor_marks WHERE link = ?1', number);
    deleteSubject(sql, number);
  }
  sql.exec('DELETE FROM purges WHERE link = ?1', link);
}
