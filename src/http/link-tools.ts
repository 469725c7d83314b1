import type { LinkTools } from '../links/tools.ts';
import { policyOf } from '../targets/policy.ts';
import type { RequestContext } from './env.ts';

/** The capabilities of the verbs of links, for one request. */
export function linkToolsOf(c: RequestContext): LinkTools {
  const { memory, targetFilter, hashing, config } = c.var.services;
  return {
    db: c.var.db,
    kv: c.env.LINKS,
    memory,
    targetPolicy: targetFilter && policyOf(targetFilter),
    schemes: config.destinationSchemes,
    hashing,
    // Few edits change a limit.
    get limits() {
      return c.var.openLimits();
    },
  };
}
