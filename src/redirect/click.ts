import type { Click } from '../clicks/click.ts';
import type { Target } from '../links/link.ts';

/**
 * The click of a followed target; null for HEAD, and for pages that a browser fetches in advance
 * (https://fetch.spec.whatwg.org/#sec-purpose-header, and its older spellings).
 */
export function clickOf(request: Request, target: Target): Click | null {
  const { headers, method } = request;
  if (method !== 'GET') return null;
  if (isAhead(headers.get('Sec-Purpose')) || isAhead(headers.get('Purpose')) || isAhead(headers.get('X-Moz')))
    return null;
  const optsOut = headers.get('DNT') === '1' || headers.get('Sec-GPC') === '1';
  return {
    linkId: target.linkId,
    clientId: target.clientId,
    campaignName: target.campaignName,
    at: Date.now(),
    country: countryOf(request),
    referrer: headers.get('Referer'),
    userAgent: headers.get('User-Agent'),
    languages: headers.get('Accept-Language'),
    address: optsOut ? null : headers.get('CF-Connecting-IP'),
  };
}

function isAhead(purpose: string | null): boolean {
  return purpose !== null && purpose.split(/[;,\s]+/).some((word) => /^(prefetch|prerender|preview)$/i.test(word));
}

function countryOf({ cf }: Request): string | null {
  const country: unknown = cf?.['country'];
  return typeof country === 'string' ? country : null;
}
