import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { ErrorStatus } from '../../errors.ts';
import { MAX_FORM_BYTES, MULTIPART, readFormAs, singleTexts } from '../../http/form.ts';
import { Later } from '../../isolate/later.ts';
import { BY_SCRIPT, isByScript } from '../forms/by-script.ts';
import type { PlatformEnv } from '../env.ts';
import { readCookie, sessionCookie } from '../cookie.ts';
import { seeOther } from '../flash.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { continuing } from '../guard.ts';
import { Hidden } from '../kit/form.tsx';
import { page } from '../page.tsx';
import { pageOfForm, ShowAgain } from '../forms/show-again.tsx';
import { CONFIRM, fieldsOf, handOn, HERE, textsOf, typedIn } from '../forms/resume-form.ts';
import type { ResumedForm } from '../forms/resumed-form.ts';
import { SignIn, signInHead } from './sign-in-form.tsx';
import { signingIn } from './sign-in-later.ts';

/**
 * Signing in where a form was sent after the session had ended: the answer to that form asks for it, and its path then
 * shows the form again with what was typed.
 */

/** Asks to sign in, in place of an answer to a request without a valid session. */
export async function askToSignIn(c: Context<PlatformEnv>): Promise<Response> {
  const typed = await typedIn(c);
  const hasCookie = readCookie(c, 'session') !== undefined;
  if (typed !== null && typed !== 'too_long') {
    const elsewhere = hasCookie ? await continuing.use(({ providerPageOf }) => providerPageOf(c)) : null;
    return respondWithSignIn(c, typed, newForm(), 401, elsewhere);
  }
  // Only a browser that opens a page can be led to a provider and back: no script, and no form.
  if (hasCookie && c.req.method === 'GET' && c.req.header('Sec-Fetch-Dest') === 'document') {
    const { pathname, search } = c.var.site.requestUrl;
    const led = await continuing.use(({ askSilently }) => askSilently(c, pathname + search));
    if (led) return led;
  }
  // The page of the form keeps what was typed.
  if (isByScript(c)) {
    c.header(BY_SCRIPT, 'signed-out');
    return seeOther(c, signInPath(c));
  }
  const hasFile = c.req.header('Content-Type')?.startsWith(MULTIPART);
  return seeOther(c, signInPath(c), typed === 'too_long' ? 'typed-lost' : hasFile ? 'file-lost' : undefined);
}

/** Confirming who one is in place of a form, which few requests ask for. */
export const confirmations = new Later(() => import('./confirm-here.tsx'));

/**
 * Signs in the user of a form, and hands what was typed on to its path, to be shown again; or confirms who they are, and
 * hands it on to be done.
 */
export const signInHere = createMiddleware<PlatformEnv>(async (c, next) => {
  const { site } = c.var;
  if (c.req.method !== 'POST') return next();
  const { searchParams } = site.requestUrl;
  if (searchParams.has(CONFIRM)) return confirmations.use(({ confirmHere }) => confirmHere(c, next));
  if (!searchParams.has(HERE)) return next();
  const rules = { accepted: [MULTIPART], maxBytes: MAX_FORM_BYTES };
  const { typed: text = '', ...fields } = await readFormAs(c.req.raw, rules, (form) => {
    c.set('sent', textsOf(form));
    return singleTexts(form);
  });
  const { readResumedForm } = await import('../failure-pages.ts');
  const typed = readResumedForm(text);
  // The page of an error carries it on.
  c.set('sent', fieldsOf(typed));
  const sent = await signingIn.use(({ signInBy }) => signInBy(c, fields));
  if (!sent.ok) return respondWithSignIn(c, typed, sent.form, sent.status);
  // What one user has typed is not shown to another one.
  if (sent.value.userId !== typed.by) return seeOther(c, '/platform', 'typed-lost');
  handOn(c, typed, sessionCookie(c, sent.value.value), c.var.words.text('signIn.signedInAgain'));
  return next();
});

/** @param elsewhere the page of the provider at which the session had begun, which cannot be led to with what was typed */
function respondWithSignIn(
  c: Context<PlatformEnv>,
  typed: ResumedForm,
  form: FormState,
  status: ErrorStatus | 200,
  elsewhere: string | null = null,
) {
  const { text, content } = c.var.words;
  const a = (inside: string[]) => (
    <a href={elsewhere ?? ''} target="_blank">
      {inside}
    </a>
  );
  const lead = (
    <>
      <p class="lead">{text('signIn.wereSignedOut')}</p>
      {elsewhere !== null && (
        <>
          <p>{content('signIn.companyElsewhere', { a })}</p>
          <ShowAgain path={c.var.site.requestUrl.pathname} typed={typed} />
        </>
      )}
    </>
  );
  return page(
    c,
    { ...signInHead(c.var), status },
    <SignIn
      {...{ form, lead }}
      site={c.var.site}
      asks={elsewhere === null}
      action={`${c.var.site.requestUrl.pathname}?${HERE}`}
      multipart
      hidden={<Hidden name="typed" value={JSON.stringify(typed)} />}
    />,
  );
}

function signInPath(c: Context<PlatformEnv>): string {
  const { pathname, search } = c.var.site.requestUrl;
  // The path that a form posts to may have no page.
  const next = c.req.method === 'GET' ? pathname + search : (pageOfForm(c) ?? '/platform');
  return next === '/platform' ? '/platform/sign-in' : `/platform/sign-in?next=${encodeURIComponent(next)}`;
}
