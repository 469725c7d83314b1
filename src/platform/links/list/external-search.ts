import type { Actor } from '../../../accounts/access.ts';
import type { ClickSources } from '../../../clicks/days.ts';
import type { LinkFilters } from '../../../links/list/filters.ts';
import { listRecentLinks, type RecentLinkPage } from '../../../links/list/recent-links.ts';

const IS_EXTERNAL_ID = /^[!-~]{1,128}$/;

/**
 * The first page of a search, which begins with the link whose external id was searched for: a page of a search reads only
 * the newest links. Throws what `listRecentLinks` throws.
 */
export async function withExternal(
  sources: ClickSources,
  actor: Actor,
  page: RecentLinkPage,
  { q, ...filters }: LinkFilters,
): Promise<RecentLinkPage> {
  if (q === undefined || page.cursor === null || !IS_EXTERNAL_ID.test(q)) return page;
  if (page.links.some(({ externalId }) => externalId === q)) return page;
  const { links } = await listRecentLinks(sources, actor, { ...filters, external_id: q }, 'created', { limit: 1 });
  return { ...page, links: [...links, ...page.links] };
}
