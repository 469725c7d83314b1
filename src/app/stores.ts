import type { Database } from '../database/database.ts';
import type { DatabaseWatch } from '../database/database-watch.ts';
import { notifyQueue, type EventNotifier, type EventQueue } from '../events/notify.ts';
import type { Core } from '../http/env.ts';
import { openLimiter } from '../bounds/rate-limiter.ts';
import { openLinkLimits, type LinkLimits } from '../link-limit/limits.ts';
import { openNearestDatabase } from '../database/nearest-database.ts';
import type { VisitStores } from '../redirect/visit.ts';
import { UNCONFIRMED_WRITE } from '../database/outages.ts';
import { openServiceDatabase, type ServiceOptions } from '../database/service-database.ts';
import { openStatistics, type Statistics } from '../statistics/statistics.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';
import { openEventQueue } from '../webhooks/delivery/messages.ts';

/** The stores of the Worker, opened for a request, or for work in the background. */

/**
 * Each store is opened when it is used, since most visits use few of them.
 *
 * @param origin that of the visit
 */
export function storesOf(
  { memory, watch, hashing }: Core,
  env: Env,
  ctx: ExecutionContext,
  origin: string,
): VisitStores {
  const defer = (work: Promise<unknown>) => ctx.waitUntil(work);
  return {
    memory,
    kv: env.LINKS,
    get db() {
      return databaseOf(env, watch, (statements, results) =>
        defer(notifyQueue(eventQueueOf(env, origin), statements, results)),
      );
    },
    get nearest() {
      return openNearestDatabase(env.DB, TIMEOUT_MS.nearestDatabase);
    },
    defer,
    get limits() {
      return limitsOf(env);
    },
    hashing,
    get linkPair() {
      return openLimiter(env.SIGN_IN_PAIR_LIMIT);
    },
    get linkAddress() {
      return openLimiter(env.SIGN_IN_ADDRESS_LIMIT);
    },
  };
}

/** The objects that count the clicks of links with a limit. */
export function limitsOf(env: Env): LinkLimits {
  return openLinkLimits(env.LIMITS, TIMEOUT_MS.linkLimit);
}

/** The queue of events; `origin` is that of the request, or null where there is none. */
export function eventQueueOf(env: Env, origin: string | null): EventQueue {
  return openEventQueue(env.WEBHOOKS, origin);
}

export function databaseOf(env: Env, watch: DatabaseWatch, onResults?: ServiceOptions['onResults']): Database {
  const timeoutMs = TIMEOUT_MS.redirectDatabase;
  return openServiceDatabase(env.DB, {
    timeoutMs,
    watch,
    mayBeDone: UNCONFIRMED_WRITE,
    ...(onResults && { onResults }),
  });
}

export function backgroundStatistics(env: Env): Statistics {
  return openStatistics(env.STATISTICS, TIMEOUT_MS.backgroundStatistics);
}

/** D1 for work that has no request; `waking` gets what it records for webhooks. */
export function backgroundDatabase(env: Env, watch: DatabaseWatch, waking?: EventNotifier): Database {
  const timeoutMs = TIMEOUT_MS.backgroundDatabase;
  return openServiceDatabase(env.DB, { timeoutMs, watch, ...(waking && { onResults: waking.onResults }) });
}
