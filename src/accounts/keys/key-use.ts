import type { Statement } from '../../database/database.ts';
import type { Carried } from '../../database/service-database.ts';
import type { RecentlySeen } from '../../isolate/recently-seen.ts';
import { GRANTS, grantParams, type Credential } from '../grants.ts';

type KeyCredential = Extract<Credential, { readonly kind: 'api_key' }>;

// An hour is precise enough for people, and saves a write per use.
const MIN_WRITE_INTERVAL_MS = 3600 * 1000;
const MIN_QUERY_INTERVAL_MS = 10 * 60 * 1000;

/**
 * Opens what records the use of the API key that a caller presents: at most hourly, in a batch that is sent anyway, and
 * only if the key is valid. An isolate sends the statement at most every ten minutes, unless the batch failed.
 *
 * @param recent the keys for which this isolate has lately sent the statement
 */
export const carryKeyUse = (key: KeyCredential, recent: RecentlySeen): (() => Carried | null) =>
  // Remembered by the secret, so that a caller who knows only the id of a key cannot keep its use from being recorded.
  carryUse(key.secretHash, recent, () => touch(key));

/**
 * Opens what records the use of a credential in the next batch, as for `carryKeyUse`.
 *
 * @param name by which the isolate remembers it
 */
export const carryUse = (name: string, recent: RecentlySeen, record: () => Statement): (() => Carried | null) => {
  let isAsked = false;
  return () => {
    if (isAsked) return null;
    isAsked = true;
    if (recent.wasSeen(name, MIN_QUERY_INTERVAL_MS)) return null;
    const onFailure = () => {
      recent.forget(name);
      isAsked = false;
    };
    return { statement: record(), onFailure };
  };
};

function touch(key: KeyCredential): Statement {
  return {
    sql: `${GRANTS}
      UPDATE api_keys SET last_used_at = ?5
      WHERE id = ?1 AND coalesce(last_used_at, 0) <= ?5 - ${MIN_WRITE_INTERVAL_MS} AND EXISTS (SELECT 1 FROM grants)`,
    params: grantParams(key, Date.now()),
    isBestEffort: true,
    canBeLeftOut: true,
  };
}
