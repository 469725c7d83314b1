import { isTimeout } from '../timeouts.ts';
import type { Database, Results, Statement } from './database.ts';
import { isCodeTooOld, isRestoring, needsWrite } from './database-watch.ts';
import { isOverloaded, type LeftOutWrites } from './refused-writes.ts';

/**
 * The same database, in which reads succeed although the database takes no writes: statements with `canBeLeftOut`, such
 * as the use of a session, are left out if a batch fails with them, and then for ten seconds.
 */
export function withWritesLeftOut(db: Database, leftOut: LeftOutWrites): Database {
  const batchWithout = async <Rows extends readonly unknown[]>(statements: readonly Statement[]) => {
    const results = await db.batch<readonly unknown[]>(statements.filter(({ canBeLeftOut }) => !canBeLeftOut));
    const left = results.values();
    return statements.map(({ canBeLeftOut }) => (canBeLeftOut ? [] : left.next().value)) as unknown as Results<Rows>;
  };
  return {
    first: (statement) => db.first<never>(statement),
    batch: async <Rows extends readonly unknown[]>(statements: readonly Statement[]) => {
      // A batch that also writes something else would not succeed either, and must not be sent twice.
      const isRead = statements.some(({ canBeLeftOut }) => canBeLeftOut) && !needsWrite(statements);
      if (!isRead) return db.batch<Rows>(statements);
      if (leftOut.isPaused) return batchWithout<Rows>(statements);
      try {
        return await db.batch<Rows>(statements);
      } catch (cause) {
        if (isRestoring(cause) || isCodeTooOld(cause) || isOverloaded(cause) || isTimeout(cause)) throw cause;
        const results = await batchWithout<Rows>(statements).catch(() => {
          throw cause;
        });
        leftOut.pause();
        return results;
      }
    },
  };
}
