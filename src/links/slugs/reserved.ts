import { foldCase } from '../../text/look-alikes.ts';

// First path segments with endpoints of the API, or pages about it, at or below them.
const WITH_ENDPOINTS: ReadonlySet<string> = new Set([
  'changelog',
  'docs',
  'health',
  'info',
  'openapi',
  'shortener',
  'tokens',
  'v1',
  'well-known',
]);

// First path segments that are, or may become, pages or endpoints of the service: never slugs on its own host.
export const RESERVED: ReadonlySet<string> = new Set([
  ...WITH_ENDPOINTS,
  'about',
  'abuse',
  'account',
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'billing',
  'blog',
  'cdn-cgi',
  'contact',
  'dashboard',
  'domains',
  'favicon',
  'help',
  'home',
  'invite',
  'keys',
  'legal',
  'links',
  'login',
  'logout',
  'metrics',
  'oauth',
  'platform',
  'pricing',
  'privacy',
  'robots',
  'security',
  'settings',
  'sign-in',
  'sign-out',
  'sign-up',
  'signin',
  'signout',
  'signup',
  'sitemap',
  'static',
  'stats',
  'status',
  'support',
  'terms',
  'v2',
  'v3',
  'webhooks',
  'www',
]);

// Paths that every host serves itself, before its links: whole ones, and first segments.
const SERVED: ReadonlySet<string> = new Set(['favicon.ico', 'robots.txt']);
const SERVED_BELOW: ReadonlySet<string> = new Set(['.well-known', 'assets', 'cdn-cgi']);

const IS_ASCII = /^\p{ASCII}*$/u;

/**
 * True if a word may not be a slug of the service's own host because a path of the service begins with it, regardless of
 * case and in any compatibility form of its letters, such as full-width ones.
 */
export function isReserved(slug: string): boolean {
  return RESERVED.has(slug.toLowerCase()) || (!IS_ASCII.test(slug) && RESERVED.has(foldCase(slug.normalize('NFKC'))));
}

/**
 * True if a path belongs to the service and not to a short link: the root, or one that begins with a reserved word,
 * with or without a file extension.
 */
export function isServicePath(pathname: string): boolean {
  const [first = ''] = pathname.slice(1).split('/', 1);
  return pathname === '/' || isReserved(wordOf(first));
}

/** True if an `isServicePath` may have an endpoint: below most reserved words there is nothing. */
export function hasEndpoints(pathname: string): boolean {
  const [first = ''] = pathname.slice(1).split('/', 1);
  const word = wordOf(first).toLowerCase();
  return word === '' || WITH_ENDPOINTS.has(word);
}

/** True if a slug would be a path that every host serves itself, regardless of case and in any compatibility form. */
export function isServedOnEveryHost(slug: string): boolean {
  const path = foldCase(slug.normalize('NFKC'));
  const [first = ''] = path.split('/', 1);
  return SERVED.has(path) || SERVED_BELOW.has(first);
}

/** The first segment, without a leading dot and without a file extension. */
function wordOf(path: string): string {
  const [first = ''] = path.split('/', 1);
  const [word = ''] = first.replace(/^\./, '').split('.', 1);
  return word;
}
