import { WEB_PROTOCOL, type Schemes } from './schemes.ts';

/** Host names as this service compares them: lower case, punycode, without trailing dots, without a port. */

/** The two origins that decide which hosts are the service's own. */
export interface Site {
  /** The URL of a request. */
  readonly requestUrl: URL;
  /** `PUBLIC_URL`, or null if it is not set. */
  readonly publicUrl: URL | null;
  /** The schemes that destinations may have beside http and https; none if absent. */
  readonly schemes?: Schemes;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The host name of a URL, in the form that all comparisons here use; '' for a host of only dots, and for a scheme beside
 * http and https, after which there is no name of the DNS.
 */
export function hostnameOf({ protocol, hostname }: URL): string {
  if (!WEB_PROTOCOL.test(protocol)) return '';
  if (!hostname.endsWith('.')) return hostname;
  // A regular expression for the last dots would take quadratic time, since it starts again at each dot.
  let end = hostname.length;
  while (hostname[end - 1] === '.') end -= 1;
  return hostname.slice(0, end);
}

/** True if a URL names the machine itself. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.has(hostnameOf(url));
}

/**
 * True if a request came to the service's own host, not to a custom domain: by a loopback name, by the name of
 * `PUBLIC_URL`, or, while that is not set, by its *.workers.dev name.
 */
export function isServiceHost({ requestUrl, publicUrl }: Site): boolean {
  const hostname = hostnameOf(requestUrl);
  if (LOOPBACK.has(hostname)) return true;
  return publicUrl === null ? hostname.endsWith('.workers.dev') : hostname === hostnameOf(publicUrl);
}

/**
 * True if a link to this target would lead back into the service. The port makes no difference, since every port that
 * is forwarded to a Worker reaches the same Worker. Loopback names are an exception: there each port is another
 * service.
 */
export function isOwnTarget(target: URL, { requestUrl, publicUrl }: Site): boolean {
  const hostname = hostnameOf(target);
  if (LOOPBACK.has(hostname)) return LOOPBACK.has(hostnameOf(requestUrl)) && target.port === requestUrl.port;
  const isPublic = publicUrl !== null && hostname === hostnameOf(publicUrl);
  return isPublic || hostname === hostnameOf(requestUrl);
}

/** The names of the service's own hosts, except loopback names, where only some ports are. */
export function ownHostsOf({ requestUrl, publicUrl }: Site): string[] {
  const urls = [requestUrl, ...(publicUrl === null ? [] : [publicUrl])];
  return [...new Set(urls.map(hostnameOf))].filter((host) => !LOOPBACK.has(host));
}

// Characters by which the URL parser would read more than a host: ports, paths, users, escapes, address literals.
const NOT_IN_A_HOSTNAME = /[\s\p{Cc}/?#@:\\%[\]]/u;
const MAX_HOSTNAME_LENGTH = 253;
// A letter and its marks may take several code units. A longer text is not parsed as a URL, since the parser normalises
// it in quadratic time.
const MAX_TYPED_LENGTH = 4 * MAX_HOSTNAME_LENGTH;

/** Reads a domain name of at least two labels (RFC 1123; IDNA by the URL standard); null if it is not one. */
export function parseDomainName(text: string): string | null {
  if (text.length > MAX_TYPED_LENGTH || NOT_IN_A_HOSTNAME.test(text)) return null;
  const hostname = URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '');
  if (hostname === undefined) return null;
  const labels = hostname.split('.');
  const fits =
    hostname.length <= MAX_HOSTNAME_LENGTH && labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label));
  // The URL parser turns every spelling of an IPv4 address into four numbers, and no top-level domain is a number.
  return fits && labels.length >= 2 && !/^\d+$/.test(labels.at(-1) ?? '') ? hostname : null;
}
