import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { open } from '../support/manage.ts';
import { PUBLISHED_NAMES, rowsOf } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const PAST = 'invalid_expires_at: expires_at must not be in the past.';
const linksOf = async (clientId: string) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);

describe('POST /v1/links by JSON', () => {
  it('POST /v1/links by JSON takes what the form takes, and a slug and an end', async () => {
    const { ask, key, tenant } = await open();
    const slug = `s-${crypto.randomUUID().slice(0, 8)}`;
    const fields = {
      url: 'https://example.com/a',
      client_id: tenant.clientId,
      campaign_name: 'c',
      metadata: '{"a": 1}',
    };
    const expires_at = '2100-01-01T00:00:00Z';
    const { status, body } = await ask('POST', '/v1/links', { ...fields, slug, expires_at, sec_id: null }, key);
    expect(status).toBe(200);
    const record = JSON.parse(String(body['result']));
    expect(record).toMatchObject({ ...fields, short_url: expect.stringContaining(`/${slug}`) });
    expect(Object.keys(record)).toEqual(PUBLISHED_NAMES);
    expect((await ask('GET', `/v1/links/${record.id}`)).body).toMatchObject({
      slug,
      expires_at: '2100-01-01T00:00:00.000Z',
    });
  });

  it('POST /v1/links by JSON takes slug and expires_at as form fields too, which /shortener/encode never does', async () => {
    const { tenant, key, bearer } = await open();
    const slug = `s-${crypto.randomUUID().slice(0, 8)}`;
    const form = { url: 'https://example.com/', client_id: tenant.clientId, slug, expires_at: '2100-01-01T00:00:00Z' };
    const refused = await call('/shortener/encode', { headers: bearer, form });
    expect([refused.status, (await refused.json<{ error: string }>()).error]).toEqual([
      400,
      expect.stringMatching(/^unknown_field: /),
    ]);
    expect((await call('/v1/links', { headers: key, form })).status).toBe(200);
  });

  it.each([
    ['[]', 400],
    ['{', 400],
    ['{"url": "https://example.com/\\ud800"}', 400],
    ['{"url": 7}', 400],
  ])('POST /v1/links by JSON refuses %s', async (text, status) => {
    const { key } = await open();
    const headers = { ...key, 'Content-Type': 'application/json' };
    expect((await call('/v1/links', { method: 'POST', headers, body: text })).status).toBe(status);
  });
});

describe('an Idempotency-Key', () => {
  const create = (manager: Awaited<ReturnType<typeof open>>, fields: object, idempotencyKey: string) =>
    manager.ask(
      'POST',
      '/v1/links',
      { url: 'https://example.com/', client_id: manager.tenant.clientId, ...fields },
      { ...manager.key, 'Idempotency-Key': idempotencyKey },
    );

  it('an Idempotency-Key lets eight creates at once create one link', async () => {
    const manager = await open();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(manager, {}, 'once')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body['result'])).size).toBe(1);
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(1);
    expect(
      (await rowsOf('addresses')).filter(
        (row) => String(row['link_id']) === JSON.parse(String(answers[0]?.body['result'])).id,
      ),
    ).toHaveLength(1);
  });

  it('an Idempotency-Key gives the first response again, with any boundary of the form, in one round trip', async () => {
    const manager = await open();
    const headers = { ...manager.key, 'Idempotency-Key': 'k-1' };
    const form = { url: 'https://example.com/', client_id: manager.tenant.clientId };
    const trips = await countTrips();
    const first = await (await call('/v1/links', { headers, form })).text();
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    expect(await (await call('/v1/links', { headers, form })).text()).toBe(first);
    expect(trips()).toEqual({ d1: 2, kvReads: 0, kvWrites: 0 });
    expect((await create(manager, {}, 'k-1')).body).toEqual(JSON.parse(first));
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(1);
  });

  it('an Idempotency-Key is refused with other content, and free for other clients', async () => {
    const [manager, other] = [await open(), await open()];
    expect((await create(manager, {}, 'k')).status).toBe(200);
    expect(await create(manager, { sec_id: 'other' }, 'k')).toMatchObject({
      status: 409,
      body: { result: 'Failed', error: expect.stringMatching(/^idempotency_key_reused: /) },
    });
    expect((await create(other, {}, 'k')).status).toBe(200);
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(1);
  });

  it('an Idempotency-Key gives the first response again after the link has expired, and creates no link under another key', async () => {
    const manager = await open();
    const end = Date.now() + 60_000;
    const fields = { expires_at: new Date(end).toISOString() };
    const first = await create(manager, fields, 'k');
    expect(first.status).toBe(200);
    vi.setSystemTime(end);
    expect(await create(manager, fields, 'k')).toEqual({ ...first, headers: expect.anything() });
    const refused = { status: 400, body: { result: 'Failed', error: PAST } };
    expect(await create(manager, fields, 'k-2')).toMatchObject(refused);
    expect(await create(manager, { ...fields, custom_domain: 'not-mine.example' }, 'k-3')).toMatchObject(refused);
    expect(await create(manager, { ...fields, sec_id: 'other' }, 'k')).toMatchObject({ status: 409 });
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(1);
  });

  it('an Idempotency-Key keeps no failure', async () => {
    const manager = await open();
    expect((await create(manager, { custom_domain: 'not-mine.example' }, 'k')).status).toBe(400);
    expect((await create(manager, {}, 'k')).status).toBe(200);
  });

  it('an Idempotency-Key is forgotten after 24 hours', async () => {
    const manager = await open();
    const first = await create(manager, {}, 'k');
    await env.DB.prepare('UPDATE idempotency_keys SET created_at = created_at - 86400000').run();
    const second = await create(manager, { sec_id: 'other' }, 'k');
    expect(second.status).toBe(200);
    expect(second.body['result']).not.toBe(first.body['result']);
    expect(await create(manager, { sec_id: 'other' }, 'k')).toEqual({ ...second, headers: expect.anything() });
  });

  it.each(['', 'a b', 'ü', 'x'.repeat(256)])('an Idempotency-Key is refused where it is %j', async (key) => {
    const manager = await open();
    const answer = await create(manager, {}, key).catch(() => null);
    // Some of them no client can even send.
    if (answer)
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^invalid_idempotency_key/) } });
  });
});
