import { Hono } from 'hono';
import { isMailOn } from '../../http/mail-on.ts';
import { readQuery } from '../../http/query.ts';
import type { Site } from '../../network/hosts.ts';
import { clearCookie } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, type FormState } from '../forms/form.ts';
import { sessionOf } from '../guard.ts';
import { Hidden } from '../kit/form.tsx';
import { ownPath } from '../nav.ts';
import { page } from '../page.tsx';
import { PASSKEYS } from '../passkeys/paths.ts';
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
      { ...signInHead(c.var), description: c.var.words.text('signIn.description') },
      <SignInPage form={newForm()} next={next} site={c.var.site} hasMail={isMailOn(c)} />,
    );
  });

  pages.post('/platform/sign-in', async (c) => {
    const { next, ...typed } = await readFields(c);
    const sent = await signingIn.use(({ signInBy }) => signInBy(c, typed));
    // A passkey of the former host opens the way to one of this host.
    if (sent.ok && sent.value.isOfFormerHost) return seeOther(c, PASSKEYS, 'passkey-of-former-host');
    if (sent.ok) return seeOther(c, ownPath(next, c.var.site.requestUrl));
    return page(
      c,
      { ...signInHead(c.var), status: sent.status },
      <SignInPage form={sent.form} next={next ?? '/platform'} site={c.var.site} hasMail={isMailOn(c)} />,
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

const SignInPage = ({ form, next, site, hasMail }: { form: FormState; next: string; site: Site; hasMail: boolean }) => (
  <SignIn {...{ form, site, hasMail }} action="/platform/sign-in" hidden={<Hidden name="next" value={next} />} />
);
