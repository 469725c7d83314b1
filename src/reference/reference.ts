import { Hono } from 'hono';
import { AppError } from '../errors.ts';
import type { HttpEnv } from '../http/env.ts';
import { sameForAll } from '../http/surface.ts';

/**
 * `GET /openapi.json`: the OpenAPI document. It is a file that `npm run types` writes from `openApiDocument`, so that
 * the Worker contains neither the text nor the code that writes it.
 */
export function referenceApi(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get('/openapi.json', sameForAll, async (c) => {
    const file = await c.env.ASSETS.fetch(new URL('/assets/openapi.json', c.req.url));
    if (!file.ok)
      throw new AppError('store_unavailable', 'The document is temporarily unavailable. Try again in a few seconds.');
    return c.body(await file.text(), 200, { 'Content-Type': 'application/json' });
  });
}
