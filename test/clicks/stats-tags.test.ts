import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { manyLinks } from '../support/link-lists.ts';
import { open, type Manager } from '../support/manage.ts';
import { seedLink, type LinkRecord, type Tenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { ask, clicked, humans, seedClicks } from '../support/stats.ts';

/** Click statistics of the links that have a tag now. */

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

const at = '2026-03-30T10:00:00Z';
const RANGE = 'from=2026-03-29&to=2026-03-30';

const tagged = (tenant: Tenant, tags: string): Promise<LinkRecord> => seedLink(tenant, { tags });

/** Links with one, two and four clicks: the first two have the tag, the last two had the campaign. */
async function seedThree() {
  const manager = await open();
  const { tenant } = manager;
  const links = [await tagged(tenant, 'Summer'), await tagged(tenant, 'summer, x'), await tagged(tenant, 'x')] as const;
  const [one, two, four] = links;
  await seedClicks(one, [{ at }]);
  await seedClicks({ ...two, campaign_name: 'Spring' }, [{ at }, { at, country: 'DE' }]);
  await seedClicks({ ...four, campaign_name: 'Spring' }, [{ at, clicks: 4 }]);
  return { manager, tenant, one, two, four };
}

const total = async (tenant: Tenant, query: string) => (await ask(tenant, `/v1/stats?${RANGE}&${query}`)).body['total'];

describe('the statistics of a tag', () => {
  it('the statistics of a tag are those of the links that have it now, in any case', async () => {
    const { manager, tenant, one, two, four } = await seedThree();
    const { status, body } = await ask(tenant, `/v1/stats?${RANGE}&tag=SUMMER`);
    expect([status, body]).toMatchObject([200, humans(3)]);
    expect(await total(tenant, 'tag=%20x%20')).toBe(6);
    const csv = await call(`/v1/stats.csv?${RANGE}&tag=summer`, { headers: { 'X-API-Key': tenant.apiKey } });
    expect(await csv.text()).toMatch(/\r\n"2026-03-30",3,3,0,0\r\n$/);
    expect(await total(tenant, 'tag=none')).toBe(0);
    expect(await total(tenant, 'tag=summer&country=DE')).toBe(1);
    const byLink = await ask(tenant, `/v1/stats?${RANGE}&tag=summer&by=link`);
    expect(clicked(byLink)).toEqual([
      [two.id, 2],
      [one.id, 1],
    ]);
    await manager.ask('PATCH', `/v1/links/${four.id}`, { tags: ['Summer'] });
    expect(await total(tenant, 'tag=summer')).toBe(7);
    await manager.ask('DELETE', `/v1/links/${one.id}`);
    expect(await total(tenant, 'tag=summer')).toBe(6);
    const [tag] = (await manager.ask<{ tags: { id: string }[] }>('GET', '/v1/tags')).body.tags;
    await manager.ask('PATCH', `/v1/tags/${tag?.id}`, { name: 'Winter' });
    expect(await total(tenant, 'tag=winter')).toBe(6);
  });

  it('the statistics of a tag are narrowed to a campaign, and compared with the days before', async () => {
    const { tenant } = await seedThree();
    const campaign = await ask(tenant, `/v1/campaigns/Spring/stats?${RANGE}&tag=summer`);
    expect(campaign.body).toMatchObject({ total: 2 });
    const { body } = await ask(tenant, '/v1/stats?from=2026-03-31&to=2026-03-31&compare=previous&tag=summer');
    expect(body).toMatchObject({ total: 0, compare: { total: 3 } });
  });

  it('the statistics of a tag continue where a page ended, also if the tag has other links then', async () => {
    const { tenant } = await seedThree();
    const query = `/v1/stats?${RANGE}&by=link&tag=x&limit=1`;
    const first = await ask(tenant, query);
    const { cursor } = first.body as { cursor: string };
    await tagged(tenant, 'x');
    expect(await ask(tenant, `${query}&cursor=${cursor}`)).toMatchObject({ status: 200, body: { cursor: null } });
  });

  it('the statistics of a tag are those of the own client only', async () => {
    const [{ tenant }, other] = [await seedThree(), await open()];
    expect(await total(other.tenant, 'tag=summer')).toBe(0);
    const theirs = await ask(other.tenant, `/v1/stats?${RANGE}&tag=summer&client_id=${tenant.clientId}`);
    expect(theirs).toMatchObject({ status: 403, body: { error: expect.stringMatching(/^wrong_client: /) } });
  });

  it('the statistics of a tag are not for one link, and not beside a list of links', async () => {
    const { tenant, one } = await seedThree();
    const ofLink = await ask(tenant, `/v1/links/${one.id}/stats?tag=summer`);
    expect(ofLink).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^unknown_field: /) } });
    const both = await ask(tenant, `/v1/stats?tag=summer&link=${one.id}`);
    expect(both).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^invalid_tag: /) } });
  });

  it('the statistics of a tag are refused if more than 1,000 links have the tag, with a sentence that says so', async () => {
    const manager = await open();
    const ids = await tagMany(manager, 1000);
    expect(await total(manager.tenant, 'tag=many')).toBe(0);
    await tagged(manager.tenant, 'many');
    const { status, body } = await ask(manager.tenant, '/v1/stats?tag=many');
    const error =
      'too_many_links: More than 1000 links have this tag, which is too many to ask about. Ask for a campaign_name, or for some links with link.';
    expect([status, body]).toEqual([400, { result: 'Failed', error }]);
    await manager.ask('DELETE', `/v1/links/${ids[0]}`);
    expect(await total(manager.tenant, 'tag=many')).toBe(0);
  });
});

/** Links that have the tag `many`. */
async function tagMany({ tenant }: Manager, count: number): Promise<readonly string[]> {
  await env.DB.prepare(`DELETE FROM link_tags WHERE link_id LIKE 'many%'`).run();
  const ids = await manyLinks(tenant, count, () => 'https://example.com/');
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO tags (client_id, name, folded, colour, created_at) VALUES (?, 'many', 'many', 'red', 1)`,
    ).bind(tenant.clientId),
    env.DB.prepare(
      `INSERT INTO link_tags (link_id, tag_id, created_at) SELECT l.id, t.id, l.created_at
       FROM tags t JOIN links l ON l.client_id = t.client_id WHERE t.client_id = ?`,
    ).bind(tenant.clientId),
  ]);
  return ids;
}
