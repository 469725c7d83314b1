import { logProblem } from '../isolate/log.ts';
import type { CountStores } from './count.ts';

/**
 * Lets the objects of clients that have no webhooks for clicks take clicks without the queue. The clicks are counted, so
 * that a failure is logged only.
 *
 * @param assuming the clients whose object assumes that there are webhooks
 */
export async function settleClients({ statistics, hooks }: CountStores, assuming: Iterable<string>): Promise<void> {
  for (const clientId of assuming) {
    const readAt = hooks.noneAt(clientId);
    if (readAt === null) continue;
    await statistics
      .call(clientId, (object) => object.excludeClickWebhooks(readAt))
      .catch((cause: unknown) => logProblem('clicks_stay_queued', cause, { client_id: clientId }));
  }
}
