import type { Statement } from '../../database/database.ts';
import type { Carried } from '../../database/service-database.ts';
import type { RecentlySeen } from '../../isolate/recently-seen.ts';
import { GRANTS, grantParams, type TokenCredential } from '../grants.ts';
import { carryUse } from '../keys/key-use.ts';

const MIN_WRITE_INTERVAL_MS = 3600 * 1000;

/** `carryKeyUse` for the grant of a verified token of OAuth. */
export const carryGrantUse = (credential: TokenCredential, recent: RecentlySeen): (() => Carried | null) =>
  carryUse(credential.familyId, recent, () => touch(credential));

function touch(credential: TokenCredential): Statement {
  return {
    sql: `${GRANTS}
      UPDATE oauth_grants SET used_at = ?5
      WHERE family_id = ?3 AND used_at <= ?5 - ${MIN_WRITE_INTERVAL_MS} AND EXISTS (SELECT 1 FROM grants)`,
    params: grantParams(credential, Date.now()),
    isBestEffort: true,
    canBeLeftOut: true,
  };
}
