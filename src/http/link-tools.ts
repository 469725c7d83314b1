import { openLinkLimits, type LinkLimits } from '../link-limit/limits.ts';
import type { LinkTools } from '../links/tools.ts';
import { TIMEOUT_MS } from '../timeouts.ts';
import { targetPolicyOf } from './target-policy.ts';
import type { RequestContext } from './env.ts';

/** What the verbs of links work with, for one request. */
export function linkToolsOf(c: RequestContext): LinkTools {
  return {
    db: c.var.db,
    kv: c.env.LINKS,
    memory: c.var.services.memory,
    targetPolicy: targetPolicyOf(c),
    hashing: c.var.services.hashing,
    limits: linkLimitsOf(c),
  };
}

/** The limits of all links. */
export const linkLimitsOf = (c: Pick<RequestContext, 'env'>): LinkLimits =>
  openLinkLimits(c.env.LIMITS, TIMEOUT_MS.linkLimit);
