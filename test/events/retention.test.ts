import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { removeOldEvents } from '../../src/events/retention.ts';
import { db } from '../support/seed.ts';
import { openWithHook } from '../support/webhooks.ts';

const DAY_MS = 24 * 3600 * 1000;

async function addEvents(clientId: string, hookId: string, ages: readonly number[]): Promise<void> {
  const now = Date.now();
  await env.DB.batch(
    ages.flatMap((days, n) => {
      const id = `${clientId}-${days}-${n}`;
      return [
        env.DB.prepare(
          `INSERT INTO events (id, client_id, type, happened_at, data) VALUES (?1, ?2, 'link.created', ?3, '{}')`,
        ).bind(id, clientId, now - days * DAY_MS),
        env.DB.prepare(`INSERT INTO deliveries (webhook_id, event_id, created_at) VALUES (?1, ?2, 1)`).bind(hookId, id),
        env.DB.prepare(
          `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms) VALUES (?1, ?2, 1, 1, 1)`,
        ).bind(hookId, id),
      ];
    }),
  );
}

const leftOf = async (clientId: string) => {
  const { results } = await env.DB.prepare(
    `SELECT e.id FROM events e JOIN deliveries d ON d.event_id = e.id JOIN delivery_tries t ON t.event_id = e.id
      WHERE e.client_id = ?`,
  )
    .bind(clientId)
    .all<{ readonly id: string }>();
  return results.map(({ id }) => id);
};

const orphans = () =>
  env.DB.prepare('SELECT count(*) AS n FROM delivery_tries WHERE event_id NOT IN (SELECT id FROM events)').first('n');

it('the daily clean-up removes events of 30 days ago with their deliveries, and no others', async () => {
  const { clientId, hookId } = await openWithHook();
  await addEvents(clientId, hookId, [31, 29]);
  await worker.scheduled(createScheduledController(), env);
  expect([await leftOf(clientId), await orphans()]).toEqual([[`${clientId}-29-1`], 0]);
});

it('the clean-up goes on until all are removed, some at a time', async () => {
  const { clientId, hookId } = await openWithHook();
  await addEvents(
    clientId,
    hookId,
    Array.from({ length: 620 }, () => 40),
  );
  const batch = vi.spyOn(db, 'batch');
  await removeOldEvents(db, Date.now());
  expect(batch).toHaveBeenCalledTimes(2);
  batch.mockRestore();
  expect([await leftOf(clientId), await orphans()]).toEqual([[], 0]);
});
