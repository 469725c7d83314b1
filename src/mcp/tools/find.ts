import { actorOf } from '../../http/actor.ts';
import { parseListQuery } from '../../http/list.ts';
import { linkListQuery } from '../../http/link-queries.ts';
import { splitArguments, TOOL_INPUTS } from '../../http/tool-inputs.ts';
import { getClicksLeft, getLink } from '../../links/edit/get-link.ts';
import { refuseOtherScheme } from '../../links/input.ts';
import { listCampaigns } from '../../links/list/campaigns.ts';
import { listClickedLinks } from '../../links/list/clicked.ts';
import type { ClickedLink } from '../../links/list/clicked-link.ts';
import { toCampaignRecord, toTagRecord } from '../../links/list/records.ts';
import { toManagedRecord } from '../../links/record.ts';
import type { Site } from '../../network/hosts.ts';
import { listTags } from '../../links/tags/tags.ts';
import { toInstant } from '../../time/instant.ts';
import { parseFields } from '../../input/validation.ts';
import { succeeded } from '../result.ts';
import { written, type Tool } from './tool.ts';

/** The tools that read links and their groups. */

export const findLinksTool: Tool = async ({ c, verify }, given) => {
  const { own, rest } = splitArguments(TOOL_INPUTS.find_links, given);
  const {
    client_id: clientId,
    limit: _,
    cursor,
    sort,
    ...filters
  } = parseFields(linkListQuery(), { ...rest, q: own.q }, c.var.site);
  if (filters.url !== undefined) refuseOtherScheme(filters.url, c.var.site);
  const actor = actorOf(await verify(), clientId);
  const page = await listClickedLinks(c.var, actor, filters, sort, { limit: own.limit, cursor });
  return succeeded(
    `Found ${counted(page.links.length, 'link')}${goesOn(page.cursor)}.`,
    { links: page.links.map((link) => toFoundRecord(link, c.var.site)), cursor: page.cursor },
    ['url', 'short_url', 'title', 'campaign_name', 'tags'].map((name) => `links[].${name}`),
  );
};

export const getLinkTool: Tool = async ({ c, verify }, given) => {
  const { own } = splitArguments(TOOL_INPUTS.get_link, given);
  const { link, clicks } = await getLink(c.var, actorOf(await verify(), own.client_id), own.link);
  const clicksLeft = await getClicksLeft(c.var.openLimits, link);
  const record = { ...toManagedRecord(link, c.var.site), clicks_left: clicksLeft, clicks };
  const sentence = `The link is ${link.state}, and has ${counted(clicks.total, 'click')}, ${clicks.humans} of them by people.`;
  return succeeded(sentence, record, written());
};

export const listCampaignsTool: Tool = async ({ c, verify }, given) => {
  const { client_id: clientId, page } = parseListQuery(
    'campaigns',
    splitArguments(TOOL_INPUTS.list_campaigns, given).rest,
  );
  const { campaigns, cursor } = await listCampaigns(c.var, actorOf(await verify(), clientId), page);
  const sentence = `Found ${counted(campaigns.length, 'campaign')}${goesOn(cursor)}.`;
  return succeeded(sentence, { campaigns: campaigns.map(toCampaignRecord), cursor }, ['campaigns[].name']);
};

export const listTagsTool: Tool = async ({ c, verify }, given) => {
  const { client_id: clientId, page } = parseListQuery('tags', splitArguments(TOOL_INPUTS.list_tags, given).rest);
  const { tags, cursor } = await listTags(c.var.db, actorOf(await verify(), clientId), page);
  return succeeded(`Found ${counted(tags.length, 'tag')}${goesOn(cursor)}.`, { tags: tags.map(toTagRecord), cursor }, [
    'tags[].name',
  ]);
};

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

const goesOn = (cursor: string | null) => (cursor === null ? '' : '; there may be more, from `cursor` on');

const MAX_URL_CHARACTERS = 300;

// A whole record can be 40 KB long, and a list is read by a model with little room.
function toFoundRecord(link: ClickedLink, site: Site) {
  const { id, short_url, client_id, title, campaign_name, tags, state, created_at, ...record } = toManagedRecord(
    link,
    site,
  );
  return {
    id,
    short_url,
    url: shortened(record.url),
    client_id,
    title,
    campaign_name,
    tags,
    state,
    created_at,
    clicks: link.clicks,
    humans: link.humans,
    last_click_at: toInstant(link.lastClickAt),
  };
}

const shortened = (url: string) => (url.length > MAX_URL_CHARACTERS ? `${url.slice(0, MAX_URL_CHARACTERS)}…` : url);
