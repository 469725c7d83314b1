import { afterAll } from 'vitest';
import { withDatabase } from '../../../scripts/database.ts';
import type { Database } from '../../../src/database/database.ts';

/**
 * Something that is opened by the first who asks for it, as that takes a second, and closed after the file's tests.
 *
 * @param withOpened opens it for as long as `work` takes
 */
export function heldOpen<T>(withOpened: (work: (opened: T) => Promise<void>) => Promise<void>): () => Promise<T> {
  const over = Promise.withResolvers<void>();
  let opened: Promise<T> | undefined;
  let closed: Promise<void> | undefined;
  const open = () =>
    new Promise<T>((resolve, reject) => {
      closed = withOpened(async (value) => {
        resolve(value);
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

/** A local database that is held open. */
export function lazyDatabase(
  persistTo: string,
  prepare: (db: Database) => Promise<unknown> = async () => undefined,
): () => Promise<Database> {
  return heldOpen((work) =>
    withDatabase(persistTo, async (db) => {
      await prepare(db);
      await work(db);
    }),
  );
}
