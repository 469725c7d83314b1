import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { openWithHook } from '../support/webhooks.ts';

const EVENTS = 500;

const PAGE_BYTES = 4096;

const bytes = async () => (await env.DB.prepare('SELECT 1').run()).meta.size_after;

it('an event with a KiB of a response takes less than a page of the database', async () => {
  const { clientId, hookId } = await openWithHook();
  const before = await bytes();
  const ids = JSON.stringify(Array.from({ length: EVENTS }, (_, n) => `evt_${n.toString(16).padStart(32, '0')}`));
  const insert = (sql: string, ...params: readonly unknown[]) => env.DB.prepare(sql).bind(ids, ...params);
  await env.DB.batch([
    insert(
      `INSERT INTO events (id, client_id, type, happened_at, data, webhook_id, dispatched_at)
        SELECT value, ?2, 'link.clicked', 1, ?3, ?4, 1 FROM json_each(?1)`,
      clientId,
      JSON.stringify({ clicks: ['c'.repeat(200)] }),
      hookId,
    ),
    insert(
      `INSERT INTO deliveries (webhook_id, event_id, created_at, tries, delivered_at)
        SELECT ?2, value, 1, 1, 1 FROM json_each(?1)`,
      hookId,
    ),
    insert(
      `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms, status, answer)
        SELECT ?2, value, 1, 1, 1, 200, ?3 FROM json_each(?1)`,
      hookId,
      'a'.repeat(1024),
    ),
  ]);
  expect((await bytes()) - before).toBeLessThan(EVENTS * PAGE_BYTES);
});
