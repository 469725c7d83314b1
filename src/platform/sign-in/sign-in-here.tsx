import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { ErrorStatus } from '../../errors.ts';
import { MAX_FORM_BYTES, MULTIPART, readFormAs, singleTexts } from '../../http/form.ts';
import { sessionCookie } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, type FormState } from '../form.ts';
import { Hidden } from '../kit/form.tsx';
import { page } from '../page.tsx';
import { readTypedBefore, sentAgain, typedIn, type TypedBefore } from '../typed-before.ts';
import { SIGN_IN, SignIn, signInBy } from './sign-in-form.tsx';

/**
 * Signing in where a form was sent after the session had ended: the answer to that form asks for it, and its path then
 * shows the form again with what was typed.
 */

/** The parameter of the path of a form whose user signs in first. */
const HERE = 'sign-in';

/** Asks to sign in, in place of an answer to a request without a valid session. */
export async function askToSignIn(c: Context<PlatformEnv>): Promise<Response> {
  const typed = await typedIn(c);
  if (typed === 'too_long') return seeOther(c, signInPath(c), 'typed-lost');
  if (typed === null) return seeOther(c, signInPath(c));
  return answerSignIn(c, typed, newForm(), 401);
}

/** Signs in the user of a form, and hands what was typed on to its path, to be shown again. */
export const signInHere = createMiddleware<PlatformEnv>(async (c, next) => {
  const { site } = c.var;
  if (c.req.method !== 'POST' || !site.requestUrl.searchParams.has(HERE)) return next();
  const rules = { accepted: [MULTIPART], maxBytes: MAX_FORM_BYTES };
  const { typed: text = '', ...fields } = await readFormAs(c.req.raw, rules, singleTexts);
  const typed = readTypedBefore(text);
  const sent = await signInBy(c, fields);
  if (!sent.ok) return answerSignIn(c, typed, sent.form, sent.status);
  // What one user has typed is not shown to another one.
  if (sent.value.userId !== typed.by) return seeOther(c, '/platform');
  const requestUrl = new URL(site.requestUrl.pathname, site.requestUrl);
  c.req.raw = sentAgain(requestUrl, c.req.raw.headers, sessionCookie(c, sent.value.value), typed);
  c.set('site', { ...site, requestUrl });
  c.set('shownAgain', { passwords: typed.passwords });
  return next();
});

function answerSignIn(c: Context<PlatformEnv>, typed: TypedBefore, form: FormState, status: ErrorStatus | 200) {
  const lead = <p>You were signed out. Sign in to continue with what you typed. Nothing has been saved yet.</p>;
  return page(
    c,
    { ...SIGN_IN, status },
    <SignIn
      {...{ form, lead }}
      action={`${c.var.site.requestUrl.pathname}?${HERE}`}
      multipart
      hidden={<Hidden name="typed" value={JSON.stringify(typed)} />}
    />,
  );
}

function signInPath(c: Context<PlatformEnv>): string {
  const { pathname, search } = c.var.site.requestUrl;
  // The path that a form posts to may have no page.
  if (c.req.method !== 'GET' || pathname === '/platform') return '/platform/sign-in';
  return `/platform/sign-in?next=${encodeURIComponent(pathname + search)}`;
}
