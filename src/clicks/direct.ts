import { logProblem } from '../isolate/log.ts';
import type { Statistics } from '../statistics/statistics.ts';
import type { ClickGroup } from './groups.ts';
import type { Pack } from './read-pack.ts';
import type { QueuedClients } from './queued-clients.ts';
import { splitByClient } from './split.ts';

/** Clicks that go to the object of their client without the queue. */

// With more clients, a message costs less than the requests of their objects.
const MAX_CLIENTS = 2;

/** Clicks that are sent together. */
interface Parcel {
  readonly groups: readonly ClickGroup[];
  /** The client whose object is offered the clicks; null if they take the queue. */
  readonly offeredTo: string | null;
}

/**
 * Divides clicks by the way they take. Each client whose object takes clicks gets its own; the others stay together.
 */
export function parcelsOf(
  { queuedClients, isQueueLast }: Pick<DirectStores, 'queuedClients' | 'isQueueLast'>,
  groups: readonly ClickGroup[],
): Parcel[] {
  const clients = new Set(groups.map(({ link }) => link.clientId));
  const areMany = !isQueueLast && clients.size > MAX_CLIENTS;
  const isQueued = (clientId: string) => areMany || queuedClients.has(clientId);
  const offered = [...clients].filter((clientId) => !isQueued(clientId));
  if (offered.length === 0) return [{ groups, offeredTo: null }];
  const parcels = offered.map((clientId): Parcel => ({
    groups: clients.size === 1 ? groups : groups.filter(({ link }) => link.clientId === clientId),
    offeredTo: clientId,
  }));
  if (offered.length === clients.size) return parcels;
  const rest = groups.filter(({ link }) => !offered.includes(link.clientId));
  return [...parcels, { groups: rest, offeredTo: null }];
}

/** Where clicks are offered to objects. */
export interface DirectStores {
  readonly statistics: Statistics;
  readonly queuedClients: QueuedClients;
  /** True if the queue gets only what fails, since it ends with this process. */
  readonly isQueueLast: boolean;
}

/**
 * Offers a pack of one client to its object. If the object has failed, does not take it, or is busy, the next clicks of the
 * client take the queue.
 */
export async function offer(
  { statistics, queuedClients, isQueueLast }: DirectStores,
  clientId: string,
  pack: Pack,
): Promise<'stored' | 'refused' | 'failed'> {
  try {
    for (const { deliveries } of splitByClient([pack])) {
      for (const delivery of deliveries) {
        const { isStored, isBusy } = await statistics.call(clientId, (object) => object.offer(delivery, isQueueLast));
        if (!isStored || isBusy) queuedClients.add(clientId);
        if (!isStored) return 'refused';
      }
    }
    return 'stored';
  } catch (cause) {
    queuedClients.add(clientId);
    logProblem('click_object_failed', cause, { client_id: clientId });
    return 'failed';
  }
}
