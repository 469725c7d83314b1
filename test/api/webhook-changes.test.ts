import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseSealingKeys } from '../../src/secrets/sealing.ts';
import { openSecrets } from '../../src/webhooks/secrets.ts';
import { openOwner, refused, seedWebhook, webhookAudit, webhookRow, withoutSecret } from '../support/webhook-owners.ts';

afterEach(() => void vi.useRealTimers());

const KEYS = parseSealingKeys(env.WEBHOOK_KEYS ?? '')!;

describe('PATCH /v1/webhooks/{id}', () => {
  it('PATCH /v1/webhooks/{id} changes what is named, and records which fields', async () => {
    vi.setSystemTime('2026-05-20T10:00:00Z');
    const owner = await openOwner();
    await owner.ask('POST', '/v1/tags', { name: 'Summer' });
    const { secret: _, ...webhook } = await seedWebhook(owner, { tag: 'Summer', campaign_name: 'Spring' });
    const change = (body: object) => owner.ask('PATCH', `/v1/webhooks/${webhook.id}`, body);
    const events = ['link.clicked'];
    vi.setSystemTime('2026-05-20T10:10:00Z');
    const changed = { ...webhook, events, tag: null, updated_at: '2026-05-20T10:10:00.000Z' };
    expect((await change({ events, tag: null, description: '' })).body).toEqual(changed);
    vi.setSystemTime('2026-05-20T10:20:00Z');
    expect((await change({ events })).body).toEqual(changed);
    const moved = { url: 'http://127.0.0.1:9998/', campaign_name: null, description: 'x' };
    expect((await change(moved)).body).toEqual({ ...changed, ...moved, updated_at: '2026-05-20T10:20:00.000Z' });
    const details = (await webhookAudit(owner)).map(({ action, details }) => [action, details]);
    expect(details.slice(0, -1)).toEqual([
      ['webhook.changed', { changed: ['url', 'description', 'campaign_name'], disabled: false }],
      ['webhook.changed', { changed: ['events', 'tag'], disabled: false }],
    ]);
  });

  it('PATCH /v1/webhooks/{id} keeps the origin of the request, as create and roll do, for events that no request causes', async () => {
    const owner = await openOwner();
    const { id } = await seedWebhook(owner);
    const origin = async () => (await webhookRow(id))?.['origin'];
    expect(await origin()).toBe('https://terse.test');
    for (const path of ['', '/roll']) {
      await env.DB.prepare('UPDATE webhooks SET origin = NULL WHERE id = ?').bind(id).run();
      const { status } = await owner.ask(
        path === '' ? 'PATCH' : 'POST',
        `/v1/webhooks/${id}${path}`,
        path === '' ? {} : undefined,
      );
      expect([path, status, await origin()]).toEqual([path, 200, 'https://terse.test']);
    }
  });

  it('PATCH /v1/webhooks/{id} disables and enables, which begins the time of failures anew', async () => {
    vi.setSystemTime('2026-05-20T09:50:00Z');
    const owner = await openOwner();
    const { id } = await seedWebhook(owner);
    vi.setSystemTime('2026-05-20T10:00:00Z');
    const change = async (body: object) => (await owner.ask('PATCH', `/v1/webhooks/${id}`, body)).body;
    await env.DB.prepare('UPDATE webhooks SET failing_since = 1 WHERE id = ?').bind(id).run();
    const off = { disabled: true, disabled_at: '2026-05-20T10:00:00.000Z', disabled_by: 'owner' };
    expect(await change({ disabled: true })).toMatchObject({ ...off, failing_since: '1970-01-01T00:00:00.001Z' });
    vi.setSystemTime('2026-05-20T10:10:00Z');
    expect(await change({ disabled: true })).toMatchObject(off);
    vi.setSystemTime('2026-05-20T10:20:00Z');
    const on = { disabled: false, disabled_at: null, disabled_by: null, failing_since: null };
    expect(await change({ disabled: false })).toMatchObject(on);
    await env.DB.prepare(`UPDATE webhooks SET failing_since = 1, disabled_at = 2, disabled_by = 'gone' WHERE id = ?`)
      .bind(id)
      .run();
    expect(await change({ disabled: true })).toMatchObject({ disabled_by: 'gone' });
    vi.setSystemTime('2026-05-20T10:30:00Z');
    expect(await change({ url: 'http://localhost:9998/' })).toMatchObject({ disabled_by: 'gone', failing_since: null });
    const details = (await webhookAudit(owner)).map(({ details }) => details);
    expect(details.slice(0, -1)).toEqual([
      { changed: ['url'], disabled: true },
      { changed: ['disabled'], disabled: false },
      { changed: ['disabled'], disabled: true },
    ]);
  });

  it('PATCH /v1/webhooks/{id} changes nothing where the tag does not exist', async () => {
    const owner = await openOwner();
    const webhook = await seedWebhook(owner);
    const sent = await owner.ask('PATCH', `/v1/webhooks/${webhook.id}`, { tag: 'none', description: 'x' });
    expect([sent.status, sent.body]).toEqual([
      400,
      refused('invalid_tag: tag must be the name or the id of a tag that exists.'),
    ]);
    expect((await owner.ask('GET', `/v1/webhooks/${webhook.id}`)).body).toEqual(withoutSecret(webhook));
  });
});

