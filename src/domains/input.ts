import * as z from 'zod';
import { AppError } from '../errors.ts';
import { lazy } from '../isolate/lazy.ts';
import { refuseTypingErrors } from '../links/destinations/destinations.ts';
import { targetUrl } from '../links/fields/url.ts';
import { DOMAIN_SLUG_LENGTHS, GENERATED_ID } from '../links/slugs/slug.ts';
import { fieldError, parseFields, type Fields } from '../input/validation.ts';
import { isLocalName } from './addresses.ts';
import { appLinkFields, MAX_APP_LINK_ITEMS } from './app-link-fields.ts';
import { MAX_APP_LINK_BYTES, type AppLinkChange } from './app-links.ts';
import { hostnameOf, isOwnTarget, parseDomainName, type Site } from '../network/hosts.ts';
import type { Destination } from '../targets/destination.ts';

// The name of the TXT record is seven characters longer, and has to fit into 253 too (RFC 1035, section 2.3.4).
const MAX_HOST_CHARACTERS = 246;

const host = lazy(() =>
  z
    .string()
    .transform(parseDomainName)
    .refine((name) => name !== null && name.length <= MAX_HOST_CHARACTERS, {
      error: `must be a host name of two labels or more and at most ${MAX_HOST_CHARACTERS} characters, such as go.example.com`,
      abort: true,
    })
    .refine((name) => !isLocalName(name ?? ''), {
      error: 'is a name of a local network, which visitors cannot reach: use a public name such as go.example.com',
    })
    .meta({ description: 'The host name of the domain', example: 'go.example.com' }),
);

const rootUrl = lazy(() =>
  targetUrl().nullable().meta({ description: 'Where GET / redirects to; null for a 404 page' }),
);
const notFoundUrl = lazy(() =>
  targetUrl().nullable().meta({ description: 'Where unknown slugs redirect to; null for a 404 page' }),
);

const caseSensitive = lazy(() =>
  z.boolean().meta({
    description: 'Whether two slugs may differ in case only. It can be changed until the domain has its first link.',
  }),
);

const tolerant = lazy(() =>
  z.boolean().meta({
    description:
      'Whether a path that has no link is followed without what text programs add to it, such as a full stop. True by default.',
  }),
);

const slugLength = lazy(() => {
  const { least, most } = DOMAIN_SLUG_LENGTHS;
  return z
    .int({ error: `must be a whole number from ${least} to ${most}` })
    .min(least)
    .max(most)
    .meta({
      description: `How many characters the slugs of links without a chosen one have. ${GENERATED_ID.length} by default.`,
    });
});

/** The body of `POST /v1/domains`. */
export const newDomainFields = lazy(() =>
  z.strictObject({
    host: host(),
    root_url: rootUrl().optional(),
    not_found_url: notFoundUrl().optional(),
    case_sensitive: caseSensitive().optional(),
    tolerant: tolerant().optional(),
    slug_length: slugLength().optional(),
  }),
);

/** The body of `PATCH /v1/domains/{id}`; null clears. */
export const domainChangeFields = lazy(() =>
  z.strictObject({
    root_url: rootUrl().optional(),
    not_found_url: notFoundUrl().optional(),
    case_sensitive: caseSensitive().optional(),
    tolerant: tolerant().optional(),
    slug_length: slugLength().optional(),
    ...appLinkFields(),
  }),
);

/** The bounds of the body of a change, in bytes, and of the lists in it. */
export const DOMAIN_CHANGE_RULES = {
  // Two files, each as a text with all of its quotes escaped, and the other fields.
  maxBytes: 5 * MAX_APP_LINK_BYTES,
  bounds: {
    mostItems: MAX_APP_LINK_ITEMS,
    refuseList: (field: string): never => {
      parseFields(domainChangeFields(), { [field]: Array.from({ length: MAX_APP_LINK_ITEMS + 1 }, () => '') });
      throw new TypeError('a domain has a field that may be a longer list than an app link file');
    },
  },
};

