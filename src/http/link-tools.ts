import { openLinkLimits, type LinkLimits } from '../link-limit/limits.ts';
import type { LinkTools } from '../links/tools.ts';
import { policyOf } from '../targets/policy.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';
import type { RequestContext } from './env.ts';

/** The capabilities of the verbs of links, for one request. */
export function linkToolsOf(c: RequestContext): LinkTools {
  const { memory, targetFilter, hashing } = c.var.services;
  return {
    db: c.var.db,
    kv: c.env.LINKS,
    memory,
    targetPolicy: targetFilter && policyOf(targetFilter),
    hashing,
    // Few edits change a limit.
    get limits() {
      return openLimitsOf(c)();
    },
  };
}

/** Opens the limits of all links, which few requests need. */
export const openLimitsOf =
  ({ env }: Pick<RequestContext, 'env'>) =>
  (): LinkLimits =>
    openLinkLimits(env.LIMITS, TIMEOUT_MS.linkLimit);
