import { Hono, type Context } from 'hono';
import { beginAtProvider, bindToProvider, joinByProvider } from '../../accounts/providers/sign-in.ts';
import { ATTEMPT_SECONDS, readUnbound, type Attempt, type Unbound } from '../../accounts/providers/attempts.ts';
import { findProviderOf, findProviderOfMail } from '../../accounts/providers/find.ts';
import type { Provider } from '../../accounts/providers/provider.ts';
import { noPerson } from '../../accounts/providers/provider-error.ts';
import { requireConfirmation } from '../../accounts/sessions/confirmation.ts';
import { AppError } from '../../errors.ts';
import { BY_MAIL, pathOfProvider, SERVICE_PROVIDER } from '../../http/paths.ts';
import { providerToolsOf, serviceProviderOf } from '../../http/provider-tools.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { zoneOfBrowser } from '../account/zones.ts';
import { readCookie, writeCookie } from '../cookie.ts';
import { deviceOf } from '../device.ts';
import type { PlatformEnv } from '../env.ts';
import { newForm, readFields, type FormState } from '../forms/form.ts';
import { sessionOf } from '../guard.ts';
import { clientPath, ownPath } from '../nav.ts';
import { page } from '../page.tsx';
import { contentSecurityPolicy } from '../page-policy.ts';
import { Door } from '../sign-in/door.tsx';
import { BeginPage, JoinPage, MailPage, NonePage } from './sso-pages.tsx';
import { respondToProvider, respondWithSession } from './callback.tsx';
import { respondToFailure } from './failure.tsx';

type At = Context<PlatformEnv>;

/** The provider of a path, on or not; null without one. */
type Find = (c: At) => Promise<Provider | null>;

/** Signing in at the provider of a workspace, or at that of the service. The first page is the same whether there is one. */
export function ssoPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.get(BY_MAIL, (c) => respondWithMail(c, newForm(), c.req.query('next')));
  pages.post(BY_MAIL, async (c) => {
    const { email = '', next } = await readFields(c);
    await limitRate(c, 'provider', null);
    const provider = await findProviderOfMail(c.var.db, email);
    if (provider?.isOn !== true) {
      const faults = { email: c.var.words.text('providers.noneForMail') };
      return respondWithMail(c, { ...newForm({ email }), faults }, next, 404);
    }
    return sendToProvider(c, provider, { purpose: 'sign_in', next: nextOf(c, provider, next), session: null });
  });
  addPages(pages, SERVICE_PROVIDER, serviceProviderOf);
  addPages(pages, '/platform/sso/:client', async (c) => findProviderOf(c.var.db, c.req.param('client') ?? ''));
  return pages;
}

function addPages(pages: Hono<PlatformEnv>, at: string, find: Find): void {
  pages.get(at, (c) => respondWithBegin(c));

  pages.post(at, async (c) => {
    const { next, purpose } = await readFields(c);
    await limitRate(c, 'provider', null);
    const provider = await find(c);
    if (provider?.isOn !== true) return respondWithNone(c);
    const isConfirmation = purpose === 'confirm';
    return sendToProvider(c, provider, {
      purpose: isConfirmation ? 'confirm' : 'sign_in',
      next: nextOf(c, provider, next),
      session: isConfirmation ? ((await sessionOf(c))?.credential.familyId ?? null) : null,
    });
  });

  pages.get(`${at}/callback`, async (c) => {
    await limitRate(c, 'provider', null);
    return respondToProvider(c, await find(c));
  });

  pages.get(`${at}/join`, (c) => withPerson(c, find, async (provider, person) => respondWithJoin(c, provider, person)));

  pages.post(`${at}/join`, async (c) => {
    const { tz } = await readFields(c);
    return withPerson(c, find, async (provider, person) => {
      const zone = tz ? zoneOfBrowser(tz) : null;
      const { signInJoins } = c.var.services.config;
      const joined = await joinByProvider({ db: c.var.db }, provider, person, signInJoins, zone, deviceOf(c));
      return respondWithSession(c, provider, joined, person.next);
    });
  });

  pages.post(`${at}/bind`, async (c) => {
    await readFields(c);
    const session = await sessionOf(c);
    if (!session) throw new AppError('missing_credential', 'Sign in to see this page.');
    requireConfirmation(session);
    return withPerson(c, find, async (provider, person) => {
      const bound = await bindToProvider({ db: c.var.db }, person, session, deviceOf(c));
      return respondWithSession(c, provider, bound, person.next);
    });
  });
}

