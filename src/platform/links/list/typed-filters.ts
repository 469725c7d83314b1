import type { Site } from '../../../network/hosts.ts';
import { spellingsOf } from '../../../links/list/campaigns.ts';
import type { LinkFilters } from '../../../links/list/filters.ts';
import { readShortUrl } from '../../forms/typed-url.ts';

type Texts = Readonly<Record<string, string>>;

/** The named things of the workspace, by which filters are read. */
interface Existing {
  readonly site: Site;
  readonly hosts: readonly string[];
  readonly campaigns: readonly string[];
}

/** The link of a short URL that was typed as search text, if its host is one of the workspace or of the service. */
export function typedAddress(query: Texts, { site, hosts }: Pick<Existing, 'site' | 'hosts'>): string | null {
  const typed = readShortUrl(query['q'] ?? '');
  if (typed === null) return null;
  const isOfService = [site.publicUrl, site.requestUrl].some((url) => url?.host === typed.host);
  if (!isOfService && !hosts.includes(typed.host)) return null;
  return `${isOfService ? '' : typed.host}/${typed.slug}`;
}

/** The filters with the campaigns that exist, in whatever case their name was typed. */
export function withCampaigns(filters: LinkFilters, campaigns: readonly string[]): LinkFilters {
  const { campaign_name: typed } = filters;
  if (typeof typed !== 'string') return filters;
  // Spaces around a name are a part of it where it has some.
  const name = campaigns.includes(typed) ? typed : typed.trim();
  const [first = typed, ...others] = spellingsOf(name, campaigns);
  return { ...filters, campaign_name: others.length === 0 ? first : [first, ...others] };
}
