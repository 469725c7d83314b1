import { slugOfPath } from '../links/redirect/slug-path.ts';

/** The slug of a link whose destination is asked for: of a path that ends with `+` after the slug, not escaped. */
export function inspectedSlug(pathname: string, host: string): string | null {
  const path = pathname.slice(0, -1);
  return pathname.endsWith('+') && !path.endsWith('/') ? slugOfPath(path, host) : null;
}
