import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { KNOWN_SECONDS, SESSION_SECONDS } from '../accounts/sessions/lifetime.ts';
import { isLoopback } from '../network/hosts.ts';
import type { PlatformEnv } from './env.ts';

/**
 * The cookies of the pages. `__Host-` binds a cookie to this host only, and requires `Secure`, which some browsers drop
 * on plain http even for loopback. There the cookie has another name, and no other host is reached by http. Source:
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */
const SECURE = {
  session: '__Host-terse',
  flash: '__Host-terse-flash',
  workspace: '__Host-terse-workspace',
  known: '__Host-terse-known',
  provider: '__Host-terse-provider',
  person: '__Host-terse-person',
} as const;
const PLAIN = {
  session: 'terse-session',
  flash: 'terse-flash',
  workspace: 'terse-workspace',
  known: 'terse-known',
  provider: 'terse-provider',
  person: 'terse-person',
} as const;
type CookieName = keyof typeof SECURE;

function isPlainLoopback(c: Context<PlatformEnv>): boolean {
  const { requestUrl } = c.var.site;
  return requestUrl.protocol === 'http:' && isLoopback(requestUrl);
}

const nameOf = (c: Context<PlatformEnv>, cookie: CookieName) => (isPlainLoopback(c) ? PLAIN : SECURE)[cookie];

/** The name of a cookie, and the options with which it is set and cleared. */
function writtenAs(c: Context<PlatformEnv>, cookie: CookieName) {
  const isPlain = isPlainLoopback(c);
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure: !isPlain } as const;
  return { name: (isPlain ? PLAIN : SECURE)[cookie], options };
}

export function readCookie(c: Context<PlatformEnv>, cookie: CookieName): string | undefined {
  return getCookie(c, nameOf(c, cookie));
}

export function writeCookie(c: Context<PlatformEnv>, cookie: CookieName, value: string, maxAgeSeconds: number): void {
  const { name, options } = writtenAs(c, cookie);
  setCookie(c, name, value, { ...options, maxAge: maxAgeSeconds });
}

export function clearCookie(c: Context<PlatformEnv>, cookie: CookieName): void {
  const { name, options } = writtenAs(c, cookie);
  deleteCookie(c, name, options);
}

/** The session cookie as browsers send it. */
export const sessionCookie = (c: Context<PlatformEnv>, value: string): string => `${nameOf(c, 'session')}=${value}`;

/** Sets the cookie by which the browser is known to the value that the verb returned. */
export function keepKnown(c: Context<PlatformEnv>, value: string): void {
  writeCookie(c, 'known', value, KNOWN_SECONDS);
}

/** Sets the session cookie to the value that the verb returned. */
export function keepSession(c: Context<PlatformEnv>, value: string): void {
  writeCookie(c, 'session', value, SESSION_SECONDS);
}
