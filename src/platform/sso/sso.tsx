import { Hono, type Context } from 'hono';
import { inCookie, joinByProvider, bindToProvider, beginAtProvider } from '../../accounts/providers/sign-in.ts';
import { ATTEMPT_SECONDS, readUnbound, type Attempt, type Unbound } from '../../accounts/providers/attempts.ts';
import { findProviderOf } from '../../accounts/providers/find.ts';
import type { Provider } from '../../accounts/providers/provider.ts';
import { noPerson } from '../../accounts/providers/provider-error.ts';
import { requireConfirmation } from '../../accounts/sessions/confirmation.ts';
import { AppError } from '../../errors.ts';
import { providerPath } from '../../http/paths.ts';
import { providerToolsOf } from '../../http/provider-tools.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { zoneOfBrowser } from '../account/zones.ts';
import { readCookie, writeCookie } from '../cookie.ts';
import { deviceOf } from '../device.ts';
import type { PlatformEnv } from '../env.ts';
import { readFields } from '../forms/form.ts';
import { sessionOf } from '../guard.ts';
import { clientPath, ownPath } from '../nav.ts';
import { page } from '../page.tsx';
import { contentSecurityPolicy } from '../page-policy.ts';
import { Door } from '../sign-in/door.tsx';
import { BeginPage, JoinPage, NonePage } from './sso-pages.tsx';
import { respondToProvider, respondWithSession } from './callback.tsx';
import { respondToFailure } from './failure.tsx';

const AT = '/platform/sso/:client';
type AtProvider = Context<PlatformEnv, typeof AT>;

/** Signing in at the provider of a workspace. Its first page is the same whether there is one. */
export function ssoPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(AT, (c) => respondWithBegin(c, c.req.param('client')));

  pages.post(AT, async (c) => {
    const { next, purpose } = await readFields(c);
    await limitRate(c, 'provider', null);
    const provider = await findOn(c);
    if (provider === null) return respondWithNone(c);
    const isConfirmation = purpose === 'confirm';
    const path = ownPath(next, c.var.site.requestUrl);
    return sendToProvider(c, provider, {
      purpose: isConfirmation ? 'confirm' : 'sign_in',
      next: path === '/platform' ? clientPath({ id: c.req.param('client') }) : path,
      session: isConfirmation ? ((await sessionOf(c))?.credential.familyId ?? null) : null,
    });
  });

  pages.get(`${AT}/callback`, async (c) => {
    await limitRate(c, 'provider', null);
    return respondToProvider(c, await findProviderOf(c.var.db, c.req.param('client')));
  });

  pages.get(`${AT}/join`, async (c) => {
    const { provider, person } = await personHere(c);
    return provider && person ? respondWithJoin(c, provider, person) : respondToFailure(c, noPerson());
  });

  pages.post(`${AT}/join`, async (c) => {
    const { tz } = await readFields(c);
    return withPerson(c, async (provider, person) => {
      const signedIn = await joinByProvider({ db: c.var.db }, person, tz ? zoneOfBrowser(tz) : null, deviceOf(c));
      return respondWithSession(c, provider, signedIn, person.next);
    });
  });

  pages.post(`${AT}/bind`, async (c) => {
    await readFields(c);
    const session = await sessionOf(c);
    if (!session) throw new AppError('missing_credential', 'Sign in to see this page.');
    requireConfirmation(session);
    return withPerson(c, async (provider, person) =>
      respondWithSession(
        c,
        provider,
        await bindToProvider({ db: c.var.db }, person, session, deviceOf(c)),
        person.next,
      ),
    );
  });

  return pages;
}

/** Sends a browser to a provider. */
export async function sendToProvider(
  c: Context<PlatformEnv>,
  provider: Provider,
  asked: Pick<Attempt, 'purpose' | 'next' | 'session'>,
): Promise<Response> {
  try {
    const { url, cookie } = await beginAtProvider(providerToolsOf(c, provider), provider, asked);
    writeCookie(c, 'provider', cookie, ATTEMPT_SECONDS);
    return c.redirect(url, 303);
  } catch (error) {
    return respondToFailure(c, error);
  }
}

async function findOn(c: AtProvider): Promise<Provider | null> {
  const provider = await findProviderOf(c.var.db, c.req.param('client'));
  return provider?.isOn === true ? provider : null;
}

/** The person whom the provider has confirmed and who waits to choose, as the cookie of this browser says. */
async function personHere(c: AtProvider): Promise<{ provider: Provider | null; person: Unbound | null }> {
  const provider = await findOn(c);
  const secrets = c.var.services.config.tokenKeys.map(({ d }) => d);
  const person = readUnbound(secrets, readCookie(c, 'provider'));
  return { provider, person: person?.provider === provider?.id ? person : null };
}

async function withPerson(c: AtProvider, work: (provider: Provider, person: Unbound) => Promise<Response>) {
  const { provider, person } = await personHere(c);
  if (!provider || !person) return respondToFailure(c, noPerson());
  try {
    return await work(provider, person);
  } catch (error) {
    return respondToFailure(c, error);
  }
}

/** Browsers apply the policy to the redirect after the form too. */
export const leadToProviders = (c: Context<PlatformEnv>): void =>
  c.header('Content-Security-Policy', contentSecurityPolicy({ formActions: formActionsOf(c), hasScripts: false }));

const formActionsOf = (c: Context<PlatformEnv>): readonly string[] =>
  c.var.services.config.webhookLoopback ? ['https:', 'http://localhost:*', 'http://127.0.0.1:*'] : ['https:'];

function respondWithBegin(c: AtProvider, client: string) {
  const { words, site } = c.var;
  leadToProviders(c);
  const { searchParams } = site.requestUrl;
  const next = ownPath(searchParams.get('next') ?? undefined, site.requestUrl);
  const purpose = searchParams.get('purpose') === 'confirm' ? 'confirm' : 'sign_in';
  return page(
    c,
    { title: words.text('providers.begin'), narrow: true, beside: <Door />, isStatic: true },
    <BeginPage action={providerPath(client)} {...{ next, purpose }} />,
  );
}

function respondWithNone(c: Context<PlatformEnv>) {
  const title = c.var.words.text('providers.none');
  return page(c, { title, narrow: true, beside: <Door />, status: 404 }, <NonePage />);
}

async function respondWithJoin(c: AtProvider, provider: Provider, person: Unbound) {
  const session = await sessionOf(c);
  if (session) c.set('viewer', { session, client: null });
  const path = providerPath(c.req.param('client'));
  return page(
    c,
    { title: c.var.words.text('providers.join'), narrow: true, beside: <Door /> },
    <JoinPage {...{ provider, person: inCookie(person), session, path }} />,
  );
}
