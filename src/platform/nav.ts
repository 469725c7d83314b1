import type { OwnClient } from './env.ts';

/** A page of a client that the navigation leads to. */
export interface NavEntry {
  /** The part of the path after the client's; '' for the first page. */
  readonly path: string;
  readonly label: string;
  /** Whether only owners see it; the page itself must refuse others. */
  readonly ownersOnly?: boolean;
}

/** In the order of the navigation. */
export const NAVIGATION: readonly NavEntry[] = [
  { path: '', label: 'Overview' },
  { path: 'links', label: 'Links' },
  { path: 'campaigns', label: 'Campaigns' },
  { path: 'keys', label: 'API keys' },
  { path: 'domains', label: 'Domains' },
  { path: 'members', label: 'Members', ownersOnly: true },
  { path: 'audit', label: 'Audit log', ownersOnly: true },
];

/** The path of a client's page, such as `links/new`. Client ids need no escaping: RFC 3986 unreserved characters. */
export function clientPath({ id }: Pick<OwnClient, 'id'>, path = ''): string {
  return path === '' ? `/platform/c/${id}` : `/platform/c/${id}/${path}`;
}

/** The entries of the navigation for a user of a client at a path. */
export function navigationOf(client: OwnClient, pathname: string) {
  return entriesFor(client).map(({ path, label }) => {
    const href = clientPath(client, path);
    const isCurrent = pathname === href || (path !== '' && pathname.startsWith(`${href}/`));
    return { href, path, label, isCurrent };
  });
}

/** Where a user who is at a path of one client goes on in another: in the same section, if they can open it there. */
export function sectionIn(other: OwnClient, client: OwnClient | null, pathname: string): string {
  const here = client && navigationOf(client, pathname).find(({ isCurrent }) => isCurrent);
  return clientPath(other, entriesFor(other).find(({ path }) => path === here?.path)?.path);
}

const entriesFor = ({ role }: OwnClient) => NAVIGATION.filter(({ ownersOnly }) => !ownersOnly || role === 'owner');

/**
 * Where a sign-in leads: only to a page of this service, whatever the URL asks for.
 *
 * @param next the `next` of the URL
 */
export function ownPath(next: string | undefined, { origin }: URL): string {
  const url = next?.startsWith('/') ? URL.parse(next, origin) : null;
  if (url?.origin !== origin || !/^\/platform(\/|$)/.test(url.pathname)) return '/platform';
  return url.pathname + url.search;
}
