import type { Context } from 'hono';
import { SESSION_SECONDS } from '../accounts/sessions/lifetime.ts';
import type { OwnClient, Session } from '../accounts/sessions/session.ts';
import { readCookie, writeCookie } from './cookie.ts';
import type { PlatformEnv } from './env.ts';

/** The workspace whose pages a user of several has opened last, which a cookie keeps, so that it costs no query. */

/** Keeps the client, if its user has others and it is not the one that is kept. */
export function keepLastClient(c: Context<PlatformEnv>, { clients }: Session, { id }: OwnClient): void {
  if (clients.length > 1 && readCookie(c, 'workspace') !== id) writeCookie(c, 'workspace', id, SESSION_SECONDS);
}

/** The client that was opened last, or else the first one; null without any. */
export function lastClientOf(c: Context<PlatformEnv>, { clients }: Session): OwnClient | null {
  const id = readCookie(c, 'workspace');
  return clients.find((client) => client.id === id) ?? clients[0] ?? null;
}