/** The page after a sign-in: that which was asked for, or the first one of the workspace that the session opens. */
function nextOf(c: At, { clientId }: Provider, next: string | undefined): string {
  const path = ownPath(next, c.var.site.requestUrl);
  return path === '/platform' && clientId !== null ? clientPath({ id: clientId }) : path;
}

/** Sends a browser to a provider. */
export async function sendToProvider(
  c: Context<PlatformEnv>,
  provider: Provider,
  asked: Pick<Attempt, 'purpose' | 'next' | 'session'>,
): Promise<Response> {
  try {
    const former = readCookie(c, 'provider');
    const { url, cookie } = await beginAtProvider(providerToolsOf(c, provider), provider, asked, former);
    writeCookie(c, 'provider', cookie, ATTEMPT_SECONDS);
    return c.redirect(url, 303);
  } catch (error) {
    return respondToFailure(c, error, asked);
  }
}

/** Works for the person whom the provider has confirmed and who waits to choose, as the cookie of this browser says. */
async function withPerson(
  c: At,
  find: Find,
  work: (provider: Provider, person: Unbound) => Promise<Response>,
): Promise<Response> {
  const provider = await find(c);
  const secrets = c.var.services.config.tokenKeys.map(({ d }) => d);
  const person = readUnbound(secrets, readCookie(c, 'person'));
  if (provider?.isOn !== true || person?.provider !== provider.id) return respondToFailure(c, noPerson(), null);
  try {
    return await work(provider, person);
  } catch (error) {
    return respondToFailure(c, error, null);
  }
}

/** Lets the form of a page lead to a provider: browsers apply the policy to the redirect after the form too. */
export const leadToProviders = (c: Context<PlatformEnv>): void =>
  c.header('Content-Security-Policy', contentSecurityPolicy({ formActions: formActionsOf(c), hasScripts: false }));

const formActionsOf = (c: Context<PlatformEnv>): readonly string[] =>
  c.var.services.config.webhookLoopback ? ['https:', 'http://localhost:*', 'http://127.0.0.1:*'] : ['https:'];

function respondWithBegin(c: At) {
  const { words, site } = c.var;
  leadToProviders(c);
  const { searchParams } = site.requestUrl;
  const next = ownPath(searchParams.get('next') ?? undefined, site.requestUrl);
  const purpose = searchParams.get('purpose') === 'confirm' ? 'confirm' : 'sign_in';
  return page(
    c,
    { title: words.text('providers.begin'), narrow: true, beside: <Door />, isStatic: true },
    <BeginPage action={site.requestUrl.pathname} {...{ next, purpose }} />,
  );
}

function respondWithMail(c: At, form: FormState, next: string | undefined, status: 200 | 404 = 200) {
  const { words, site } = c.var;
  leadToProviders(c);
  return page(
    c,
    { title: words.text('providers.begin'), narrow: true, beside: <Door />, isStatic: true, status },
    <MailPage action={BY_MAIL} next={ownPath(next, site.requestUrl)} form={form} />,
  );
}

function respondWithNone(c: Context<PlatformEnv>) {
  const title = c.var.words.text('providers.none');
  return page(c, { title, narrow: true, beside: <Door />, status: 404 }, <NonePage />);
}

async function respondWithJoin(c: At, provider: Provider, person: Unbound) {
  const session = await sessionOf(c);
  if (session) c.set('viewer', { session, client: null });
  const path = pathOfProvider(provider);
  const canJoin = provider.clientId !== null || c.var.services.config.signInJoins !== null;
  return page(
    c,
    { title: c.var.words.text('providers.join'), narrow: true, beside: <Door /> },
    <JoinPage {...{ provider, person, session, path, canJoin }} />,
  );
}
