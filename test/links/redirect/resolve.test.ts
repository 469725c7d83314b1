import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdQueue } from '../../support/clicks.ts';
import { seedLink, seedTenant } from '../../support/seed.ts';
import { openIsolate } from '../../support/service.ts';
import { countTrips } from '../../support/trips.ts';

// A click that is counted later would be one of another test's trips.
beforeEach(() => void holdQueue());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const MINUTE_MS = 60_000;
const cached = (id: string) => env.LINKS.get<Record<string, unknown>>(`/${id}`, 'json');
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** A link that some isolate has made hot: its state is in KV. */
async function seedHotLink() {
  const link = await seedLink(await seedTenant(), { url: 'https://example.com/now' });
  const isolate = openIsolate({ MEMORY_SECONDS: '0' });
  await isolate(`/${link.id}`);
  await isolate(`/${link.id}`);
  expect(await cached(link.id)).toMatchObject({ linkId: link.id, url: 'https://example.com/now' });
  return link;
}

describe('the tiers', () => {
  // The clock stands still, so that the tests move it by exact amounts.
  beforeEach(() => void vi.setSystemTime(Date.now()));

  it('the tiers serve a cold link by one KV read and one D1 trip, and write nothing', async () => {
    const link = await seedLink(await seedTenant());
    const trips = await countTrips();
    expect((await openIsolate()(`/${link.id}`)).status).toBe(302);
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
  });

  it('the tiers serve a remembered link without reading a store', async () => {
    const link = await seedLink(await seedTenant());
    const isolate = openIsolate();
    await isolate(`/${link.id}`);
    const trips = await countTrips();
    for (let i = 0; i < 5; i++) expect((await isolate(`/${link.id}`)).status).toBe(302);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('the tiers forget after MEMORY_SECONDS, and store in KV what an isolate misses a second time', async () => {
    const link = await seedLink(await seedTenant());
    const isolate = openIsolate({ MEMORY_SECONDS: '10' });
    await isolate(`/${link.id}`);
    expect(await cached(link.id)).toBeNull();
    later(9_999);
    const remembered = await countTrips();
    await isolate(`/${link.id}`);
    expect(remembered()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
    later(1);
    await isolate(`/${link.id}`);
    expect(remembered()).toEqual({ d1: 1, kvReads: 1, kvWrites: 1 });
    expect(await cached(link.id)).toMatchObject({ linkId: link.id });
  });

  it('the tiers serve a hot link by one KV read, and compare it with D1 once per isolate and minute, after the response', async () => {
    const link = await seedHotLink();
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    const trips = await countTrips();
    await isolate(`/${link.id}`);
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
    await isolate(`/${link.id}`);
    later(MINUTE_MS - 1);
    await isolate(`/${link.id}`);
    expect(trips()).toEqual({ d1: 1, kvReads: 3, kvWrites: 0 });
    later(1);
    await isolate(`/${link.id}`);
    expect(trips()).toEqual({ d1: 2, kvReads: 4, kvWrites: 0 });
  });

  it('the tiers compare all links that were served from KV together by one D1 trip, and correct those that differ', async () => {
    const links = [];
    for (let i = 0; i < 20; i++) links.push(await seedHotLink());
    await env.DB.prepare(`UPDATE links SET url = 'https://example.com/new', revision = revision + 1 WHERE id = ?1`)
      .bind(links[7]!.id)
      .run();
    await env.DB.prepare(`DELETE FROM addresses WHERE slug = ?1`).bind(links[9]!.id).run();
    const isolate = openIsolate();
    const trips = await countTrips();
    await Promise.all(links.map(({ id }) => isolate(`/${id}`)));
    expect(trips()).toEqual({ d1: 1, kvReads: 20, kvWrites: 2 });
    const urls = await Promise.all(links.map(async ({ id }) => (await cached(id))?.url));
    expect(urls).toEqual(
      links.map(({ url }, index) => (index === 9 ? undefined : index === 7 ? 'https://example.com/new' : url)),
    );
  });

  it('the tiers compare what a request that was killed had gathered when the next one comes', async () => {
    const [first, second] = [await seedHotLink(), await seedHotLink()];
    await env.DB.prepare(`UPDATE links SET url = 'https://example.com/new', revision = revision + 1 WHERE id = ?1`)
      .bind(first.id)
      .run();
    const isolate = openIsolate();
    const killed = vi.spyOn(scheduler, 'wait').mockReturnValue(new Promise(() => undefined));
    void isolate(`/${first.id}`);
    await expect.poll(() => killed.mock.calls.length).toBeGreaterThan(0);
    killed.mockRestore();
    later(2001);
    const trips = await countTrips();
    await isolate(`/${second.id}`);
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 1 });
    expect(await cached(first.id)).toMatchObject({ url: 'https://example.com/new' });
  });

  it('the tiers give an unknown slug 404 by one KV read and one D1 trip, however often, and write nothing', async () => {
    const isolate = openIsolate();
    const trips = await countTrips();
    for (let i = 1; i <= 3; i++) {
      expect((await isolate('/nosuchid')).status).toBe(404);
      expect(trips()).toEqual({ d1: i, kvReads: i, kvWrites: 0 });
    }
    expect((await env.LINKS.list()).keys.map(({ name }) => name)).not.toContain('/nosuchid');
  });

  it('the tiers keep KV entries for a day', async () => {
    const put = vi.spyOn(env.LINKS, 'put');
    await seedHotLink();
    expect(put.mock.calls.map(([, , options]) => options)).toEqual([{ expirationTtl: 86_400 }]);
  });
});

describe('an outage', () => {
  const down = async () => {
    throw new Error('KV GET failed: 503');
  };

  it('an outage of KV costs no redirect', async () => {
    const link = await seedHotLink();
    for (const method of ['get', 'put', 'delete'] as const) vi.spyOn(env.LINKS, method).mockImplementation(down);
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    for (let i = 0; i < 3; i++) {
      const response = await isolate(`/${link.id}`);
      expect([response.status, response.headers.get('Location')]).toEqual([302, 'https://example.com/now']);
    }
    expect((await isolate('/nosuchid')).status).toBe(404);
  });

  it('an outage of KV that hands out garbage costs no redirect', async () => {
    const link = await seedLink(await seedTenant(), { url: 'https://example.com/now' });
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    const garbage = ['', 'null', '{', '[]', '{"url":"https://evil.example/"}', 'javascript:alert(1)'];
    const rest = { clientId: 'a', campaignName: null, ending: null, extras: null, expiresAt: null, revision: 9e15 };
    const state = { linkId: link.id, url: 'javascript:alert(1)', ...rest };
    for (const text of [...garbage, JSON.stringify(state), JSON.stringify({ ...state, url: 'https://a\r\nb' })]) {
      await env.LINKS.put(`/${link.id}`, text);
      const response = await isolate(`/${link.id}`);
      expect([text, response.status, response.headers.get('Location')]).toEqual([text, 302, 'https://example.com/now']);
    }
  });
});
