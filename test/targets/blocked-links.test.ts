import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blockHost, unblockHost } from '../../src/targets/blocklist.ts';
import { clicksOf, deliver, holdQueue, packsOf } from '../support/clicks.ts';
import { bearerOf, expectFailure, seedCaller } from '../support/forms.ts';
import { db, seedDomain, seedLink, seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

beforeEach(() => env.DB.prepare('DELETE FROM blocked_hosts').run());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const BLOCKED = 'link_blocked: The operator of this service has blocked the host that this link leads to.';
const block = () => blockHost(db, 'evil.example');
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

describe('a link whose host is blocked', () => {
  it('a link whose host is blocked says so, as JSON and as a page, leads nowhere, and is not counted', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant, { url: 'https://evil.example/' });
    await block();
    const held = holdQueue();
    const isolate = openIsolate();
    const response = await isolate(`/${link.id}`);
    expect(response.headers.get('Location')).toBeNull();
    expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    await expectFailure(response, 403, BLOCKED);
    const page = await isolate(`/${link.id}`, { headers: { Accept: 'text/html' } });
    expect([page.status, page.headers.get('Content-Type')]).toEqual([403, 'text/html; charset=UTF-8']);
    const text = await page.text();
    expect(text).toContain('<h1>This link has been blocked</h1>');
    expect(text).not.toContain('evil.example');
    expect(packsOf(held, link.id)).toEqual([]);
    await deliver(held);
    expect((await clicksOf(tenant, link)).total).toBe(0);
  });

  it('a link whose host is blocked says so on a custom domain too, and to HEAD without a word', async () => {
    const tenant = await seedTenant();
    const custom_domain = await seedDomain(tenant);
    const { id } = await seedLink(tenant, { url: 'https://evil.example/', custom_domain });
    await block();
    const address = `https://${custom_domain}/${id}`;
    const isolate = openIsolate();
    const page = await isolate(address, { headers: { Accept: 'text/html' } });
    const text = await page.text();
    expect(text).toContain('<h1>This link has been blocked</h1>');
    expect(text).not.toContain('evil.example');
    const head = await isolate(address, { method: 'HEAD' });
    expect(await head.text()).toBe('');
    for (const [{ status, headers }, vary] of [
      [page, 'Accept, Accept-Language'],
      [head, 'Accept'],
    ] as const) {
      const values = ['Location', 'Cache-Control', 'X-Robots-Tag', 'Vary'].map((name) => headers.get(name));
      expect([status, ...values]).toEqual([403, null, 'private, no-store', 'noindex', vary]);
    }
  });

  it('a blocked link that has expired is shown as expired, wherever it is found', async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const { id } = await seedLink(await seedTenant(), { url: 'https://evil.example/', expires_at });
    await block();
    const isolate = openIsolate();
    expect((await isolate(`/${id}`)).status).toBe(403);
    later(61_000);
    expect((await isolate(`/${id}`)).status).toBe(410);
    expect((await openIsolate()(`/${id}`)).status).toBe(410);
  });

  it('a blocked link that ended is shown as ended', async () => {
    const caller = await seedCaller();
    const { id } = await seedLink(caller, { url: 'https://evil.example/' });
    await block();
    const headers = { ...bearerOf(caller), 'Content-Type': 'application/json' };
    await call(`/v1/links/${id}`, { method: 'PATCH', headers, body: '{"disabled":true}' });
    expect((await openIsolate()(`/${id}`)).status).toBe(410);
  });

  it('a link whose host is blocked is remembered for MEMORY_SECONDS and corrected in KV by the check after the response, and so is an unblocked one', async () => {
    holdQueue();
    vi.setSystemTime(Date.now());
    const link = await seedLink(await seedTenant(), { url: 'https://evil.example/' });
    const [isolate, filler] = [openIsolate({ MEMORY_SECONDS: '10' }), openIsolate({ MEMORY_SECONDS: '0' })];
    for (let i = 0; i < 2; i++) await filler(`/${link.id}`);
    const ending = async () => (await env.LINKS.get<{ ending: string | null }>(`/${link.id}`, 'json'))?.ending;
    for (const [change, before, after, expected] of [
      [blockHost, 302, 403, 'blocked'],
      [unblockHost, 403, 302, null],
    ] as const) {
      later(70_000);
      expect((await isolate(`/${link.id}`)).status).toBe(before);
      await change(db, 'evil.example');
      const trips = await countTrips();
      expect((await isolate(`/${link.id}`)).status).toBe(before);
      expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
      vi.restoreAllMocks();
      holdQueue();
      later(60_000);
      await isolate(`/${link.id}`);
      expect(await ending()).toBe(expected);
      expect((await isolate(`/${link.id}`)).status).toBe(after);
      expect((await openIsolate()(`/${link.id}`)).status).toBe(after);
    }
  });

  it('a link whose host is blocked costs a redirect no further trip', async () => {
    const [evil, good] = [
      await seedLink(await seedTenant(), { url: 'https://evil.example/' }),
      await seedLink(await seedTenant()),
    ];
    await block();
    for (const { id } of [evil, good]) {
      const trips = await countTrips();
      await openIsolate()(`/${id}`);
      expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
      vi.restoreAllMocks();
    }
  });
});
