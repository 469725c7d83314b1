import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ManagedRecord } from '../../src/api/record.ts';
import { listSqlOf } from '../../src/links/list/list-sql.ts';
import { actingParams } from '../../src/accounts/access.ts';
import type { LinkFilters } from '../../src/links/list/filters.ts';
import { failed, newSlug, open, type Manager } from '../support/manage.ts';
import { seedDomain } from '../support/seed.ts';

/** Filters of a list of links, each with an index. */

afterEach(() => vi.restoreAllMocks());

interface Page {
  readonly links: readonly ManagedRecord[];
  readonly cursor: string | null;
  readonly scanned_to: string | null;
}

const list = async ({ ask }: Manager, query: string) => {
  const { status, body } = await ask<Page>('GET', `/v1/links?${query}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
};
const idsOf = ({ links }: Page) => links.map(({ id }) => id);

/** Very old links that match every filter, below newer ones that match none. */
async function seedOld(manager: Manager, old: number, newer = 10_000): Promise<{ host: string; ids: string[] }> {
  const host = await seedDomain(manager.tenant);
  const insert = (name: string, count: number, at: number, columns: string) =>
    env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2)
       INSERT INTO links (id, slug, client_id, created_at, updated_at, revision, domain_id, sec_id, url, campaign_name,
         expires_at, disabled_at)
       SELECT ?1 || ?4 || n, ?1 || ?4 || n, ?1, ?3 + n, n, 1, ${columns} FROM numbers`,
    )
      .bind(manager.tenant.clientId, count, at, name)
      .run();
  const domain = `(SELECT id FROM domains WHERE host = '${host}')`;
  if (newer > 0)
    await insert('-new-', newer, 1_000_000, `'', 'BCDFGHJK', 'https://example.com/new/' || n, NULL, NULL, NULL`);
  await insert('-old-', old, 1000, `${domain}, 'mine', 'https://example.com/old?a=b', 'Spring', NULL, NULL`);
  const ids = Array.from({ length: old }, (_, n) => `${manager.tenant.clientId}-old-${n}`).toReversed();
  return { host, ids };
}

