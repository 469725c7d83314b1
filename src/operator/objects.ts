import { forEachConcurrently } from '../bounds/concurrency-limit.ts';
import type { LinkLimit } from '../link-limit/object.ts';
import { withLimitOutages } from '../link-limit/limits.ts';
import { openObjectCalls, type ObjectCalls } from '../objects/object-calls.ts';
import type { ClientStatistics } from '../statistics/object.ts';
import { openStatistics, withStatisticsOutages } from '../statistics/statistics.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';

/** The calls of backup and restore to the object with a client's statistics. */
export type StoredStatistics = Pick<ClientStatistics, 'beginLoad' | 'endLoad' | 'erase' | 'exportPage' | 'load'>;

/** The objects of all clients. */
export interface StatisticsObjects {
  /** Calls the object of a client. Throws `store_unavailable`. */
  call<Result>(clientId: string, work: (object: StoredStatistics) => Promise<Result>): Promise<Result>;
}

/** The calls of backup and restore to the object of a limited link. */
export type StoredLimit = Pick<LinkLimit, 'count' | 'load'>;

/** The objects of all limited links. Calls throw `store_unavailable`. */
export type LimitObjects = ObjectCalls<StoredLimit>;

// A Worker has six connections at a time.
export const MAX_AT_ONCE = 6;

export function openObjects(namespace: Pick<Env['STATISTICS'], 'getByName'>): StatisticsObjects {
  const statistics = withStatisticsOutages(openStatistics(namespace, TIMEOUT_MS.backgroundDatabase));
  // The other rooms do not see these methods.
  return {
    call: (clientId, work) => statistics.call(clientId, (object) => work(object as unknown as StoredStatistics)),
  };
}

/** Creates the object of a client, which stays near its first caller. A failure is ignored: a click creates it too. */
export async function placeStatistics(namespace: Pick<Env['STATISTICS'], 'getByName'>, clientId: string) {
  const statistics = openStatistics(namespace, TIMEOUT_MS.clicks);
  await statistics.call(clientId, (object) => object.touch()).catch(() => undefined);
}

export function openLimits(namespace: Pick<Env['LIMITS'], 'getByName'>): LimitObjects {
  return withLimitOutages(openObjectCalls((linkId) => namespace.getByName(linkId), TIMEOUT_MS.backgroundDatabase));
}

/** Removes all click statistics of clients. */
export function eraseStatistics(objects: StatisticsObjects, clientIds: readonly string[]): Promise<void> {
  return forEachConcurrently(clientIds, MAX_AT_ONCE, (id) => objects.call(id, (object) => object.erase()));
}
