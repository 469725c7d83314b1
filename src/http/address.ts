import type { RequestContext } from './env.ts';

/**
 * The caller's address for rate limits, as Cloudflare reports it in a header that a caller cannot forge there. An IPv6
 * caller counts as its /64, the smallest block that is assigned. Source:
 * https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-connecting-ip
 */
export function callerAddress(c: RequestContext): string {
  return addressOf(c.req.raw);
}

/** Like `callerAddress`, for a request. */
export function addressOf(request: Request): string {
  const address = request.headers.get('CF-Connecting-IP') ?? 'unknown';
  return address.includes(':') ? networkOf(address) : address;
}

/** The /64 of an IPv6 address, as four hextets; an IPv4-mapped address (RFC 4291, 2.5.5.2) as its IPv4 address. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const hextets = [...left, ...zeros, ...right].slice(0, 4);
  return `${hextets.map((hextet) => hextet.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
