import { AppError } from '../errors.ts';
import { withTimeout } from '../timeouts.ts';
import type { ClientStatistics } from './object.ts';

/** What the object of a client offers to the Worker. Every call can be repeated: a pack counts once. */
export type StatisticsObject = Pick<
  ClientStatistics,
  'append' | 'ask' | 'askByLink' | 'carried' | 'carry' | 'dropCarried' | 'purge' | 'rank' | 'totals' | 'visitors'
>;

/** The click statistics of all clients, as the domain rooms see them. */
export interface Statistics {
  /** Calls the object of a client. Throws what the call throws, and an error if it takes too long. */
  call<Answer>(clientId: string, work: (object: StatisticsObject) => Promise<Answer>): Promise<Answer>;
}

/**
 * Opens the objects. A call that the platform says can be repeated, as when an object was moved, is repeated once. Source:
 * https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 */
export function openStatistics(namespace: Pick<Env['STATISTICS'], 'getByName'>, timeoutMs: number): Statistics {
  return {
    call: (clientId, work) => {
      // A stub that has failed is not used again.
      const attempt = () => work(namespace.getByName(clientId));
      const repeated = async () => {
        try {
          return await attempt();
        } catch (cause) {
          if (!isRepeatable(cause)) throw cause;
          return attempt();
        }
      };
      return withTimeout(timeoutMs, repeated());
    },
  };
}

function isRepeatable(cause: unknown): boolean {
  const { retryable, overloaded } = cause as { readonly retryable?: boolean; readonly overloaded?: boolean };
  return retryable === true && overloaded !== true;
}

const RETRY_AFTER_SECONDS = 5;

/** The same statistics, whose failures become `store_unavailable`. */
export function withStatisticsOutages(statistics: Statistics): Statistics {
  return {
    call: (clientId, work) =>
      statistics.call(clientId, work).catch((cause: unknown) => {
        throw new AppError(
          'store_unavailable',
          'The click statistics are temporarily unavailable. Try again in a few seconds.',
          { retryAfterSeconds: RETRY_AFTER_SECONDS, cause },
        );
      }),
  };
}
