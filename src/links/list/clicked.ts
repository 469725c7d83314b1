import type { Actor } from '../../accounts/access.ts';
import type { ClickSources } from '../../clicks/days.ts';
import { readTotalsIfPossible } from '../../clicks/totals.ts';
import type { ClickedLinkPage, Sort } from './clicked-link.ts';
import type { LinkFilters } from './filters.ts';
import { listLinks, type LinkPageOptions } from './list.ts';
import { listRankedLinks } from './ranked.ts';

/**
 * Lists the links of the actor's client with their clicks. Throws `invalid_cursor`, `store_unavailable`, and what
 * `authorize` throws.
 */
export async function listClickedLinks(
  sources: ClickSources,
  actor: Actor,
  filters: LinkFilters,
  sort: Sort,
  options: LinkPageOptions,
): Promise<ClickedLinkPage> {
  if (sort !== 'created') return listRankedLinks(sources, actor, filters, sort, options);
  const page = await listLinks(sources.db, actor, filters, options);
  const [first] = page.links;
  if (first === undefined) return { ...page, links: [] };
  const ids = page.links.map(({ id }) => id);
  const totalsOf = await readTotalsIfPossible(sources.statistics, first.clientId, ids);
  return { ...page, links: page.links.map((link) => ({ ...link, ...totalsOf(link.id) })) };
}
