import { ACTING } from '../../accounts/access.ts';
import type { Param, Statement } from '../../database/database.ts';

/** Deletes the logos of domains, before those are removed. `isThisDomain` is a condition on `domains`, under `ACTING`. */
export function deleteDomainLogos(isThisDomain: string, params: readonly Param[]): Statement {
  return {
    sql: `${ACTING}
      DELETE FROM logos WHERE (client_id, domain) IN (SELECT client_id, host FROM domains WHERE ${isThisDomain})`,
    params,
  };
}
