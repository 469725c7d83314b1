import { Hono } from 'hono';
import { AppError } from '../errors.ts';
import { preferredOf } from '../http/accept.ts';
import type { HttpEnv } from '../http/env.ts';

/**
 * `GET /docs` and below: files that `scripts/docs.mjs` writes, with the headers of `public/_headers`. The asset server
 * does not get these requests first, since on a custom domain `/docs` can be a link, and Strict-Transport-Security
 * depends on a setting.
 */
export function docsPages(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().on('GET', ['/docs', '/docs/*'], async (c) => {
    const file = await c.env.ASSETS.fetch(c.req.raw);
    // Its headers cannot be changed, and the surface adds its own.
    if (file.status !== 404) return new Response(file.body, file);
    if (preferredOf(c.req.header('Accept') ?? '') !== 'page')
      throw new AppError('not_found', 'There is nothing at this path.');
    const page = await c.env.ASSETS.fetch(new URL('/docs/not-found', c.req.url));
    return new Response(page.body, { status: 404, headers: page.headers });
  });
}
