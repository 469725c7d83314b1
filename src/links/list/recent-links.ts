import type { Actor } from '../../accounts/access.ts';
import type { ClickSources } from '../../clicks/days.ts';
import { readRecentIfPossible, type RecentClicks } from '../../clicks/recent.ts';
import { AppError } from '../../errors.ts';
import type { ManagedLink } from '../managed-link.ts';
import type { Sort } from './clicked-link.ts';
import { countLinks, type LinkCount } from './count.ts';
import type { LinkFilters } from './filters.ts';
import type { LinkPage } from './link-page.ts';
import { listLinks, type LinkPageOptions } from './list.ts';
import { listRankedLinks } from './ranked.ts';

/** A link of a list, with its clicks; null if the statistics do not respond. */
export type RecentLink = ManagedLink & { readonly recent: RecentClicks | null };

export interface RecentLinkPage extends Omit<LinkPage, 'links'> {
  readonly links: readonly RecentLink[];
  /** The number of links in the list; null if that is not known, and on later pages. */
  readonly count: LinkCount | null;
  /** In which order they are: newest first if the statistics do not respond. */
  readonly sort: Sort;
}

/**
 * Lists the links of the actor's client with their clicks by day, for people. Unlike `listClickedLinks`, it does without the
 * statistics. Throws `invalid_cursor`, `store_unavailable`, and what `authorize` throws.
 */
export async function listRecentLinks(
  sources: ClickSources,
  actor: Actor,
  filters: LinkFilters,
  wanted: Sort,
  options: LinkPageOptions,
): Promise<RecentLinkPage> {
  const { page, sort } = await listSorted(sources, actor, filters, wanted, options);
  const { links, cursor } = page;
  const isFirst = options.cursor === undefined;
  const [recentOf, count] = await Promise.all([
    recentOfLinks(sources, links),
    cursor === null || !isFirst ? null : countLinks(sources.db, actor, filters, sort === 'created' ? links : []),
  ]);
  return {
    ...page,
    sort,
    count: isFirst && cursor === null ? { links: links.length, hasMore: false } : count,
    links: links.map((link) => ({ ...link, recent: recentOf(link.id) })),
  };
}

async function listSorted(
  sources: ClickSources,
  actor: Actor,
  filters: LinkFilters,
  sort: Sort,
  options: LinkPageOptions,
): Promise<{ readonly page: LinkPage; readonly sort: Sort }> {
  if (sort === 'created') return { sort, page: await listLinks(sources.db, actor, filters, options) };
  try {
    return { sort, page: await listRankedLinks(sources, actor, filters, sort, options) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'store_unavailable') throw error;
    // If it is the database that does not respond, this fails too. A cursor is of the other order.
    const page = await listLinks(sources.db, actor, filters, { limit: options.limit });
    return { sort: 'created', page };
  }
}

async function recentOfLinks({ statistics }: ClickSources, links: readonly ManagedLink[]) {
  const [first] = links;
  if (first === undefined) return () => null;
  const ids = links.map(({ id }) => id);
  return readRecentIfPossible(statistics, first.clientId, ids, Date.now());
}
