import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seedLink, seedTenant } from '../../support/seed.ts';
import { openIsolate } from '../../support/service.ts';
import { dropClicks } from '../../support/trips.ts';
import { changeTarget, credentialOf, GONE, leadsTo, openEditingIsolate } from '../../support/edits.ts';

beforeEach(dropClicks);
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('an entry that KV keeps too long', () => {
  const stale = {
    clientId: 'a',
    campaignName: null,
    ending: null,
    extras: null,
    expiresAt: null,
    url: 'https://example.com/old',
    revision: 1,
  };

  it('an entry that KV keeps too long is served once, then put right from D1, and never served by that isolate again', async () => {
    const link = await seedLink(await seedTenant(), { url: 'https://example.com/now' });
    await env.LINKS.put(`/${link.id}`, JSON.stringify({ ...stale, linkId: link.id }));
    const isolate = openEditingIsolate();
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/old'));
    expect(await env.LINKS.get(`/${link.id}`, 'json')).toMatchObject({ url: 'https://example.com/now' });
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/now'));
  });

  it('an entry that KV keeps too long is put right after two edits whose KV writes arrive in the wrong order', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const { tools } = openEditingIsolate();
    await changeTarget(tools, credentialOf(tenant), link.id, { url: 'https://example.com/first' });
    const late = await env.LINKS.get(`/${link.id}`);
    await changeTarget(tools, credentialOf(tenant), link.id, { url: 'https://example.com/second' });
    await env.LINKS.put(`/${link.id}`, late ?? '');
    const other = openEditingIsolate();
    expect(await other.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/first'));
    expect(await other.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/second'));
    expect(await openEditingIsolate().follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/second'));
  });

  it('an entry that KV keeps too long is put right where the write of an edit was refused with 429', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const editor = openEditingIsolate();
    await changeTarget(editor.tools, credentialOf(tenant), link.id, { url: 'https://example.com/first' });
    const late = await env.LINKS.get(`/${link.id}`);
    vi.spyOn(env.LINKS, 'put').mockRejectedValueOnce(new Error('KV PUT failed: 429 Too Many Requests'));
    await changeTarget(editor.tools, credentialOf(tenant), link.id, { disabled: true });
    // The entry is deleted instead. Where that has not arrived yet, the check corrects it.
    expect(await env.LINKS.get(`/${link.id}`)).toBeNull();
    await env.LINKS.put(`/${link.id}`, late ?? '');
    const other = openEditingIsolate();
    expect(await other.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/first'));
    expect(await other.follow(`/${link.id}`)).toEqual(GONE);
    expect(await openEditingIsolate().follow(`/${link.id}`)).toEqual(GONE);
  });

  it('an entry that KV keeps too long does not undo an edit that is written while KV is read', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    const old = JSON.stringify({ ...stale, linkId: link.id });
    vi.spyOn(env.LINKS, 'get').mockImplementationOnce((async () => {
      await changeTarget(isolate.tools, credentialOf(tenant), link.id, { url: 'https://example.com/new' });
      return old;
    }) as unknown as KVNamespace['get']);
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/new'));
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/new'));
  });

  it('an entry that KV keeps too long is corrected by the edit that is written while D1 is asked', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    await env.LINKS.put(`/${link.id}`, JSON.stringify({ ...stale, linkId: link.id }));
    const batch = env.DB.batch.bind(env.DB);
    vi.spyOn(env.DB, 'batch').mockImplementationOnce(async (statements) => {
      const before = await batch<never>(statements);
      await changeTarget(isolate.tools, credentialOf(tenant), link.id, { url: 'https://example.com/new' });
      return before;
    });
    await isolate.follow(`/${link.id}`);
    expect(await env.LINKS.get(`/${link.id}`, 'json')).toMatchObject({ url: 'https://example.com/new' });
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/new'));
  });

  it.each([
    ['has a higher revision, as after a restored backup', (id: string) => ({ linkId: id, revision: 9e15 })],
    ['is of another link, which had the address before', () => ({ linkId: 'another', revision: 9e15 })],
  ])('an entry that KV keeps too long is put right also where it %s', async (_, overrides) => {
    const link = await seedLink(await seedTenant(), { url: 'https://example.com/now' });
    await env.LINKS.put(`/${link.id}`, JSON.stringify({ ...stale, ...overrides(link.id) }));
    const isolate = openEditingIsolate();
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/old'));
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/now'));
    expect(await env.LINKS.get(`/${link.id}`, 'json')).toMatchObject({ url: 'https://example.com/now' });
  });

  it('an entry that KV keeps too long is removed where D1 knows no such address', async () => {
    await env.LINKS.put('/vanished', JSON.stringify({ ...stale, linkId: 'vanished' }));
    const isolate = openEditingIsolate();
    expect(await isolate.follow('/vanished')).toEqual(leadsTo('https://example.com/old'));
    expect(await env.LINKS.get('/vanished')).toBeNull();
    expect(await isolate.follow('/vanished')).toEqual([404, null]);
  });

  it('an entry that KV keeps too long stays where D1 cannot be asked, and is put right when it can', async () => {
    const link = await seedLink(await seedTenant(), { url: 'https://example.com/now' });
    await env.LINKS.put(`/${link.id}`, JSON.stringify({ ...stale, linkId: link.id }));
    const outage = vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: overloaded');
    });
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    expect((await isolate(`/${link.id}`)).headers.get('Location')).toBe('https://example.com/old');
    outage.mockRestore();
    vi.setSystemTime(Date.now() + 60_000);
    expect((await isolate(`/${link.id}`)).headers.get('Location')).toBe('https://example.com/old');
    expect((await isolate(`/${link.id}`)).headers.get('Location')).toBe('https://example.com/now');
  });
});
