import type { Click } from '../clicks/click.ts';
import type { Target } from '../links/link.ts';

/**
 * The click of a visitor who was redirected; null for HEAD, and for pages that a browser fetches in advance
 * (https://fetch.spec.whatwg.org/#sec-purpose-header, and its older spellings).
 *
 * @param destination the name of the rule or the variant that decided; null for the link's `url`
 */
export function clickOf(request: Request, target: Target, destination: string | null = null): Click | null {
  const { headers, method } = request;
  if (method !== 'GET' || isPrefetch(headers)) return null;
  const optsOut = headers.get('DNT') === '1' || headers.get('Sec-GPC') === '1';
  return {
    linkId: target.linkId,
    clientId: target.clientId,
    campaignName: target.campaignName,
    destination,
    at: Date.now(),
    country: countryOf(request),
    referrer: headers.get('Referer'),
    userAgent: headers.get('User-Agent'),
    languages: headers.get('Accept-Language'),
    address: optsOut ? null : headers.get('CF-Connecting-IP'),
  };
}

/**
 * True if a browser or an app fetches the page before anyone has asked for it. Chromium and Firefox send `Sec-Purpose`,
 * older ones `Purpose` and `X-Moz`, Safari and the Facebook app `X-Purpose`. The app names its own engine
 * (`X-FB-HTTP-Engine`) only then, since people see pages in a web view.
 */
export function isPrefetch(headers: Headers): boolean {
  return (
    isAhead(headers.get('Sec-Purpose')) ||
    isAhead(headers.get('Purpose')) ||
    isAhead(headers.get('X-Purpose')) ||
    isAhead(headers.get('X-Moz')) ||
    headers.has('X-FB-HTTP-Engine')
  );
}

// A header can have parameters, and be sent twice.
function isAhead(purpose: string | null): boolean {
  return purpose !== null && purpose.split(/[;,=\s"]+/).some((word) => /^(prefetch|prerender|preview)$/i.test(word));
}

export function countryOf({ cf }: Request): string | null {
  const country: unknown = cf?.['country'];
  return typeof country === 'string' ? country : null;
}
