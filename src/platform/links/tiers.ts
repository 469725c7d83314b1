import type { Context } from 'hono';
import { targetJudge } from '../../http/target-filter.ts';
import type { EditTiers } from '../../links/edit.ts';
import type { PlatformEnv } from '../env.ts';

/** What an edit writes to. */
export function tiersOf(c: Context<PlatformEnv>): EditTiers {
  return { db: c.var.db, kv: c.env.LINKS, memory: c.var.services.memory, judgeTargets: targetJudge(c) };
}
