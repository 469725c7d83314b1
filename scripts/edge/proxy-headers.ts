import { MALFORMED, toScheme } from './hops.ts';
import { parseAddress } from '../../src/network/networks.ts';

/** The headers by which proxies and Cloudflare say who sent a request. */

const NAMES = new Set([
  'cdn-loop',
  'fastly-client-ip',
  'forwarded',
  'front-end-https',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-forwarded',
  'x-original-forwarded-for',
  'x-real-ip',
]);

const isOfCloudflare = (name: string) => name.startsWith('cf-');

/** True if a header is such a word, by its name in lower case. */
export function isProxyHeader(name: string): boolean {
  return isOfCloudflare(name) || name.startsWith('x-forwarded-') || NAMES.has(name);
}

/** The name of the first such header, in lower case; null if there is none. */
export function findProxyHeader(headers: Headers): string | null {
  return [...headers.keys()].find(isProxyHeader) ?? null;
}

export function hasCloudflareHeader(headers: Headers): boolean {
  return [...headers.keys()].some(isOfCloudflare);
}

// One scheme for each of more proxies than there are in a row.
const MAX_SCHEMES_LENGTH = 256;

/**
 * The scheme that `X-Forwarded-Proto` has for a hop. Most proxies write one scheme, and some append theirs to a list: that
 * at the place of the hop counts, or else the first.
 *
 * @param depth how many hops of `X-Forwarded-For` are nearer
 */
export function schemeAt(headers: Headers, depth: number): string | undefined {
  const text = headers.get('X-Forwarded-Proto') ?? '';
  if (text.length > MAX_SCHEMES_LENGTH) return undefined;
  const schemes = text.split(',').map((each) => each.trim());
  return toScheme(schemes.at(-1 - depth) ?? schemes[0]);
}

/** The headers of Cloudflare about a visitor; undefined where it says nothing. */
interface CloudflareWords {
  /** An IP address, or `malformed`. */
  readonly address?: string;
  readonly scheme?: string;
  readonly place: Readonly<Record<string, string>>;
}

/**
 * Reads Cloudflare's headers, each of which stands once. Source:
 * https://developers.cloudflare.com/fundamentals/reference/http-headers/ and, for places,
 * https://developers.cloudflare.com/rules/transform/managed-transforms/reference/#add-visitor-location-headers
 */
export function cloudflareWords(headers: Headers): CloudflareWords {
  const address = headers.get('CF-Connecting-IP');
  const scheme = /^\{"scheme":"(https?)"\}$/.exec(headers.get('CF-Visitor') ?? '')?.[1];
  const place = PLACE.flatMap(([field, name, pattern]) => {
    const value = headers.get(name)?.toUpperCase() ?? '';
    return pattern.test(value) ? [[field, value]] : [];
  });
  return {
    ...(address !== null && { address: parseAddress(address)?.toString() ?? MALFORMED }),
    ...(scheme !== undefined && { scheme }),
    place: Object.fromEntries(place),
  };
}

/** Fields of `request.cf`. Countries are ISO 3166-1 alpha-2, with `XX` for an unknown one and `T1` for Tor. */
const PLACE: readonly (readonly [field: string, header: string, pattern: RegExp])[] = [
  ['country', 'CF-IPCountry', /^(?:[A-Z]{2}|T1)$/],
  ['continent', 'CF-IPContinent', /^(?:AF|AN|AS|EU|NA|OC|SA)$/],
  ['regionCode', 'CF-Region-Code', /^[A-Z\d]{1,3}$/],
];
