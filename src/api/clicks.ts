import { Hono } from 'hono';
import { ANY_CHALLENGE, readAnyCredential, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { respondWithLive } from '../http/event-stream.ts';
import { clickStreamQuery } from '../http/queries.ts';
import { readQuery } from '../http/query.ts';
import type { Counted } from '../statistics/live/counted-clicks.ts';
import { toInstant } from '../time/instant.ts';
import { parseFields } from '../input/validation.ts';

/** `GET /v1/clicks/stream`: clicks as they are counted. */
export function clicksApi(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/v1/clicks/stream', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const verify = readAnyCredential(c);
    const { client_id: clientId, link_id: linkId = null } = parseFields(clickStreamQuery(), readQuery(c));
    const lastId = c.req.header('Last-Event-ID') ?? null;
    return respondWithLive(c, verify, { clientId, linkId, lastId }, presentClick);
  });
}

function presentClick({ at, link, clicks, kind, ...visitor }: Counted, shortUrl: string | null = null) {
  const { country, referrer, device, os, browser, via = null, utmMedium = null, utmCampaign = null } = visitor;
  return {
    at: toInstant(at),
    link_id: link,
    short_url: shortUrl,
    country,
    referrer,
    device,
    os,
    browser,
    via,
    utm_medium: utmMedium,
    utm_campaign: utmCampaign,
    kind,
    clicks,
  };
}
