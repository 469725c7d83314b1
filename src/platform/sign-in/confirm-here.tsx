import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { waysToConfirm } from '../../accounts/factors/ways-to-confirm.ts';
import { relyingPartyOf } from '../../accounts/passkeys/relying-party.ts';
import { AppError, type ErrorStatus } from '../../errors.ts';
import { pathOfProvider } from '../../http/paths.ts';
import { URLENCODED } from '../../http/body.ts';
import { MAX_FORM_BYTES, MULTIPART, readFormAs, singleTexts } from '../../http/form.ts';
import { readQuery } from '../../http/query.ts';
import { Later } from '../../isolate/later.ts';
import { OWN_DATA } from '../account/paths.ts';
import { BY_SCRIPT, isByScript } from '../forms/by-script.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { CONFIRM, fieldsOf, handOn, typedIn } from '../forms/resume-form.ts';
import type { ResumedForm } from '../forms/resumed-form.ts';
import { pageOfForm } from '../forms/show-again.tsx';
import { besideClient, sessionOf, signedIn } from '../guard.ts';
import { Hidden } from '../kit/form.tsx';
import { lastClientOf } from '../last-client.ts';
import { ownPath } from '../nav.ts';
import { leadBackFrom } from '../oauth/lead-back.ts';
import { page } from '../page.tsx';
import { ConfirmIdentity } from './confirm-form.tsx';

/**
 * Confirming who one is where a session that was confirmed longer ago asks for what wants it: a form is carried by the page
 * that asks, and done afterwards; else that page leads back.
 */

const confirming = new Later(() => import('./confirm-by.ts'));

/** Asks in place of an answer to a request. */
export async function askToConfirm(c: Context<PlatformEnv>): Promise<Response> {
  const typed = await typedIn(c);
  if (typed !== null && typed !== 'too_long' && typed.passwords.length === 0) {
    return respondWithForm(c, { typed, form: newForm(), status: 403 });
  }
  // The page of the form keeps what was typed.
  if (isByScript(c)) c.header(BY_SCRIPT, 'to-confirm');
  const { pathname, search } = c.var.site.requestUrl;
  const isForm = c.req.method !== 'GET';
  const next = isForm ? (pageOfForm(c) ?? '/platform') : pathname + search;
  return seeOther(c, `/platform/confirm?next=${encodeURIComponent(next)}`, isForm ? 'not-done-yet' : undefined);
}

/** Confirms the user of a form that such a page has carried, and hands it on to its path. */
export const confirmHere = createMiddleware<PlatformEnv>(async (c, next) => {
  if (c.req.method !== 'POST' || !c.var.site.requestUrl.searchParams.has(CONFIRM)) return next();
  const { typed: text = '', ...fields } = await readConfirmation(c);
  const { readResumedForm } = await import('../failure-pages.ts');
  const typed = readResumedForm(text);
  // The page of an error carries it on.
  c.set('sent', fieldsOf(typed));
  const session = await sessionOf(c);
  if (!session) throw new AppError('missing_credential', 'Sign in to see this page.');
  c.set('session', session);
  c.set('viewer', { session, client: lastClientOf(c, session) });
  if (session.userId !== typed.by) return seeOther(c, '/platform', 'typed-lost');
  const sent = await confirming.use(({ confirmBy }) => confirmBy(c, fields));
  if (!sent.ok) return respondWithForm(c, { typed, form: sent.form, status: sent.status });
  handOn(c, typed, c.req.header('Cookie') ?? '', null);
  return next();
});

/** The page that asks, and then redirects to another one. */
export function confirmPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use('/platform/confirm', signedIn, besideClient);
  pages.get('/platform/confirm', (c) => respondWithForm(c, { next: nextOf(c), form: newForm(), status: 200 }));
  pages.post('/platform/confirm', async (c) => {
    const fields = await readConfirmation(c);
    const sent = await confirming.use(({ confirmBy }) => confirmBy(c, fields));
    if (!sent.ok) return respondWithForm(c, { next: nextOf(c), form: sent.form, status: sent.status });
    // A browser that saves a file would still show this form.
    return nextOf(c) === OWN_DATA ? seeOther(c, '/platform/account', 'confirmed-for-data') : seeOther(c, nextOf(c));
  });
  return pages;
}

const nextOf = (c: Context<PlatformEnv>): string => ownPath(readQuery(c)['next'], c.var.site.requestUrl);

const readConfirmation = (c: Context<PlatformEnv>) =>
  readFormAs(c.req.raw, { accepted: [MULTIPART, URLENCODED], maxBytes: MAX_FORM_BYTES }, singleTexts);

/** Where "Cancel" leads to: the page before, and the first page once a confirmation was refused. */
function backOf(c: Context<PlatformEnv>): string {
  const from = pageOfForm(c);
  return from === null || from.startsWith('/platform/confirm') ? '/platform' : from;
}

type Asked = { readonly form: FormState; readonly status: ErrorStatus | 200 } & (
  | { readonly typed: ResumedForm }
  | { readonly next: string }
);

async function respondWithForm(c: Context<PlatformEnv>, asked: Asked) {
  const { session, site, words } = c.var;
  const { form, status } = asked;
  const ways = await waysToConfirm(c.var.db, session, relyingPartyOf(site)?.id ?? null);
  const next = 'next' in asked ? asked.next : (pageOfForm(c) ?? '/platform');
  if ('typed' in asked) leadBackFrom(c, asked.typed);
  const action =
    'typed' in asked
      ? `${site.requestUrl.pathname}?${CONFIRM}`
      : `/platform/confirm?next=${encodeURIComponent(asked.next)}`;
  return page(
    c,
    { title: words.text('confirmIdentity.title'), status, narrow: true, scripts: ways.passkeys ? ['passkeys.js'] : [] },
    <ConfirmIdentity
      // A code is not shown again.
      form={{ ...form, values: {} }}
      action={action}
      back={backOf(c)}
      ways={ways}
      userName={session.userName}
      atProvider={
        session.provider?.kind === 'openid'
          ? `${pathOfProvider({ clientId: session.limitedTo })}?${new URLSearchParams({ purpose: 'confirm', next }).toString()}`
          : null
      }
      afterAccess={session.provider?.kind === 'access'}
      hidden={'typed' in asked && <Hidden name="typed" value={JSON.stringify(asked.typed)} />}
    />,
  );
}
