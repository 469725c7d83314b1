import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { editLink } from '../../../src/links/edit/edit.ts';
import { rowsOf, seedDomain, seedLink, seedTenant } from '../../support/seed.ts';
import { countTrips, dropClicks } from '../../support/trips.ts';
import { changeTarget, credentialOf, GONE, leadsTo, openEditingIsolate } from '../../support/edits.ts';

beforeEach(dropClicks);
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('an edit', () => {
  it.each([
    ['a new target', { url: 'https://example.com/new' }, leadsTo('https://example.com/new')],
    ['disabling', { disabled: true }, GONE],
    ['deleting', { deleted: true }, GONE],
  ])('an edit is seen by the very next request to its isolate: %s', async (_, change, expected) => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/'));
    await changeTarget(isolate.tools, credentialOf(tenant), link.id, change);
    expect(await isolate.follow(`/${link.id}`)).toEqual(expected);
  });

  it('an edit takes two trips to D1 and one KV write, and the redirects after it none', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    const trips = await countTrips();
    await changeTarget(isolate.tools, credentialOf(tenant), link.id, { url: 'https://example.com/new' });
    expect(trips()).toEqual({ d1: 2, kvReads: 0, kvWrites: 1 });
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/new'));
    expect(trips()).toEqual({ d1: 2, kvReads: 0, kvWrites: 1 });
  });

  it('an edit is seen by the very next request also where KV refuses the write', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    await isolate.follow(`/${link.id}`);
    vi.spyOn(env.LINKS, 'put').mockRejectedValue(new Error('KV PUT failed: 429 Too Many Requests'));
    await changeTarget(isolate.tools, credentialOf(tenant), link.id, { disabled: true });
    expect(await isolate.follow(`/${link.id}`)).toEqual(GONE);
  });

  it('an edit reaches other isolates through KV, under every address of the link', async () => {
    const tenant = await seedTenant();
    const host = await seedDomain(tenant);
    const link = await seedLink(tenant, { custom_domain: host });
    await changeTarget(openEditingIsolate().tools, credentialOf(tenant), link.id, { slug: `new-${link.id}` });
    await changeTarget(openEditingIsolate().tools, credentialOf(tenant), link.id, { url: 'https://example.com/new' });
    vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: only KV may be asked');
    });
    const other = openEditingIsolate();
    expect(await other.follow(`https://${host}/${link.id}`)).toEqual(leadsTo('https://example.com/new'));
    expect(await other.follow(`https://${host}/new-${link.id}`)).toEqual(leadsTo('https://example.com/new'));
  });

  it('an edit can be undone: enabled and restored links redirect again', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const isolate = openEditingIsolate();
    await changeTarget(isolate.tools, credentialOf(tenant), link.id, { disabled: true, deleted: true });
    expect(await isolate.follow(`/${link.id}`)).toEqual(GONE);
    await changeTarget(isolate.tools, credentialOf(tenant), link.id, { disabled: false, deleted: false });
    expect(await isolate.follow(`/${link.id}`)).toEqual(leadsTo('https://example.com/'));
  });

  it('an edit raises the revision, even if the clock was set back', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const { tools } = openEditingIsolate();
    const revisions = [];
    for (const url of ['https://example.com/1', 'https://example.com/2', 'https://example.com/3']) {
      vi.setSystemTime(Date.now() - 3_600_000);
      revisions.push(
        (await editLink(tools, { credential: credentialOf(tenant), clientId: null }, link.id, { url })).revision,
      );
    }
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect(new Set(revisions).size).toBe(3);
  });

  it('an edit is refused to another tenant, and changes nothing', async () => {
    const [owner, other] = [await seedTenant(), await seedTenant()];
    const link = await seedLink(owner);
    const before = await rowsOf('links');
    const { tools } = openEditingIsolate();
    const attempt = changeTarget(tools, credentialOf(other), link.id, { url: 'https://evil.example/' });
    await expect(attempt).rejects.toMatchObject({ code: 'not_found' });
    expect(await rowsOf('links')).toEqual(before);
    expect(await env.LINKS.get(`/${link.id}`)).toBeNull();
  });
});
