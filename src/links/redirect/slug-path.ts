import { isPathOfEveryHost, isReserved } from '../reserved.ts';
import { MOST_UNITS_OF_SLUG, parseSlug } from '../slug.ts';

// One plain segment, as nearly all slugs are. Every host accepts these.
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
// A code unit takes at most three bytes of UTF-8, each written as an escape of three characters.
const MOST_UNITS_OF_PATH = MOST_UNITS_OF_SLUG * 9;

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
  if (path.length > MOST_UNITS_OF_PATH) return null;
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

function decoded(path: string, options: { readonly onDomain: boolean }): string | null {
  try {
    return parseSlug(decodeURIComponent(path), options);
  } catch {
    return null;
  }
}
