import { Hono } from 'hono';

export * from './objects.ts';

/** The floor for a link: one inserted row with the columns and the indexes of Terse. */
export default new Hono<{ Bindings: Env }>().post('/v1/links', async (c) => {
  const id = crypto.randomUUID();
  const slug = id.slice(0, 8);
  await c.env.DB.prepare(
    `INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, campaign_name, created_at, updated_at, revision,
      key_id)
     VALUES (?1, '', ?2, 'bench', ?2, ?3, 'spring', ?4, ?4, ?4, 'bench')`,
  )
    .bind(id, slug, 'https://example.com/a/page', Date.now())
    .run();
  return c.json({ id });
});
