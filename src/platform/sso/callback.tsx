import type { Context } from 'hono';
import type { Confirmed } from '../../accounts/providers/ask-provider.ts';
import { ATTEMPT_SECONDS, takeAttempt, writeUnbound, type Attempt } from '../../accounts/providers/attempts.ts';
import type { Provider } from '../../accounts/providers/provider.ts';
import {
  noAttempt,
  ofAnotherSession,
  onlyOwners,
  ProviderError,
  turnedOff,
} from '../../accounts/providers/provider-error.ts';
import {
  confirmByProvider,
  returnFromProvider,
  signInByProvider,
  type SignedIn,
} from '../../accounts/providers/sign-in.ts';
import { endSession, type Session } from '../../accounts/sessions/session.ts';
import { pathOfProvider } from '../../http/paths.ts';
import { providerToolsOf } from '../../http/provider-tools.ts';
import { readQuery } from '../../http/query.ts';
import { clearCookie, keepSession, readCookie, writeCookie } from '../cookie.ts';
import { deviceOf } from '../device.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm } from '../forms/form.ts';
import { sessionOf } from '../guard.ts';
import { Hidden } from '../kit/form.tsx';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { secondStepFor } from '../sign-in/second-step.ts';
import { OF_SERVICE, SignIn, signInHead } from '../sign-in/sign-in-form.tsx';
import { respondToFailure } from './failure.tsx';
import { ClaimsPage } from './sso-pages.tsx';

/** The response to a browser that comes back from a provider. */
export async function respondToProvider(c: Context<PlatformEnv>, provider: Provider | null): Promise<Response> {
  const secrets = c.var.services.config.tokenKeys.map(({ d }) => d);
  const query = readQuery(c);
  const { attempt, others } = takeAttempt(secrets, readCookie(c, 'provider'), query['state']);
  // Those of other tabs are kept.
  if (others === '') clearCookie(c, 'provider');
  else writeCookie(c, 'provider', others, ATTEMPT_SECONDS);
  try {
    if (!attempt || !provider) throw noAttempt();
    if (!provider.isOn && attempt.purpose !== 'test') throw turnedOff();
    const session = attempt.session === null ? null : await sessionOf(c);
    if (attempt.session !== (session?.credential.familyId ?? null)) throw ofAnotherSession();
    const confirmed = await returnFromProvider(providerToolsOf(c, provider), provider, attempt, query);
    return await finish(c, provider, attempt, confirmed, session);
  } catch (error) {
    if (attempt?.purpose === 'resume' && provider && isRefusal(c, error)) return askInstead(c, provider, attempt);
    if (attempt?.purpose === 'test') return respondToFailedTest(c, error, provider);
    return respondToFailure(c, error, attempt);
  }
}

/** True if a provider has said that it does not let the person in without showing something. */
const isRefusal = (c: Context<PlatformEnv>, error: unknown): boolean =>
  error instanceof ProviderError && error.failure === 'denied' && readQuery(c)['error'] !== undefined;

/** The sign-in, where a provider has not confirmed by itself the person whose session was over. */
function askInstead(c: Context<PlatformEnv>, { clientId }: Provider, { next }: Attempt): Response {
  return seeOther(c, `/platform/sign-in?${new URLSearchParams({ next, company: clientId ?? OF_SERVICE }).toString()}`);
}

async function finish(
  c: Context<PlatformEnv>,
  provider: Provider,
  attempt: Attempt,
  confirmed: Confirmed,
  session: Session | null,
): Promise<Response> {
  const { next, purpose } = attempt;
  if (purpose === 'sign_in' || purpose === 'resume') {
    const signedIn = await signInByProvider(providerToolsOf(c, provider), provider, confirmed, next, deviceOf(c));
    return respondWithSession(c, provider, signedIn, next);
  }
  if (session === null) throw ofAnotherSession();
  if (purpose === 'confirm') {
    await confirmByProvider({ db: c.var.db }, provider, attempt, confirmed, session);
    return seeOther(c, next);
  }
  const client = ownClientOf(session, provider);
  if (client === undefined) throw onlyOwners();
  c.set('viewer', { session, client });
  return page(c, { title: c.var.words.text('providers.tested') }, <ClaimsPage {...{ client, provider, confirmed }} />);
}

const ownClientOf = ({ clients }: Session, provider: Provider) =>
  clients.find(({ id, role }) => id === provider.clientId && role === 'owner');

/** The response to an owner whose test has failed, within the pages of their workspace. */
async function respondToFailedTest(c: Context<PlatformEnv>, error: unknown, provider: Provider | null) {
  const session = await sessionOf(c);
  const client = session && provider ? ownClientOf(session, provider) : undefined;
  if (!session || !client) return respondToFailure(c, error, null);
  c.set('viewer', { session, client });
  return respondToFailure(c, error, { purpose: 'test', next: clientPath(client, 'settings/sign-in') });
}

/** The response to a person whom a provider has confirmed. */
export async function respondWithSession(
  c: Context<PlatformEnv>,
  provider: Provider,
  signedIn: SignedIn,
  next: string,
): Promise<Response> {
  if (signedIn.kind === 'unbound') {
    const secrets = c.var.services.config.tokenKeys.map(({ d }) => d);
    writeCookie(c, 'person', writeUnbound(secrets, signedIn.person), ATTEMPT_SECONDS);
    return c.redirect(`${pathOfProvider(provider)}/join`, 303);
  }
  if (signedIn.kind === 'second_step') {
    const form = newForm({ step: secondStepFor(c, signedIn.user), tz: '' });
    const hidden = <Hidden name="next" value={next} />;
    const content = <SignIn form={form} action="/platform/sign-in" hidden={hidden} site={c.var.site} />;
    return page(c, signInHead(c.var), content);
  }
  clearCookie(c, 'person');
  // An earlier session of this browser is ended, so that it does not stay signed in.
  const former = await sessionOf(c);
  if (former) await endSession(c.var.db, former);
  keepSession(c, signedIn.value);
  return seeOther(c, next);
}
