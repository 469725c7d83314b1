import { isLoopback } from '../../src/network/hosts.ts';
import { Cures } from './cures.ts';
import { parseAddress, parseNetwork, type Address } from '../../src/network/networks.ts';
import { isOwn, isWithin } from './networks.ts';
import { findProxyHeader, isProxyHeader } from './proxy-headers.ts';
import { visitorOf, type Trust } from './visitor.ts';

/** The settings by which `npm start` says to its Worker whose headers are believed. */
export interface FrontSettings {
  /** Ranges in CIDR notation, separated by commas. */
  readonly TRUSTED_PROXIES?: string;
  /** `on`, or another text. */
  readonly TRUST_CLOUDFLARE_HEADERS?: string;
}

type Incoming = Request<unknown, IncomingRequestCfProperties>;

/** Does for the Worker of `npm start` what Cloudflare does in production: it says who has sent a request. */
export class Front {
  readonly #trust: Trust;
  readonly #cures = new Cures();

  constructor({ TRUSTED_PROXIES = '', TRUST_CLOUDFLARE_HEADERS }: FrontSettings) {
    const proxies = TRUSTED_PROXIES.split(',')
      .map(parseNetwork)
      .filter((network) => network !== null);
    this.#trust = { proxies, cloudflare: TRUST_CLOUDFLARE_HEADERS === 'on' };
  }

  /**
   * The request as Cloudflare would pass it on: with the visitor's address in `CF-Connecting-IP`, the scheme in the URL,
   * the place in `cf`, and no other header that only a proxy may set. `Host` stays, also that of a proxy: no header names
   * another host.
   */
  identify(request: Incoming): Incoming {
    const peer = peerOf(request);
    const { address, isSecure, place, doubt } = visitorOf(peer, request.headers, this.#trust);
    if (doubt !== null && (doubt !== 'silent' || isForOthers(request)))
      this.#cures.say(doubt, peer, findProxyHeader(request.headers));
    const seen: Incoming = isSecure
      ? new Request(request.url.replace(/^http:/, 'https:'), request)
      : new Request(request);
    for (const name of [...seen.headers.keys()].filter(isProxyHeader)) seen.headers.delete(name);
    seen.headers.set('CF-Connecting-IP', address);
    return Object.keys(place).length === 0 ? seen : (new Request(seen, { cf: place }) as Incoming);
  }

  /** True if a request is that of a trusted proxy, or of this machine, and not one that a proxy sends for a visitor. */
  isFromOperator(request: Incoming): boolean {
    const peer = peerOf(request);
    const isNear = peer !== null && (isOwn(peer) || isWithin(peer, this.#trust.proxies));
    return isNear && findProxyHeader(request.headers) === null;
  }
}

/** Programs of this machine, such as the operator's tools, are no proxies, and use its own name. */
const isForOthers = ({ url }: Incoming) => !isLoopback(new URL(url));

/** workerd gives `192.0.2.1:1234` or `[2001:db8::1]:1234`. */
function peerOf({ cf }: Incoming): Address | null {
  const text = String(cf?.['clientIp']).replace(/:\d+$/, '');
  return parseAddress(text.replace(/^\[(.*)\]$/, '$1'));
}