describe('a page of a list', () => {
  it.each<[filter: string, change: string]>([
    ['campaign_name=Spring', ''],
    ['sec_id=mine', ''],
    ['custom_domain=HOST', ''],
    ['url=HTTPS%3A%2F%2FEXAMPLE.com%2Fold%3Fa%3Db', ''],
    ['state=disabled', 'disabled_at = 1'],
    ['state=deleted', 'deleted_at = 1'],
    ['state=expired', 'expires_at = 1'],
    ['campaign_name=Spring&custom_domain=HOST&sec_id=mine', ''],
  ])(
    'a page of the list of links with %s is full, though ten thousand newer links do not match',
    async (filter, change) => {
      const manager = await open();
      const { host, ids } = await seedOld(manager, 30);
      if (change) {
        await env.DB.prepare(`UPDATE links SET ${change} WHERE client_id = ? AND sec_id = 'mine'`)
          .bind(manager.tenant.clientId)
          .run();
      }
      const query = filter.replace('HOST', host);
      const batch = vi.spyOn(env.DB, 'batch');
      const first = await list(manager, `${query}&limit=20`);
      expect(idsOf(first)).toEqual(ids.slice(0, 20));
      const [results] = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
      // Twenty and one, through the index, what holds them meanwhile, the link, its domain and its slugs.
      expect(results?.[1]?.meta.rows_read).toBeLessThanOrEqual(400);
      expect(first.scanned_to).toBe(new Date(1010).toISOString());
      const second = await list(manager, `${query}&limit=20&cursor=${first.cursor}`);
      expect([idsOf(second), second.cursor, second.scanned_to]).toEqual([ids.slice(20), null, null]);
    },
  );

  it('a page of the list of links with state=active is full, although 30,000 newer links have expired', async () => {
    const manager = await open();
    const { ids } = await seedOld(manager, 30, 30_000);
    const { clientId } = manager.tenant;
    await env.DB.batch([
      env.DB.prepare(`UPDATE links SET expires_at = 1 WHERE client_id = ? AND sec_id <> 'mine'`).bind(clientId),
      env.DB.prepare(`UPDATE links SET disabled_at = 1 WHERE client_id = ? AND id LIKE '%7'`).bind(clientId),
    ]);
    const left = ids.filter((id) => !id.endsWith('7'));
    const first = await list(manager, 'state=active&limit=20');
    expect(idsOf(first)).toEqual(left.slice(0, 20));
    expect(idsOf(await list(manager, `state=active&limit=20&cursor=${first.cursor}`))).toEqual(left.slice(20));
  });

  it.each<[filters: string, change: string]>([
    ['campaign_name=Spring&state=expired', 'expires_at = 1'],
    ['campaign_name=Spring&state=disabled', 'disabled_at = 1'],
    ['custom_domain=HOST&state=expired', 'expires_at = 1'],
    ['custom_domain=HOST&state=disabled&campaign_name=Spring', 'disabled_at = 1'],
    ['campaign_name=Spring&sec_id=last', `sec_id = 'last'`],
    ['campaign_name=Spring&custom_domain=HOST', ''],
    ['url=https%3A%2F%2Fexample.com%2Fold%3Fa%3Db&state=expired', 'expires_at = 1'],
    ['state=deleted&campaign_name=Autumn', `deleted_at = 1, campaign_name = 'Autumn'`],
  ])(
    'a page of the list of links with %s is full, though thousands of newer links match one filter only',
    async (filters, change) => {
      const manager = await open();
      const { host, ids } = await seedOld(manager, 6000, 0);
      const { clientId } = manager.tenant;
      if (filters.includes('deleted')) {
        await env.DB.prepare('UPDATE links SET deleted_at = 2 WHERE client_id = ?').bind(clientId).run();
      }
      if (change) {
        await env.DB.prepare(`UPDATE links SET ${change} WHERE client_id = ? AND created_at < 1030`)
          .bind(clientId)
          .run();
      }
      const first = await list(manager, `${filters.replace('HOST', host)}&limit=20`);
      expect(idsOf(first)).toEqual((change ? ids.slice(-30) : ids).slice(0, 20));
    },
  );

  it('a page of the list of links reads no more of an index than it needs to be full', async () => {
    const manager = await open();
    await seedOld(manager, 30);
    const batch = vi.spyOn(env.DB, 'batch');
    expect(idsOf(await list(manager, 'state=active&limit=20'))).toHaveLength(20);
    const [results] = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    expect(results?.[1]?.meta.rows_read).toBeLessThanOrEqual(200);
  });

  it('a page of the list of links without a filter is full, though thousands of newer links are deleted', async () => {
    const manager = await open();
    const { ids } = await seedOld(manager, 30);
    await env.DB.prepare(`UPDATE links SET deleted_at = 1 WHERE client_id = ? AND sec_id <> 'mine'`)
      .bind(manager.tenant.clientId)
      .run();
    expect(idsOf(await list(manager, ''))).toEqual(ids);
  });

  it('a page of the list of links with q, for which there is no index, says how far it has come', async () => {
    const manager = await open();
    await seedOld(manager, 10_100, 0);
    const found = await list(manager, 'campaign_name=Spring&q=nowhere');
    expect(found).toEqual({ links: [], cursor: expect.any(String), scanned_to: new Date(1100).toISOString() });
  });

  it('a page of the list of links finds the links of a generated sec_id', async () => {
    const manager = await open();
    const id = await manager.make();
    const { sec_id } = await manager.read(id);
    await manager.make();
    expect(idsOf(await list(manager, `sec_id=${sec_id}`))).toEqual([id]);
  });
});

