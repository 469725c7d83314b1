import * as z from 'zod';
import type { Cloudflare } from './cloudflare.ts';
import type { Inventory } from './inventory.ts';
import type { Environment } from './project.ts';
import type { Report } from './report.ts';

/** The stores and queues that the Worker is bound to. */

/** Dead letters are retried for longer than the four days that a queue keeps messages by default. */
const DEAD_LETTER_SECONDS = 14 * 24 * 3600;

/** The ids of the stores. */
interface Stores {
  readonly databaseId: string;
  readonly namespaceId: string;
}

/** Creates what an environment lacks. */
export async function createResources(
  cloudflare: Cloudflare,
  { database, namespace, queue, deadLetterQueue, webhookQueue }: Environment,
  found: Inventory,
  report: Report,
): Promise<Stores> {
  const { accountId, send } = cloudflare;
  const databaseId =
    found.databaseId ??
    (await send('POST', `/accounts/${accountId}/d1/database`, { name: database }, z.looseObject({ uuid: z.string() })))
      .uuid;
  report.done(`database ${database}`, found.databaseId ? 'is there' : 'created');
  const namespaceId =
    found.namespaceId ??
    (
      await send(
        'POST',
        `/accounts/${accountId}/storage/kv/namespaces`,
        { title: namespace },
        z.looseObject({ id: z.string() }),
      )
    ).id;
  report.done(`KV namespace ${namespace}`, found.namespaceId ? 'is there' : 'created');
  await createQueue(cloudflare, queue, found, report);
  await createQueue(cloudflare, deadLetterQueue, found, report, DEAD_LETTER_SECONDS);
  await createQueue(cloudflare, webhookQueue, found, report);
  return { databaseId, namespaceId };
}

async function createQueue(
  { accountId, send }: Cloudflare,
  name: string,
  { queues }: Inventory,
  report: Report,
  retentionSeconds?: number,
): Promise<void> {
  const found = queues.get(name);
  const settings = retentionSeconds !== undefined && { settings: { message_retention_period: retentionSeconds } };
  if (!found) {
    await send('POST', `/accounts/${accountId}/queues`, { queue_name: name, ...settings }, z.unknown());
    return report.done(`queue ${name}`, retentionSeconds ? 'created, keeps messages for 14 days' : 'created');
  }
  if (retentionSeconds === undefined || found.retentionSeconds >= retentionSeconds) {
    return report.done(`queue ${name}`, 'is there');
  }
  await send('PATCH', `/accounts/${accountId}/queues/${found.id}`, { queue_name: name, ...settings }, z.unknown());
  return report.done(`queue ${name}`, 'now keeps messages for 14 days');
}
