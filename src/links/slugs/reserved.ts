import { foldCase, readingsOf } from '../../text/look-alikes.ts';
import { skeletonsOf } from '../../text/skeletons.ts';

// First path segments that are, or may become, pages or endpoints of the service. They are never slugs, on any host.
const RESERVED = new Set([
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
  'changelog',
  'contact',
  'dashboard',
  'docs',
  'domains',
  'favicon',
  'health',
  'help',
  'home',
  'info',
  'invite',
  'keys',
  'legal',
  'links',
  'login',
  'logout',
  'metrics',
  'oauth',
  'openapi',
  'platform',
  'pricing',
  'privacy',
  'robots',
  'security',
  'settings',
  'shortener',
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
  'tokens',
  'v1',
  'v2',
  'v3',
  'webhooks',
  'well-known',
  'www',
]);

// Words that look like a page of the service. Existing links keep them.
const KEPT_BESIDES = new Set([
  'callback',
  'log-in',
  'mcp',
  'operator',
  'password',
  'register',
  'report',
  'reset',
  'sso',
  'verify',
]);

// Paths that every host answers itself, before its links.
const ON_EVERY_HOST = new Set(['assets', 'cdn-cgi', 'favicon', 'robots', 'well-known']);

const asWord = (skeleton: string) => skeleton.replaceAll('_', '-');
const VERSION = /^v\d+$/;
const IS_ASCII = /^\p{ASCII}*$/u;

/**
 * True if a word may not be a slug because a path of the service begins with it, regardless of case and in any
 * compatibility form of its letters, such as full-width ones.
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
  return first === '' || isReserved(wordOf(first));
}

/** True if a path of several segments, or with a dot, is one that every host answers. */
export function isPathOfEveryHost(path: string): boolean {
  return ON_EVERY_HOST.has(foldCase(wordOf(path).normalize('NFKC')));
}

/**
 * True if a slug may not be chosen: a reserved word, with or without a file extension, a word that looks like one, or
 * one that could become a version of the API. Slugs with several segments are refused only if every host answers them
 * itself. Stricter than `isReserved`, which routes requests, so that existing links keep working.
 */
export function isKeptFromSlugs(slug: string): boolean {
  const word = wordOf(slug);
  // The skeleton of a word in ASCII is one of its readings.
  const others = IS_ASCII.test(word) ? [] : skeletonsOf(word).all;
  const words = [...readingsOf(word), ...others].map(asWord);
  if (slug.includes('/')) return words.some((each) => ON_EVERY_HOST.has(each));
  const isWhole = slug === word;
  return words.some((each) => (VERSION.test(each) ? isWhole : RESERVED.has(each) || KEPT_BESIDES.has(each)));
}

/** The first segment, without a leading dot and without a file extension. */
function wordOf(path: string): string {
  const [first = ''] = path.split('/', 1);
  const [word = ''] = first.replace(/^\./, '').split('.', 1);
  return word;
}
