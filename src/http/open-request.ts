import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { UNCONFIRMED_WRITE } from '../database/outages.ts';
import { openServiceDatabase } from '../database/service-database.ts';
import { notifyQueue } from '../events/notify.ts';
import { logInfo } from '../isolate/log.ts';
import { openLinkLimits } from '../link-limit/limits.ts';
import type { Site } from '../network/hosts.ts';
import { openStatistics, withStatisticsOutages, type Statistics } from '../statistics/statistics.ts';
import { TIMEOUT_MS } from '../bounds/timeouts.ts';
import type { Caller, HttpEnv, Services } from './env.ts';

// The id goes into the logs. A caller can put no secret into it: neither our secrets nor private texts are UUIDs.
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface OpenOptions {
  /** Sets the headers that each response of the surface has. */
  readonly setHeaders: (c: Context<HttpEnv>) => void;
  /** The sentence for callers after a write that may have been done. */
  readonly mayBeDone?: string;
}

/**
 * The first step of each request of a surface. It gives the request an id in its response and in the logs (the UUID that
 * the request brings, or a new one), the services, its database, the statistics, the limits and its site. The database
 * records the use of the caller's API key, and sends what was recorded for webhooks to their queue. The response gets its
 * headers, and a line in the log if it is a failure or `ACCESS_LOG` is on; then the request is counted for its rate
 * limits. All in one middleware, since each costs a request some promises.
 */
export function openRequest(services: Services, { setHeaders, mayBeDone = UNCONFIRMED_WRITE }: OpenOptions) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const startedAt = Date.now();
    const given = c.req.header('X-Request-Id') ?? '';
    const requestId = UUID.test(given) ? given : crypto.randomUUID();
    c.set('requestId', requestId);
    const site = siteOf(services, c.req.url);
    const caller: Caller = { toCount: [] };
    c.set('caller', caller);
    c.set('services', services);
    c.set(
      'db',
      openServiceDatabase(c.env.DB, {
        timeoutMs: TIMEOUT_MS.database,
        watch: services.watch,
        mayBeDone,
        carrier: caller,
        onResults: (statements, results) =>
          c.executionCtx.waitUntil(
            notifyQueue(services.eventQueueOf(c.env, site.requestUrl.origin), statements, results),
          ),
      }),
    );
    c.set('statistics', statisticsOf(services, c.env.STATISTICS));
    c.set('openLimits', () => openLinkLimits(c.env.LIMITS, TIMEOUT_MS.linkLimit));
    c.set('site', site);
    await next();
    setHeaders(c);
    c.res.headers.set('X-Request-Id', requestId);
    if (services.config.accessLog || c.res.status >= 400) logResponse(c, startedAt);
    for (const count of caller.toCount) c.executionCtx.waitUntil(count(c.get('failure')));
  });
}

// The URL is parsed when it is first asked for: the inspection of a token, for one, does not need it.
function siteOf({ config: { publicUrl, destinationSchemes: schemes } }: Services, url: string): Site {
  return {
    publicUrl,
    schemes,
    get requestUrl() {
      const value = new URL(url);
      Object.defineProperty(this, 'requestUrl', { value, enumerable: true });
      return value;
    },
  };
}

function statisticsOf({ openedStatistics }: Services, binding: Env['STATISTICS']): Statistics {
  const known = openedStatistics.get(binding);
  if (known !== undefined) return known;
  const statistics = withStatisticsOutages(openStatistics(binding, TIMEOUT_MS.statistics));
  openedStatistics.set(binding, statistics);
  return statistics;
}

// The route's pattern instead of the path, which may hold private ids. A line costs more than many a response, so
// successful ones are logged only on demand.
function logResponse(c: Context<HttpEnv>, startedAt: number): void {
  logInfo('answer', {
    request_id: c.var.requestId,
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    error: c.var.failure,
    milliseconds: Date.now() - startedAt,
  });
}
