import { isReserved, isServedOnEveryHost } from '../slugs/reserved.ts';
import { foldSlug, MAX_UNITS_OF_SLUG, parseSlug } from '../slugs/slug.ts';

// One plain segment, as nearly all slugs are. Every host accepts these.
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
// A code unit takes at most three bytes of UTF-8, each written as an escape of three characters.
export const MAX_UNITS_OF_PATH = MAX_UNITS_OF_SLUG * 9;

/**
 * The slug that a request path names on a host; null if it cannot name one, so that no store is read. The path comes
 * from the URL parser: percent-encoded, which is decoded once. One trailing slash is ignored; Unicode is compared in
 * NFC.
 *
 * @param host '' for the service's own
 */
export function slugOfPath(pathname: string, host: string): string | null {
  const path = pathname.endsWith('/') ? pathname.slice(1, -1) : pathname.slice(1);
  if (PLAIN.test(path)) return isTaken(path, host) ? null : path;
  // An escaped slash does not separate segments.
  if (path.length > MAX_UNITS_OF_PATH || (host === '' ? !path.includes('%') : /%2f/i.test(path))) return null;
  try {
    return slugOfText(decodeURIComponent(path), host);
  } catch {
    return null;
  }
}

/** The slug that a text is on a host; null if it can be none there. */
export function slugOfText(text: string, host: string): string | null {
  const slug = parseSlug(text, { onDomain: host !== '' });
  return slug === null || isTaken(slug, host) ? null : slug;
}

// By a path of the service on its own host, by what every host serves on another.
const isTaken = (slug: string, host: string) => (host === '' ? isReserved(slug) : isServedOnEveryHost(slug));

/** The beginning of a path that can be the slug of a link which passes paths on. */
export interface Prefix {
  readonly slug: string;
  /** `slug`, as it was requested. */
  readonly path: string;
  /** The rest of the path, as it was requested, without the slash between. */
  readonly rest: string;
}

/**
 * True if a remembered link is at a prefix as it is spelled: memory also knows paths without what text programs add, which
 * count only if nothing follows them.
 */
export const isUntrimmed = (prefix: Prefix, found: { readonly slug: string }): boolean =>
  prefix.slug === found.slug || foldSlug(prefix.slug) === foldSlug(found.slug);

const MAX_PREFIXES = 4;
// As long as a destination may be.
export const MAX_PATH = 8192;

/** The prefixes of a path on a custom domain, the longest first. */
export function prefixesOf(pathname: string): Prefix[] {
  if (pathname.length > MAX_PATH || pathname.includes('//')) return [];
  const prefixes: Prefix[] = [];
  for (let end = pathname.indexOf('/', 1); end > 0 && prefixes.length < MAX_PREFIXES;) {
    const path = pathname.slice(0, end);
    const slug = path.length > MAX_UNITS_OF_PATH ? null : slugOfPath(path, 'of a domain');
    const rest = pathname.slice(end + 1);
    if (slug === null) break;
    if (rest !== '') prefixes.push({ slug, path, rest });
    end = pathname.indexOf('/', end + 1);
  }
  return prefixes.toReversed();
}
