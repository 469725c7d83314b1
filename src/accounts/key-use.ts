import type { Database, Results, Statement } from '../database.ts';
import type { RecentlySeen } from '../recently-seen.ts';
import { GRANTS, grantParams, type Credential } from './grants.ts';

type KeyCredential = Extract<Credential, { readonly kind: 'api_key' }>;

// An hour is close enough for people, and spares a write per use.
const MIN_WRITE_INTERVAL_MS = 3600 * 1000;
const MIN_QUERY_INTERVAL_MS = 10 * 60 * 1000;

/**
 * The same database, which notes the use of the API key that the caller shows: at most hourly, in a batch that is asked for
 * anyway, and only if the key counts. An isolate asks for it no more than every ten minutes, unless that batch failed.
 *
 * @param keyOf the key that the caller has shown by now, or null
 * @param asked for which keys this isolate has lately asked
 */
export function withKeyUse(db: Database, keyOf: () => KeyCredential | null, recent: RecentlySeen): Database {
  return {
    first: (statement) => db.first<never>(statement),
    batch: async <Rows extends readonly unknown[]>(statements: readonly Statement[]) => {
      const key = keyOf();
      // By the secret, so that whoever merely knows a key's id cannot keep its use from being noted.
      if (key === null || recent.wasSeen(key.secretHash, MIN_QUERY_INTERVAL_MS)) return db.batch<Rows>(statements);
      const results = await db.batch<[...Rows, never]>([...statements, touch(key)]).catch((cause: unknown) => {
        recent.forget(key.secretHash);
        throw cause;
      });
      return results.slice(0, statements.length) as unknown as Results<Rows>;
    },
  };
}

function touch(key: KeyCredential): Statement {
  return {
    sql: `${GRANTS}
      UPDATE api_keys SET last_used_at = ?5
      WHERE id = ?1 AND coalesce(last_used_at, 0) <= ?5 - ${MIN_WRITE_INTERVAL_MS} AND EXISTS (SELECT 1 FROM grants)`,
    params: grantParams(key, Date.now()),
  };
}
