import { groupsOf } from './hextets.ts';

/**
 * The caller's address for rate limits, as Cloudflare reports it in a header that a caller cannot forge there, as far as
 * `networkOf`. Source: https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-connecting-ip
 */
export function callerAddress(request: Request): string {
  return networkOf(request.headers.get('CF-Connecting-IP') ?? 'unknown');
}

/**
 * The network of a visitor's or caller's IP address, as far as addresses distinguish people: an IPv6 address counts as
 * its /64, the smallest block that is assigned, and an IPv4-mapped one (RFC 4291, 2.5.5.2) as its IPv4 address. Other
 * texts are returned as they are.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const hextets = groupsOf(address.split('%', 1)[0]!)?.slice(0, 4);
  if (hextets === undefined) return address;
  return `${hextets.map((hextet) => hextet.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
