import { Hono, type Context, type Handler, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { TrieRouter } from 'hono/router/trie-router';
import { AppError } from '../errors.ts';
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
  api.use(openRequest(services, { setHeaders: setHeadersForAnyOrigin }));
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

/** Sets the headers of every answer on the answer itself: `c.header` would build a new one for each header. */
export function setHeaders({ res: { headers } }: Context<HttpEnv>): void {
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

/** `setHeaders` with those of CORS, which preflights have already. */
function setHeadersForAnyOrigin(c: Context<HttpEnv>): void {
  if (c.req.method !== 'OPTIONS') {
    c.res.headers.set('Access-Control-Allow-Origin', '*');
    c.res.headers.set('Access-Control-Expose-Headers', EXPOSED);
  }
  setHeaders(c);
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
