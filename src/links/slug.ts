import { customAlphabet } from 'nanoid';

// No vowels, so no words; no characters that are read for another in print. 36^8 is 2.8 · 10^12.
const LEGIBLE = '6789BCDFGHJKLMNPQRTWbcdfghjkmnpqrtwz';

/** A new id for a link, or for a `sec_id` its caller left to us. Whether it is taken, the database says. */
export const newId = customAlphabet(LEGIBLE, 8);

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

/**
 * Whether a word may not be a slug because a path of ours begins with it, in any case and any form of its letters, such as
 * full-width ones.
 */
export function isReserved(slug: string): boolean {
  return RESERVED.has(slug.toLowerCase()) || (!IS_ASCII.test(slug) && RESERVED.has(foldSlug(slug.normalize('NFKC'))));
}

/**
 * Whether a path is the service's own rather than a short link: the root, or one that begins with a reserved word,
 * with or without a file extension.
 */
export function isServicePath(pathname: string): boolean {
  const [first = ''] = pathname.slice(1).split('/', 1);
  const [word = ''] = first.replace(/^\./, '').split('.', 1);
  return first === '' || isReserved(word);
}

/**
 * A slug without its case, for telling apart what people would not. Upper case first, so that letters which have more
 * than one small form fall together.
 */
export function foldSlug(slug: string): string {
  return slug.toUpperCase().toLowerCase().normalize('NFC');
}

// What no reader sees: variation selectors, fillers, joiners. Some count as letters or marks.
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const VERSION = /^v\d+$/;

/**
 * Whether a word may not be chosen as a slug: one that is reserved, that reads like one, or that may be a version of the API
 * one day. Stricter than `isReserved`, by which paths are told apart: links that were made before go on.
 */
export function isKeptFromSlugs(slug: string): boolean {
  const seen = slug.normalize('NFKC').replace(UNSEEN, '');
  return isReserved(slug) || isReserved(seen) || VERSION.test(foldSlug(seen));
}

/** A slug that a caller chose, in NFC; null where it can be none. Whether it is reserved is another question. */
export function parseSlug(text: string): string | null {
  const slug = text.normalize('NFC');
  return UNICODE_SLUG.test(slug) ? slug : null;
}

const IS_ASCII = /^\p{ASCII}*$/u;
const ASCII_SLUG = /^[A-Za-z0-9_-]{1,64}$/;
const UNICODE_SLUG = /^[\p{L}\p{N}\p{M}_-]{1,64}$/u;

/**
 * The slug that a request path names, or null where it can name none, so that no store need be asked. The path is
 * as the URL parser left it: percent-encoded, which is undone once. One trailing slash is ignored; Unicode is compared
 * in NFC.
 */
export function slugOfPath(pathname: string): string | null {
  const segment = pathname.endsWith('/') ? pathname.slice(1, -1) : pathname.slice(1);
  const slug = ASCII_SLUG.test(segment) ? segment : decodeSlug(segment);
  return slug === null || isReserved(slug) ? null : slug;
}

function decodeSlug(segment: string): string | null {
  if (!segment.includes('%')) return null;
  try {
    const slug = decodeURIComponent(segment).normalize('NFC');
    return UNICODE_SLUG.test(slug) ? slug : null;
  } catch {
    return null;
  }
}
