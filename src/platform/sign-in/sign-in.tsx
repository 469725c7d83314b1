import { Hono, type Context } from 'hono';
import { SERVICE_PROVIDER } from '../../http/paths.ts';
import { readQuery } from '../../http/query.ts';
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
      <SignInPage form={newForm()} {...{ next, c }} />,
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
      <SignInPage form={sent.form} next={next ?? '/platform'} c={c} />,
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

const SignInPage = ({ form, next, c }: { form: FormState; next: string; c: Context<PlatformEnv> }) => (
  <SignIn
    form={form}
    action="/platform/sign-in"
    hidden={<Hidden name="next" value={next} />}
    site={c.var.site}
    atProvider={
      c.var.services.config.serviceProvider && {
        host: new URL(c.var.services.config.serviceProvider.issuer).host,
        path: `${SERVICE_PROVIDER}?next=${encodeURIComponent(next)}`,
      }
    }
  />
);
