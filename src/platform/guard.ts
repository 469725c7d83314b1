import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { findSession, type Device, type Session } from '../accounts/sessions/session.ts';
import { classifyVisitor } from '../clicks/visitor.ts';
import { AppError } from '../errors.ts';
import { limitRate } from '../http/rate-limits.ts';
import { readCookie } from './cookie.ts';
import type { PlatformEnv } from './env.ts';
import { continueDeletion } from './workspace/continue.ts';

/**
 * Requires a session, and sets `session`. Throws `missing_credential`, `store_unavailable`, and for forms
 * `too_many_requests`.
 */
export const signedIn = signedInBy(true);

/** `signedIn` for what a page requests by itself: the session is not used by that, and ends when it is idle. */
export const signedInByPage = signedInBy(false);

/**
 * For the pages of a client, whose paths have `:client`: sets `client` and `actor`. A client that the user does not
 * belong to is not found, whether it exists or not. Throws `not_found`, and `gone` if the client is deleted.
 */
export const inClient = createMiddleware<PlatformEnv>(async (c, next) => {
  const { session } = c.var;
  const client = session.clients.find(({ id }) => id === c.req.param('client'));
  if (!client) {
    const deleted = session.deletedClients.find(({ id }) => id === c.req.param('client'));
    if (!deleted) throw new AppError('not_found', 'There is no such page.');
    c.set('viewer', { session, client: null, deleted });
    continueDeletion(c, deleted);
    throw new AppError('gone', 'The workspace has been deleted.');
  }
  c.set('client', client);
  c.set('actor', { credential: session.credential, clientId: client.id });
  c.set('viewer', { session, client });
  if (client.isRestoring) continueDeletion(c, client);
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
 * The session of the request's browser, or null. Throws `store_unavailable`.
 *
 * @param isUse whether a person uses it
 */
export async function sessionOf(c: Context<PlatformEnv>, isUse = true): Promise<Session | null> {
  const value = readCookie(c, 'session');
  return value === undefined ? null : findSession(c.var.db, value, isUse);
}

/** The description of the browser by its headers. */
export function deviceOf(c: Context<PlatformEnv>): Device {
  const { browser, os } = classifyVisitor(c.req.header('User-Agent') ?? null);
  return { browser, os };
}

function signedInBy(isUse: boolean) {
  return createMiddleware<PlatformEnv>(async (c, next) => {
    const session = await sessionOf(c, isUse);
    if (!session) throw new AppError('missing_credential', 'Sign in to see this page.');
    c.set('session', session);
    c.set('viewer', { session, client: null });
    if (c.req.method === 'POST') await limitRate(c, 'write', session.credential);
    await next();
  });
}
