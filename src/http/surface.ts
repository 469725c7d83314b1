import { Hono, type Context, type Handler, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { routePath } from 'hono/route';
import { withKeyUse } from '../accounts/key-use.ts';
import { withOutageErrors } from '../database.ts';
import { AppError } from '../errors.ts';
import { logInfo } from '../log.ts';
import type { HttpEnv, Services } from './env.ts';
import { asAppError, failureHeaders, logFailure, writeFailure } from './failure.ts';
import { provideServices } from './provide-services.ts';
import { countOutcomes } from './rate-limits.ts';
import { nameRequest } from './request-id.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-API-Key',
  'X-Request-Id',
];
const EXPOSED_HEADERS = [
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'Sunset',
  'X-Request-Id',
];
const PREFLIGHT_SECONDS = 24 * 3600;

/** What a resource does to every answer at a path, before anything else has a say. */
export interface PathMiddleware {
  readonly path: string;
  readonly middleware: MiddlewareHandler<HttpEnv>;
}

/**
 * An empty API: request ids, a log line for each answer worth one, CORS for any origin (credentials travel in headers, never in
 * cookies), no caching, and every failure in its documented shape.
 *
 * @param early runs before CORS, which answers preflights by itself
 */
export function createApi(services: Services, early: readonly PathMiddleware[] = []): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();
  api.use(nameRequest, logAnswers(services.config.accessLog), countOutcomes, answerHeaders);
  for (const { path, middleware } of early) api.use(path, middleware);
  api.use(answerAnyOrigin);
  api.use(
    provideServices(services, (db, c) =>
      withOutageErrors(withKeyUse(db, () => c.var.apiKey ?? null, services.keyUses)),
    ),
  );
  api.use(methodNotAllowed({ app: api, onMethodNotAllowed: refuseMethod }));
  api.onError((error, c) => answerFailure(c, error));
  api.notFound((c) => answerFailure(c, new AppError('not_found', 'There is nothing at this path.')));
  return api;
}

/** For documents that are the same for every caller: caches may keep them, and ask with the ETag whether they still hold. */
export const sameForAll = createMiddleware<HttpEnv>(async (c, next) => {
  await revalidate(c, next);
  c.res.headers.set('Cache-Control', 'no-cache');
});

// A 304 says of itself what every answer here says.
const revalidate = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    'access-control-allow-origin',
    'access-control-expose-headers',
    'x-content-type-options',
    'x-request-id',
  ],
});

// Set on the answer itself: `c.header` and the CORS middleware would build it anew, body and all, for each of them.
const answerHeaders = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  const { headers } = c.res;
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  headers.set('X-Content-Type-Options', 'nosniff');
});

const preflight = cors({
  origin: '*',
  allowMethods: METHODS,
  allowHeaders: REQUEST_HEADERS,
  exposeHeaders: EXPOSED_HEADERS,
  maxAge: PREFLIGHT_SECONDS,
});

const answerAnyOrigin = createMiddleware<HttpEnv>(async (c, next) => {
  if (c.req.method === 'OPTIONS') return preflight(c, next);
  await next();
  c.res.headers.set('Access-Control-Allow-Origin', '*');
  c.res.headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS.join(','));
});

// The route's pattern, not its path: paths may carry ids that are nobody's business in a log.
// A line costs more than the answer to many a request: those that went well are logged on demand.
export function logAnswers(all: boolean) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const startedAt = Date.now();
    await next();
    if (!all && c.res.status < 400) return;
    logInfo('answer', {
      request_id: c.var.requestId,
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      error: c.var.failure,
      milliseconds: Date.now() - startedAt,
    });
  });
}

function answerFailure(c: Context<HttpEnv>, failure: unknown): Response {
  const error = asAppError(failure);
  const { refusal } = c.var;
  c.set('failure', error.code);
  logFailure(error, { request_id: c.var.requestId });
  for (const [name, value] of Object.entries(failureHeaders(error))) c.header(name, value);
  const isRefused = error.status === 401 && refusal !== undefined;
  if (isRefused) c.header('WWW-Authenticate', refusal.challenge(error));
  const { publicUrl, requestUrl } = c.var.site;
  const { type, text } = writeFailure(error, {
    accept: c.req.header('Accept') ?? '',
    origin: (publicUrl ?? requestUrl).origin,
    ...(isRefused && refusal.body && { body: refusal.body(error) }),
  });
  return c.body(text, error.status, { 'Content-Type': type });
}

/** Answers every method but those a path has. `HEAD` comes with `GET`, unless a route refuses it itself. */
function refuseMethod(c: Context<HttpEnv>, allowed: string[]): Response {
  return answerFailure(c, methodRefused(c.req.method, allowed));
}

/**
 * Refuses every method but these at a path that another route would take for an id. It goes after the path's own routes,
 * and before that one.
 */
export function allowOnly(...methods: readonly string[]): Handler<HttpEnv> {
  return (c) => {
    throw methodRefused(c.req.method, methods);
  };
}

export function methodRefused(method: string, allowed: readonly string[]): AppError {
  return new AppError('method_not_allowed', `${method} is not possible here. Use ${allowed.join(' or ')}.`, {
    allow: [...allowed, 'OPTIONS'],
  });
}
