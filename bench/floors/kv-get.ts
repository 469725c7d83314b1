import { Hono } from 'hono';

export * from './objects.ts';

/** The floor for one look-up in KV. */
export default new Hono<{ Bindings: Env }>().get('/:slug', async (c) => {
  const url = await c.env.LINKS.get(c.req.param('slug'));
  return url === null ? c.notFound() : c.redirect(url);
});
