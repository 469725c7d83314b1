import type { Context } from 'hono';
import { policyOf } from '../../targets/policy.ts';
import type { EditTiers } from '../../links/edit/edit.ts';
import type { PlatformEnv } from '../env.ts';

/** What an edit writes to. */
export function tiersOf(c: Context<PlatformEnv>): EditTiers {
  return {
    db: c.var.db,
    kv: c.env.LINKS,
    memory: c.var.services.memory,
    targetPolicy: policyOf(c.var.services.targetFilter),
  };
}
