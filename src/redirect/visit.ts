import type { Click } from '../clicks/click.ts';
import type { LinkLimits } from '../link-limit/limits.ts';
import type { UnlockCookies } from '../links/password/unlock-cookies.ts';
import type { Limiter } from '../bounds/rate-limiter.ts';
import type { WorkQueue } from '../isolate/work-queue.ts';
import type { Address } from '../links/link.ts';
import type { DerivedKeys } from '../secrets/random-secrets.ts';
import type { Redirection } from '../links/redirect/decide.ts';
import type { LinkMemory, LinkTiers } from '../links/redirect/resolve.ts';
import { pathOfSlug } from '../links/slugs/short-url.ts';

/** A request of a visitor at an address, and what answers it. */
export interface Visit {
  readonly request: Request;
  /** The `url` of the request. */
  readonly url: string;
  /** As it is stored, which may be spelled otherwise than in the request. */
  readonly address: Address;
  /** The path after the slug, if the link passes paths on; null if nothing follows. */
  readonly rest: string | null;
  readonly memory: LinkMemory;
  /** Called only if memory has no answer, or the link has a password or a click limit: most redirects need no store. */
  readonly openStores: () => VisitStores;
  /** The cookies of visitors who have entered the password of a link. */
  readonly cookies: UnlockCookies;
  /** They sign the forms of links that ask first. */
  readonly askKeys: DerivedKeys;
  /** Must not wait for anything. */
  readonly recordClick: (click: Click) => void;
  /** The origin of this service, or null to use that of the request. */
  readonly publicUrl: URL | null;
  /** Where a browser is redirected that finds no link on the service's own host; null for a page. */
  readonly notFoundUrl: URL | null;
  /** Absent for a link that does not ask first. */
  readonly asking?: Asking;
}

/** The state of a visit of a link that asks first. */
export interface Asking {
  /** The host that the visitor comes from, as the page before says; null without one. Absent in a first request. */
  readonly referrer?: string | null;
  /** Gives the page that asks, or null if the visitor has consented to be led there. */
  readonly pageFor: (redirection: Redirection) => Promise<Response> | null;
}

/**
 * The path of a visit, percent-encoded: the stored slug and what follows it. Unlike the path as it was requested, it
 * never begins with two slashes, which would name another host.
 */
export function pathOf({ address, rest }: Visit): string {
  return pathOfSlug(address.slug) + (rest === null ? '' : `/${rest}`);
}

/** That path with the query of the visit, for a form and a redirect that lead here again. */
export const hereOf = (visit: Visit): string => pathOf(visit) + new URL(visit.url).search;

/** The stores of links, and what those with a password or a click limit need. */
export interface VisitStores extends LinkTiers {
  readonly limits: LinkLimits;
  readonly hashing: WorkQueue;
  /** Attempts to enter the password of one link from one address, and of all links from one address. */
  readonly linkPair: Limiter;
  readonly linkAddress: Limiter;
}
