import type { Database } from './database/database.ts';
import type { DatabaseWatch } from './database/database-watch.ts';
import { withEventNotifications, type EventQueue } from './events/notify.ts';
import type { Services } from './http/env.ts';
import { openLimiter } from './limits.ts';
import { openLinkLimits, type LinkLimits } from './link-limit/limits.ts';
import { openNearestDatabase } from './database/nearest-database.ts';
import type { VisitStores } from './redirect/visit.ts';
import { openServiceDatabase, withOutageErrors } from './database/service-database.ts';
import { openStatistics, type Statistics } from './statistics/statistics.ts';
import { TIMEOUT_MS } from './timeouts.ts';
import { openEventQueue } from './webhooks/delivery/messages.ts';

/** The stores of the Worker, opened for a request, or for work in the background. */

/** @param origin that of the visit */
export function storesOf(
  { memory, watch, hashing }: Services,
  env: Env,
  ctx: ExecutionContext,
  origin: string,
): VisitStores {
  const defer = (work: Promise<unknown>) => ctx.waitUntil(work);
  return {
    memory,
    kv: env.LINKS,
    db: withEventNotifications(databaseOf(env, watch), eventQueueOf(env, origin), defer),
    nearest: openNearestDatabase(env.DB, TIMEOUT_MS.nearestDatabase),
    defer,
    limits: limitsOf(env),
    hashing,
    linkPair: openLimiter(env.SIGN_IN_PAIR_LIMIT),
    linkAddress: openLimiter(env.SIGN_IN_ADDRESS_LIMIT),
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

export function databaseOf(env: Env, watch: DatabaseWatch): Database {
  return withOutageErrors(openServiceDatabase(env.DB, TIMEOUT_MS.redirectDatabase, watch));
}

export function backgroundStatistics(env: Env): Statistics {
  return openStatistics(env.STATISTICS, TIMEOUT_MS.backgroundStatistics);
}

export function backgroundDatabase(env: Env, watch: DatabaseWatch): Database {
  return openServiceDatabase(env.DB, TIMEOUT_MS.backgroundDatabase, watch);
}
