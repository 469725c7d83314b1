import { hostnameOf, isServiceHost } from '../hosts.ts';

/** Where a request goes. */
export interface RequestTarget {
  /** The service's own host is '', any other is its host name. */
  readonly host: string;
  /** As the URL parser leaves it: percent-encoded, dot segments resolved. */
  readonly pathname: string;
}

// Of such a URL the parser would change nothing after the host: most requests to a link are spared it.
const PLAIN = /^(https?:\/\/[^/?#\\@]+)(\/[A-Za-z0-9_-]+\/?)(?:\?|$)/;
// A `Host` with more than a host name in it, such as `localhost?x`, gives a URL in which no path follows the host.
const HOST_AND_PATH = /^https?:\/\/[^/?#\\@]+\//;
// A Worker is reached by few names; whoever makes up others may not fill its memory.
const MAX_ORIGINS = 500;

/** Reads where requests go, remembering what their origins mean. */
export class RequestTargets {
  readonly #publicUrl: URL | null;
  readonly #hostByOrigin = new Map<string, string>();

  /** @param publicUrl `PUBLIC_URL`, or null where it is unset */
  constructor(publicUrl: URL | null) {
    this.#publicUrl = publicUrl;
  }

  /**
   * Null if the request's `Host` is not a host name (RFC 9112, section 3.2): the URL cannot be parsed, the host is only
   * dots, or more than a host and a port stands there.
   */
  of(requestUrl: string): RequestTarget | null {
    const [, origin = '', pathname = ''] = PLAIN.exec(requestUrl) ?? [];
    const known = this.#hostByOrigin.get(origin);
    if (known !== undefined) return { host: known, pathname };
    const url = HOST_AND_PATH.test(requestUrl) ? URL.parse(requestUrl) : null;
    if (url === null || hostnameOf(url) === '') return null;
    const host = this.#hostOf(url);
    if (pathname === '') return { host, pathname: url.pathname };
    this.#remember(origin, host);
    return { host, pathname };
  }

  #remember(origin: string, host: string): void {
    if (this.#hostByOrigin.size >= MAX_ORIGINS) this.#hostByOrigin.clear();
    this.#hostByOrigin.set(origin, host);
  }

  #hostOf(requestUrl: URL): string {
    return isServiceHost({ requestUrl, publicUrl: this.#publicUrl }) ? '' : hostnameOf(requestUrl);
  }
}
