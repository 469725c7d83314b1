import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { EncodeSchedule } from '../config.ts';
import { AppError } from '../errors.ts';
import { BEARER_CHALLENGE, readBearer, refuseWith, tokenCredential, verifyFor } from '../http/authenticate.ts';
import { limitCreates } from '../http/create-limit.ts';
import type { HttpEnv } from '../http/env.ts';
import { readForm } from '../http/form.ts';
import type { PathMiddleware } from '../http/surface.ts';
import { createLink } from '../links/create.ts';
import { encodeFields, parseNewLink } from '../links/input.ts';
import { success, toRecord } from './record.ts';

const PATH = '/shortener/encode';

/** `POST /shortener/encode`, deprecated: makes a short link with an access token. Deleting this file retires it. */
export function encodeApi(schedule: EncodeSchedule): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post(PATH, refuseWith({ challenge: BEARER_CHALLENGE }), async (c) => {
    const token = readBearer(c);
    const input = parseNewLink(await readForm(c.req.raw), c.var.site, encodeFields);
    const claims = await verifyFor(c, 'access', token);
    refuseAfterCutoff(schedule, claims.issuedAtSeconds);
    const credential = tokenCredential('access', claims);
    await limitCreates(c, credential);
    return c.json(success(toRecord(await createLink(c.var.db, credential, input), c.var.site)));
  });
}

/** Deprecation (RFC 9745), Sunset (RFC 8594) and the links that go with them, on every answer, preflights included. */
export function encodeRetirement({ deprecatedAtSeconds, sunsetSeconds }: EncodeSchedule): PathMiddleware {
  const announce = createMiddleware<HttpEnv>(async (c, next) => {
    await next();
    const { headers } = c.res;
    if (deprecatedAtSeconds !== null) headers.set('Deprecation', `@${deprecatedAtSeconds}`);
    if (sunsetSeconds !== null) headers.set('Sunset', new Date(sunsetSeconds * 1000).toUTCString());
    headers.set('Link', '</v1/links>; rel="successor-version", </changelog>; rel="deprecation"; type="text/html"');
  });
  return { path: PATH, middleware: announce };
}

// By the token's own time, so that nobody's running program breaks before its token would have expired anyway.
function refuseAfterCutoff({ cutoffSeconds }: EncodeSchedule, issuedAtSeconds: number): void {
  if (cutoffSeconds === null || Math.floor(issuedAtSeconds) < cutoffSeconds) return;
  throw new AppError(
    'encode_retired',
    'POST /shortener/encode takes no new tokens any more. Send the same form to POST /v1/links, with an API key ' +
      'from the platform or the api_token of GET /tokens/create_token in the header X-API-Key.',
  );
}
