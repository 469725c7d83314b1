import { Hono } from 'hono';
import { readActor, readActorQuery } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import { linkToolsOf } from '../http/link-tools.ts';
import type { HttpEnv } from '../http/env.ts';
import { readJson } from '../http/json.ts';
import { parseListQuery } from '../http/list.ts';
import { readQuery } from '../http/query.ts';
import { campaignChangeFields, renameCampaign } from '../links/edit/rename-campaign.ts';
import { listCampaigns } from '../links/list/campaigns.ts';
import { toCampaignRecord } from '../links/list/records.ts';
import { parseFields } from '../input/validation.ts';

/** `/v1/campaigns`: the campaigns of a client's links, and their clicks. */
export function campaignsApi(): Hono<HttpEnv> {
  const campaigns = new Hono<HttpEnv>();
  const refusal = refuseWith({ challenge: ANY_CHALLENGE });

  campaigns.get('/v1/campaigns', refusal, async (c) => {
    const actAs = readActor(c);
    const query = parseListQuery('campaigns', readQuery(c));
    const { campaigns: listed, cursor } = await listCampaigns(c.var, await actAs(query), query.page);
    return c.json({ campaigns: listed.map(toCampaignRecord), cursor });
  });

  campaigns.patch('/v1/campaigns/:name', refusal, async (c) => {
    const actAs = readActor(c);
    const query = readActorQuery(c);
    const { name } = parseFields(campaignChangeFields(), await readJson(c.req.raw), { emptyIsAbsent: false });
    const tools = { ...linkToolsOf(c), statistics: c.var.statistics };
    const { links, isMerged } = await renameCampaign(tools, await actAs(query), c.req.param('name'), name);
    return c.json({ name, changed_links: links, merged: isMerged });
  });
  return campaigns;
}
