import { Hono } from 'hono';

/** What one look-up in KV costs. */
export default new Hono<{ Bindings: Env }>().get('/:slug', async (c) => {
  const url = await c.env.LINKS.get(c.req.param('slug'));
  return url === null ? c.notFound() : c.redirect(url);
});
