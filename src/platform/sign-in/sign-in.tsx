import { Hono, type Context } from 'hono';
import { isMailOn } from '../../http/mail-on.ts';
import { pathOfProvider, SERVICE_PROVIDER } from '../../http/paths.ts';
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
import { useWords } from '../words.tsx';
import type { AccessRefusal } from './access.ts';
import { OF_SERVICE, SignIn, signInHead } from './sign-in-form.tsx';
import { access, signingIn } from './sign-in-later.ts';

/** Signing in and out. */
export function signInPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform/sign-in', async (c) => {
    const { next: asked, company } = readQuery(c);
    const next = ownPath(asked, c.var.site.requestUrl);
    if (await sessionOf(c)) return seeOther(c, next);
    const refusal = await byAccess(c);
    if (refusal === null) return seeOther(c, next);
    return page(
      c,
      {
        ...signInHead(c.var),
        description: c.var.words.text('signIn.description'),
        status: refusal === 'invalid' ? 200 : STATUS[refusal.why],
      },
      <SignInPage
        form={newForm()}
        {...{ next, c }}
        {...(refusal !== 'invalid' && { lead: <AccessLead refusal={refusal} /> })}
        {...(refusal === 'invalid' && company !== undefined && { lead: <CompanyLead {...{ company, next }} /> })}
      />,
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
    // Access would sign the person in again at once.
    if (session?.provider?.kind === 'access') return seeOther(c, '/cdn-cgi/access/logout');
    return seeOther(c, '/platform/sign-in', 'signed-out');
  });

  return pages;
}

/** Signs in by the assertion of Cloudflare Access, whose header is read only where its vars are set. */
async function byAccess(c: Context<PlatformEnv>): Promise<AccessRefusal | 'invalid' | null> {
  if (c.var.services.config.access === null) return 'invalid';
  const assertion = c.req.header('Cf-Access-Jwt-Assertion');
  return assertion === undefined ? 'invalid' : access.use(({ signInHereByAccess }) => signInHereByAccess(c, assertion));
}

const STATUS = { unknown: 200, other: 403, unavailable: 503 } as const;

function AccessLead({ refusal: { why, email, subject } }: { refusal: AccessRefusal }) {
  const { text, content } = useWords();
  if (why === 'unavailable') return <p class="lead">{text('signIn.accessUnavailable')}</p>;
  return (
    <>
      <p class="lead">{content(why === 'other' ? 'signIn.accessOther' : 'signIn.accessUnknown', { email })}</p>
      <p class="quiet">{content('signIn.forOperator', { subject })}</p>
    </>
  );
}

/** @param company the workspace whose provider asks its person to sign in again, or that of the service */
function CompanyLead({ company, next }: { company: string; next: string }) {
  const path = pathOfProvider({ clientId: company === OF_SERVICE ? null : encodeURIComponent(company) });
  const a = (inside: string[]) => <a href={`${path}?next=${encodeURIComponent(next)}`}>{inside}</a>;
  return <p class="lead">{useWords().content('signIn.companyAsks', { a })}</p>;
}

const SignInPage = ({
  form,
  next,
  c,
  lead,
}: {
  form: FormState;
  next: string;
  c: Context<PlatformEnv>;
  lead?: ReturnType<typeof AccessLead>;
}) => {
  const { serviceProvider } = c.var.services.config;
  const atProvider = serviceProvider && {
    host: new URL(serviceProvider.issuer).host,
    path: `${SERVICE_PROVIDER}?next=${encodeURIComponent(next)}`,
  };
  return (
    <SignIn
      {...{ form, lead, atProvider }}
      site={c.var.site}
      hasMail={isMailOn(c)}
      action="/platform/sign-in"
      hidden={<Hidden name="next" value={next} />}
    />
  );
};