/** The query of `DELETE /v1/domains/{id}`, besides the client. */
export const removalFields = lazy(() => ({
  force: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .optional()
    .meta({ description: 'true removes a domain that has links, and deletes them', type: 'boolean' }),
}));

/** A domain to be added. */
export interface NewDomain {
  readonly host: string;
  readonly rootUrl: URL | null;
  readonly notFoundUrl: URL | null;
  readonly caseSensitive: boolean;
  readonly tolerant: boolean;
  readonly slugLength: number;
}

/** An absent field stays unchanged; null clears it. */
export interface DomainChange {
  readonly rootUrl?: URL | null;
  readonly notFoundUrl?: URL | null;
  readonly caseSensitive?: boolean;
  readonly tolerant?: boolean;
  readonly slugLength?: number;
  readonly appLinks?: AppLinkChange;
}

/** Reads a new domain. Throws its first fault, among them `own_host` for a host of the service's own. */
export function parseNewDomain(fields: Fields, site: Site): NewDomain {
  const {
    host,
    root_url: rootUrl = null,
    not_found_url: notFoundUrl = null,
    case_sensitive: caseSensitive = false,
    tolerant = true,
    slug_length: slugLength = GENERATED_ID.length,
  } = parseFields(newDomainFields(), fields);
  if (host === null) throw new TypeError('a host that is none was let through');
  if (isOwnTarget(new URL(`https://${host}`), site) || /(^|\.)workers\.dev$/.test(host)) {
    const sentence = 'host belongs to this service. Use a domain of your own, such as go.example.com.';
    throw fieldError('own_host', 'host', sentence);
  }
  const input = { host, rootUrl, notFoundUrl, caseSensitive, tolerant, slugLength };
  refuseTypingErrors(pagesOf(input));
  refuseCircles(input, (url) => isOwnTarget(url, site) || hostnameOf(url) === host);
  return input;
}

/**
 * Reads a change of a domain. Throws its first fault. Targets on custom domains of this service are refused by the
 * store.
 */
export function parseDomainChange(fields: Fields, site: Site): DomainChange {
  const {
    root_url: rootUrl,
    not_found_url: notFoundUrl,
    case_sensitive: caseSensitive,
    tolerant,
    slug_length: slugLength,
    ...appLinks
  } = parseFields(domainChangeFields(), fields, { emptyIsAbsent: false });
  const change = {
    ...(rootUrl !== undefined && { rootUrl }),
    ...(notFoundUrl !== undefined && { notFoundUrl }),
    ...(caseSensitive !== undefined && { caseSensitive }),
    ...(tolerant !== undefined && { tolerant }),
    ...(slugLength !== undefined && { slugLength }),
    appLinks,
  };
  refuseCircles(change, (url) => isOwnTarget(url, site));
  return change;
}

/** The URLs to which a domain leads without a link. */
export function pagesOf({ rootUrl, notFoundUrl }: Targets): Destination[] {
  const pages = [
    ['root_url', rootUrl],
    ['not_found_url', notFoundUrl],
  ] as const;
  return pages.flatMap(([field, url]) => (url == null ? [] : [{ field, url }]));
}

type Targets = Pick<DomainChange, 'rootUrl' | 'notFoundUrl'>;

function refuseCircles({ rootUrl, notFoundUrl }: Targets, isOwn: (url: URL) => boolean): void {
  const own = (url: URL | null | undefined) => (url != null && isOwn(url) ? url : null);
  const targets = { rootUrl: own(rootUrl), notFoundUrl: own(notFoundUrl) };
  if (targets.rootUrl ?? targets.notFoundUrl) throw circle(targets);
}

/** Refuses targets on this service. */
export function circle({ rootUrl, notFoundUrl }: Targets): AppError {
  const sentence = 'root_url and not_found_url must not lead to this service or to a domain that it serves.';
  const fields = [...(rootUrl ? ['root_url'] : []), ...(notFoundUrl ? ['not_found_url'] : [])];
  return new AppError('own_host', sentence, { faults: fields.map((field) => ({ field, sentence })) });
}
