import { Hono } from 'hono';

export * from './objects.ts';

/** The floor for one inserted row in D1. */
export default new Hono<{ Bindings: Env }>().post('/v1/links', async (c) => {
  const id = crypto.randomUUID();
  await c.env.DB.prepare('INSERT INTO floor (id, slug, client_id, url, campaign_name) VALUES (?1, ?2, ?3, ?4, ?5)')
    .bind(id, id.slice(0, 8), 'bench', 'https://example.com/a/page', 'spring')
    .run();
  return c.json({ id });
});
