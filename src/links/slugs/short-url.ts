import type { Site } from '../../network/hosts.ts';
import type { Link } from '../link.ts';

/** The short link itself: on its custom domain, or on the service's host. */
export function shortUrlOf(link: Pick<Link, 'slug' | 'customDomain'>, { publicUrl, requestUrl }: Site): string {
  const origin = link.customDomain === null ? (publicUrl ?? requestUrl).origin : `https://${link.customDomain}`;
  return origin + pathOfSlug(link.slug);
}

/** The path of a slug, percent-encoded. */
export const pathOfSlug = (slug: string): string => `/${slug.split('/').map(encodeURIComponent).join('/')}`;
