import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseApiKey } from '../../../src/accounts/api-key.ts';
import type { Credential } from '../../../src/accounts/grants.ts';
import { createApp } from '../../../src/app.ts';
import { parseConfig } from '../../../src/config.ts';
import { deleteLink, editLink, restoreLink, type EditTiers } from '../../../src/links/edit/edit.ts';
import { openLinkLimits } from '../../../src/link-limit/limits.ts';
import { WorkQueue } from '../../../src/work-queue.ts';
import type { LinkChange } from '../../../src/links/link.ts';
import { openLinkMemory, type LinkMemory } from '../../../src/links/redirect/resolve.ts';
import { db, rowsOf, seedDomain, seedLink, seedTenant, type Tenant } from '../../support/seed.ts';
import { openIsolate } from '../../support/service.ts';
import { countTrips, dropClicks } from '../../support/trips.ts';

beforeEach(dropClicks);
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** An isolate whose memory the test holds, so that an edit can be made in it. */
function openEditingIsolate(memory: LinkMemory = openLinkMemory(10)) {
  const app = createApp(parseConfig({ ...env, CLICK_PACK_SECONDS: '0' }), memory);
  return {
    tiers: { db, kv: env.LINKS, memory, hashing: new WorkQueue(4), limits: openLinkLimits(env.LIMITS, 5000) },
    async follow(path: string) {
      const ctx = createExecutionContext();
      const response = await app.fetch(new Request(new URL(path, 'https://terse.test')), env, ctx);
      await waitOnExecutionContext(ctx);
      return [response.status, response.headers.get('Location')];
    },
  };
}

function credentialOf(tenant: Tenant): Credential {
  const key = parseApiKey(tenant.apiKey);
  if (!key) throw new Error('the seed made no key');
  return { kind: 'api_key', keyId: key.id, secretHash: key.secretHash };
}

/** An edit as the API makes it. */
function changeTarget(
  tiers: EditTiers,
  credential: Credential,
  id: string,
  { deleted, ...change }: LinkChange & { readonly deleted?: boolean },
) {
  const actor = { credential, clientId: null };
  if (deleted === undefined) return editLink(tiers, actor, id, change);
  return deleted ? deleteLink(tiers, actor, id) : restoreLink(tiers, actor, id);
}

const GONE = [410, null];
const leadsTo = (url: string) => [302, url];

