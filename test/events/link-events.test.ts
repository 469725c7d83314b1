import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { open, type Manager } from '../support/manage.ts';
import { eventRowsOf, eventsOf, openWithHook, typesOf, uniqueSlug } from '../support/webhooks.ts';

/** The managed record, without the clicks, which other stores have. */
async function recordOf(read: Manager['read'], id: string) {
  const { clicks: _, clicks_left: __, ...record } = (await read(id)) as unknown as Record<string, unknown>;
  return record;
}

describe('link.created', () => {
  it('link.created has the record as GET returns it', async () => {
    const { clientId, make, read } = await openWithHook();
    const id = await make({
      tags: ['Two', 'one'],
      campaign_name: 'Spring',
      metadata: '{"a": 1}',
      password: 'secret-password',
      rules: [{ if: [{ type: 'country', in: ['DE'] }], url: 'https://de.example/' }],
      expires_at: '2099-01-01T00:00:00.000Z',
      max_clicks: 5,
    });
    const record = await recordOf(read, id);
    const [event, ...more] = await eventsOf(clientId);
    expect(more).toEqual([]);
    expect(event).toEqual({ type: 'link.created', data: record });
    const [row] = await eventRowsOf(clientId);
    expect(row).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      link_campaign: 'Spring',
      webhook_id: null,
      dispatched_at: null,
    });
    expect(JSON.parse(row!.link_tags!)).toHaveLength(2);
    expect(JSON.stringify(row)).not.toMatch(/secret-password|scrypt/);
  });

  it('link.created has the host of a link on a custom domain, beside one without', async () => {
    const { clientId, call, seedHost } = await openWithHook();
    const { host } = await seedHost();
    const links = [{ url: 'https://a.example/' }, { url: 'https://b.example/', custom_domain: host, slug: 'b' }];
    const headers = { 'Content-Type': 'application/json' };
    await call('/v1/links/batch', { method: 'POST', headers, body: JSON.stringify({ links }) });
    const events = await eventsOf(clientId);
    expect(events.map(({ data }) => [data['url'], data['custom_domain'], data['tags']])).toEqual(
      expect.arrayContaining([
        ['https://a.example/', null, []],
        ['https://b.example/', host, []],
      ]),
    );
    expect(events.map(({ data }) => data['short_url'])).toContain(`https://${host}/b`);
  });
});

describe('link.updated', () => {
  it('link.updated has the former values of what changed', async () => {
    const { clientId, make, ask, read, forget } = await openWithHook();
    const id = await make({ slug: 'Former-1', tags: ['One'] });
    const before = await read(id);
    await forget();
    const { status } = await ask('PATCH', `/v1/links/${id}`, {
      url: 'https://other.example/',
      slug: 'Later-1',
      tags: ['One', 'Two'],
      disabled: true,
    });
    expect(status).toBe(200);
    const [event, ...more] = await eventsOf(clientId);
    expect(more).toEqual([]);
    expect(event?.data['previous']).toEqual({
      url: before.url,
      slug: before.slug,
      short_url: before.short_url,
      aliases: [],
      tags: ['One'],
      disabled: false,
      state: 'active',
    });
    const { previous: _, ...data } = event!.data;
    expect(data).toEqual(await recordOf(read, id));
  });
});

