import { Hono } from 'hono';
import { API_KEY_CHALLENGE, apiKeyCredential, readApiKey, refuseWith } from '../http/authenticate.ts';
import { limitCreates } from '../http/create-limit.ts';
import type { HttpEnv } from '../http/env.ts';
import { readForm } from '../http/form.ts';
import { createLink } from '../links/create.ts';
import { parseNewLink } from '../links/input.ts';
import { success, toRecord } from './record.ts';

/** `POST /v1/links`: makes a short link with an API key or an `api_token`. */
export function linksApi(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post('/v1/links', refuseWith({ challenge: API_KEY_CHALLENGE }), async (c) => {
    const key = readApiKey(c);
    const input = parseNewLink(await readForm(c.req.raw), c.var.site);
    const credential = await apiKeyCredential(c, key);
    await limitCreates(c, credential);
    return c.json(success(toRecord(await createLink(c.var.db, credential, input), c.var.site)));
  });
}
