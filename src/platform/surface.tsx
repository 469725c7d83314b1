import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { TrieRouter } from 'hono/router/trie-router';
import { AppError } from '../errors.ts';
import { wantsProblem } from '../http/accept.ts';
import type { HttpEnv, Services } from '../http/env.ts';
import { asAppError, failureHeaders, logFailure, writeFailure } from '../http/failure.ts';
import { openRequest } from '../http/open-request.ts';
import { methodRefused } from '../http/surface.ts';
import { Later } from '../isolate/later.ts';
import { cleanAddress } from './forms/clean-address.ts';
import { leadScripts, UNCONFIRMED_WRITE } from './forms/by-script.ts';
import type { PlatformEnv } from './env.ts';
import type { CarriedForm, PreviousPage } from './error-page.tsx';
import { seeOther } from './flash.ts';
import type { NavSection } from './nav.ts';
import { page } from './page.tsx';
import { contentSecurityPolicy } from './page-policy.ts';
import { wordsFor } from './words.tsx';
import { pageOfForm, showAgain } from './forms/show-again.tsx';
import { typedIn } from './forms/resume-form.ts';
import { askToSignIn, confirmations, signInHere } from './sign-in/sign-in-here.tsx';

const HEADERS = {
  'Content-Security-Policy': contentSecurityPolicy(),
  // With `no-referrer` a form's Origin would be `null`.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

// The pages between an application and its code. An application that opens them in a popup waits for that window: the
// policy of the others would cut it off, and it would look closed.
const IN_A_POPUP = /^\/(?:oauth\/authorize|platform\/(?:sign-in|confirm|sso))(?:\/|$)/;

/** The headers that a page can set itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['Referrer-Policy', 'Content-Security-Policy']);

/**
 * A surface without pages: the headers of every answer, forms of our own origin only, and failures as pages.
 *
 * @param navigation what the frame around its pages leads to
 */
export function createSurface(services: Services, navigation: readonly NavSection[]): Hono<PlatformEnv> {
  const surface = new Hono<PlatformEnv>({ strict: false, router: new TrieRouter() });
  surface.use(
    openRequest(services, { setHeaders, mayBeDone: UNCONFIRMED_WRITE }),
    leadTo(navigation),
    chooseLanguage,
    leadScripts,
  );
  surface.use(onlyOwnForms, cleanAddress, signInHere, showAgain);
  surface.use(
    methodNotAllowed({
      app: surface,
      onMethodNotAllowed: (c, allowed) => respondToFailure(c, methodRefused(c.req.method, allowed)),
    }),
  );
  surface.onError((error, c) => respondToFailure(c, error));
  surface.notFound((c) => respondToFailure(c, new AppError('not_found', 'Page not found.')));
  return surface;
}

const chooseLanguage = createMiddleware<PlatformEnv>(async (c, next) => {
  await setWords(c);
  await next();
});

const setWords = async (c: Context<PlatformEnv>) =>
  c.set('words', await wordsFor(c.req.header('Accept-Language') ?? ''));

const leadTo = (navigation: readonly NavSection[]) =>
  createMiddleware<PlatformEnv>((c, next) => {
    c.set('navigation', navigation);
    return next();
  });

function setHeaders(c: Context<HttpEnv>): void {
  for (const [name, value] of Object.entries(HEADERS)) {
    // A page for visitors, and one whose form leads elsewhere, have their own.
    if (!OWN_HEADERS.has(name) || !c.res.headers.has(name)) c.res.headers.set(name, value);
  }
  const { pathname } = c.var.site.requestUrl;
  if (IN_A_POPUP.test(pathname)) c.res.headers.set('Cross-Origin-Opener-Policy', 'unsafe-none');
}

// Browsers send the cookie with forms of other sites too, so only forms of our own origin are accepted. Source:
// https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html#verifying-origin-with-standard-headers
const onlyOwnForms = createMiddleware<PlatformEnv>(async (c, next) => {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!isRead && c.req.header('Origin') !== c.var.site.requestUrl.origin) {
    throw new AppError(
      'wrong_origin',
      'This form was sent from another website. Open the page here and send the form again.',
    );
  }
  await next();
});

const failurePages = new Later(() => import('./failure-pages.ts'));

async function respondToFailure(c: Context<PlatformEnv>, failure: unknown): Promise<Response> {
  // What fails early has not come to the language.
  if ((c.get('words') as PlatformEnv['Variables']['words'] | undefined) === undefined) await setWords(c);
  // A form that cannot be shown again either says why it was not sent, or that it may have been.
  const error = c.var.failedNow ?? asAppError(failure);
  if (mayPass(error.status)) c.set('failedNow', error);
  c.set('failure', error.code);
  const accept = c.req.header('Accept') ?? '';
  if (wantsProblem(accept)) return respondWithScript(c, error, accept);
  // A user who is not signed in, or no longer, is sent to the sign-in, and back afterwards.
  if (error.code === 'missing_credential' || error.code === 'invalid_credential') return askToSignIn(c);
  if (error.code === 'step_up_required') return confirmations.use(({ askToConfirm }) => askToConfirm(c));
  if (error.code === 'factor_required') return seeOther(c, '/platform/account/factors');
  logFailure(error, { request_id: c.var.requestId });
  for (const [name, value] of Object.entries(failureHeaders(error))) c.header(name, value);
  const { viewer } = c.var;
  if (viewer?.deleted && error.code === 'gone') {
    const { DeletedPage } = failurePages.loaded ?? (await failurePages.load());
    const content = <DeletedPage client={viewer.deleted} session={viewer.session} />;
    return page(c, { title: c.var.words.text('errors.deletedWorkspace'), status: error.status, narrow: true }, content);
  }
  if (viewer?.closed && error.code === 'provider_required') {
    const { ClosedPage } = failurePages.loaded ?? (await failurePages.load());
    const content = <ClosedPage client={viewer.closed} />;
    return page(c, { title: c.var.words.text('errors.closedWorkspace'), status: error.status, narrow: true }, content);
  }
  const { ErrorPage } = failurePages.loaded ?? (await failurePages.load());
  return page(
    c,
    { title: String(error.status), status: error.status, narrow: true },
    <ErrorPage error={error} before={placeBefore(c, error)} carried={await formIn(c, error)} />,
  );
}

// The script of a page cannot show a page, nor sign in.
function respondWithScript(c: Context<PlatformEnv>, error: AppError, accept: string): Response {
  logFailure(error, { request_id: c.var.requestId });
  const { type, text } = writeFailure(error, { accept, origin: c.var.site.requestUrl.origin });
  return c.body(text, error.status, { 'Content-Type': type, ...failureHeaders(error) });
}

// The error page of a form links back to the page that had it; that of a page that may be there later, to itself.
function placeBefore(c: Context<PlatformEnv>, { code, status }: AppError): PreviousPage | null {
  const isForm = c.req.method !== 'GET' && c.req.method !== 'HEAD';
  if (isForm) {
    const path = code === 'wrong_origin' ? null : pageOfForm(c);
    return path === null ? null : { path, isForm };
  }
  const { pathname, search } = c.var.site.requestUrl;
  return mayPass(status) ? { path: pathname + search, isForm } : null;
}

/** The values typed into a form that can be sent again later. */
async function formIn(c: Context<PlatformEnv>, { code, status }: AppError): Promise<CarriedForm | null> {
  if (code === 'wrong_origin' || !mayPass(status)) return null;
  const typed = await typedIn(c);
  return typed === null || typed === 'too_long' ? null : { path: c.var.site.requestUrl.pathname, typed };
}

const mayPass = (status: number) => status === 429 || status >= 500;
