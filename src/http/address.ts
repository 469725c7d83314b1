import { networkOf } from '../network/address-block.ts';
import type { RequestContext } from './env.ts';

/**
 * The caller's address for rate limits, as Cloudflare reports it in a header that a caller cannot forge there. An IPv6
 * caller counts as its /64. Source:
 * https://developers.cloudflare.com/fundamentals/reference/http-headers/#cf-connecting-ip
 */
export function callerAddress(c: RequestContext): string {
  return addressOf(c.req.raw);
}

/** Like `callerAddress`, for a request. */
export function addressOf(request: Request): string {
  return networkOf(request.headers.get('CF-Connecting-IP') ?? 'unknown');
}
