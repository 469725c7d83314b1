import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Database } from '../database/database.ts';
import { withEventNotifications } from '../events/notify.ts';
import { openServiceDatabase } from '../database/service-database.ts';
import { openStatistics, withStatisticsOutages } from '../statistics/statistics.ts';
import { TIMEOUT_MS } from '../timeouts.ts';
import type { HttpEnv, Services } from './env.ts';

/**
 * Gives each request of a surface the services, its database, the statistics and its site.
 *
 * @param wrap makes the surface's own database of the service's
 */
export function provideServices(services: Services, wrap: (db: Database, c: Context<HttpEnv>) => Database) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    c.set('services', services);
    const events = services.eventQueueOf(c.env, new URL(c.req.url).origin);
    const db = openServiceDatabase(c.env.DB, TIMEOUT_MS.database, services.watch);
    c.set(
      'db',
      wrap(
        withEventNotifications(db, events, (work) => c.executionCtx.waitUntil(work)),
        c,
      ),
    );
    c.set('statistics', withStatisticsOutages(openStatistics(c.env.STATISTICS, TIMEOUT_MS.statistics)));
    c.set('site', { requestUrl: new URL(c.req.url), publicUrl: services.config.publicUrl });
    await next();
  });
}
