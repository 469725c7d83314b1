import { hostnameOf, isOwnTarget, type Site } from '../../network/hosts.ts';
import { WEB_PROTOCOL, type Schemes } from '../../network/schemes.ts';
import { MAX_CHECKED_HOST } from '../../targets/blocklist.ts';
import type { Destination } from '../../targets/destination.ts';
import { ownHost } from '../../targets/own-hosts.ts';
import { STORED_NAMES, type LinkContent, type NewContent } from '../fields/content.ts';
import { propertyOf } from '../fields/property.ts';
import { fieldOf } from '../fields/table.ts';
import { TYPING_ERROR, typingErrorIn } from './typing-errors.ts';

const FIELDS = STORED_NAMES.flatMap((name) => {
  const { destinationsIn } = fieldOf(name) ?? {};
  return destinationsIn ? [{ name, property: propertyOf(name) as keyof NewContent, destinationsIn }] : [];
});

/** All URLs that a link can lead to, `url` first. */
export function destinationsOf(content: { readonly [Name in keyof NewContent]?: unknown }): Destination[] {
  return FIELDS.flatMap(({ name, property, destinationsIn }) => {
    const value = (content[property] ?? null) as string | null;
    if (value === null) return [];
    if (destinationsIn === 'itself') return [{ field: name, url: new URL(value) }];
    return destinationsIn(value).map(({ path, href }) => ({ field: [name, ...path].join('.'), url: new URL(href) }));
  });
}

/** The destinations of a changed link that it did not have before. */
export function newDestinations(after: LinkContent, before: LinkContent): Destination[] {
  if (after === before) return [];
  const known = new Set(destinationsOf(before).map(({ url }) => url.href));
  return destinationsOf(after).filter(({ url }) => !known.has(url.href));
}

/** Refuses newly typed destinations with a likely typing error or another scheme. Throws `typingErrorIn`. */
export function refuseTypingErrors(destinations: readonly Destination[], schemes?: Schemes): void {
  if (destinations.every(({ url }) => WEB_PROTOCOL.test(url.protocol) && !TYPING_ERROR.test(url.hostname))) return;
  const error = typingErrorIn(destinations, schemes);
  if (error !== null) throw error;
}

/** Refuses destinations on a host of this service. Custom domains are checked by the database. Throws `own_host`. */
export function refuseOwnDestinations(destinations: readonly Destination[], site: Site): void {
  const own = destinations.find(({ url }) => isOwnTarget(url, site));
  if (own) throw ownHost(own.field);
}

const checkedHostOf = (url: URL) => hostnameOf(url).slice(-MAX_CHECKED_HOST);

/** The distinct hosts of some destinations, as far as the database checks them. */
export function hostsOf(destinations: readonly Destination[]): string[] {
  return [...new Set(destinations.map(({ url }) => checkedHostOf(url)))];
}

/** The field of the first destination on a host, as the database names the host. */
export function fieldOnHost(destinations: readonly Destination[], host: string): string {
  return destinations.find(({ url }) => checkedHostOf(url) === host)?.field ?? 'url';
}
