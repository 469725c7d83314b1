import type { Context } from 'hono';
import { ATTEMPT_SECONDS } from '../../accounts/providers/attempts.ts';
import { findProviderOf } from '../../accounts/providers/find.ts';
import { ProviderError } from '../../accounts/providers/provider-error.ts';
import { beginAtProvider } from '../../accounts/providers/sign-in.ts';
import { confirmByToken } from '../../accounts/providers/confirm-by-token.ts';
import { continueSession, findEndedSession, type EndedSession } from '../../accounts/providers/continue-session.ts';
import { AppError } from '../../errors.ts';
import { pathOfProvider } from '../../http/paths.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { providerToolsOf, serviceProviderOf } from '../../http/provider-tools.ts';
import { readCookie, writeCookie } from '../cookie.ts';
import type { PlatformEnv } from '../env.ts';

/** Lets the session of a browser continue if its provider still confirms its person. Returns true if it does. */
export async function continueHere(c: Context<PlatformEnv>): Promise<boolean> {
  const { db, services } = c.var;
  const ended = await endedSessionOf(c);
  if (!ended?.hasToken) return false;
  const ask = (asked: Parameters<typeof confirmByToken>[2], token: string) =>
    confirmByToken(providerToolsOf(c, ended), services.config.webhookKeys, asked, token);
  return continueSession(db, ask, ended);
}

/**
 * Sends a browser whose session was over to its provider, which shows nothing if the person is still signed in there; null
 * if there is no such session, or the provider cannot be asked.
 */
export async function askSilently(c: Context<PlatformEnv>, next: string): Promise<Response | null> {
  try {
    const ended = await endedSessionOf(c);
    // Where it gave a refresh token, that was tried.
    if (ended === null || ended.hasToken) return null;
    const { clientId } = ended;
    const provider = clientId === null ? await serviceProviderOf(c) : await findProviderOf(c.var.db, clientId);
    if (provider?.isOn !== true || provider.id !== ended.provider.id) return null;
    await limitRate(c, 'provider', null);
    const asked = { purpose: 'resume', next, session: null } as const;
    const { url, cookie } = await beginAtProvider(
      providerToolsOf(c, provider),
      provider,
      asked,
      readCookie(c, 'provider'),
    );
    writeCookie(c, 'provider', cookie, ATTEMPT_SECONDS);
    return c.redirect(url, 303);
  } catch (error) {
    // Other ways to sign in are open.
    if (error instanceof ProviderError || error instanceof AppError) return null;
    throw error;
  }
}

/** The page at which the person of a session that was over signs in again at its provider; null without one. */
export async function providerPageOf(c: Context<PlatformEnv>): Promise<string | null> {
  const ended = await endedSessionOf(c).catch(() => null);
  return ended && pathOfProvider(ended);
}

/** The session of a provider that was over by time; null without one, or if the operator has another provider now. */
async function endedSessionOf(c: Context<PlatformEnv>): Promise<EndedSession | null> {
  const value = readCookie(c, 'session');
  const ended = value === undefined ? null : await findEndedSession(c.var.db, value);
  if (ended?.clientId !== null) return ended;
  return (await serviceProviderOf(c))?.id === ended.provider.id ? ended : null;
}