describe('a link', () => {
  it('a link that is deleted and restored has an event each time, and none if nothing changes', async () => {
    const { clientId, make, ask, forget } = await openWithHook();
    const id = await make();
    await forget();
    const statuses = [];
    for (const [method, path] of [
      ['DELETE', ''],
      ['DELETE', ''],
      ['POST', '/restore'],
      ['POST', '/restore'],
    ] as const)
      statuses.push((await ask(method, `/v1/links/${id}${path}`)).status);
    expect(statuses).toEqual([204, 204, 200, 200]);
    const events = await eventsOf(clientId);
    expect(events.map(({ type, data }) => [type, data['state'], data['previous']])).toEqual([
      ['link.deleted', 'deleted', undefined],
      ['link.updated', 'active', { state: 'deleted' }],
    ]);
    expect((await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/' })).status).toBe(200);
    expect(await typesOf(clientId)).toHaveLength(2);
  });

  it('a link that gets another password has an event without the password', async () => {
    const { clientId, make, ask, forget } = await openWithHook();
    const id = await make();
    await forget();
    await ask('PATCH', `/v1/links/${id}`, { password: 'not-in-events' });
    const [event] = await eventsOf(clientId);
    expect([event?.data['has_password'], event?.data['previous']]).toEqual([true, { has_password: false }]);
    expect(JSON.stringify(await eventRowsOf(clientId))).not.toMatch(/not-in-events|scrypt/);
  });

  it('a link that is put by its external id has the event of what was done', async () => {
    const { clientId, ask } = await openWithHook();
    const put = (url: string) => ask('PUT', '/v1/links-by-external-id/order-1', { url });
    expect([(await put('https://a.example/')).status, (await put('https://b.example/')).status]).toEqual([201, 200]);
    const events = await eventsOf(clientId);
    expect(events.map(({ type, data }) => [type, data['url'], data['previous']])).toEqual([
      ['link.created', 'https://a.example/', undefined],
      ['link.updated', 'https://b.example/', { url: 'https://a.example/' }],
    ]);
  });
});

describe('creates', () => {
  it('creates by every endpoint have an event, and those that are refused none', async () => {
    const { clientId, call, bearer, tenant, make } = await openWithHook();
    const slug = uniqueSlug();
    await make({ slug });
    const form = new FormData();
    form.set('url', 'https://example.com/');
    form.set('client_id', tenant.clientId);
    expect((await call('/shortener/encode', { method: 'POST', body: form, headers: bearer })).status).toBe(200);
    const links = [{ url: 'https://a.example/' }, { url: 'https://b.example/', slug }, { url: 'no url' }];
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const batch = await call('/v1/links/batch', { ...json, body: JSON.stringify({ links }) });
    expect(batch.status).toBe(200);
    const events = await eventsOf(clientId);
    expect(events.map(({ type, data }) => [type, data['url'], data['client_id']])).toEqual([
      ['link.created', 'https://example.com/', clientId],
      ['link.created', 'https://example.com/', clientId],
      ['link.created', 'https://a.example/', clientId],
    ]);
  });

  it('creates that are repeated have one event', async () => {
    const { clientId, call } = await openWithHook();
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' };
    const body = JSON.stringify({ url: 'https://example.com/' });
    const create = async () => (await call('/v1/links', { method: 'POST', headers, body })).status;
    expect([await create(), await create()]).toEqual([200, 200]);
    expect(await typesOf(clientId)).toEqual(['link.created']);
  });

  it('creates are not done if the event cannot be recorded', async () => {
    const { clientId, call } = await openWithHook();
    await env.DB.prepare(
      `CREATE TRIGGER broken BEFORE INSERT ON events WHEN new.client_id = '${clientId}'
        BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    ).run();
    const body = JSON.stringify({ url: 'https://example.com/' });
    const response = await call('/v1/links', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    await env.DB.prepare('DROP TRIGGER broken').run();
    expect(response.status).toBe(503);
    const links = await env.DB.prepare('SELECT count(*) AS n FROM links WHERE client_id = ?').bind(clientId).first('n');
    expect([links, await typesOf(clientId)]).toEqual([0, []]);
  });
});

describe('a change without an event', () => {
  it('no event is recorded for a client whose webhooks want other types, are disabled, or belong to another client', async () => {
    const other = await openWithHook({ events: ['link.deleted', 'link.clicked'] });
    const disabled = await openWithHook({ disabledAt: 1 });
    const without = await open();
    for (const { make, ask } of [other, disabled, without]) {
      const id = await make();
      await ask('PATCH', `/v1/links/${id}`, { title: 'Another' });
    }
    const clients = [other, disabled, without].map(({ tenant }) => tenant.clientId);
    expect(await Promise.all(clients.map(typesOf))).toEqual([[], [], []]);
  });

  it('no event is recorded for what another client tries, at either of them', async () => {
    const [owner, stranger] = [await openWithHook(), await openWithHook()];
    const id = await owner.make();
    await owner.forget();
    const statuses = [
      (await stranger.ask('PATCH', `/v1/links/${id}`, { title: 'Taken' })).status,
      (await stranger.ask('DELETE', `/v1/links/${id}`)).status,
      (await owner.ask('PATCH', `/v1/links/${id}`, { url: 'no url' })).status,
      (await owner.ask('PATCH', `/v1/links/${id}`, { title: 'Late' }, { ...owner.bearer, 'If-Match': '"1"' })).status,
    ];
    expect(statuses).toEqual([404, 404, 400, 412]);
    expect([await typesOf(owner.clientId), await typesOf(stranger.clientId)]).toEqual([[], []]);
  });
});
