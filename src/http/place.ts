import { hostnameOf, isServiceHost } from '../domains/host.ts';

/** Where a request goes. */
export interface Place {
  /** The service's own host is '', any other is its host name. */
  readonly host: string;
  /** As the URL parser leaves it: percent-encoded, dot segments resolved. */
  readonly pathname: string;
}

// Of such a URL the parser would change nothing after the host: most requests to a link are spared it.
const PLAIN = /^(https?:\/\/[^/?#\\]+)(\/[A-Za-z0-9_-]+\/?)(?:\?|$)/;
// A Worker is reached by few names; whoever makes up others may not fill its memory.
const MAX_ORIGINS = 500;

/** Reads where requests go, remembering what their origins mean. */
export class Places {
  readonly #publicUrl: URL | null;
  readonly #hostByOrigin = new Map<string, string>();

  /** @param publicUrl `PUBLIC_URL`, or null where it is unset */
  constructor(publicUrl: URL | null) {
    this.#publicUrl = publicUrl;
  }

  of(requestUrl: string): Place {
    const [, origin = '', pathname = ''] = PLAIN.exec(requestUrl) ?? [];
    if (pathname !== '') return { host: this.#hostByOrigin.get(origin) ?? this.#learn(origin), pathname };
    const url = new URL(requestUrl);
    return { host: this.#hostOf(url), pathname: url.pathname };
  }

  #learn(origin: string): string {
    if (this.#hostByOrigin.size >= MAX_ORIGINS) this.#hostByOrigin.clear();
    const host = this.#hostOf(new URL(origin));
    this.#hostByOrigin.set(origin, host);
    return host;
  }

  #hostOf(requestUrl: URL): string {
    return isServiceHost({ requestUrl, publicUrl: this.#publicUrl }) ? '' : hostnameOf(requestUrl);
  }
}
