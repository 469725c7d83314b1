import type { Context } from 'hono';
import { continueSoon } from '../../workspaces/deletion.ts';
import type { PlatformEnv } from '../env.ts';

/**
 * Continues the deletion of a client, or its undo, after the response to a visit of one of its pages: the browser
 * that has sent the form does so at once.
 */
export function continueDeletion(c: Context<PlatformEnv>, { id }: { readonly id: string }): void {
  // A form would race with its own background work.
  if (c.req.method !== 'GET') return;
  const tiers = { memory: c.var.services.memory, kv: c.env.LINKS };
  c.executionCtx.waitUntil(continueSoon(c.var.db, tiers, id));
}
