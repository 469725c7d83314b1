import { Hono } from 'hono';

export * from './objects.ts';

/** The floor for an unknown slug: one look-up in KV, and then one in D1. */
export default new Hono<{ Bindings: Env }>().get('/:slug', async (c) => {
  const slug = c.req.param('slug');
  const known = await c.env.LINKS.get(slug);
  if (known !== null) return c.redirect(known);
  const row = await c.env.DB.prepare('SELECT url FROM floor WHERE id = ?1')
    .bind(slug)
    .first<{ readonly url: string }>();
  return row === null ? c.notFound() : c.redirect(row.url);
});
