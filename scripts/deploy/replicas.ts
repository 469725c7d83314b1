import * as z from 'zod';
import { CloudflareError, type Cloudflare } from './cloudflare.ts';
import type { Inventory } from './inventory.ts';
import type { Report } from './report.ts';

/**
 * Turns on the replicas of the database, in which redirects are looked up. Without them the primary answers, so a refusal
 * does not stop the deploy. Source: https://developers.cloudflare.com/d1/best-practices/read-replication/
 */
export async function turnOnReplicas(
  { accountId, send }: Cloudflare,
  databaseId: string,
  { hasReplicas }: Inventory,
  report: Report,
): Promise<void> {
  if (hasReplicas) return report.done('replicas', 'are on');
  try {
    const body = { read_replication: { mode: 'auto' } };
    await send('PUT', `/accounts/${accountId}/d1/database/${databaseId}`, body, z.unknown());
  } catch (error) {
    if (!(error instanceof CloudflareError) || error.code === 0) throw error;
    return report.done('replicas', `refused by Cloudflare (code ${error.code}): the primary answers all queries`);
  }
  return report.done('replicas', 'turned on');
}
