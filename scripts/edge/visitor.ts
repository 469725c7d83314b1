import { hopsOfForwarded, hopsOfList, MALFORMED, type Hops } from './hops.ts';
import type { Address, Network } from '../../src/network/networks.ts';
import { isWithin } from './networks.ts';
import { cloudflareWords, findProxyHeader, hasCloudflareHeader, schemeAt } from './proxy-headers.ts';

/** Decides who sent a request: by its connection and, if that is of a trusted proxy, by the proxy's headers. */

/** Whose headers are believed. */
export interface Trust {
  /** The addresses of the operator's proxies. */
  readonly proxies: readonly Network[];
  /** True if these proxies are reached through Cloudflare only, so that its headers come from there. */
  readonly cloudflare: boolean;
}

/** The known facts about the sender of a request. */
export interface Visitor {
  /** An IP address; `unknown` for a connection without one. */
  readonly address: string;
  readonly isSecure: boolean;
  /** `country`, `continent` and `regionCode` of `request.cf`, as far as Cloudflare says them. */
  readonly place: Readonly<Record<string, string>>;
  /** Why a header was not believed; null if none was ignored. */
  readonly doubt: Doubt | null;
}

/**
 * `proxy`: the connection is not of a trusted proxy. `cloudflare`: the header is Cloudflare's. `conflict`: two headers
 * disagree. `silent`: the proxy names no visitor.
 */
export type Doubt = 'proxy' | 'cloudflare' | 'conflict' | 'silent' | typeof MALFORMED;

/**
 * Decides who sent a request.
 *
 * - Without a trusted proxy it is the connection.
 * - `Forwarded` and `X-Forwarded-For` name the last hop that is not trusted. If both are there they must agree, since a
 *   proxy that sets one of them may let the caller's other one through. If one is malformed before that hop, or the two
 *   disagree, it is the connection, which no caller can choose.
 * - Cloudflare's headers, if they are trusted, decide before these two.
 *
 * @param peer the address of the connection; null if it has none
 */
export function visitorOf(peer: Address | null, headers: Headers, trust: Trust): Visitor {
  const connection = { address: peer?.toString() ?? 'unknown', isSecure: false, place: {} };
  if (peer === null || !isWithin(peer, trust.proxies))
    return { ...connection, doubt: findProxyHeader(headers) === null ? null : 'proxy' };

  if (findProxyHeader(headers) === null) return { ...connection, doubt: 'silent' };
  const { address, scheme, place = {} } = trust.cloudflare ? cloudflareWords(headers) : {};
  const forwarded = lastHop(peer, hopsOfForwarded(headers.get('Forwarded') ?? ''), trust);
  const list = lastHop(peer, hopsOfList(headers.get('X-Forwarded-For') ?? ''), trust);
  const addresses = address === undefined ? [forwarded?.address, list?.address] : [address];
  if (addresses.includes(MALFORMED)) return { ...connection, place, doubt: MALFORMED };
  if (!agree(addresses)) return { ...connection, place, doubt: 'conflict' };

  const schemes = scheme === undefined ? [forwarded?.scheme, schemeAt(headers, list?.depth ?? 0)] : [scheme];
  const named = addresses.find((each) => each !== undefined);
  const ignored = !trust.cloudflare && hasCloudflareHeader(headers) ? 'cloudflare' : null;
  return {
    address: named ?? connection.address,
    isSecure: agree(schemes) && schemes.includes('https'),
    place,
    // Headers such as `X-Real-IP` and `X-Forwarded-Proto` name no visitor.
    doubt: agree(schemes) ? (ignored ?? (named === undefined ? 'silent' : null)) : 'conflict',
  };
}

/** The last hop that is not trusted, as a header names it. */
interface LastHop {
  /** An IP address. If a proxy does not know or say it, that of the proxy. */
  readonly address: string;
  readonly scheme: string | undefined;
  /** The number of hops that are nearer. */
  readonly depth: number;
}

/** Undefined without hops. */
function lastHop(peer: Address, hops: Hops, { proxies }: Trust): LastHop | undefined {
  let last: LastHop | undefined;
  let proxy = peer;
  for (const hop of hops) {
    const depth = last === undefined ? 0 : last.depth + 1;
    if (hop === MALFORMED) return { address: MALFORMED, scheme: undefined, depth };
    last = { address: (hop.address ?? proxy).toString(), scheme: hop.scheme, depth };
    if (hop.address === null || !isWithin(hop.address, proxies)) return last;
    proxy = hop.address;
  }
  return last;
}

/** True if those that say something say the same. */
function agree(words: readonly (string | undefined)[]): boolean {
  return new Set(words.filter((word) => word !== undefined)).size <= 1;
}
