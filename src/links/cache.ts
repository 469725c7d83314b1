import * as z from 'zod';
import { logProblem } from '../log.ts';
import type { Address, Target } from './link.ts';

/**
 * KV as a cache of hot links: a state of a link under each of its addresses. A failing KV costs speed, never an
 * answer, so every failure here is logged and told as a miss.
 */

const CACHE_TTL_SECONDS = 60;
const EXPIRATION_TTL_SECONDS = 24 * 3600;

const storedTarget = z.object({
  linkId: z.string(),
  clientId: z.string(),
  campaignName: z.string().nullable(),
  // Checked, since a damaged entry must be a miss, not a broken Location header.
  url: z.string().regex(/^https?:\/\/[!-~]+$/),
  ending: z.enum(['deleted', 'disabled']).nullable(),
  expiresAt: z.number().nullable(),
  revision: z.number(),
});

/** The key of an address, for KV and for memory: a host has no slash, and a slug has none either. */
export function keyOf({ host, slug }: Address): string {
  return `${host}/${slug}`;
}

export async function readCache(kv: KVNamespace, key: string): Promise<Target | null> {
  try {
    const text = await kv.get(key, { cacheTtl: CACHE_TTL_SECONDS });
    return text === null ? null : storedTarget.parse(JSON.parse(text));
  } catch (cause) {
    logProblem('kv_get_failed', cause);
    return null;
  }
}

export async function writeCache(kv: KVNamespace, key: string, target: Target): Promise<void> {
  try {
    await kv.put(key, JSON.stringify(target), { expirationTtl: EXPIRATION_TTL_SECONDS });
  } catch (cause) {
    logProblem('kv_put_failed', cause);
  }
}

export async function clearCache(kv: KVNamespace, key: string): Promise<void> {
  try {
    await kv.delete(key);
  } catch (cause) {
    logProblem('kv_delete_failed', cause);
  }
}
