import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ManagedRecord } from '../../src/api/record.ts';
import { seedDomain } from '../support/seed.ts';
import { failed, follow, newSlug, open, type Manager } from '../support/manage.ts';
import { call } from '../support/service.ts';

/** Links by the ids of their owner's own system: looked up, created and changed. */

const BASE = '/v1/links-by-external-id';
const A = 'https://example.com/a';
const B = 'https://example.com/b';

const put = ({ ask }: Manager, id: string, body: object, headers?: Record<string, string>) =>
  ask<ManagedRecord>('PUT', `${BASE}/${encodeURIComponent(id)}`, body, headers);

const count = async ({ ask }: Manager) => (await ask<{ links: unknown[] }>('GET', '/v1/links')).body.links.length;

beforeEach(() => void vi.setSystemTime('2026-05-20T04:17:00Z'));
afterEach(() => void vi.useRealTimers());

describe('GET /v1/links-by-external-id/{external_id}', () => {
  it.each(['product-1', 'a/b', 'a?b#c', '100%', '%2F', 'history', 'stats', '..x', '"<&>"'])(
    'GET /v1/links-by-external-id/{external_id} returns the link and its clicks: %s',
    async (externalId) => {
      const manager = await open();
      const id = await manager.make({ external_id: externalId });
      const path = `${BASE}/${encodeURIComponent(externalId)}`;
      const { status, body, headers } = await manager.ask('GET', path);
      expect(status).toBe(200);
      const byId = await manager.ask('GET', `/v1/links/${id}`);
      expect(body).toEqual(byId.body);
      const tag = { 'If-None-Match': headers.get('ETag') ?? '', ...manager.key };
      expect((await call(path, { headers: tag })).status).toBe(304);
    },
  );

  it('GET /v1/links-by-external-id/{external_id} is 404 for an unknown id, and for that of another client', async () => {
    const [manager, other] = [await open(), await open()];
    await other.make({ external_id: 'theirs' });
    for (const id of ['theirs', 'none', 'a%20b', 'x'.repeat(500)]) {
      expect(await manager.ask('GET', `${BASE}/${id}`)).toMatchObject({ status: 404, body: failed('not_found') });
    }
  });

  it('/v1/links-by-external-id/{external_id} refuses other methods with 405', async () => {
    const { ask } = await open();
    const { status, headers } = await ask('DELETE', `${BASE}/x`);
    expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD, PUT, OPTIONS']);
  });
});

