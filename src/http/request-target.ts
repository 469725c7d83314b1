import { hostnameOf, isServiceHost } from '../network/hosts.ts';

/** The host and the path of a request. */
interface RequestTarget {
  /** '' for the service's own host, else the host name. */
  readonly host: string;
  /** As the URL parser writes it: percent-encoded, with dot segments resolved. */
  readonly pathname: string;
}

// The parser would change nothing after the host of such a URL, so it is not called: most requests have one.
const PLAIN = /^(https?:\/\/[^/?#\\@]+)((?:\/[A-Za-z0-9_-]+)+\/?)(?:\?|$)/;
// If `Host` holds more than a host name, such as `localhost?x`, no path follows the host in the URL.
const HOST_AND_PATH = /^https?:\/\/[^/?#\\@]+\//;
// A Worker is reached by few names; a caller who invents others must not fill its memory.
const MAX_ORIGINS = 500;

/** Reads where requests go, and remembers the hosts of their origins. */
export class RequestTargets {
  readonly #publicUrl: URL | null;
  readonly #hostByOrigin = new Map<string, string>();

  /** @param publicUrl `PUBLIC_URL`, or null if it is not set */
  constructor(publicUrl: URL | null) {
    this.#publicUrl = publicUrl;
  }

  /**
   * Null if the request's `Host` is not a host name (RFC 9112, section 3.2): the URL cannot be parsed, the host has
   * only dots, or it holds more than a host and a port.
   */
  of(requestUrl: string): RequestTarget | null {
    const [, origin = '', pathname = ''] = PLAIN.exec(requestUrl) ?? [];
    const known = this.#hostByOrigin.get(origin);
    if (known !== undefined) return { host: known, pathname };
    const url = HOST_AND_PATH.test(requestUrl) ? URL.parse(requestUrl) : null;
    if (url === null) return null;
    const host = this.#hostByOrigin.get(url.origin) ?? this.#hostOf(url);
    if (host === null) return null;
    this.#remember(origin === '' ? url.origin : origin, host);
    return { host, pathname: pathname === '' ? url.pathname : pathname };
  }

  #remember(origin: string, host: string): void {
    if (this.#hostByOrigin.size >= MAX_ORIGINS) this.#hostByOrigin.clear();
    this.#hostByOrigin.set(origin, host);
  }

  // Null for a host of only dots.
  #hostOf(requestUrl: URL): string | null {
    if (isServiceHost({ requestUrl, publicUrl: this.#publicUrl })) return '';
    return hostnameOf(requestUrl) || null;
  }
}
