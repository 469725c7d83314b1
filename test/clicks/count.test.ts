import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pack, PackedLink } from '../../src/clicks/read-pack.ts';
import type { Delivery } from '../../src/statistics/append/delivery.ts';
import { clicksOf, deliver, GOOGLEBOT, packOf, seedCounted, TAKEN, toComeAgainIn } from '../support/clicks.ts';
import { loseResponses, replaceInObjects } from '../support/objects.ts';
import type { LinkRecord, Tenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

const DAY_MS = 24 * 3600 * 1000;

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the count of a pack', () => {
  it('a pack counts once though it is twice in one batch', async () => {
    const { link, total } = await seedCounted();
    const pack = packOf(link, 3);
    expect(await deliver([pack, pack])).toEqual(TAKEN);
    expect(await total()).toBe(3);
  });

  it('a pack counts once though it is delivered again in another batch', async () => {
    const { link, total } = await seedCounted();
    const pack = packOf(link, 3);
    for (let i = 0; i < 3; i++) expect(await deliver([pack])).toEqual(TAKEN);
    expect(await total()).toBe(3);
  });

  it('a pack counts once though it comes with one that was not counted yet', async () => {
    const { link, total } = await seedCounted();
    const [seen, fresh] = [packOf(link, 3), packOf(link, 4)];
    await deliver([seen]);
    expect(await deliver([seen, fresh])).toEqual(TAKEN);
    expect(await total()).toBe(7);
    await deliver([fresh, seen]);
    expect(await total()).toBe(7);
  });

  it('a pack counts once though the consumer hears of an error after the object has stored it', async () => {
    const { link, total } = await seedCounted();
    const packs = [packOf(link, 3), packOf(link, 4)];
    const objects = loseResponses(1);
    expect(await deliver(packs)).toEqual(toComeAgainIn(5));
    objects.mockRestore();
    vi.setSystemTime(Date.now() + 5000);
    expect(await deliver(packs)).toEqual(TAKEN);
    expect(await deliver([packs[1], packOf(link, 1), packs[0]])).toEqual(TAKEN);
    expect(await total()).toBe(8);
  });

  it('a pack counts once though the object ends in memory between two deliveries of it', async () => {
    const { link, total } = await seedCounted();
    const pack = packOf(link, 3);
    await deliver([pack]);
    await evictDurableObject(env.STATISTICS.getByName(link.client_id));
    expect(await deliver([pack])).toEqual(TAKEN);
    expect(await total()).toBe(3);
  });

  it('a pack counts once though eight deliveries of it come at once', async () => {
    const { link, total } = await seedCounted();
    const packs = [packOf(link, 3), packOf(link, 4), packOf(link, 5)];
    const results = await Promise.all(Array.from({ length: 8 }, (_, i) => deliver(packs.slice(i % 3))));
    expect(results.filter(({ taken }) => taken)).toHaveLength(8);
    expect(await total()).toBe(12);
  });

  it('a pack counts once for each link and visitor in it, and for the link’s client', async () => {
    const { tenant, link, total } = await seedCounted();
    const pack = packOf(link, [
      { mark: 'anna0000' },
      { mark: 'bert0000' },
      { mark: 'anna0000' },
      { userAgent: GOOGLEBOT },
    ]);
    for (let i = 0; i < 2; i++) await deliver([pack]);
    expect([await total(), (await clicksOf(tenant, link)).visitors_today]).toEqual([4, 2]);
    const response = await call('/v1/stats', { headers: { 'X-API-Key': tenant.apiKey } });
    expect(await response.json()).toMatchObject({ total: 4, humans: 3, bots: 1 });
  });
});

describe('a batch', () => {
  it('a batch of packs takes no trip to the database', async () => {
    const { link } = await seedCounted();
    const packs = Array.from({ length: 10 }, () => packOf(link, [{ mark: 'anna0000' }, { userAgent: GOOGLEBOT }]));
    // The first batch of a client asks whether it has webhooks for clicks.
    await deliver([packOf(link, 1)]);
    const trips = await countTrips();
    await deliver(packs);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('a batch of packs writes nothing to the database', async () => {
    const { link } = await seedCounted();
    const batch = vi.spyOn(env.DB, 'batch');
    await deliver([packOf({ ...link, campaign_name: 'spring' }, [{ mark: 'anna0000' }, { at: Date.now() - DAY_MS }])]);
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    const written = results.flat().map(({ meta }) => meta.rows_written);
    expect(written).not.toEqual([]);
    expect(written.filter((rows) => rows > 0)).toEqual([]);
  });

  it('a batch of ten full packs, of 900 links each, is stored in parts of whole packs', async () => {
    const { tenant, link } = await seedCounted();
    const packs = Array.from({ length: 10 }, (_, p) => fullPack(tenant, link, p));
    for (const pack of packs) expect(JSON.stringify(pack).length).toBeLessThan(128_000);
    const sizes: number[][] = [];
    replaceInObjects('append', (append) => (delivery: Delivery) => {
      sizes.push([delivery.packs.length, delivery.groups.length]);
      return append(delivery as never);
    });
    expect(await deliver(packs)).toEqual(TAKEN);
    expect(sizes).toEqual([
      [6, 5400],
      [4, 3600],
    ]);
    const response = await call('/v1/stats', { headers: { 'X-API-Key': tenant.apiKey } });
    expect(await response.json()).toMatchObject({ total: 9000, humans: 9000 });
  });
});

function fullPack({ clientId }: Tenant, link: LinkRecord, p: number): Pack {
  const places = Array.from({ length: 900 }, (_, i) => ({ link: i, referrer: `${i}-${p}.example` }));
  const links = places.map((_, i): PackedLink => [`l-${p}-${i}`, clientId, null]);
  return packOf(link, places, { links });
}
