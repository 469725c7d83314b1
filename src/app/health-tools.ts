import type { Database } from '../database/database.ts';
import type { Services } from '../http/env.ts';
import { isolateHostRules } from '../http/host-rules.ts';
import type { Refusal } from '../links/health/check-url.ts';
import type { HealthTools } from '../links/health/pass.ts';
import { hostnameOf } from '../network/hosts.ts';
import { isBlocked } from '../targets/blocklist.ts';
import { findHostFault } from '../webhooks/inner-hosts.ts';

const SCHEMES = ['https:', 'http:'];

/**
 * Opens what the checks of destinations need of the isolate. Each host is asked about once in a pass. A host that is
 * blocked, inside a network or one of this service is not requested, which says nothing about it: its owner may know
 * why.
 */
export function healthToolsOf(services: Services, db: Database): HealthTools {
  const { publicUrl } = services.config;
  const rules = isolateHostRules(services, db, publicUrl && { publicUrl, requestUrl: publicUrl });
  const find = async (url: URL): Promise<Refusal | null> => {
    if (await isBlocked(db, hostnameOf(url))) return 'refused';
    const fault = await findHostFault(rules, url, SCHEMES);
    return fault === 'no_address' ? 'no_such_name' : fault && 'refused';
  };
  const found = new Map<string, Promise<Refusal | null>>();
  return {
    checkConnection: services.proofSources.checkResolver,
    about: publicUrl,
    guard(url) {
      const known = found.get(url.origin);
      if (known !== undefined) return known;
      const refusal = find(url);
      found.set(url.origin, refusal);
      // A resolver that did not respond may do so next time.
      refusal.catch(() => found.delete(url.origin));
      return refusal;
    },
  };
}
