import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_VALUES } from '../../src/statistics/days/sums.ts';
import { CHROME, clicksOf, deliver, GOOGLEBOT, packOf, SLACK, type PackedBy } from '../support/clicks.ts';
import type { StatsRow } from '../../src/clicks/stats.ts';
import { seedLink, seedTenant, type LinkRecord, type Tenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { ask } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Counts = Readonly<Record<string, number>>;

/** The clicks of a link by referrer, `<kind letter>:<host>`. */
async function referrersOf(tenant: Tenant, link: LinkRecord): Promise<Counts> {
  const { body } = await ask(tenant, `/v1/links/${link.id}/stats?by=referrer`);
  const counts = (body['rows'] as StatsRow[]).flatMap(({ key, humans, bots }) => [
    [`h:${key}`, humans] as const,
    [`b:${key}`, bots] as const,
  ]);
  return Object.fromEntries(counts.filter(([, clicks]) => clicks > 0));
}

const sumOf = (counts: Counts) => Object.values(counts).reduce((sum, clicks) => sum + clicks, 0);

/** So many hosts, named by consecutive numbers. */
const hosts = (count: number, first = 0) => Array.from({ length: count }, (_, i) => `${first + i}.example`);

const clicksFrom = (referrers: readonly string[], rest: PackedBy = {}) =>
  referrers.map((referrer): PackedBy => ({ ...rest, referrer }));

/** Finds the hosts whose human clicks in the row differ, each with its number. */
function otherThan(clicks: number, counts: Counts, known: readonly string[]) {
  return known.map((host) => [host, counts[`h:${host}`]]).filter(([, counted]) => counted !== clicks);
}

describe('the clicks of a day', () => {
  it('the clicks of a day are humans, bots and previews, which add up to the total in every breakdown', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const clicks = [CHROME, CHROME, CHROME, GOOGLEBOT, GOOGLEBOT, SLACK, null].map((userAgent) => ({ userAgent }));
    for (let i = 0; i < 2; i++) await deliver([packOf(link, clicks), packOf(link, clicks)]);
    const expected = { total: 28, humans: 12, bots: 12, previews: 4 };
    expect(await clicksOf(tenant, link)).toMatchObject(expected);
    for (const by of ['day', 'hour', 'country', 'referrer', 'browser', 'os', 'device', 'language']) {
      const path = `/v1/links/${link.id}/stats?by=${by}`;
      const response = await call(path, { headers: { 'X-API-Key': tenant.apiKey } });
      expect([by, await response.json()]).toMatchObject([by, expected]);
    }
  });

  it('the clicks of a day are those of its UTC hours, to the millisecond', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const times = ['2026-05-19T23:59:59.999Z', '2026-05-20T00:00:00.000Z', '2026-05-20T00:59:59.999Z'];
    await deliver([
      packOf(
        link,
        times.map((at) => ({ at: Date.parse(at) })),
      ),
    ]);
    const { by_day: days, last_at: lastAt } = await clicksOf(tenant, link);
    expect(days.slice(-2).map(({ day, total }) => [day, total])).toEqual([
      ['2026-05-19', 1],
      ['2026-05-20', 2],
    ]);
    expect(lastAt).toBe('2026-05-20T00:59:59.999Z');
  });

  it('the clicks of a day say when the last one was, also where packs come out of order', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    for (const minutes of [5, 1, 9]) await deliver([packOf(link, [{ at: Date.now() - minutes * 60_000 }])]);
    expect((await clicksOf(tenant, link)).last_at).toBe('2026-05-20T11:59:00.000Z');
  });
});

