import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { ManagedRecord } from '../../src/api/record.ts';
import { LINK_TYPE } from '../../src/http/representation.ts';
import { newHost } from '../support/domains.ts';
import { open, openManager, type Manager } from '../support/manage.ts';
import { PUBLISHED_NAMES, rowsOf, seedDomain, seedTenant } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

/** `reuse` of `POST /v1/links`: an equal link of the client instead of a new one. */

type Created = ManagedRecord & { readonly reused?: boolean; readonly error?: string };

const URL = 'https://example.com/sale?a=1#b';

async function create({ ask, tenant, key }: Manager, fields: object) {
  const link = { url: URL, client_id: tenant.clientId, ...fields };
  const { status, body, headers } = await ask<Created>('POST', '/v1/links', link, { ...key, Accept: LINK_TYPE });
  return { status, ...body, etag: headers.get('ETag'), location: headers.get('Location') };
}

const reuse = (manager: Manager, fields: object = {}) => create(manager, { ...fields, reuse: true });

const BLOCKED = 'blocked-for-reuse.example';

const linksOf = async ({ tenant }: Manager) =>
  (await rowsOf('links')).filter((row) => row['client_id'] === tenant.clientId);

describe('a create with reuse', () => {
  it('a create with reuse creates a link once, and then answers with it as it is now', async () => {
    const manager = await open();
    const first = await reuse(manager, { title: 'Sale' });
    expect(first).toMatchObject({ status: 201, reused: false, location: `/v1/links/${first.id}` });
    await manager.ask('PATCH', `/v1/links/${first.id}`, { title: 'Other' });
    await manager.ask('PATCH', `/v1/links/${first.id}`, { title: 'Sale' });
    const { status, body, headers } = await manager.ask('GET', `/v1/links/${first.id}`);
    const again = await reuse(manager, { title: 'Sale', url: 'HTTPS://EXAMPLE.com:443/sale?a=1#b' });
    expect(status).toBe(200);
    expect(again).toMatchObject({
      status: 200,
      reused: true,
      updated_at: body['updated_at'],
      etag: headers.get('ETag'),
    });
    expect(again).toMatchObject({ id: first.id, location: `/v1/links/${first.id}`, title: 'Sale', state: 'active' });
    expect(await linksOf(manager)).toHaveLength(1);
  });

  it('a create with reuse finds a link that was created without it, by a form too', async () => {
    const manager = await open();
    const id = await manager.make({ url: URL, metadata: '{"a": 1}' });
    const form = { url: URL, client_id: manager.tenant.clientId, metadata: '{"a": 1}', reuse: 'true' };
    const response = await openIsolate()('/v1/links', { headers: manager.key, form });
    const body = await response.json<{ result: string }>();
    expect(response.status).toBe(200);
    const record = JSON.parse(body.result);
    expect([record.id, Object.keys(record)]).toEqual([id, PUBLISHED_NAMES]);
  });

  it('a create with reuse: false, or without reuse, creates one more', async () => {
    const manager = await open();
    const first = await reuse(manager);
    expect(await create(manager, { reuse: false })).toMatchObject({ status: 201 });
    expect(await create(manager, {})).not.toHaveProperty('reused');
    expect(await linksOf(manager)).toHaveLength(3);
    // The newest of several equal links.
    expect(await reuse(manager)).not.toMatchObject({ id: first.id });
  });

  it('fifty creates with reuse at the same time create one link', async () => {
    const manager = await open();
    const isolates = Array.from({ length: 5 }, () => openIsolate({ CREATE_LIMITING: 'off' }));
    const managers = await Promise.all(isolates.map((isolate) => openManager(manager.tenant, isolate)));
    const creates = Array.from({ length: 50 }, (_, n) => reuse(managers[n % 5]!, { tags: ['x', 'Y'], sec_id: 's' }));
    const results = await Promise.all(creates);
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect(results.filter(({ reused }) => !reused)).toHaveLength(1);
    expect(await linksOf(manager)).toHaveLength(1);
  });

  it.each<[what: string, fields: object]>([
    ['a fragment', { url: 'https://example.com/sale?a=1#c' }],
    ['a campaign', { campaign_name: 'Spring' }],
    ['a secondary id', { sec_id: 'mine' }],
    ['metadata in another spelling', { metadata: '{"a":  1}' }],
    ['an external id', { external_id: 'order-1' }],
    ['tags', { tags: ['one'] }],
    ['an end', { expires_at: '2099-01-01T00:00:00Z' }],
    ['a start', { starts_at: '2099-01-01T00:00:00Z' }],
    ['a fallback', { expired_url: 'https://example.com/over' }],
    ['rules', { rules: [{ if: [{ type: 'country', in: ['DE'] }], url: 'https://example.com/de' }] }],
    ['variants', { variants: [1, 2].map((n) => ({ name: `v${n}`, url: `https://example.com/${n}`, weight: n })) }],
    ['a status', { redirect_status: 308 }],
    ['a forwarded query', { forward_query: 'keep' }],
    ['a preview', { preview: { title: 'Sale' } }],
    ['a page of its own', { inspectable: false }],
    ['comments', { comments: 'one' }],
  ])('a create with reuse compares %s, on both sides', async (_what, fields) => {
    const manager = await open();
    const plain = await reuse(manager);
    const other = await reuse(manager, fields);
    expect([plain.status, other.status, other.id === plain.id]).toEqual([201, 201, false]);
    expect(await reuse(manager)).toMatchObject({ status: 200, id: plain.id });
    expect(await reuse(manager, fields)).toMatchObject({ status: 200, id: other.id });
  });

  it('a create with reuse compares tags without case and order', async () => {
    const manager = await open();
    const { id } = await reuse(manager, { tags: ['Spring', 'print'] });
    expect(await reuse(manager, { tags: ['PRINT', 'spring'] })).toMatchObject({ status: 200, id });
    expect(await reuse(manager, { tags: ['print'] })).toMatchObject({ status: 201 });
  });

  it('a create with reuse compares the domain', async () => {
    const manager = await open();
    const [one, two] = [await seedDomain(manager.tenant, newHost()), await seedDomain(manager.tenant, newHost())];
    const ids = new Set<string>();
    for (const custom_domain of [null, one, two, null, one, two]) ids.add((await reuse(manager, { custom_domain })).id);
    expect(ids.size).toBe(3);
  });

  it.each<[what: string, end: (manager: Manager, id: string) => Promise<unknown>]>([
    ['deleted', async ({ ask }, id) => ask('DELETE', `/v1/links/${id}`)],
    ['disabled', async ({ ask }, id) => ask('PATCH', `/v1/links/${id}`, { disabled: true })],
    ['edited', async ({ ask }, id) => ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/new' })],
    ['renamed', async ({ ask }, id) => ask('PATCH', `/v1/links/${id}`, { slug: `s${crypto.randomUUID()}` })],
    ['protected', async ({ ask }, id) => ask('PATCH', `/v1/links/${id}`, { password: 'correct horse' })],
    ['limited', async ({ ask }, id) => ask('PATCH', `/v1/links/${id}`, { max_clicks: 5 })],
    ['given another sec_id', async ({ ask }, id) => ask('PATCH', `/v1/links/${id}`, { sec_id: 'chosen' })],
    ['expired', async (_, id) => env.DB.prepare('UPDATE links SET expires_at = 1 WHERE id = ?').bind(id).run()],
  ])('a create with reuse does not find a link that was %s', async (_what, end) => {
    const manager = await open();
    const { id } = await reuse(manager);
    await end(manager, id);
    expect(await reuse(manager)).toMatchObject({ status: 201, reused: false });
  });

  it('a create with reuse finds no link with a chosen slug or sec_id, and none of another client', async () => {
    const manager = await open();
    await manager.make({ url: URL, slug: `s${crypto.randomUUID()}` });
    await manager.make({ url: URL, sec_id: 'chosen' });
    await reuse(await open());
    expect(await reuse(manager)).toMatchObject({ status: 201, reused: false });
  });

  it('a create with reuse finds no link with an alias', async () => {
    const manager = await open();
    const first = await reuse(manager);
    const alias = `alias-${first.id}`.toLowerCase();
    await env.DB.prepare(`INSERT INTO addresses (domain_id, folded, slug, link_id) VALUES ('', ?1, ?1, ?2)`)
      .bind(alias, first.id)
      .run();
    expect(await reuse(manager)).toMatchObject({ status: 201, reused: false });
  });

  it('a create with reuse finds the link of an external id, and is refused if that link is another one', async () => {
    const manager = await open();
    const { id } = await reuse(manager, { external_id: 'order-1' });
    expect(await reuse(manager, { external_id: 'order-1' })).toMatchObject({ status: 200, id });
    expect(await reuse(manager, { external_id: 'order-1', title: 'New' })).toMatchObject({ status: 409 });
  });

  it('a create with reuse may leave out the client, and may be repeated by its key', async () => {
    const { ask, key, tenant } = await open();
    const headers = { ...key, 'Idempotency-Key': 'one', Accept: LINK_TYPE };
    const send = async () => ask<Created>('POST', '/v1/links', { url: URL, reuse: true }, headers);
    const [first, second] = [await send(), await send()];
    expect([first.status, first.body.client_id]).toEqual([201, tenant.clientId]);
    expect([second.status, second.body]).toEqual([201, first.body]);
    const other = { ...headers, 'Idempotency-Key': 'two' };
    const third = await ask<Created>('POST', '/v1/links', { url: URL, reuse: true }, other);
    expect([third.status, third.body]).toEqual([200, { ...first.body, reused: true }]);
  });

  it.each([
    ['slug', { slug: 'chosen' }],
    ['password', { password: 'correct horse' }],
    ['max_clicks', { max_clicks: 5 }],
  ])('a create with reuse is refused with %s', async (name, fields) => {
    expect(await reuse(await open(), fields)).toMatchObject({
      status: 400,
      error: `not_reusable: reuse cannot be true with ${name}, which only one link has. Leave one of them out.`,
    });
  });

  it('reuse is refused if it is no flag, and where it does not apply', async () => {
    const manager = await open();
    const refused = { error: 'invalid_reuse: reuse must be a boolean.' };
    expect(await create(manager, { reuse: 'yes' })).toMatchObject({ status: 400, ...refused });
    const unknown = 'unknown_field: There is no field "reuse" here. Leave it out.';
    const put = await manager.ask('PUT', '/v1/links-by-external-id/a', { url: URL, reuse: true });
    expect([put.status, put.body['error']]).toEqual([400, unknown]);
    const links = [{ url: URL, reuse: true }];
    const batch = await manager.ask<{ results: { error: string }[] }>('POST', '/v1/links/batch', { links });
    expect(batch.body.results[0]?.error).toBe(unknown);
  });

  it('a create with reuse is refused for another client and for a blocked destination, and finds no link then', async () => {
    const manager = await open();
    const first = await reuse(manager);
    const other = await seedTenant();
    const refusal = async (fields: object) => {
      const { status, error } = await reuse(manager, fields);
      return [status, error];
    };
    expect(await refusal({ client_id: other.clientId })).toEqual([403, expect.stringMatching(/^wrong_client: /)]);
    await env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind(BLOCKED).run();
    expect(await refusal({ url: `https://${BLOCKED}/` })).toEqual([
      400,
      'blocked_host: url leads to a host that the operator of this service has blocked.',
    ]);
    expect((await linksOf(manager)).map(({ id }) => id)).toEqual([first.id]);
  });
});