describe('PUT /v1/links-by-external-id/{external_id}', () => {
  it('PUT /v1/links-by-external-id/{external_id} creates the link, and the same request again changes nothing', async () => {
    const manager = await open();
    const body = { url: A, title: 'One', rules: [{ if: [{ type: 'country', in: ['AT'] }], url: B }] };
    const first = await put(manager, 'p/1', { ...body, client_id: manager.tenant.clientId });
    expect(first).toMatchObject({ status: 201, body: { url: A, title: 'One', external_id: 'p/1', state: 'active' } });
    expect(first.headers.get('Location')).toBe(`/v1/links/${first.body.id}`);
    expect(first.headers.get('ETag')).not.toBeNull();
    vi.setSystemTime('2026-05-20T05:00:00Z');
    const again = await put(manager, 'p/1', body);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('ETag')).toBe(first.headers.get('ETag'));
    const { body: history } = await manager.ask('GET', `/v1/links/${first.body.id}/history`);
    expect(history).toMatchObject({ history: [{ action: 'created' }] });
    expect(await follow(`/${first.body.id}`)).toEqual([302, A]);
  });

  it('PUT /v1/links-by-external-id/{external_id} changes the link to exactly what is sent, and keeps what a create does not set', async () => {
    const manager = await open();
    const slug = newSlug();
    const id = await manager.make({ external_id: 'p', slug, title: 'One', sec_id: 'mine', campaign_name: 'Spring' });
    await manager.ask('PATCH', `/v1/links/${id}`, { disabled: true });
    const { status, body } = await put(manager, 'p', { url: B, comments: 'new' });
    const now = { id, url: B, slug, title: null, campaign_name: null, comments: 'new', sec_id: 'mine', disabled: true };
    expect([status, body]).toMatchObject([200, now]);
    const renamed = newSlug();
    const moved = await put(manager, 'p', { url: B, slug: renamed, sec_id: 'other' });
    expect(moved.body).toMatchObject({ slug: renamed, aliases: [slug], sec_id: 'other', comments: null });
    expect(await count(manager)).toBe(1);
  });

  it('PUT /v1/links-by-external-id/{external_id} keeps a password that is left out, and null removes it', async () => {
    const manager = await open();
    expect((await put(manager, 'p', { url: A, password: 'open sesame' })).body).toMatchObject({ has_password: true });
    expect((await put(manager, 'p', { url: B })).body).toMatchObject({ url: B, has_password: true });
    expect((await put(manager, 'p', { url: B, password: null })).body).toMatchObject({ has_password: false });
  });

  it('PUT /v1/links-by-external-id/{external_id} creates one link of several requests at once', async () => {
    const manager = await open();
    const slug = newSlug();
    const answers = await Promise.all([A, A, B].map((url) => put(manager, 'p', { url, slug })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await count(manager)).toBe(1);
  });

  it('PUT /v1/links-by-external-id/{external_id} is refused without a change by what refuses a create or an edit', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    const taken = newSlug();
    await manager.make({ slug: taken });
    await manager.make({ external_id: 'p' });
    const before = (await manager.ask('GET', `${BASE}/p`)).body;
    const cases: readonly (readonly [object, number, string])[] = [
      [{}, 400, 'missing_field'],
      [{ url: 'ftp://a' }, 400, 'invalid_url'],
      [{ url: A, slug: taken }, 409, 'slug_taken'],
      [{ url: A, custom_domain: host }, 400, 'invalid_custom_domain'],
      [{ url: A, external_id: 'other' }, 400, 'invalid_external_id'],
      [{ url: A, disabled: true }, 400, 'unknown_field'],
      [{ url: A, client_id: 'another' }, 403, 'wrong_client'],
    ];
    for (const [body, status, code] of cases) {
      expect([body, await put(manager, 'p', body)]).toMatchObject([body, { status, body: failed(code) }]);
    }
    expect(await put(manager, 'a b', { url: A })).toMatchObject({ status: 400, body: failed('invalid_external_id') });
    expect((await manager.ask('GET', `${BASE}/p`)).body).toEqual(before);
    expect(await count(manager)).toBe(2);
  });

  it('PUT /v1/links-by-external-id/{external_id} asks for a deleted link to be restored first', async () => {
    const manager = await open();
    const id = await manager.make({ external_id: 'p' });
    await manager.ask('DELETE', `/v1/links/${id}`);
    const { status, body } = await put(manager, 'p', { url: A });
    const sentence = `link_deleted: The link with this external_id is deleted. Restore it first: POST /v1/links/${id}/restore.`;
    expect([status, body]).toEqual([409, { result: 'Failed', error: sentence }]);
    await manager.ask('POST', `/v1/links/${id}/restore`);
    expect(await put(manager, 'p', { url: A })).toMatchObject({ status: 200, body: { id, url: A } });
  });

  it('PUT /v1/links-by-external-id/{external_id} obeys If-Match, also where there is no link yet', async () => {
    const manager = await open();
    const none = { ...manager.bearer, 'If-Match': '*' };
    expect(await put(manager, 'p', { url: A }, none)).toMatchObject({
      status: 412,
      body: failed('precondition_failed'),
    });
    const first = await put(manager, 'p', { url: A });
    const seen = { ...manager.bearer, 'If-Match': first.headers.get('ETag') ?? '' };
    expect((await put(manager, 'p', { url: B }, seen)).status).toBe(200);
    expect((await put(manager, 'p', { url: A }, seen)).status).toBe(412);
    expect(await manager.ask('GET', `${BASE}/p`)).toMatchObject({ body: { url: B } });
  });

  it('PUT /v1/links-by-external-id/{external_id} refuses an Idempotency-Key, and says why', async () => {
    const manager = await open();
    const { status, body } = await put(manager, 'p', { url: A }, { ...manager.bearer, 'Idempotency-Key': 'k' });
    expect([status, body]).toEqual([400, failed('invalid_idempotency_key')]);
    expect(await count(manager)).toBe(0);
  });

  it('PUT /v1/links-by-external-id/{external_id} leaves the link of another client with the same id alone', async () => {
    const [manager, other] = [await open(), await open()];
    const theirs = await other.make({ external_id: 'p', url: A });
    expect(await put(manager, 'p', { url: B })).toMatchObject({ status: 201, body: { url: B } });
    expect(await other.read(theirs)).toMatchObject({ url: A, external_id: 'p' });
  });
});
