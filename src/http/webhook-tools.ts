import { policyOf } from '../targets/policy.ts';
import { hostRulesOf } from '../webhooks/inner-hosts.ts';
import type { WebhookTools } from '../webhooks/webhooks.ts';
import type { RequestContext } from './env.ts';

/** The capabilities of the verbs of webhooks, in a request. */
export function webhookToolsOf(c: RequestContext): WebhookTools {
  const { db, statistics, site, services } = c.var;
  const { webhookKeys: keys, webhookLoopback: allowsLoopback, domainTarget } = services.config;
  const { resolveAddresses } = services.proofSources;
  return {
    db,
    statistics,
    keys,
    hosts: hostRulesOf(db, site, { resolveAddresses, allowsLoopback, domainTarget }),
    targetPolicy: services.targetFilter && policyOf(services.targetFilter),
    origin: site.requestUrl.origin,
  };
}
