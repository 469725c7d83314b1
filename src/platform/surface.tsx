import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { withOutageErrors } from '../database.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../http/env.ts';
import { asAppError, failureHeaders, logFailure } from '../http/failure.ts';
import { provideServices } from '../http/provide-services.ts';
import { countOutcomes } from '../http/rate-limits.ts';
import { nameRequest } from '../http/request-id.ts';
import { logAnswers, methodRefused } from '../http/surface.ts';
import type { PlatformEnv } from './env.ts';
import { ErrorPage } from './error-page.tsx';
import { seeOther } from './flash.ts';
import { page } from './page.tsx';

/** No style and no script but our own files; and nobody frames a page in which somebody is signed in. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  // With `no-referrer` a form's Origin would be `null`.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const MAY_BE_DONE =
  'The database has not said whether this was done. Look in a few seconds, and do it again only if it was not.';

/** Pages without any page yet: what every answer says of itself, forms of our own origin only, and failures as pages. */
export function createSurface(services: Services): Hono<PlatformEnv> {
  const surface = new Hono<PlatformEnv>({ strict: false });
  surface.use(nameRequest, logAnswers(services.config.accessLog), countOutcomes, answerHeaders);
  surface.use(provideServices(services, (db) => withOutageErrors(db, MAY_BE_DONE)));
  surface.use(onlyOwnForms);
  surface.use(
    methodNotAllowed({
      app: surface,
      onMethodNotAllowed: (c, allowed) => answerFailure(c, methodRefused(c.req.method, allowed)),
    }),
  );
  surface.onError((error, c) => answerFailure(c, error));
  surface.notFound((c) => answerFailure(c, new AppError('not_found', 'There is no such page.')));
  return surface;
}

const answerHeaders = createMiddleware<PlatformEnv>(async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
});

// A cookie goes along with the forms of other sites, too: only a form of ours may do something with it. Source:
// https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html#verifying-origin-with-standard-headers
const onlyOwnForms = createMiddleware<PlatformEnv>(async (c, next) => {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead && c.req.header('Origin') !== c.var.site.requestUrl.origin) {
    throw new AppError('wrong_origin', 'This form came from somewhere else. Open the page here, and send it again.');
  }
  await next();
});

function answerFailure(c: Context<PlatformEnv>, failure: unknown): Response | Promise<Response> {
  const error = asAppError(failure);
  c.set('failure', error.code);
  // Who is not signed in, or not any more, is led to where they can, and back.
  if (error.code === 'missing_credential' || error.code === 'invalid_credential') return seeOther(c, signInPath(c));
  logFailure(error, { request_id: c.var.requestId });
  for (const [name, value] of Object.entries(failureHeaders(error))) c.header(name, value);
  return page(c, { title: String(error.status), status: error.status, narrow: true }, <ErrorPage error={error} />);
}

function signInPath(c: Context<PlatformEnv>): string {
  const { pathname, search } = c.var.site.requestUrl;
  // What was typed into a form is lost; its page, if it has one, may not be at the path that it posts to.
  if (c.req.method !== 'GET' || pathname === '/platform') return '/platform/sign-in';
  return `/platform/sign-in?next=${encodeURIComponent(pathname + search)}`;
}
