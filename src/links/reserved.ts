import { foldCase, readingsOf, skeletonOf } from '../look-alikes.ts';

// First path segments that are, or may one day be, pages or endpoints of the service. Never slugs, on any host.
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

// Words that a visitor would take for a page of the service. Links that have them already go on.
const KEPT_BESIDES = [
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
];

// What every host answers, whatever its links are.
const ON_EVERY_HOST = new Set(['assets', 'cdn-cgi', 'favicon', 'robots', 'well-known']);

const asWord = (skeleton: string) => skeleton.replaceAll('_', '-');
const KEPT = new Set([...RESERVED, ...KEPT_BESIDES].map((word) => asWord(skeletonOf(word))));
const VERSION = /^v\d+$/;
const IS_ASCII = /^\p{ASCII}*$/u;

/**
 * Whether a word may not be a slug because a path of ours begins with it, in any case and any form of its letters, such as
 * full-width ones. No reserved word is nearly as long as a slug may be.
 */
export function isReserved(slug: string): boolean {
  return RESERVED.has(slug.toLowerCase()) || (!IS_ASCII.test(slug) && RESERVED.has(foldCase(slug.normalize('NFKC'))));
}

/**
 * Whether a path is the service's own rather than a short link: the root, or one that begins with a reserved word,
 * with or without a file extension.
 */
export function isServicePath(pathname: string): boolean {
  const [first = ''] = pathname.slice(1).split('/', 1);
  return first === '' || isReserved(wordOf(first));
}

/** Whether a path of several segments, or with a dot, is one that every host answers. */
export function isPathOfEveryHost(path: string): boolean {
  return ON_EVERY_HOST.has(foldCase(wordOf(path).normalize('NFKC')));
}

/**
 * Whether a slug may not be chosen: a word that is reserved or kept, with or without a file extension, one that may be read as
 * such a word, or one that may be a version of the API one day. Of a slug of several segments it is what every host answers.
 * Stricter than `isReserved`, by which paths are told apart: links that were made before go on.
 */
export function isKeptFromSlugs(slug: string): boolean {
  const words = readingsOf(wordOf(slug)).map(asWord);
  if (slug.includes('/')) return words.some((word) => ON_EVERY_HOST.has(word));
  return words.some((word) => KEPT.has(word) && (slug === wordOf(slug) || !VERSION.test(word))) || isVersion(slug);
}

const isVersion = (slug: string) => VERSION.test(skeletonOf(slug));

/** The first segment, without a dot before it and a file extension. */
function wordOf(path: string): string {
  const [first = ''] = path.split('/', 1);
  const [word = ''] = first.replace(/^\./, '').split('.', 1);
  return word;
}
