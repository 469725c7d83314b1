import { Hono } from 'hono';
import { readActor } from '../http/actor.ts';
import { ANY_CHALLENGE, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { parseListQuery } from '../http/list.ts';
import { readQuery } from '../http/query.ts';
import { listCampaigns, type Campaign } from '../links/list/campaigns.ts';
import { toInstant } from '../time/instant.ts';

/** `GET /v1/campaigns`: the campaigns of a client's links, and their clicks. */
export function campaignsApi(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/v1/campaigns', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const actAs = readActor(c);
    const query = parseListQuery('campaigns', readQuery(c));
    const { campaigns, cursor } = await listCampaigns(c.var, await actAs(query), query.page);
    return c.json({ campaigns: campaigns.map(present), cursor });
  });
}

function present({ name, links, newestAt, clicks, lastClickAt }: Campaign) {
  return {
    name,
    links,
    newest_link_at: toInstant(newestAt),
    clicks,
    last_click_at: toInstant(lastClickAt),
  };
}
