import { Hono, type Context, type Handler, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { routePath } from 'hono/route';
import { TrieRouter } from 'hono/router/trie-router';
import { UNCONFIRMED_WRITE } from '../database/outages.ts';
import { AppError } from '../errors.ts';
import { logInfo } from '../isolate/log.ts';
import type { HttpEnv, Services } from './env.ts';
import { asAppError, failureHeaders, logFailure, writeFailure } from './failure.ts';
import { openRequest } from './open-request.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'X-API-Key',
  'X-Request-Id',
];
const EXPOSED_HEADERS = [
  'Compare-Filtered-From',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Filtered-From',
  'Link',
  'Location',
  'Retry-After',
  'Sunset',
  'X-Request-Id',
];
const PREFLIGHT_SECONDS = 24 * 3600;

/** A resource's middleware for every answer at a path; it runs first. */
export interface PathMiddleware {
  readonly path: string;
  readonly middleware: MiddlewareHandler<HttpEnv>;
}

/**
 * An API without endpoints: request ids, a log line for each failure or each answer, CORS for any origin (credentials
 * travel in headers, never in cookies), no caching, and every failure in its documented form.
 *
 * @param early runs before CORS, which answers preflights itself
 */
export function createApi(services: Services, early: readonly PathMiddleware[] = []): Hono<HttpEnv> {
  // Of few routes, and the first request need not wait for a regular expression of all of them.
  const api = new Hono<HttpEnv>({ router: new TrieRouter() });
  const isLogged = services.config.accessLog;
  api.use(openRequest(services, UNCONFIRMED_WRITE, (c, beganAt) => finishForAnyOrigin(c, isLogged, beganAt)));
  for (const { path, middleware } of early) api.use(path, middleware);
  api.on('OPTIONS', '*', preflight);
  const refuseMethods = methodNotAllowed({ app: api, onMethodNotAllowed: refuseMethod });
  api.onError((error, c) => respondToFailure(c, error));
  // Only then, so that no other request takes a step for it.
  api.notFound(async (c) => {
    c.res = respondToFailure(c, new AppError('not_found', 'There is nothing at this path.'));
    await refuseMethods(c, noNext);
    return c.res;
  });
  return api;
}

const noNext = () => Promise.resolve();

/** For documents that are the same for every caller: caches may keep them, and revalidate them with the ETag. */
export const sameForAll = createMiddleware<HttpEnv>(async (c, next) => {
  await revalidate(c, next);
  c.res.headers.set('Cache-Control', 'no-cache');
});

// A 304 has the headers that every other answer here has.
const revalidate = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    'access-control-allow-origin',
    'access-control-expose-headers',
    'x-content-type-options',
    'x-request-id',
  ],
});

/** The headers of every answer, set on the answer itself: `c.header` would build a new one for each header. */
export const responseHeaders = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  setHeaders(c.res.headers);
});

function setHeaders(headers: Headers): void {
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  headers.set('X-Content-Type-Options', 'nosniff');
}

const preflight = cors({
  origin: '*',
  allowMethods: METHODS,
  allowHeaders: REQUEST_HEADERS,
  exposeHeaders: EXPOSED_HEADERS,
  maxAge: PREFLIGHT_SECONDS,
});

const EXPOSED = EXPOSED_HEADERS.join(',');

/** Sets `responseHeaders` and those of CORS, and logs as `logResponses`. */
function finishForAnyOrigin(c: Context<HttpEnv>, isLogged: boolean, beganAt: number): void {
  const { headers } = c.res;
  if (c.req.method !== 'OPTIONS') {
    headers.set('Access-Control-Allow-Origin', '*');
    headers.set('Access-Control-Expose-Headers', EXPOSED);
  }
  setHeaders(headers);
  logResponse(c, isLogged, beganAt);
}

/** Logs failures, and with `all` every answer. */
export function logResponses(all: boolean) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const startedAt = Date.now();
    await next();
    logResponse(c, all, startedAt);
  });
}

// Logs the route's pattern instead of the path, which may hold private ids. A line costs more than many an answer, so
// successful answers are logged only on demand.
function logResponse(c: Context<HttpEnv>, all: boolean, startedAt: number): void {
  if (!all && c.res.status < 400) return;
  logInfo('answer', {
    request_id: c.var.requestId,
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    error: c.var.failure,
    milliseconds: Date.now() - startedAt,
  });
}

function respondToFailure(c: Context<HttpEnv>, failure: unknown): Response {
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

/** Answers requests with a method that the path does not have. `HEAD` comes with `GET`, unless a route refuses it. */
function refuseMethod(c: Context<HttpEnv>, allowed: string[]): Response {
  // Each path has that of preflights.
  const methods = allowed.filter((method) => method !== 'OPTIONS');
  return methods.length === 0 ? c.res : respondToFailure(c, methodRefused(c.req.method, methods));
}

/**
 * Refuses all other methods at a path that another route would read as an id. It goes after the path's own routes, and
 * before that other route.
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
