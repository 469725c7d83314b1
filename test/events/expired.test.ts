import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { recordExpired } from '../../src/links/events/expired.ts';
import { open } from '../support/manage.ts';
import { db } from '../support/seed.ts';
import { eventRowsOf, eventsOf, openWithHook } from '../support/webhooks.ts';

afterEach(() => void vi.useRealTimers());

const MINUTE_MS = 60_000;
const only = { events: ['link.expired'] };
const runCron = () => worker.scheduled(createScheduledController({ cron: '*/5 * * * *' }), env);

/** A link that expires in a minute. */
const expiring = (at = Date.now() + MINUTE_MS) => ({ expires_at: new Date(at).toISOString() });

describe('link.expired', () => {
  it('link.expired comes once, with the record and the instant at which the link expired', async () => {
    const { clientId, make } = await openWithHook(only);
    const end = Date.now() + MINUTE_MS;
    const id = await make(expiring(end));
    await make();
    await runCron();
    expect(await eventRowsOf(clientId)).toEqual([]);
    vi.setSystemTime(end + 1);
    await runCron();
    const [row, ...more] = await eventRowsOf(clientId);
    expect([row?.type, row?.happened_at, more]).toEqual(['link.expired', end, []]);
    const [event] = await eventsOf(clientId);
    expect(event?.data).toMatchObject({ id, state: 'expired', expires_at: new Date(end).toISOString() });
    await env.DB.prepare('UPDATE events SET dispatched_at = 1 WHERE client_id = ?').bind(clientId).run();
    vi.setSystemTime(end + 10 * MINUTE_MS);
    await runCron();
    expect(await eventRowsOf(clientId)).toHaveLength(1);
  });

  it('link.expired is recorded again for another expiry of the same link', async () => {
    const { clientId, make, ask } = await openWithHook(only);
    const end = Date.now() + MINUTE_MS;
    const id = await make(expiring(end));
    await recordExpired(db, end + 1);
    expect((await ask('PATCH', `/v1/links/${id}`, expiring(end + 5 * MINUTE_MS))).status).toBe(200);
    await recordExpired(db, end + 2);
    await recordExpired(db, end + 6 * MINUTE_MS);
    const rows = await eventRowsOf(clientId);
    expect(rows.map(({ happened_at: at }) => at)).toEqual([end, end + 5 * MINUTE_MS]);
  });

  it('link.expired is not recorded for deleted links, links of other clients, or a time before the webhook', async () => {
    const [owner, without, late] = [await openWithHook(only), await open(), await openWithHook(only)];
    const end = Date.now() + MINUTE_MS;
    const deleted = await owner.make(expiring(end));
    await owner.ask('DELETE', `/v1/links/${deleted}`);
    await without.make(expiring(end));
    await late.make(expiring(end));
    await env.DB.prepare('UPDATE webhooks SET created_at = ?2, updated_at = ?2 WHERE client_id = ?1')
      .bind(late.clientId, end + 20 * MINUTE_MS)
      .run();
    await recordExpired(db, end + 21 * MINUTE_MS);
    const clients = [owner.clientId, without.tenant.clientId, late.clientId];
    expect(await Promise.all(clients.map(eventRowsOf))).toEqual([[], [], []]);
  });

  it.each<[when: string, method: string, suffix: string, body: object | undefined, events: number]>([
    ['comes after a change of a description', 'PATCH', '', { description: 'x' }, 1],
    ['comes after a change of the secret', 'POST', '/roll', undefined, 1],
    ['comes after a change of nothing', 'PATCH', '', { disabled: false, ...only }, 1],
    ['does not come after a change of the events', 'PATCH', '', { events: ['link.expired', 'link.created'] }, 0],
  ])('link.expired %s of the webhook, long after the expiry', async (_, method, suffix, body, expected) => {
    const { clientId, hookId, make, ask } = await openWithHook(only);
    const end = Date.now() + MINUTE_MS;
    await make(expiring(end));
    vi.setSystemTime(end + 40 * MINUTE_MS);
    expect((await ask(method, `/v1/webhooks/${hookId}${suffix}`, body)).status).toBe(200);
    await recordExpired(db, Date.now());
    expect(await eventRowsOf(clientId)).toHaveLength(expected);
  });

  it('link.expired comes for as many links as have expired', async () => {
    const { clientId, make } = await openWithHook(only);
    const end = Date.now() + MINUTE_MS;
    const id = await make(expiring(end));
    const numbers = JSON.stringify(Array.from({ length: 1200 }, (_, n) => n));
    await env.DB.prepare(
      `INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, expires_at, revision)
        SELECT l.id || n.value, '', l.id || n.value, l.client_id, 's', l.url, l.created_at, 1, l.expires_at, 1
        FROM links l, json_each(?2) n WHERE l.id = ?1`,
    )
      .bind(id, numbers)
      .run();
    await recordExpired(db, end);
    expect(await eventRowsOf(clientId)).toHaveLength(1201);
  });

  it('link.expired is found by an index, and costs nothing for clients without webhooks', async () => {
    const { make } = await openWithHook(only);
    await make(expiring());
    const [statement] = await statementsOf(() => recordExpired(db, Date.now()));
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${statement!.sql}`)
      .bind(...statement!.params)
      .all<{ detail: string }>();
    const plan = results.map(({ detail }) => detail);
    expect(plan.filter((line) => /\bl\b/.test(line) && /SCAN|SEARCH/.test(line))).toEqual([
      'SEARCH l USING INDEX links_by_end (client_id=? AND expires_at>? AND expires_at<?)',
    ]);
  });
});

async function statementsOf(work: () => Promise<void>) {
  const batch = vi.spyOn(db, 'batch');
  await work();
  const statements = batch.mock.calls.flat(2);
  batch.mockRestore();
  return statements;
}
