import { Hono } from 'hono';
import { OWN_BRAND } from '../config/brand.ts';
import { AppError } from '../errors.ts';
import { preferredOf } from '../http/accept.ts';
import type { HttpEnv } from '../http/env.ts';
import { withBrand } from './docs-brand.ts';

/**
 * `GET /docs` and below: files that `scripts/docs.mjs` writes, with the headers of `public/_headers`. The asset server
 * does not get these requests first, since on a custom domain `/docs` can be a link, and Strict-Transport-Security
 * depends on a setting.
 */
export function docsPages(): Hono<HttpEnv> {
  return new Hono<HttpEnv>().on('GET', ['/docs', '/docs/*'], async (c) => {
    const { brand } = c.var.services.config;
    const isOwn = brand.name === OWN_BRAND.name && brand.colour === null;
    // The hash of the file is not that of a page with a brand.
    const file = await c.env.ASSETS.fetch(isOwn ? c.req.raw : new Request(c.req.url, { method: c.req.method }));
    // Its headers cannot be changed, and the surface adds its own.
    if (file.status !== 404) return isOwn ? new Response(file.body, file) : withBrand(file, brand);
    if (preferredOf(c.req.header('Accept') ?? '') !== 'page')
      throw new AppError('not_found', 'There is nothing at this path.');
    const page = await c.env.ASSETS.fetch(new URL('/docs/not-found', c.req.url));
    const missing = new Response(page.body, { status: 404, headers: page.headers });
    return isOwn ? missing : withBrand(missing, brand);
  });
}
