import type { Click } from '../clicks/click.ts';
import type { Target } from '../links/link.ts';
import type { Visit } from './visit.ts';

/**
 * The click of a visitor who was redirected; null for HEAD, and for pages that a browser or an app
 * fetches in advance.
 *
 * @param destination the name of the rule or the variant that decided; null for the link's `url`
 */
export function clickOf(visit: Visited, target: Target, destination: string | null = null): Click | null {
  const { headers, method } = visit.request;
  return method !== 'GET' || isPrefetch(headers) ? null : clickFrom(headers.get('Referer'), visit, target, destination);
}

type Visited = Pick<Visit, 'request' | 'url'>;

/** The click of a visitor who comes from a page, such as one who has consented by a form. */
export function clickFrom(
  referrer: string | null,
  { request, url }: Visited,
  target: Target,
  destination: string | null,
): Click {
  const { headers } = request;
  const optsOut = headers.get('DNT') === '1' || headers.get('Sec-GPC') === '1';
  return {
    linkId: target.linkId,
    clientId: target.clientId,
    campaignName: target.campaignName,
    destination,
    at: Date.now(),
    country: countryOf(request),
    referrer,
    userAgent: headers.get('User-Agent'),
    languages: headers.get('Accept-Language'),
    search: searchOf(url),
    address: optsOut ? null : headers.get('CF-Connecting-IP'),
  };
}

/**
 * The headers of requests for pages that have not been asked for yet. Some browsers send a newer name and its predecessor.
 * `Sec-Fetch-Purpose`, `Moz-Purpose` and `X-Sec-Purpose` are sent by no browser to other sites, so they are not read.
 */
const AHEAD = [
  // Chromium, and Firefox since 115: `prefetch`, with parameters such as `prerender` and `anonymous-client-ip`.
  // Sources: https://fetch.spec.whatwg.org/#sec-purpose-header,
  // https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
  'Sec-Purpose',
  // Safari, and Chromium before `Sec-Purpose` and for `<link rel=prefetch>`: `prefetch`, `preview`.
  // Sources: https://bugs.webkit.org/show_bug.cgi?id=47802, https://crbug.com/1358419
  'Purpose',
  // Safari before `Purpose`, and the apps of Facebook: `preview`; `instant` is an older word of these apps.
  // Sources: https://www.facebook.com/business/help/1514372351922333,
  // https://github.com/matomo-org/matomo/blob/5.x-dev/core/Tracker/VisitExcluded.php
  'X-Purpose',
  // Firefox before 115: `prefetch`.
  // Source: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Purpose#browser_compatibility
  'X-Moz',
] as const;

/**
 * The engine with which the apps of Facebook fetch in advance (`Liger`), with `X-Purpose` or alone: people see pages in a
 * web view, which does not send it. Source: https://inchoo.net/dev-talk/mitigating-facebook-x-fb-http-engine-liger/
 */
const APP_ENGINE = 'X-FB-HTTP-Engine';

/** True if a browser or an app fetches the page before anyone has asked for it, as a header of `AHEAD` says. */
export function isPrefetch(headers: Headers): boolean {
  for (const name of AHEAD) if (isAhead(headers.get(name))) return true;
  return headers.has(APP_ENGINE);
}

// A header can have parameters, and be sent twice.
function isAhead(purpose: string | null): boolean {
  return (
    purpose !== null && purpose.split(/[;,=\s"]+/).some((word) => /^(prefetch|prerender|preview|instant)$/i.test(word))
  );
}

/** The query of the URL of a request, with its `?`; '' without one. */
export function searchOf(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const hash = url.indexOf('#');
  return hash === -1 ? url.slice(start) : url.slice(Math.min(start, hash), hash);
}

/** As `network/country.ts`, so that a redirect enters no further file. */
export function countryOf({ cf }: Request): string | null {
  const country: unknown = cf?.['country'];
  return typeof country === 'string' ? country : null;
}
