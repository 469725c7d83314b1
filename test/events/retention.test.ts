import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { FREQUENT_CRON } from '../../src/app/crons.ts';
import worker from '../../src/index.ts';
import { MAX_KEPT_DELIVERIES, removeExcessClicks, removeOldEvents } from '../../src/events/retention.ts';
import { DAY_MS, HOUR_MS } from '../../src/time/day.ts';
import { db } from '../support/seed.ts';
import { openWithHook } from '../support/webhooks.ts';

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

interface Many {
  readonly type: string;
  readonly ageMs: number;
  readonly nextTryAt?: number;
}

async function addMany(clientId: string, hookId: string, count: number, { type, ageMs, nextTryAt }: Many) {
  const ids = JSON.stringify(Array.from({ length: count }, () => crypto.randomUUID()));
  const at = Date.now() - ageMs;
  const insert = (sql: string, ...params: readonly unknown[]) => env.DB.prepare(sql).bind(ids, hookId, ...params);
  await env.DB.batch([
    insert(
      `INSERT INTO events (id, client_id, type, happened_at, data, webhook_id, dispatched_at)
        SELECT value, ?3, ?4, ?5, '{}', ?2, ?5 FROM json_each(?1)`,
      clientId,
      type,
      at,
    ),
    insert(
      `INSERT INTO deliveries (webhook_id, event_id, created_at, next_try_at)
        SELECT ?2, value, ?3, ?4 FROM json_each(?1)`,
      at,
      nextTryAt ?? null,
    ),
    insert(
      `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms)
        SELECT ?2, value, 1, 1, 1 FROM json_each(?1)`,
    ),
  ]);
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

it('the clean-up each five minutes removes events of 30 days ago with their deliveries, and no others', async () => {
  const { clientId, hookId } = await openWithHook();
  await addEvents(clientId, hookId, [31, 29]);
  await worker.scheduled(createScheduledController({ cron: FREQUENT_CRON }), env);
  expect([await leftOf(clientId), await orphans()]).toEqual([[`${clientId}-29-1`], 0]);
});

it('more events than the clean-up removes at once are removed by one run', async () => {
  const { clientId, hookId } = await openWithHook();
  await addMany(clientId, hookId, 11_000, { type: 'link.created', ageMs: 40 * DAY_MS });
  await removeOldEvents(db, Date.now());
  expect([await leftOf(clientId), await orphans()]).toEqual([[], 0]);
});

describe('a webhook with more deliveries than are kept', () => {
  const countOf = (hookId: string) =>
    env.DB.prepare(
      `SELECT group_concat(n || ' ' || type || ' ' || state, ', ') AS text FROM (
        SELECT count(*) AS n, e.type, iif(d.next_try_at IS NULL, 'ended', 'pending') AS state
        FROM deliveries d JOIN events e ON e.id = d.event_id WHERE d.webhook_id = ? GROUP BY 2, 3 ORDER BY 2, 3)`,
    )
      .bind(hookId)
      .first<string>('text');

  it('a webhook with more deliveries than are kept loses its oldest clicks, and neither other events nor what is on its way', async () => {
    const { clientId, hookId } = await openWithHook();
    await addMany(clientId, hookId, 3, { type: 'link.created', ageMs: 4000 });
    await addMany(clientId, hookId, 2, { type: 'link.clicked', ageMs: 3000, nextTryAt: 1 });
    await addMany(clientId, hookId, 6, { type: 'link.clicked', ageMs: 2000 });
    await addMany(clientId, hookId, 5, { type: 'link.clicked', ageMs: 1000 });
    await removeExcessClicks(db, 5);
    expect(await countOf(hookId)).toBe('5 link.clicked ended, 2 link.clicked pending, 3 link.created ended');
    expect(await orphans()).toBe(0);
  });

  it('a webhook with more deliveries than are kept is shortened once an hour', async () => {
    const { clientId, hookId } = await openWithHook();
    await addMany(clientId, hookId, MAX_KEPT_DELIVERIES, { type: 'link.clicked', ageMs: 1000 });
    await addMany(clientId, hookId, 2, { type: 'link.clicked', ageMs: HOUR_MS });
    const run = async (minute: number) => {
      vi.setSystemTime(Math.floor(Date.now() / HOUR_MS) * HOUR_MS + minute * 60_000);
      await worker.scheduled(createScheduledController({ cron: FREQUENT_CRON }), env);
      vi.useRealTimers();
      return countOf(hookId);
    };
    expect([await run(5), await run(0)]).toEqual(['50002 link.clicked ended', '50000 link.clicked ended']);
  });
});
