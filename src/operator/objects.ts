import { AppError } from '../errors.ts';
import { fewAtATime } from '../few-at-a-time.ts';
import type { ClientStatistics } from '../statistics/object.ts';
import { TIMEOUT_MS, withTimeout } from '../timeouts.ts';

/** What backup and restore use of the object with a client's statistics. */
export type StoredStatistics = Pick<ClientStatistics, 'beginLoad' | 'endLoad' | 'erase' | 'exportPage' | 'load'>;

/** The objects of all clients. */
export interface StatisticsObjects {
  /** Calls the object of a client. Throws `store_unavailable`. */
  call<Answer>(clientId: string, work: (object: StoredStatistics) => Promise<Answer>): Promise<Answer>;
}

const RETRY_AFTER_SECONDS = 5;
// A Worker has six connections at a time.
const MOST_AT_ONCE = 6;

export function openObjects(namespace: Pick<Env['STATISTICS'], 'getByName'>): StatisticsObjects {
  return {
    call: (clientId, work) => {
      // The types of a stub would make others of what its methods take and return.
      const object = namespace.getByName(clientId) as unknown as StoredStatistics;
      return withTimeout(TIMEOUT_MS.backgroundDatabase, work(object)).catch((cause: unknown) => {
        throw new AppError(
          'store_unavailable',
          `The click statistics of ${clientId} are temporarily unavailable. Try again in a few seconds.`,
          { retryAfterSeconds: RETRY_AFTER_SECONDS, cause },
        );
      });
    },
  };
}

/** Removes all click statistics of clients. */
export function eraseStatistics(objects: StatisticsObjects, clientIds: readonly string[]): Promise<void> {
  return fewAtATime(clientIds, MOST_AT_ONCE, (id) => objects.call(id, (object) => object.erase()));
}