describe('one batch', () => {
  it('one batch adds up several clients, a link that has changed its campaign, and agents that stand at other places', async () => {
    const tenants = [await seedTenant(), await seedTenant()];
    const links = await Promise.all(tenants.map((tenant) => seedLink(tenant)));
    const [one, other] = links as [LinkRecord, LinkRecord];
    const inCampaign = (link: LinkRecord, campaign_name: string) => ({ ...link, campaign_name });
    await deliver([
      packOf(inCampaign(one, `a "quoted" \\ name`), [{ clicks: 2 }, { userAgent: GOOGLEBOT, clicks: 3 }]),
      packOf(inCampaign(one, 'b'), [{ userAgent: GOOGLEBOT, clicks: 5 }, { clicks: 7 }]),
      packOf(inCampaign(other, 'b'), [{ userAgent: SLACK, clicks: 11 }, { clicks: 13 }]),
    ]);
    const rowsOf = async (index: number, path: string, by: string) => {
      const { body } = await ask(tenants[index]!, `/v1/${path}?by=${by}`);
      return (body['rows'] as StatsRow[]).map(({ key, humans, bots, previews }) => [key, humans, bots, previews]);
    };
    const quoted = encodeURIComponent(`a "quoted" \\ name`);
    const inQuoted = [
      [null, 0, 3, 0],
      ['Chrome', 2, 0, 0],
    ];
    expect(await rowsOf(0, `campaigns/${quoted}/stats`, 'browser')).toEqual(inQuoted);
    expect(await rowsOf(0, 'campaigns/b/stats', 'browser')).toEqual([
      ['Chrome', 7, 0, 0],
      [null, 0, 5, 0],
    ]);
    const ofOne = [
      ['Chrome', 9, 0, 0],
      [null, 0, 8, 0],
    ];
    expect(await rowsOf(0, 'stats', 'browser')).toEqual(ofOne);
    expect(await rowsOf(0, `links/${one.id}/stats`, 'browser')).toEqual(ofOne);
    expect(await rowsOf(0, 'stats', 'link')).toEqual([[one.id, 9, 8, 0]]);
    const ofOther = [
      ['Chrome', 13, 0, 0],
      [null, 0, 0, 11],
    ];
    for (const path of ['campaigns/b/stats', 'stats', `links/${other.id}/stats`])
      expect(await rowsOf(1, path, 'browser')).toEqual(ofOther);
    expect(await rowsOf(1, 'stats', 'link')).toEqual([[other.id, 13, 0, 11]]);
  });
});

describe('a breakdown', () => {
  it('a breakdown keeps a bounded number of values of each kind, and counts the rest as other', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const many = hosts(MAX_VALUES + 50);
    await deliver([packOf(link, [...clicksFrom(many), ...clicksFrom(many, { userAgent: GOOGLEBOT })])]);
    const referrers = await referrersOf(tenant, link);
    const named = (prefix: string) =>
      Object.keys(referrers).filter((key) => key.startsWith(prefix) && key !== `${prefix}other`);
    expect([named('h:').length, named('b:').length]).toEqual([MAX_VALUES, MAX_VALUES]);
    expect([referrers['h:other'], referrers['b:other'], sumOf(referrers)]).toEqual([50, 50, 2 * many.length]);
    expect(await clicksOf(tenant, link)).toMatchObject({ total: 2 * many.length, humans: many.length });
  });

  it('a breakdown gives the most clicked of a batch the places that are left', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const favourite = Array<string>(3).fill('zzz.example');
    await deliver([packOf(link, clicksFrom([...hosts(MAX_VALUES + 10), ...favourite]))]);
    expect(await referrersOf(tenant, link)).toMatchObject({ 'h:zzz.example': 3, 'h:other': 11 });
  });

  it('a breakdown leaves a value in its place, however many new ones come later', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const known = hosts(MAX_VALUES);
    await deliver([packOf(link, clicksFrom(known))]);
    for (let i = 1; i <= 3; i++) await deliver([packOf(link, clicksFrom(hosts(10, 1000 * i)))]);
    const referrers = await referrersOf(tenant, link);
    expect(otherThan(1, referrers, known)).toEqual([]);
    expect([referrers['h:other'], sumOf(referrers)]).toEqual([30, MAX_VALUES + 30]);
  });

  it('a breakdown counts a value that is known as itself, also in a batch that is full of more clicked ones', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const known = hosts(5);
    await deliver([packOf(link, clicksFrom(known))]);
    const fresh = hosts(MAX_VALUES, 1000);
    await deliver([packOf(link, clicksFrom([...fresh, ...fresh, ...known]))]);
    const referrers = await referrersOf(tenant, link);
    expect(otherThan(2, referrers, known)).toEqual([]);
    expect([referrers['h:other'], sumOf(referrers)]).toEqual([10, 10 + 2 * MAX_VALUES]);
  });

  it('a breakdown loses no click over many batches of many values', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    let seed = 7;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    let humans = 0;
    for (let i = 0; i < 12; i++) {
      const referrers = Array.from({ length: 150 }, () => `${random(600)}.example`);
      const people = random(referrers.length);
      humans += people;
      const machines = clicksFrom(referrers.slice(people), { userAgent: GOOGLEBOT });
      await deliver([packOf(link, [...clicksFrom(referrers.slice(0, people)), ...machines])]);
      const counted = Object.entries(await referrersOf(tenant, link));
      const ofKind = (prefix: string) => sumOf(Object.fromEntries(counted.filter(([key]) => key.startsWith(prefix))));
      expect([ofKind('h:'), ofKind('b:')]).toEqual([humans, 150 * (i + 1) - humans]);
      expect(counted.length).toBeLessThanOrEqual(2 * (MAX_VALUES + 1));
    }
    expect(await clicksOf(tenant, link)).toMatchObject({ total: 1800, humans, bots: 1800 - humans });
  });
});