describe('an edit', () => {
  it.each([
    ['a new target', { url: 'https://example.com/new' }, leadsTo('https://example.com/new')],
    ['disabling', { disabled: true }, GONE],
    ['deleting', { deleted: true }, GONE],
  ])('is seen by the very next request to its isolate: %s', async (_, change, expected) => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/'));
    await changeTarget(isolate.tiers, credentialOf(tenant), link.id, change);
    expect(await isolate.follow(`/${link.id}`)).toEqual(expected);
  });

  it('takes two trips to D1 and one KV write, and the redirects after it none', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    const trips = countTrips();
    await changeTarget(isolate.tiers, credentialOf(tenant), link.id, { url: 'https://example.com/new' });
    expect(trips()).toEqual({ d1: 2, kvReads: 0, kvWrites: 1 });
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/new'));
    expect(trips()).toEqual({ d1: 2, kvReads: 0, kvWrites: 1 });
  });

  it('is seen by the very next request also where KV refuses the write', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    await isolate.follow(`/${link.id}`);
    vi.spyOn(env.LINKS, 'put').mockRejectedValue(new Error('KV PUT failed: 429 Too Many Requests'));
    await changeTarget(isolate.tiers, credentialOf(tenant), link.id, { disabled: true });
    expect(await isolate.follow(`/${link.id}`)).toEqual(GONE);
  });

  it('reaches other isolates through KV, under every address of the link', async () => {
    const tenant = await seedTenant();
    const host = await seedDomain(tenant);
    const link = await seedLink(tenant, { custom_domain: host });
    await changeTarget(openEditingIsolate().tiers, credentialOf(tenant), link.id, { slug: `new-${link.id}` });
    await changeTarget(openEditingIsolate().tiers, credentialOf(tenant), link.id, { url: 'https://example.com/new' });
    vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: only KV may be asked');
    });
    const other = openEditingIsolate();
    expect(await other.follow(`https://${host}/${link.id}`)).toEqual(leadsTo('https://example.com/new'));
    expect(await other.follow(`https://${host}/new-${link.id}`)).toEqual(leadsTo('https://example.com/new'));
  });

  it('can be taken back: enabled and restored links lead on', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    await changeTarget(isolate.tiers, credentialOf(tenant), link.id, { disabled: true, deleted: true });
    expect(await isolate.follow(`/${link.id}`)).toEqual(GONE);
    await changeTarget(isolate.tiers, credentialOf(tenant), link.id, { disabled: false, deleted: false });
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/'));
  });

  it('moves the revision on, even where the clock has gone back', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const { tiers } = openEditingIsolate();
    const revisions = [];
    for (const url of ['https://example.com/1', 'https://example.com/2', 'https://example.com/3']) {
      vi.setSystemTime(Date.now() - 3_600_000);
      revisions.push(
        (await editLink(tiers, { credential: credentialOf(tenant), clientId: null }, link.id, { url })).revision,
      );
    }
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect(new Set(revisions).size).toBe(3);
  });

  it('is refused to another tenant, and changes nothing', async () => {
    const [owner, other] = [await seedTenant(), await seedTenant()];
    const link = await seedLink(owner);
    const before = await rowsOf('links');
    const { tiers } = openEditingIsolate();
    const attempt = changeTarget(tiers, credentialOf(other), link.id, { url: 'https://evil.example/' });
    await expect(attempt).rejects.toMatchObject({ code: 'not_found' });
    expect(await rowsOf('links')).toEqual(before);
    expect(await env.LINKS.get(`/${link.id}`)).toBeNull();
  });
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

  it('is served once, then put right from D1, and never served by that isolate again', async () => {
    const link = await seedLink(await seedTenant(), { url: 'https://example.com/now' });
    await env.LINKS.put(`/${link.id}`, JSON.stringify({ ...stale, linkId: link.id }));
    const isolate = openEditingIsolate();
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/old'));
    expect(await env.LINKS.get(`/${link.id}`, 'json')).toMatchObject({ url: 'https://example.com/now' });
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/now'));
  });

  it('is put right after two edits whose KV writes arrive in the wrong order', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const { tiers } = openEditingIsolate();
    await changeTarget(tiers, credentialOf(tenant), link.id, { url: 'https://example.com/first' });
    const late = await env.LINKS.get(`/${link.id}`);
    await changeTarget(tiers, credentialOf(tenant), link.id, { url: 'https://example.com/second' });
    await env.LINKS.put(`/${link.id}`, late ?? '');
    const other = openEditingIsolate();
    expect(await other.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/first'));
    expect(await other.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/second'));
    expect(await openEditingIsolate().follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/second'));
  });

  it('is put right where the write of an edit was refused with 429', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const editor = openEditingIsolate();
    await changeTarget(editor.tiers, credentialOf(tenant), link.id, { url: 'https://example.com/first' });
    vi.spyOn(env.LINKS, 'put').mockRejectedValueOnce(new Error('KV PUT failed: 429 Too Many Requests'));
    await changeTarget(editor.tiers, credentialOf(tenant), link.id, { disabled: true });
    const other = openEditingIsolate();
    expect(await other.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/first'));
    expect(await other.follow(`/${link.id}`)).toEqual(GONE);
    expect(await openEditingIsolate().follow(`/${link.id}`)).toEqual(GONE);
  });

  it('does not undo an edit that is made while KV is being read', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    const old = JSON.stringify({ ...stale, linkId: link.id });
    vi.spyOn(env.LINKS, 'get').mockImplementationOnce((async () => {
      await changeTarget(isolate.tiers, credentialOf(tenant), link.id, { url: 'https://example.com/new' });
      return old;
    }) as unknown as KVNamespace['get']);
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/new'));
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/new'));
  });

  it('is put right with the edit that is made while D1 is being asked', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    await env.LINKS.put(`/${link.id}`, JSON.stringify({ ...stale, linkId: link.id }));
    const batch = env.DB.batch.bind(env.DB);
    vi.spyOn(env.DB, 'batch').mockImplementationOnce(async (statements) => {
      const before = await batch<never>(statements);
      await changeTarget(isolate.tiers, credentialOf(tenant), link.id, { url: 'https://example.com/new' });
      return before;
    });
    await isolate.follow(`/${link.id}`);
    expect(await env.LINKS.get(`/${link.id}`, 'json')).toMatchObject({ url: 'https://example.com/new' });
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/new'));
  });

  it.each([
    ['has a higher revision, as after a restored backup', (id: string) => ({ linkId: id, revision: 9e15 })],
    ['is of another link, which had the address before', () => ({ linkId: 'another', revision: 9e15 })],
  ])('is put right also where it %s', async (_, overrides) => {
    const link = await seedLink(await seedTenant(), { url: 'https://example.com/now' });
    await env.LINKS.put(`/${link.id}`, JSON.stringify({ ...stale, ...overrides(link.id) }));
    const isolate = openEditingIsolate();
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/old'));
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/now'));
    expect(await env.LINKS.get(`/${link.id}`, 'json')).toMatchObject({ url: 'https://example.com/now' });
  });

  it('is removed where D1 knows no such address', async () => {
    await env.LINKS.put('/vanished', JSON.stringify({ ...stale, linkId: 'vanished' }));
    const isolate = openEditingIsolate();
    expect(await isolate.follow('/vanished')).toEqual(leadsTo('https://example.com/old'));
    expect(await env.LINKS.get('/vanished')).toBeNull();
    expect(await isolate.follow('/vanished')).toEqual([404, null]);
  });

  it('stays where D1 cannot be asked, and is put right when it can', async () => {
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