describe('the search for a link', () => {
  it('a link is found by its slug, on the service’s host and on custom domains, by aliases too, and in any case', async () => {
    const manager = await open();
    const custom_domain = await seedDomain(manager.tenant);
    const [slug, next] = [`Ä${newSlug()}`, newSlug()];
    const own = await manager.make({ slug });
    const custom = await manager.make({ slug, custom_domain });
    const by = async (text: string, rest = '') => idsOf(await list(manager, `slug=${encodeURIComponent(text)}${rest}`));
    expect((await by(slug)).toSorted()).toEqual([own, custom].toSorted());
    expect(await by(slug, `&custom_domain=${custom_domain}`)).toEqual([custom]);
    expect(await by(slug, '&custom_domain=other.example')).toEqual([]);
    expect((await by(slug.normalize('NFD'))).toSorted()).toEqual([own, custom].toSorted());
    expect((await by(slug.toLowerCase())).toSorted()).toEqual([own, custom].toSorted());
    await env.DB.prepare('UPDATE domains SET case_sensitive = 1 WHERE host = ?').bind(custom_domain).run();
    await env.DB.prepare('UPDATE addresses SET folded = slug WHERE link_id = ?').bind(custom).run();
    expect(await by(slug.toLowerCase())).toEqual([own]);
    await manager.ask('PATCH', `/v1/links/${own}`, { slug: next });
    expect(await by(next)).toEqual([own]);
    expect((await by(slug)).toSorted()).toEqual([own, custom].toSorted());
    await manager.ask('DELETE', `/v1/links/${own}`);
    expect(await by(next)).toEqual([]);
    expect(await by(next, '&state=deleted')).toEqual([own]);
  });

  it('a link is found by its whole target, in any spelling of the same URL', async () => {
    const manager = await open();
    const long = `https://example.com/${'a'.repeat(300)}/x?utm_source=newsletter&utm_medium=mail`;
    const id = await manager.make({ url: long });
    const other = await manager.make({ url: long.replace('/x?', '/y?') });
    const short = await manager.make({ url: 'http://a.b/' });
    const by = async (url: string) => idsOf(await list(manager, `url=${encodeURIComponent(url)}`));
    expect(await by(long.replace('https://example.com', 'HTTPS://Example.com:443'))).toEqual([id]);
    expect(await by(long.replace('/x?', '/y?'))).toEqual([other]);
    expect(await by('http://a.b')).toEqual([short]);
    // The target as a link shows it, with three or six characters for each letter.
    const written = await manager.make({ url: `https://example.com/${'ü'.repeat(600)}` });
    expect(await by((await manager.read(written)).url)).toEqual([written]);
    expect(await by(long.slice(0, -1))).toEqual([]);
    const refused = await manager.ask('GET', '/v1/links?url=ftp://example.com');
    expect(refused).toMatchObject({ status: 400, body: failed('invalid_url') });
  });

  it('a link is not found by another client', async () => {
    const [mine, others] = [await open(), await open()];
    const slug = newSlug();
    const custom_domain = await seedDomain(others.tenant);
    const fields = {
      slug,
      url: 'https://example.com/theirs',
      campaign_name: 'theirs',
      sec_id: 'theirs',
      custom_domain,
    };
    await others.make(fields);
    for (const query of [
      `slug=${slug}`,
      `slug=${slug}&custom_domain=${custom_domain}`,
      'url=https://example.com/theirs',
      'campaign_name=theirs',
      'sec_id=theirs',
      `custom_domain=${custom_domain}`,
      'state=active',
    ]) {
      expect(idsOf(await list(others, query)), query).toHaveLength(1);
      expect(idsOf(await list(mine, query)), query).toEqual([]);
    }
  });
});

it.each<[index: string, filters: LinkFilters, rows?: 'alone' | 'as found']>([
  ['links_live', {}, 'as found'],
  ['links_live', { state: 'active' }, 'alone'],
  ['links_live', { sec_id: 'BCDFGHJK' }, 'alone'],
  ['links_live', { q: 'x' }],
  ['links_of_campaign', { campaign_name: 'x' }, 'as found'],
  ['links_of_campaign', { campaign_name: 'x', state: 'active' }, 'alone'],
  ['links_of_campaign', { campaign_name: 'x', custom_domain: 'x.example' }],
  ['links_of_sec_id', { sec_id: 'x', state: 'expired' }],
  ['links_of_domain', { custom_domain: 'x.example' }, 'as found'],
  ['links_of_domain', { custom_domain: 'x.example', state: 'expired' }, 'alone'],
  ['links_of_url', { url: 'https://example.com/', state: 'active' }],
  ['links_by_external_id', { external_id: 'x', state: 'deleted' }],
  ['links_disabled', { state: 'disabled' }, 'as found'],
  ['links_disabled', { state: 'disabled', campaign_name: 'x', custom_domain: 'x.example' }],
  ['links_deleted_of_client', { state: 'deleted', campaign_name: 'x' }],
  ['links_ending', { state: 'expired' }, 'alone'],
])('the filters %s lead to the links with %j, in their order', async (index, filters, rows) => {
  const { sql, params } = listSqlOf(filters, [Number.MAX_SAFE_INTEGER, ''], 51);
  const actor = {
    credential: { kind: 'api_key', keyId: 'k', secretHash: 'h' },
    clientId: null,
  } as const;
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...actingParams(actor, 'links:read', 0), ...params)
    .all<{ detail: string }>();
  const plan = results.map(({ detail }) => detail);
  // Links found by the index are read by their ids, if they are not read as they are found.
  const steps = plan.filter((detail) => / l USING/.test(detail) && !detail.includes('PRIMARY KEY'));
  expect(steps).not.toEqual([]);
  for (const step of steps) expect(step).toMatch(new RegExp(`^SEARCH l USING (COVERING )?INDEX ${index} \\(`));
  if (rows === 'alone') expect(steps).toEqual(steps.filter((step) => step.includes('COVERING')));
  if (rows === 'as found') expect(plan.filter((detail) => detail.startsWith('SEARCH l '))).toHaveLength(1);
  // Only for a page of links that are read by their ids.
  const most = rows === 'as found' ? 0 : 2;
  expect(plan.filter((detail) => detail.includes('TEMP B-TREE FOR ORDER BY')).length).toBeLessThanOrEqual(most);
});
