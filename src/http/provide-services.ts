import { createMiddleware } from 'hono/factory';
import { carryKeyUse } from '../accounts/keys/key-use.ts';
import { UNCONFIRMED_WRITE } from '../database/outages.ts';
import { openServiceDatabase } from '../database/service-database.ts';
import { notifyQueue } from '../events/notify.ts';
import { openStatistics, withStatisticsOutages, type Statistics } from '../statistics/statistics.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';
import type { Caller, HttpEnv, Services } from './env.ts';

/**
 * Gives each request of a surface the services, its database, the statistics and its site. The database records the use of
 * the caller's API key, and sends what was recorded for webhooks to their queue.
 *
 * @param mayBeDone the sentence for callers after a write that may have been done
 */
export function provideServices(services: Services, mayBeDone = UNCONFIRMED_WRITE) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const requestUrl = new URL(c.req.url);
    const caller: Caller = {};
    c.set('caller', caller);
    c.set('services', services);
    c.set(
      'db',
      openServiceDatabase(c.env.DB, {
        timeoutMs: TIMEOUT_MS.database,
        watch: services.watch,
        mayBeDone,
        carry: carryKeyUse(caller, services.keyUses),
        onResults: notifyQueue(
          () => services.eventQueueOf(c.env, requestUrl.origin),
          (work) => c.executionCtx.waitUntil(work),
        ),
      }),
    );
    c.set('statistics', statisticsOf(services, c.env.STATISTICS));
    c.set('site', { requestUrl, publicUrl: services.config.publicUrl });
    await next();
  });
}

function statisticsOf({ openedStatistics }: Services, binding: Env['STATISTICS']): Statistics {
  const known = openedStatistics.get(binding);
  if (known !== undefined) return known;
  const statistics = withStatisticsOutages(openStatistics(binding, TIMEOUT_MS.statistics));
  openedStatistics.set(binding, statistics);
  return statistics;
}
