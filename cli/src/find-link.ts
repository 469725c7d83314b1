import { EXIT, Failure, usageFailure } from './outcome.ts';
import type { Link, Service } from './service.ts';

/**
 * The link that a person names: by its id, its slug, or its short link with or without `https://`. Throws a failure if
 * there is none, or if links on several hosts have the slug.
 */
export async function findLink(service: Service, name: string): Promise<Link> {
  const readings = readingsOf(name);
  // As a filter it would fit all links.
  if (readings.some(({ slug }) => slug === '')) {
    throw usageFailure('Name a link by its id, its slug or its whole short link.');
  }
  for (const reading of readings) {
    const link = (await byId(service, reading)) ?? (await bySlug(service, reading));
    if (link !== null) return link;
  }
  throw noLink(name);
}

interface Reading {
  /** Null for any host. */
  readonly host: string | null;
  readonly slug: string;
}

/**
 * The readings of a name, the most likely first: `docs/intro` is a slug on the host `docs`, or one of two segments. One
 * slash at each end is ignored.
 */
function readingsOf(name: string): readonly Reading[] {
  const path = { host: null, slug: withoutSlash(name.replace(/^\//, '')) };
  const hasScheme = /^https?:\/\//i.test(name);
  const url = hasScheme ? name : `https://${name}`;
  if (!name.includes('/') || !URL.canParse(url)) return [path];
  const { host, pathname } = new URL(url);
  const onHost = { host, slug: decoded(withoutSlash(pathname.slice(1))) };
  if (hasScheme) return [onHost];
  return onHost.slug === '' ? [path] : [onHost, path];
}

async function bySlug(service: Service, { host, slug }: Reading): Promise<Link | null> {
  const { links } = await service.data(
    service.api.GET('/v1/links', { params: { query: { ...service.client, slug, limit: 100 } } }),
  );
  const found = host === null ? links : links.filter((link) => new URL(link.short_url).host === host);
  const [only, ...others] = found;
  if (only === undefined || others.length === 0) return only ?? null;
  const urls = found.map(({ short_url }) => short_url).join(', ');
  throw new Failure(`Several links have the slug "${slug}": ${urls}. Name one with its host.`, { code: 'ambiguous' });
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

async function byId(service: Service, { host, slug }: Reading): Promise<Link | null> {
  if (host !== null || slug.includes('/')) return null;
  try {
    return await service.data(service.api.GET('/v1/links/{id}', { params: { path: { id: slug } } }));
  } catch (error) {
    if (error instanceof Failure && error.details.status === 404) return null;
    throw error;
  }
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
