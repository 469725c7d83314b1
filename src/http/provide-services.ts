import { createMiddleware } from 'hono/factory';
import { carryKeyUse } from '../accounts/keys/key-use.ts';
import { UNCONFIRMED_WRITE } from '../database/outages.ts';
import { openServiceDatabase } from '../database/service-database.ts';
import { notifyQueue } from '../events/notify.ts';
import { openStatistics, withStatisticsOutages } from '../statistics/statistics.ts';
import { TIMEOUT_MS } from '../timeouts.ts';
import type { HttpEnv, Services } from './env.ts';

/**
 * Gives each request of a surface the services, its database, the statistics and its site. The database records the use of
 * the caller's API key, and sends what was recorded for webhooks to their queue.
 *
 * @param mayBeDone the sentence for callers after a write that may have been done
 */
export function provideServices(services: Services, mayBeDone = UNCONFIRMED_WRITE) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const requestUrl = new URL(c.req.url);
    const events = services.eventQueueOf(c.env, requestUrl.origin);
    c.set('services', services);
    c.set(
      'db',
      openServiceDatabase(c.env.DB, {
        timeoutMs: TIMEOUT_MS.database,
        watch: services.watch,
        mayBeDone,
        carry: () => carryKeyUse(c.var.apiKey ?? null, services.keyUses),
        onResults: notifyQueue(events, (work) => c.executionCtx.waitUntil(work)),
      }),
    );
    c.set('statistics', withStatisticsOutages(openStatistics(c.env.STATISTICS, TIMEOUT_MS.statistics)));
    c.set('site', { requestUrl, publicUrl: services.config.publicUrl });
    await next();
  });
}
