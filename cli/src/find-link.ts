import { EXIT, Failure, usageFailure } from './outcome.ts';
import type { Link, Service } from './service.ts';

/**
 * The link that a person names: by its id, its slug, or its short link with or without `https://`. Throws a failure if
 * there is none, or if links on several hosts have the slug.
 */
export async function findLink(service: Service, name: string): Promise<Link> {
  const { host, slug } = readName(name);
  // As a filter it would fit all links.
  if (slug === '') throw usageFailure('Name a link by its id, its slug or its whole short link.');
  if (host === null) {
    const link = await byId(service, slug);
    if (link !== null) return link;
  }
  const { links } = await service.data(
    service.api.GET('/v1/links', { params: { query: { ...service.client, slug, limit: 100 } } }),
  );
  const found = host === null ? links : links.filter((link) => new URL(link.short_url).host === host);
  const [only, ...others] = found;
  if (only === undefined) throw noLink(name);
  if (others.length === 0) return only;
  const urls = found.map(({ short_url }) => short_url).join(', ');
  throw new Failure(`Several links have the slug "${slug}": ${urls}. Name one with its host.`, { code: 'ambiguous' });
}

/** The host, if the name has one, and the slug or id. One slash at the end is ignored, as when the link is followed. */
export function readName(name: string): { readonly host: string | null; readonly slug: string } {
  const withScheme = /^https?:\/\//i.test(name) ? name : `https://${name}`;
  if (!name.includes('/') || !URL.canParse(withScheme)) return { host: null, slug: name };
  const { host, pathname } = new URL(withScheme);
  return { host, slug: decoded(pathname.slice(1).replace(/\/$/, '')) };
}

async function byId(service: Service, id: string): Promise<Link | null> {
  const asked = await service.api.GET('/v1/links/{id}', { params: { path: { id } } });
  return asked.response.status === 404 ? null : service.data(Promise.resolve(asked));
}

function noLink(name: string): Failure {
  const message = `You have no link "${name}".`;
  const remedy = 'Name it by its id, its slug or its whole short link; "terse list --q TEXT" finds links.';
  return new Failure(message, { exit: EXIT.notFound, code: 'not_found', remedy });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
