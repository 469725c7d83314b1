import { Hono } from 'hono';

export * from './objects.ts';

/** The floor for one look-up in D1. */
export default new Hono<{ Bindings: Env }>().get('/:slug', async (c) => {
  const row = await c.env.DB.prepare('SELECT url FROM floor WHERE id = ?1')
    .bind(c.req.param('slug'))
    .first<{ readonly url: string }>();
  return row === null ? c.notFound() : c.redirect(row.url);
});
