import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { factorRequired, providerRequired } from '../accounts/refusals.ts';
import { requireConfirmation } from '../accounts/sessions/confirmation.ts';
import type { Session } from '../accounts/sessions/session.ts';
import { AppError } from '../errors.ts';
import { limitRate } from '../http/rate-limits.ts';
import { Later } from '../isolate/later.ts';
import { readCookie } from './cookie.ts';
import type { PlatformEnv } from './env.ts';
import { keepLastClient, lastClientOf } from './last-client.ts';
import { isPlatformLanguage, wordsIn } from './words.tsx';
import { demandsFactor } from './workspace/demands-factor.ts';

/**
 * Requires a session, and sets `session`. Throws `missing_credential`, `store_unavailable`, and for forms
 * `too_many_requests`.
 */
export const signedIn = signedInBy(true);

/** `signedIn` for what a page requests by itself: the session is not used by that, and ends when it is idle. */
export const signedInByPage = signedInBy(false);

/**
 * For the pages of a client, whose paths have `:client`: sets `client` and `actor`. A client that the user does not
 * belong to is not found, whether it exists or not. Throws `not_found`, `provider_required` if the session does not open the
 * client, and `gone` if it is deleted.
 */
export const inClient = createMiddleware<PlatformEnv>(async (c, next) => {
  const { session } = c.var;
  const client = session.clients.find(({ id }) => id === c.req.param('client'));
  if (!client) {
    const closed = session.closedClients.find(({ id }) => id === c.req.param('client'));
    if (closed) {
      c.set('viewer', { session, client: null, closed });
      throw providerRequired();
    }
    const deleted = session.deletedClients.find(({ id }) => id === c.req.param('client'));
    if (!deleted) throw new AppError('not_found', 'There is no such page.');
    c.set('viewer', { session, client: null, deleted });
    await continueDeletion(c, deleted);
    throw new AppError('gone', 'The workspace has been deleted.');
  }
  if (demandsFactor(client)) throw factorRequired();
  c.set('client', client);
  c.set('actor', { credential: session.credential, clientId: client.id });
  c.set('viewer', { session, client });
  keepLastClient(c, session, client);
  if (client.isRestoring) await continueDeletion(c, client);
  await next();
});

/** For the pages of a user, behind `signedIn`: they have the navigation of the client that was opened last. */
export const besideClient = createMiddleware<PlatformEnv>(async (c, next) => {
  const { session } = c.var;
  c.set('viewer', { session, client: lastClientOf(c, session) });
  await next();
});

/** For pages that are only for owners, behind `inClient`; their verbs check the permission too. Throws `not_owner`. */
export const ownersOnly = createMiddleware<PlatformEnv>(async (c, next) => {
  if (c.var.client.role !== 'owner') {
    throw new AppError('not_owner', 'Only an owner can do this. Ask an owner.');
  }
  await next();
});

/**
 * For pages of an account, behind `signedIn`: a session that opens one workspace alone sees nothing else of its user; the
 * verbs check it too. Throws `insufficient_scope`.
 */
export const ofAccount = createMiddleware<PlatformEnv>(async (c, next) => {
  if (c.var.session.limitedTo !== null) {
    throw new AppError(
      'insufficient_scope',
      'This session opens one workspace alone. Sign in with a password or a passkey of your own to do this.',
    );
  }
  await next();
});

/** Requires that the user has confirmed who they are within ten minutes, behind `signedIn`. Throws `step_up_required`. */
export const freshlyConfirmed = createMiddleware<PlatformEnv>(async (c, next) => {
  requireConfirmation(c.var.session);
  await next();
});

// The form to sign in needs none.
const sessions = new Later(() => import('../accounts/sessions/session.ts'));

/**
 * The session of the request's browser, or null; sets `words` to the language of its user. Throws `store_unavailable`.
 *
 * @param isUse whether a person uses it
 */
export async function sessionOf(c: Context<PlatformEnv>, isUse = true): Promise<Session | null> {
  const value = readCookie(c, 'session');
  const session =
    value === undefined ? null : await sessions.use(({ findSession }) => findSession(c.var.db, value, isUse));
  if (session?.language && isPlatformLanguage(session.language)) c.set('words', await wordsIn(session.language));
  return session;
}

/** The questions to the provider of a session that is over by time. */
export const continuing = new Later(() => import('./sso/continue-here.ts'));

/** The session of a provider that is over by time, if the provider lets it continue. */
async function continued(c: Context<PlatformEnv>): Promise<Session | null> {
  if (readCookie(c, 'session') === undefined) return null;
  return (await continuing.use(({ continueHere }) => continueHere(c))) ? sessionOf(c) : null;
}

// Loaded for the few clients that are deleted or restored.
async function continueDeletion(c: Context<PlatformEnv>, client: { readonly id: string }): Promise<void> {
  const loaded = await import('./workspace/continue.ts');
  loaded.continueDeletion(c, client);
}

function signedInBy(isUse: boolean) {
  return createMiddleware<PlatformEnv>(async (c, next) => {
    const session = (await sessionOf(c, isUse)) ?? (isUse ? await continued(c) : null);
    if (!session) throw new AppError('missing_credential', 'Sign in to see this page.');
    c.set('session', session);
    c.set('viewer', { session, client: null });
    if (c.req.method === 'POST') await limitRate(c, 'write', session.credential);
    await next();
  });
}