describe('POST /v1/webhooks/{id}/roll', () => {
  it('POST /v1/webhooks/{id}/roll gives a new secret, and the former one signs too for 24 hours', async () => {
    vi.setSystemTime('2026-05-20T09:59:00Z');
    const owner = await openOwner();
    const { id, secret: former } = await seedWebhook(owner);
    vi.setSystemTime('2026-05-20T10:00:00Z');
    const { status, body } = await owner.ask<{ secret: string }>('POST', `/v1/webhooks/${id}/roll`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      former_secret_ends_at: '2026-05-21T10:00:00.000Z',
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(body.secret).not.toBe(former);
    const row = await webhookRow(id);
    const stored = {
      id,
      secret: row!['secret'] as string,
      formerSecret: row!['former_secret'] as string,
      formerSecretUntil: row!['former_secret_until'] as number,
    };
    const end = Date.parse('2026-05-21T10:00:00Z');
    expect(await openSecrets(KEYS, stored, end - 1)).toEqual([body.secret, former]);
    expect(await openSecrets(KEYS, stored, end)).toEqual([body.secret]);
    vi.setSystemTime('2026-05-21T10:00:00Z');
    const later = await openOwner(owner.tenant);
    expect((await later.ask('GET', `/v1/webhooks/${id}`)).body).toMatchObject({ former_secret_ends_at: null });
    expect((await webhookAudit(later))[0]).toEqual({
      action: 'webhook.rolled',
      subject: { kind: 'webhook', id, name: 'localhost' },
      details: null,
    });
  });
});

describe('DELETE /v1/webhooks/{id}', () => {
  it('DELETE /v1/webhooks/{id} deletes the webhook with its deliveries, and no other', async () => {
    const owner = await openOwner();
    const [webhook, other] = [await seedWebhook(owner), await seedWebhook(owner)];
    await seedDeliveries(owner.tenant.clientId, [webhook.id, other.id], 3);
    expect((await owner.ask('DELETE', `/v1/webhooks/${webhook.id}`)).status).toBe(204);
    expect(await webhookRow(webhook.id)).toBeNull();
    expect(await countDeliveries(webhook.id)).toEqual([0, 0]);
    expect(await countDeliveries(other.id)).toEqual([3, 3]);
    expect((await webhookAudit(owner))[0]).toMatchObject({ action: 'webhook.deleted', subject: { id: webhook.id } });
    const again = await owner.ask('DELETE', `/v1/webhooks/${webhook.id}`);
    expect([again.status, again.body]).toEqual([
      404,
      refused('not_found: There is no webhook with this id that you can manage.'),
    ]);
  });

  it('DELETE /v1/webhooks/{id} deletes the events that were for the webhook alone', async () => {
    const owner = await openOwner();
    const [webhook, other] = [await seedWebhook(owner), await seedWebhook(owner)];
    await seedDeliveries(owner.tenant.clientId, [webhook.id, other.id], 3);
    await env.DB.prepare('UPDATE events SET webhook_id = ?1 WHERE id IN (?2, ?3)')
      .bind(webhook.id, `${owner.tenant.clientId}1`, `${owner.tenant.clientId}2`)
      .run();
    await env.DB.prepare('DELETE FROM deliveries WHERE webhook_id = ?1 AND event_id <> ?2')
      .bind(other.id, `${owner.tenant.clientId}3`)
      .run();
    expect((await owner.ask('DELETE', `/v1/webhooks/${webhook.id}`)).status).toBe(204);
    const { results } = await env.DB.prepare('SELECT id FROM events WHERE client_id = ?')
      .bind(owner.tenant.clientId)
      .all();
    expect(results).toEqual([{ id: `${owner.tenant.clientId}3` }]);
  });

  it('DELETE /v1/webhooks/{id} deletes many deliveries in parts', async () => {
    const owner = await openOwner();
    const { id } = await seedWebhook(owner);
    await seedDeliveries(owner.tenant.clientId, [id], 20_001);
    expect((await owner.ask('DELETE', `/v1/webhooks/${id}`)).status).toBe(204);
    expect(await countDeliveries(id)).toEqual([0, 0]);
    expect((await webhookAudit(owner)).map(({ action }) => action)).toEqual(['webhook.deleted', 'webhook.created']);
  });
});

const seedDeliveries = (clientId: string, webhooks: readonly string[], count: number) =>
  env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO events (id, client_id, type, happened_at, data) SELECT ?1 || i, ?1, 'link.created', 1, '{}' FROM n`,
    ).bind(clientId, count),
    env.DB.prepare(
      `INSERT INTO deliveries (webhook_id, event_id, created_at)
       SELECT w.value, e.id, 1 FROM json_each(?2) w CROSS JOIN events e WHERE e.client_id = ?1`,
    ).bind(clientId, JSON.stringify(webhooks)),
    env.DB.prepare(
      `INSERT INTO delivery_tries (webhook_id, event_id, number, tried_at, ms)
       SELECT w.value, e.id, 1, 1, 1 FROM json_each(?2) w CROSS JOIN events e WHERE e.client_id = ?1`,
    ).bind(clientId, JSON.stringify(webhooks)),
  ]);

const countDeliveries = (id: string) =>
  Promise.all(
    ['deliveries', 'delivery_tries'].map((table) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE webhook_id = ?`).bind(id).first<number>('n'),
    ),
  );
