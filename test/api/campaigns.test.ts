import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver, GOOGLEBOT, logged, packOf } from '../support/clicks.ts';
import { carryClicks } from '../support/carried-clicks.ts';
import { manyLinks } from '../support/link-lists.ts';
import { OBJECT_FAILURE, replaceInObjects } from '../support/objects.ts';
import { seedLink, seedTenant, type Tenant } from '../support/seed.ts';
import { ask, cursorIn } from '../support/stats.ts';
import { countTrips } from '../support/trips.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const NOW = '2026-05-20T12:00:00.000Z';

const list = async (tenant: Tenant, query = '') => {
  const { status, body } = await ask(tenant, `/v1/campaigns${query}`);
  return { status, body };
};

const ofCampaign = (tenant: Tenant, campaign_name: string) => seedLink(tenant, { campaign_name });

describe('GET /v1/campaigns', () => {
  it('GET /v1/campaigns lists the campaigns of links by name, with their links and their clicks', async () => {
    const [tenant, stranger] = [await seedTenant(), await seedTenant()];
    const spring = await ofCampaign(tenant, 'Spring');
    const [first] = [await ofCampaign(tenant, 'Autumn'), await ofCampaign(tenant, 'Autumn'), await seedLink(tenant)];
    await deliver([
      packOf(first, [{ clicks: 2 }, { clicks: 3, userAgent: GOOGLEBOT }]),
      packOf(spring, [{ clicks: 3 }]),
    ]);
    await deliver([packOf(await ofCampaign(stranger, 'Spring'), 100), packOf(await ofCampaign(stranger, 'Winter'), 1)]);
    expect(await list(tenant)).toEqual({
      status: 200,
      body: {
        campaigns: [
          { name: 'Autumn', links: 2, newest_link_at: NOW, clicks: 5, humans: 2, last_click_at: NOW },
          { name: 'Spring', links: 1, newest_link_at: NOW, clicks: 3, humans: 3, last_click_at: NOW },
        ],
        cursor: null,
      },
    });
  });

  it('GET /v1/campaigns is empty for a client without campaigns, and asks no object', async () => {
    const tenant = await seedTenant();
    await seedLink(tenant);
    replaceInObjects('totals', () => () => Promise.reject(OBJECT_FAILURE));
    expect((await list(tenant)).body).toEqual({ campaigns: [], cursor: null });
  });

  it('GET /v1/campaigns leaves out a campaign whose links are deleted, and counts clicks that are not folded and that came before', async () => {
    const tenant = await seedTenant();
    const [kept, gone] = [await ofCampaign(tenant, 'Kept'), await ofCampaign(tenant, 'Gone')];
    await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE id = ?').bind(gone.id).run();
    await deliver([packOf(kept, 1)]);
    await carryClicks(kept, { days: 2, campaign: 'Kept', humans: 2, bots: 1 });
    expect((await list(tenant)).body).toMatchObject({ campaigns: [{ name: 'Kept', links: 1, clicks: 7, humans: 5 }] });
  });

  it('GET /v1/campaigns continues by name, in one trip a page', async () => {
    const tenant = await seedTenant();
    for (const name of ['b', 'a', 'ä', 'B', 'c']) await ofCampaign(tenant, name);
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const trips = await countTrips();
      const { body } = await list(tenant, `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(trips()).toMatchObject({ d1: 1 });
      names.push(...(body['campaigns'] as { name: string }[]).map(({ name }) => name));
      cursor = cursorIn(body);
    }
    expect(names).toEqual(['B', 'a', 'b', 'c', 'ä']);
  });

  it('GET /v1/campaigns counts up to 1,000 links of a campaign, and reads no more', async () => {
    const tenant = await seedTenant();
    await manyLinks(tenant, 3000, (index) => `https://example.com/${index}`);
    await env.DB.prepare(`UPDATE links SET campaign_name = 'many' WHERE id LIKE 'many%'`).run();
    await ofCampaign(tenant, 'one');
    const batches = vi.spyOn(env.DB, 'batch');
    expect((await list(tenant)).body).toMatchObject({
      campaigns: [
        { name: 'many', links: 1000 },
        { name: 'one', links: 1 },
      ],
    });
    const results = (await Promise.all(batches.mock.results.map(({ value }) => value as Promise<D1Result[]>))).flat();
    const read = results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
    expect(read).toBeGreaterThan(1000);
    expect(read).toBeLessThan(1200);
  });

  it('GET /v1/campaigns says that clicks are unknown if the statistics do not respond', async () => {
    const tenant = await seedTenant();
    await ofCampaign(tenant, 'Spring');
    const problems = logged();
    replaceInObjects('totals', () => () => Promise.reject(OBJECT_FAILURE), tenant.clientId);
    expect((await list(tenant)).body).toMatchObject({
      campaigns: [{ links: 1, clicks: null, humans: null, last_click_at: null }],
    });
    expect(problems()).toMatchObject([{ event: 'statistics_unknown', client_id: tenant.clientId }]);
  });

  it('GET /v1/campaigns refuses a cursor of another list', async () => {
    const tenant = await seedTenant();
    for (const name of ['a', 'b']) await ofCampaign(tenant, name);
    const { body } = await ask(tenant, '/v1/links?limit=1');
    expect(await list(tenant, `?cursor=${cursorIn(body)}`)).toMatchObject({ status: 400 });
  });
});
