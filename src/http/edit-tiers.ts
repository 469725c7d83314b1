import type { EditTiers } from '../links/edit/edit.ts';
import { openLinkLimits, type LinkLimits } from '../link-limit/limits.ts';
import { TIMEOUT_MS } from '../timeouts.ts';
import { targetPolicyOf } from './target-policy.ts';
import type { RequestContext } from './env.ts';

/** What an edit of a link writes to. */
export function editTiersOf(c: RequestContext): EditTiers {
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
