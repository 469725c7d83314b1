import { afterAll } from 'vitest';
import { withDatabase } from '../../../scripts/database.ts';
import type { Database } from '../../../src/database/database.ts';

/**
 * A local database that is opened by the first who asks for it, as that takes a second, and closed after the file's tests.
 */
export function lazyDatabase(
  persistTo: string,
  prepare: (db: Database) => Promise<unknown> = async () => undefined,
): () => Promise<Database> {
  const over = Promise.withResolvers<void>();
  let opened: Promise<Database> | undefined;
  let closed: Promise<void> | undefined;
  const open = () =>
    new Promise<Database>((resolve, reject) => {
      closed = withDatabase(persistTo, async (db) => {
        await prepare(db);
        resolve(db);
        await over.promise;
      });
      closed.catch(reject);
    });
  afterAll(async () => {
    over.resolve();
    await closed;
  });
  return () => (opened ??= open());
}
