import { VisitorFacts } from '../links/routes/visitor.ts';
import { countryOf } from './click.ts';

/** The facts that rules ask about the visitor of a request. Headers are read when a rule asks for them. */
export function visitorOf(request: Request): VisitorFacts {
  const header = (name: string) => request.headers.get(name);
  return new VisitorFacts({
    get country() {
      return countryOf(request);
    },
    get continent() {
      const continent: unknown = request.cf?.['continent'];
      return typeof continent === 'string' ? continent : null;
    },
    get referrer() {
      return header('Referer');
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
      return searchOf(request);
    },
    at: Date.now(),
  });
}

/** The query of a request, with its `?`. */
export function searchOf({ url }: Request): string {
  const [beforeHash = ''] = url.split('#', 1);
  const start = beforeHash.indexOf('?');
  return start < 0 ? '' : beforeHash.slice(start);
}
