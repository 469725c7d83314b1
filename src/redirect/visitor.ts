import { VisitorFacts } from '../links/routes/visitor.ts';
import { countryOf, searchOf } from './click.ts';
import type { Asking } from './visit.ts';

/**
 * The facts that rules ask about the visitor of a request. Headers are read when a rule asks for them.
 *
 * @param asking of a link that asks first: the page before the form is the one that the visitor comes from
 */
export function visitorOf(request: Request, asking?: Asking): VisitorFacts {
  const header = (name: string) => request.headers.get(name);
  return new VisitorFacts({
    get country() {
      return countryOf(request);
    },
    get regionCode() {
      const code: unknown = request.cf?.['regionCode'];
      return typeof code === 'string' ? code : null;
    },
    get continent() {
      const continent: unknown = request.cf?.['continent'];
      return typeof continent === 'string' ? continent : null;
    },
    get referrer() {
      return referrerOf(request, asking);
    },
    get userAgent() {
      return header('User-Agent');
    },
    get languages() {
      return header('Accept-Language');
    },
    get address() {
      return header('CF-Connecting-IP');
    },
    get search() {
      return searchOf(request.url);
    },
    at: Date.now(),
  });
}

/** Where the visitor comes from, as `Referer` says; null for nowhere. */
export function referrerOf({ headers }: Request, asking?: Asking): string | null {
  return asking?.referrer === undefined ? headers.get('Referer') : asking.referrer;
}
