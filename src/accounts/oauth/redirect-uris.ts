import { isLoopback } from '../../network/hosts.ts';
import { isForbiddenScheme } from '../../network/schemes.ts';

/**
 * The URIs to which a browser is sent with a code: https, http on the user's own machine, and the private-use schemes of
 * programs (RFC 8252, section 7).
 */

/** The most URIs of an application, and the longest of them. */
export const MAX_REDIRECT_URIS = 10;
const MAX_LENGTH = 1024;

// Schemes of their own protocols, which no program has for itself.
const OF_PROTOCOLS: ReadonlySet<string> = new Set(
  'dav dns ftps git gopher irc ldap mailto news sftp sip sms ssh tel telnet urn ws wss'.split(' '),
);

// As it is written, since the URL parser also reads other forms as one with a host.
const WITH_HOST = /^https?:\/\/[^/?#\\@]+(?:[/?]|$)/i;
const PRINTABLE = /^[!-~]+$/;

/** True if a browser may be sent to a URI with a code. */
export function isRedirectUri(text: string): boolean {
  if (text.length > MAX_LENGTH || !PRINTABLE.test(text) || /[#\\]/.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return WITH_HOST.test(text);
  if (url.protocol === 'http:') return WITH_HOST.test(text) && isLoopback(url);
  const scheme = url.protocol.slice(0, -1);
  return !isForbiddenScheme(scheme) && !OF_PROTOCOLS.has(scheme);
}

/**
 * True if one of the registered URIs is the one of a request, character by character; on the user's own machine it may
 * have another port, which a program gets anew at each start (RFC 8252, section 7.3).
 */
export function isOneOf(registered: readonly string[], asked: string): boolean {
  if (!isRedirectUri(asked)) return false;
  return registered.some((uri) => uri === asked || (isOnLoopback(uri) && withoutPort(uri) === withoutPort(asked)));
}

/**
 * True if a valid URI leads to a program on the user's own device, where any other one may wait for the code, or have the
 * same scheme.
 */
export const isOnThisDevice = (uri: string): boolean => new URL(uri).protocol !== 'https:';

/**
 * The part of a URI that a user is shown: its host, without the port on the user's own machine, or the
 * private-use scheme with its colon.
 */
export function hostOfUri(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === 'https:') return host;
  return protocol === 'http:' ? hostname : protocol;
}

/** A URI with further parameters. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.set(name, value);
  return `${uri}${uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'}${added.toString()}`;
}

function isOnLoopback(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && url.protocol === 'http:' && isLoopback(url);
}

// In the text, since the URL parser takes further spellings for the same.
const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/(?:\[[^\]/?]*\]|[^/?:]*)):\d+/, '$1');
