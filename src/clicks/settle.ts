import { logProblem } from '../isolate/log.ts';
import type { CountStores } from './count.ts';
import type { ClientMoves } from './former/move.ts';

/** The stores of the work that is done for clients after their clicks were counted. */
export interface SettleStores extends CountStores {
  readonly moves: ClientMoves;
}

/**
 * Copies former days of one of some clients, and lets the objects of those that have no webhooks for clicks, and no former
 * days left, take clicks without the queue. The clicks are counted, so that a failure is logged only.
 *
 * @param assuming the clients whose object assumes that there are webhooks
 */
export async function settleClients(
  stores: SettleStores,
  counted: Iterable<string>,
  assuming: Iterable<string>,
): Promise<void> {
  const { statistics, hooks, moves } = stores;
  try {
    await moves.moveNext(stores, counted);
  } catch (cause) {
    logProblem('statistics_not_moved', cause);
  }
  for (const clientId of assuming) {
    const readAt = hooks.noneAt(clientId);
    if (readAt === null || !moves.isMoved(clientId)) continue;
    await statistics
      .call(clientId, (object) => object.excludeClickWebhooks(readAt))
      .catch((cause: unknown) => logProblem('clicks_stay_queued', cause, { client_id: clientId }));
  }
}
