import { Hono } from 'hono';
import { readQuery } from '../../http/query.ts';
import { clearCookie } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, type FormState } from '../forms/form.ts';
import { sessionOf } from '../guard.ts';
import { Hidden } from '../kit/form.tsx';
import { ownPath } from '../nav.ts';
import { page } from '../page.tsx';
import { SignIn, signInHead } from './sign-in-form.tsx';
import { signingIn } from './sign-in-later.ts';

/** Signing in and out. */
export function signInPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform/sign-in', async (c) => {
    const next = ownPath(readQuery(c)['next'], c.var.site.requestUrl);
    if (await sessionOf(c)) return seeOther(c, next);
    return page(
      c,
      { ...signInHead(c.var.words), description: c.var.words.text('signIn.description') },
      <SignInPage form={newForm()} next={next} />,
    );
  });

  pages.post('/platform/sign-in', async (c) => {
    const { next, ...typed } = await readFields(c);
    const sent = await signingIn.use(({ signInBy }) => signInBy(c, typed));
    if (sent.ok) return seeOther(c, ownPath(next, c.var.site.requestUrl));
    return page(
      c,
      { ...signInHead(c.var.words), status: sent.status },
      <SignInPage form={sent.form} next={next ?? '/platform'} />,
    );
  });

  pages.post('/platform/sign-out', async (c) => {
    const session = await sessionOf(c);
    if (session) await signingIn.use(({ endSession }) => endSession(c.var.db, session));
    clearCookie(c, 'session');
    clearCookie(c, 'workspace');
    return seeOther(c, '/platform/sign-in', 'signed-out');
  });

  return pages;
}

const SignInPage = ({ form, next }: { form: FormState; next: string }) => (
  <SignIn form={form} action="/platform/sign-in" hidden={<Hidden name="next" value={next} />} />
);
