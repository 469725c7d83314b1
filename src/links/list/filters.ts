import type { LinkState } from '../managed-link.ts';

/**
 * The number of links found by an index that one page reads for further filters, until it is full; for `q`, which has no
 * index, the newest links.
 */
export const MAX_EXAMINED = 10_000;

/**
 * The filters of a list of links. An absent one filters nothing, except that deleted links are listed only if
 * requested.
 */
export interface LinkFilters {
  /** The name of a campaign, or several spellings of it. */
  readonly campaign_name?: string | readonly string[] | undefined;
  readonly sec_id?: string | undefined;
  readonly external_id?: string | undefined;
  /** Folded names of tags: links that have all of them. */
  readonly tag?: readonly string[] | undefined;
  readonly custom_domain?: string | undefined;
  readonly state?: LinkState | undefined;
  /** Active links with an unhealthy destination, or all links without one. */
  readonly unhealthy?: boolean | undefined;
  /** A slug that leads to the link, its current one or an alias. */
  readonly slug?: string | undefined;
  /** A short URL: a host, or '' for that of the service, a slash, and a slug that leads to the link, regardless of case. */
  readonly address?: string | undefined;
  /** The whole target, as the URL standard serialises it. */
  readonly url?: string | undefined;
  /** A part of the target, the slug, a tag or one of `SEARCHED_NAMES`, regardless of case. */
  readonly q?: string | undefined;
}
