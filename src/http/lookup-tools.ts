import type { LookupTools } from '../links/lookup/look-up.ts';
import { hostnameOf } from '../network/hosts.ts';
import { blockedHost, isBlocked } from '../targets/blocklist.ts';
import { policyOf, refusalsBy } from '../targets/policy.ts';
import { refuseInnerHost } from '../webhooks/inner-hosts.ts';
import type { RequestContext } from './env.ts';
import { isolateHostRules } from './host-rules.ts';

const SCHEMES = ['https:', 'http:'];

/** The capabilities of a look-up of a destination, for one request. */
export function lookupToolsOf(c: RequestContext): LookupTools {
  const { db, site, services } = c.var;
  const rules = isolateHostRules(services, db, site);
  const policy = services.targetFilter && policyOf(services.targetFilter);
  return {
    db,
    site,
    waits: services.hostWaits,
    async guard(url) {
      const destinations = [{ field: 'url', url }];
      const [isBlockedHost, refusalOf] = await Promise.all([
        isBlocked(db, hostnameOf(url)),
        policy && refusalsBy(policy, destinations),
      ]);
      const refusal = isBlockedHost ? blockedHost() : refusalOf?.(destinations);
      if (refusal) throw refusal;
      await refuseInnerHost(rules, url, SCHEMES);
    },
  };
}
