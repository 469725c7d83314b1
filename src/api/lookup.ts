import { Hono } from 'hono';
import { ANY_CHALLENGE, readAnyCredential, refuseWith } from '../http/authenticate.ts';
import type { HttpEnv } from '../http/env.ts';
import { readJson } from '../http/json.ts';
import { lookupToolsOf } from '../http/lookup-tools.ts';
import { limitRate } from '../http/rate-limits.ts';
import { allowOnly } from '../http/surface.ts';
import { parseLookup } from '../links/lookup/input.ts';
import { lookUp } from '../links/lookup/look-up.ts';

/** `/v1/links/lookup`: what the page of a destination says of itself. */
export function lookupApi(): Hono<HttpEnv> {
  const lookup = new Hono<HttpEnv>();

  lookup.post('/v1/links/lookup', refuseWith({ challenge: ANY_CHALLENGE }), async (c) => {
    const verify = readAnyCredential(c);
    const url = parseLookup(await readJson(c.req.raw), c.var.site);
    const credential = await verify();
    await limitRate(c, 'lookup', credential);
    return c.json(await lookUp(lookupToolsOf(c), credential, url));
  });

  lookup.all('/v1/links/lookup', allowOnly('POST'));
  return lookup;
}
