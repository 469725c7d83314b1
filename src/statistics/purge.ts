import type { Pause } from './fold.ts';
import type { Storage } from './schema.ts';
import { blockIds } from './stored-block.ts';
import { findSubjects } from './subjects.ts';

const SLICE_LINKS = 20;

/** Keeps in mind that links are to be purged. */
export function planPurge(sql: SqlStorage, ids: readonly string[]): void {
  sql.exec(
    'INSERT INTO purges (link) SELECT value FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING',
    JSON.stringify(ids),
  );
}

/**
 * Removes all that is kept of the links that are to be purged; the client's sums keep their clicks, without their names. All
 * deliveries must be folded before.
 */
export async function purgeLinks(storage: Storage, pause: Pause): Promise<void> {
  const { sql } = storage;
  for (;;) {
    const ids = sql.exec<{ link: string }>('SELECT link FROM purges LIMIT ?1', SLICE_LINKS).toArray();
    if (ids.length === 0) return;
    storage.transactionSync(() => {
      for (const { link } of ids) purge(sql, link);
    });
    await pause();
  }
}

function purge(sql: SqlStorage, link: string): void {
  for (const number of findSubjects(sql, 'link', [link]).values()) {
    sql.exec('DELETE FROM days WHERE subject = ?1', number);
    sql.exec('DELETE FROM blocks WHERE id BETWEEN ?1 AND ?2', ...blockIds(number));
    sql.exec('DELETE FROM visitor_marks WHERE link = ?1', number);
    sql.exec('DELETE FROM subjects WHERE id = ?1', number);
  }
  sql.exec('DELETE FROM purges WHERE link = ?1', link);
}
