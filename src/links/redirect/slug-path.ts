import { isPathOfEveryHost, isReserved } from '../slugs/reserved.ts';
import { MAX_UNITS_OF_SLUG, parseSlug } from '../slugs/slug.ts';

// One plain segment, as nearly all slugs are. Every host accepts these.
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
// A code unit takes at most three bytes of UTF-8, each written as an escape of three characters.
const MAX_UNITS_OF_PATH = MAX_UNITS_OF_SLUG * 9;

/**
 * The slug that a request path names on a host; null if it cannot name one, so that no store is read. The path comes
 * from the URL parser: percent-encoded, which is decoded once. One trailing slash is ignored; Unicode is compared in
 * NFC.
 *
 * @param host '' for the service's own
 */
export function slugOfPath(pathname: string, host: string): string | null {
  const path = pathname.endsWith('/') ? pathname.slice(1, -1) : pathname.slice(1);
  if (PLAIN.test(path)) return isReserved(path) ? null : path;
  if (path.length > MAX_UNITS_OF_PATH) return null;
  return host === '' ? slugOnService(path) : slugOnDomain(path);
}

function slugOnService(path: string): string | null {
  const slug = path.includes('%') ? decoded(path, { onDomain: false }) : null;
  return slug === null || isReserved(slug) ? null : slug;
}

function slugOnDomain(path: string): string | null {
  // An escaped slash does not separate segments.
  const slug = /%2f/i.test(path) ? null : decoded(path, { onDomain: true });
  return slug === null || isReserved(slug) || isPathOfEveryHost(slug) ? null : slug;
}

/** The beginning of a path that can be the slug of a link which passes paths on. */
export interface Prefix {
  readonly slug: string;
  /** `slug`, as it was requested. */
  readonly path: string;
  /** The rest of the path, as it was requested, without the slash between. */
  readonly rest: string;
}

const MAX_PREFIXES = 4;
// As long as a destination may be.
const MAX_PATH = 8192;

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

function decoded(path: string, options: { readonly onDomain: boolean }): string | null {
  try {
    return parseSlug(decodeURIComponent(path), options);
  } catch {
    return null;
  }
}
