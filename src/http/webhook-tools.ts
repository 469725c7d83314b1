import { policyOf } from '../targets/policy.ts';
import type { WebhookTools } from '../webhooks/webhooks.ts';
import type { RequestContext } from './env.ts';
import { isolateHostRules } from './host-rules.ts';

/** The capabilities of the verbs of webhooks, in a request. */
export function webhookToolsOf(c: RequestContext): WebhookTools {
  const { db, statistics, site, services } = c.var;
  return {
    db,
    statistics,
    keys: services.config.webhookKeys,
    hosts: isolateHostRules(services, db, site),
    targetPolicy: services.targetFilter && policyOf(services.targetFilter),
    origin: site.requestUrl.origin,
  };
}
