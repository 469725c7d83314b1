import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pack, PackedLink } from '../../src/clicks/pack.ts';
import {
  breakDatabase,
  clicksOf,
  COUNTED_SOON,
  deliver,
  GOOGLEBOT,
  logged,
  packOf,
  TAKEN,
  toComeAgainIn,
} from '../support/clicks.ts';
import { rowsOf, seedLink, seedTenant, type LinkRecord, type Tenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

const DAY_MS = 24 * 3600 * 1000;
const ANY_LINK = { id: 'b4cd3fgh', client_id: 'client' };

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function seed() {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  return { tenant, link, total: async () => (await clicksOf(tenant, link)).total };
}

/** A database whose batches are carried out, but answer with an error: `times` of them, and the rest as ever. */
function failAfterCommit(times: number) {
  const batch = env.DB.batch.bind(env.DB);
  let left = times;
  return vi.spyOn(env.DB, 'batch').mockImplementation(async (statements) => {
    const results = await batch<never>(statements);
    if (left-- > 0) throw new Error('D1_ERROR: Network connection lost.');
    return results;
  });
}

describe('a pack counts once', () => {
  it('though it is twice in one batch', async () => {
    const { link, total } = await seed();
    const pack = packOf(link, 3);
    expect(await deliver([pack, pack])).toEqual(TAKEN);
    expect(await total()).toBe(3);
  });

  it('though it is delivered again in another batch', async () => {
    const { link, total } = await seed();
    const pack = packOf(link, 3);
    for (let i = 0; i < 3; i++) expect(await deliver([pack])).toEqual(TAKEN);
    expect(await total()).toBe(3);
  });

  it('though the queue itself delivers it twice', async () => {
    vi.useRealTimers();
    const { link, total } = await seed();
    const pack = packOf(link, 3);
    for (const each of [pack, pack, packOf(link, 2)]) await env.CLICKS.send(each);
    await expect.poll(total, COUNTED_SOON).toBe(5);
    expect((await rowsOf('seen_packs')).filter(({ id }) => id === pack.id)).toHaveLength(1);
  }, 30_000);

  it('though it comes with one that was not counted yet', async () => {
    const { link, total } = await seed();
    const [seen, fresh] = [packOf(link, 3), packOf(link, 4)];
    await deliver([seen]);
    expect(await deliver([seen, fresh])).toEqual(TAKEN);
    expect(await total()).toBe(7);
    await deliver([fresh, seen]);
    expect(await total()).toBe(7);
  });

  it('though the consumer hears of an error after the database has committed', async () => {
    const { link, total } = await seed();
    const pack = packOf(link, 3);
    failAfterCommit(1);
    expect(await deliver([pack])).toEqual(TAKEN);
    expect(await total()).toBe(3);
  });

  it('though the consumer fails for good after the commit, and the batch is delivered again', async () => {
    const { link, total } = await seed();
    const packs = [packOf(link, 3), packOf(link, 4)];
    failAfterCommit(2);
    expect(await deliver(packs)).toEqual(toComeAgainIn(5));
    expect(await deliver(packs)).toEqual(TAKEN);
    expect(await deliver([packs[1], packOf(link, 1), packs[0]])).toEqual(TAKEN);
    expect(await total()).toBe(8);
  });

  it('though eight deliveries of it come at once', async () => {
    const { link, total } = await seed();
    const packs = [packOf(link, 3), packOf(link, 4), packOf(link, 5)];
    const results = await Promise.all(Array.from({ length: 8 }, (_, i) => deliver(packs.slice(i % 3))));
    expect(results.filter(({ taken }) => taken)).toHaveLength(8);
    expect(await total()).toBe(12);
  });

  it('for each link and visitor in it, and for the link’s client', async () => {
    const { tenant, link, total } = await seed();
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

describe('a batch that cannot be counted', () => {
  it('is asked for again after a while, whole, and nothing of it is counted', async () => {
    const { link, total } = await seed();
    const packs = [packOf(link, 3), packOf(link, 4)];
    const problems = logged();
    const database = breakDatabase();
    expect(await deliver(packs)).toEqual(toComeAgainIn(5));
    database.mockRestore();
    expect(problems()).toMatchObject([{ event: 'click_batch_failed', packs: 2 }]);
    expect(await total()).toBe(0);
    await deliver(packs);
    expect(await total()).toBe(7);
  });

  it('is undone as a whole where its last statement fails', async () => {
    const { tenant, link, total } = await seed();
    const packs = [packOf(link, [{ mark: 'anna0000' }])];
    const batch = env.DB.batch.bind(env.DB);
    const failing = env.DB.prepare('INSERT INTO visitor_salts (day, salt) VALUES (NULL, NULL)');
    const database = vi.spyOn(env.DB, 'batch').mockImplementation((statements) => batch([...statements, failing]));
    expect(await deliver(packs)).toEqual(toComeAgainIn(5));
    database.mockRestore();
    expect(await total()).toBe(0);
    await deliver(packs);
    expect(await clicksOf(tenant, link)).toMatchObject({ total: 1, visitors_today: 1 });
  });

  it('is tried again by the hour once it is a dead letter, and counted when the database is back', async () => {
    const { link, total } = await seed();
    const packs = [packOf(link, 3)];
    const database = breakDatabase();
    for (let i = 0; i < 2; i++) expect(await deliver(packs, 'terse-clicks-dead')).toEqual(toComeAgainIn(3600));
    database.mockRestore();
    expect(await deliver(packs, 'terse-clicks-dead')).toEqual(TAKEN);
    expect(await total()).toBe(3);
  });

  it('is no dead letter in a queue whose name only ends like that of the dead letters', async () => {
    const { link } = await seed();
    breakDatabase();
    expect(await deliver([packOf(link, 3)], 'terse-not-dead')).toEqual(toComeAgainIn(5));
  });
});

describe('a message that is not to be counted', () => {
  it.each([
    ['nothing', null],
    ['a text', 'clicks'],
    ['an empty object', {}],
    ['a list', [1, 2]],
    ['a pack without an id', { ...packOf(ANY_LINK, 1), id: undefined }],
    ['a pack with a click at no time', { ...packOf(ANY_LINK, 1), groups: [[0, 0, 1, 'noon', '']] }],
    ['a pack with half a mark', packOf(ANY_LINK, [{ mark: 'abc' }])],
    ['a pack with less than a click', packOf(ANY_LINK, [{ clicks: 0 }])],
    ['a pack with a click of no link', { ...packOf(ANY_LINK, 1), links: [] }],
    ['a pack with a click of no profile', { ...packOf(ANY_LINK, 1), profiles: [] }],
    ['a pack with a click of no agent', { ...packOf(ANY_LINK, 1), agents: [] }],
  ])('is taken and logged where it is %s, and the rest is counted', async (_, body) => {
    const { link, total } = await seed();
    const problems = logged();
    expect(await deliver([body, packOf(link, 2)])).toEqual(TAKEN);
    expect(problems()).toMatchObject([{ event: 'click_message_unreadable', message_id: expect.any(String) }]);
    expect(await total()).toBe(2);
  });

  it('is logged as lost, with its size, where it is older than 30 days', async () => {
    const { link, total } = await seed();
    const problems = logged();
    const old = packOf(link, 5, { at: Date.now() - 30 * DAY_MS });
    const young = packOf(link, 2, { at: Date.now() - 30 * DAY_MS + 1 });
    expect(await deliver([old, young])).toEqual(TAKEN);
    expect(problems()).toMatchObject([{ event: 'clicks_lost', clicks: 5 }]);
    expect(await total()).toBe(2);
  });
});

describe('a batch', () => {
  it('takes one trip to the database', async () => {
    const { link } = await seed();
    const packs = Array.from({ length: 10 }, () => packOf(link, [{ mark: 'anna0000' }, { userAgent: GOOGLEBOT }]));
    const trips = countTrips();
    await deliver(packs);
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
  });

  it('writes one row for each link and day, one for the campaign’s and one for the client’s day', async () => {
    const { link } = await seed();
    const clicks = Array.from({ length: 40 }, (_, i) => ({ country: `${i}`, referrer: `${i}.example` }));
    const inCampaign = { ...link, campaign_name: 'spring' };
    const packs = () => Array.from({ length: 10 }, () => packOf(inCampaign, clicks));
    const yesterday = packOf(inCampaign, [{ at: Date.now() - DAY_MS }]);
    const batch = vi.spyOn(env.DB, 'batch');
    // The second time the rows are there already.
    for (let i = 0; i < 2; i++) await deliver([...packs().slice(1), { ...yesterday, id: crypto.randomUUID() }]);
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    const written = results.map((statements) => statements.map(({ meta }) => meta.rows_written));
    // The first statement checks whether a restore is under way.
    expect(written).toEqual([
      [0, 10, 6],
      [0, 10, 6],
    ]);
  });

  it('of ten full packs, of 900 links each, has no parameter of a megabyte', async () => {
    const { tenant, link } = await seed();
    const packs = Array.from({ length: 10 }, (_, p) => fullPack(tenant, link, p));
    for (const pack of packs) expect(JSON.stringify(pack).length).toBeLessThan(128_000);
    const statement = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as D1PreparedStatement;
    const bind = vi.spyOn(statement, 'bind');
    expect(await deliver(packs)).toEqual(TAKEN);
    const sizes = bind.mock.calls.flat().map((param) => Buffer.byteLength(String(param)));
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(1_000_000);
    expect(Math.max(...sizes)).toBeLessThan(1_000_000);
    bind.mockRestore();
    const response = await call('/v1/stats', { headers: { 'X-API-Key': tenant.apiKey } });
    expect(await response.json()).toMatchObject({ total: 9000, humans: 9000 });
  }, 30_000);
});

function fullPack({ clientId }: Tenant, link: LinkRecord, p: number): Pack {
  const places = Array.from({ length: 900 }, (_, i) => ({ link: i, referrer: `${i}-${p}.example` }));
  const links = places.map((_, i): PackedLink => [`l-${p}-${i}`, clientId, null]);
  return packOf(link, places, { links });
}
