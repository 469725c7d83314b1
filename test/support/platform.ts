import { env } from 'cloudflare:workers';
import type { TokenCredential } from '../../src/accounts/grants.ts';
import { findSession, startSession } from '../../src/accounts/sessions/session.ts';
import { seedCaller, type Caller } from './forms.ts';
import { db, type Tenant } from './seed.ts';
import { call, ORIGIN, type Call } from './service.ts';

/** Browsers, as the platform's pages see them. */

/** A request for a page, with the cookies of a browser. */
export type Browse = (path: string, init?: RequestInit) => Promise<Response>;

/** The cookies of an answer, by name, with the value first. */
export function cookiesOf(response: Response): Record<string, string[]> {
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split('; '));
  return Object.fromEntries(
    cookies.map(([pair = '', ...attributes]) => {
      const [name = '', value = ''] = pair.split('=');
      return [name, [value, ...attributes.sort()]];
    }),
  );
}

/** A browser that sends these cookies and keeps none. */
export const browse =
  (cookie: string, through: Call = call): Browse =>
  (path, init = {}) =>
    through(path, { ...init, headers: { Cookie: cookie, ...Object.fromEntries(new Headers(init.headers)) } });

/** Signs a user in without a password, and returns a browser with the cookie. */
export async function openBrowser({
  userId,
}: Pick<Tenant, 'userId'>): Promise<{ browse: Browse; value: string; cookie: string }> {
  const find = env.DB.prepare('SELECT password_hash FROM users WHERE id = ?').bind(userId);
  const passwordHash = (await find.first<string>('password_hash')) ?? '';
  const value = await startSession(
    db,
    { id: userId, passwordHash, hasFactor: false },
    { browser: 'Firefox', os: 'Linux', country: null },
  );
  const cookie = `__Host-terse=${value}`;
  return { browse: browse(cookie), value, cookie };
}

/** A signed-in user, and the path of the links of their client. */
export interface LinksScene {
  readonly caller: Caller;
  readonly browse: Browse;
  readonly cookie: string;
  /** The path of the client's links. */
  readonly path: string;
}

/** Signs in a new user of a new client, for tests of links. */
export async function openLinks(): Promise<LinksScene> {
  const caller = await seedCaller();
  const { browse, cookie } = await openBrowser(caller);
  return { caller, browse, cookie, path: `/platform/c/${caller.clientId}/links` };
}

/** Signs in a user, by default a new one of a new client, for tests of members. */
export async function openMembers(caller?: Caller): Promise<{ owner: Caller; browse: Browse; members: string }> {
  const owner = caller ?? (await seedCaller());
  const { browse } = await openBrowser(owner);
  return { owner, browse, members: `/platform/c/${owner.clientId}/members` };
}

/** Opens a browser for tests of keys. */
export async function openKeys(caller?: Caller): Promise<{ caller: Caller; browse: Browse; keys: string }> {
  const owner = caller ?? (await seedCaller());
  const { browse } = await openBrowser(owner);
  return { caller: owner, browse, keys: `/platform/c/${owner.clientId}/keys` };
}

/** The text of a page. */
export const textOf = async (response: Promise<Response>): Promise<string> => (await response).text();

/** The status of an answer, and where it leads. */
export const placeOf = (response: Response): [status: number, location: string | null] => [
  response.status,
  response.headers.get('Location'),
];

/** The answer to a visitor of the service's host. */
export const visit = async (slug: string): Promise<[status: number, location: string | null]> =>
  placeOf(await call(`/${slug}`));

/** The credential of a user's session, for the rooms below the pages. */
export async function openCredential(tenant: Pick<Tenant, 'userId'>): Promise<TokenCredential> {
  const session = await findSession(db, (await openBrowser(tenant)).value);
  if (!session) throw new Error('the session did not take');
  return session.credential;
}

/** A form of a page, as a request. */
export function form(fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields), headers: { Origin: ORIGIN, ...headers } };
}

/** Signs in with the form of the page. */
export function signInBy(
  tenant: Pick<Tenant, 'userName' | 'address'>,
  password: string,
  init: { cookie?: string; next?: string } = {},
) {
  const fields = { name: tenant.userName, password, ...(init.next !== undefined && { next: init.next }) };
  const headers = { 'CF-Connecting-IP': tenant.address, ...(init.cookie !== undefined && { Cookie: init.cookie }) };
  return call('/platform/sign-in', form(fields, headers));
}

export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** `PAGE_HEADERS` of a path: an application may open the pages on the way to its code in a popup, which it waits for. */
export const pageHeadersAt = (path: string): typeof PAGE_HEADERS =>
  /^\/(oauth\/authorize|platform\/(sign-in|confirm|sso))([/?]|$)/.test(path)
    ? { ...PAGE_HEADERS, 'cross-origin-opener-policy': 'unsafe-none' }
    : PAGE_HEADERS;

/** The headers that every answer of the platform has. */
export function pageHeadersOf(response: Response): Record<string, string | null> {
  return Object.fromEntries(Object.keys(PAGE_HEADERS).map((name) => [name, response.headers.get(name)]));
}
