import type { EditTiers } from '../links/edit/edit.ts';
import { targetPolicyOf } from './target-policy.ts';
import type { RequestContext } from './env.ts';

/** What an edit of a link writes to. */
export function editTiersOf(c: RequestContext): EditTiers {
  return {
    db: c.var.db,
    kv: c.env.LINKS,
    memory: c.var.services.memory,
    targetPolicy: targetPolicyOf(c),
  };
}
