import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import type { ManagedRecord } from '../../src/api/record.ts';
import { failed, newSlug, open, type Manager } from '../support/manage.ts';
import { db, seedDomain, seedTenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => vi.restoreAllMocks());

interface Page {
  readonly links: readonly ManagedRecord[];
  readonly cursor: string | null;
}

const list = ({ ask }: Manager, query = '') => ask<Page>('GET', `/v1/links${query}`);
const idsOf = ({ body }: { body: Page }) => body.links.map(({ id }) => id);

/** All pages of a question, one after the other. */
async function walk(manager: Manager, query: string): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  for (let pages = 1, cursor: string | null = null; ; pages++) {
    const answer = await list(manager, `?${query}${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(answer.status).toBe(200);
    ids.push(...idsOf(answer));
    cursor = answer.body.cursor;
    if (cursor === null) return { ids, pages };
  }
}

/** Puts many links into the database at once, the first of them the oldest. */
async function seedMany({ tenant }: Manager, count: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2)
     INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
     SELECT ?1 || '-' || n, '', ?1 || '-' || n, ?1, 's', 'https://example.com/' || n, n / 2, n, 1 FROM numbers`,
  )
    .bind(tenant.clientId, count)
    .run();
}

describe('a list of links', () => {
  it('a list of links is empty before the first', async () => {
    const { status, body } = await list(await open());
    expect([status, body]).toEqual([200, { links: [], cursor: null, scanned_to: null }]);
  });

  it('a list of links is of the client alone, newest first, in one trip', async () => {
    const [mine, others] = [await open(), await open()];
    await others.make();
    const made = [await mine.make({ sec_id: 'a' }), await mine.make({ sec_id: 'b' }), await mine.make({ sec_id: 'c' })];
    for (const id of made) {
      await env.DB.prepare('UPDATE links SET created_at = ?2 WHERE id = ?1').bind(id, made.indexOf(id)).run();
    }
    const trips = await countTrips();
    const answer = await list(mine);
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    expect(idsOf(answer)).toEqual(made.toReversed());
    const { clicks: _, ...link } = (await mine.read(made[0]!)) as ManagedRecord & { clicks: unknown };
    expect(answer.body.links[2]).toEqual({ ...link, clicks: 0, humans: 0, last_click_at: null });
    const withKey = await mine.ask<Page>('GET', '/v1/links', undefined, mine.key);
    expect(idsOf(withKey)).toEqual(made.toReversed());
  });

  it.each<[query: string, found: readonly number[]]>([
    ['campaign_name=Spring', [0]],
    ['sec_id=print', [1]],
    ['q=NEEDLE', [2]],
    ['q=50%25', []],
    ['state=disabled', [3]],
    ['state=deleted', [4]],
    ['state=active', [2, 1, 0]],
    ['campaign_name=Summer', []],
  ])('a list of links is filtered by %s', async (query, found) => {
    const manager = await open();
    const made = [
      await manager.make({ campaign_name: 'Spring' }),
      await manager.make({ sec_id: 'print' }),
      await manager.make({ url: 'https://example.com/hay/needle/stack' }),
      await manager.make(),
      await manager.make(),
    ];
    for (const id of made) {
      await env.DB.prepare('UPDATE links SET created_at = ?2 WHERE id = ?1').bind(id, made.indexOf(id)).run();
    }
    await manager.ask('PATCH', `/v1/links/${made[3]}`, { disabled: true });
    await manager.ask('DELETE', `/v1/links/${made[4]}`);
    expect(idsOf(await list(manager, `?${query}`))).toEqual(found.map((index) => made[index]));
  });

  it.each([
    ['grüsse', true],
    ['GRÜSSE', true],
    ['GRU\u0308SSE', true],
    ['über?b=ä', true],
    ['%C3%BCber', true],
    ['%c3%bcBER', true],
    ['100%25_x', true],
    ['%', true],
    ['a_c', false],
    ['a%c', false],
    ['Gruesse', false],
  ])('a list of links is searched for %s in any case, and by no wildcards', async (q, isFound) => {
    const manager = await open();
    const slug = `Grüße-${crypto.randomUUID().slice(0, 8)}`;
    await manager.make();
    const id = await manager.make({ slug, url: 'https://example.com/abc/über?b=ä&c=100%25_x' });
    const found = idsOf(await list(manager, `?q=${encodeURIComponent(q)}`));
    expect(found).toEqual(isFound ? [id] : []);
  });

  it('a list of links is searched by the slug, and not by its aliases', async () => {
    const manager = await open();
    const [first, second] = [`ä${newSlug()}`, `ö${newSlug()}`];
    const id = await manager.make({ slug: first });
    await manager.ask('PATCH', `/v1/links/${id}`, { slug: second });
    expect(idsOf(await list(manager, `?q=${encodeURIComponent(second.toUpperCase())}`))).toEqual([id]);
    expect(idsOf(await list(manager, `?q=${encodeURIComponent(first)}`))).toEqual([]);
  });

  it('a list of links is filtered by custom domain', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    await manager.make();
    const id = await manager.make({ custom_domain: host });
    for (const spelled of [host, host.toUpperCase(), `${host}.`]) {
      expect(idsOf(await list(manager, `?custom_domain=${spelled}`))).toEqual([id]);
    }
    expect(idsOf(await list(manager, '?custom_domain=other.example'))).toEqual([]);
  });

  it('a list of links is filtered by custom domain without reading the domains of others', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    await seedMany(manager, 500);
    await env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 999)
       INSERT INTO domains (client_id, host) SELECT ?1, 'n' || n || '.' || ?2 FROM numbers`,
    )
      .bind((await seedTenant()).clientId, host)
      .run();
    const id = await manager.make({ custom_domain: host });
    const batch = vi.spyOn(env.DB, 'batch');
    expect(idsOf(await list(manager, `?custom_domain=${host}`))).toEqual([id]);
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    expect(Math.max(...results.flat().map(({ meta }) => meta.rows_read))).toBeLessThanOrEqual(3200);
  });

  it('a list of links continues by its cursor, and leaves out or repeats nothing where many were created at once', async () => {
    const manager = await open();
    await seedMany(manager, 250);
    const { ids, pages } = await walk(manager, 'limit=100');
    expect(pages).toBe(3);
    expect(ids).toHaveLength(250);
    expect(new Set(ids).size).toBe(250);
    expect(ids[0]).toBe(`${manager.tenant.clientId}-249`);
  });

  it('a list of links searches at most 10,000 links a page, of 12,000, and finds the rest on the next page', async () => {
    const manager = await open();
    await seedMany(manager, 12_000);
    const batch = vi.spyOn(env.DB, 'batch');
    const { ids, pages } = await walk(manager, 'q=example.com/77&limit=100');
    expect(ids).toHaveLength(111);
    expect(pages).toBe(2);
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    const read = results.filter((each) => each.length > 1).map((each) => each.at(-1)?.meta.rows_read ?? Infinity);
    // Each of the 10,000, and once more the entry of the index; and what a page reads of the links that it has.
    expect(Math.max(...read)).toBeLessThanOrEqual(2 * 10_000 + 600);
  });

  it('a list of links reads no more for links whose content was removed', async () => {
    const manager = await open();
    await seedMany(manager, 3000);
    await env.DB.prepare(`UPDATE links SET url = '', sec_id = '', deleted_at = 1 WHERE client_id = ?`)
      .bind(manager.tenant.clientId)
      .run();
    const id = await manager.make();
    const batch = vi.spyOn(env.DB, 'batch');
    expect(idsOf(await list(manager))).toEqual([id]);
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    expect(Math.max(...results.flat().map(({ meta }) => meta.rows_read))).toBeLessThanOrEqual(20);
  });

  it.each([
    ['limit=0', 'invalid_limit'],
    ['limit=101', 'invalid_limit'],
    ['limit=ten', 'invalid_limit'],
    ['state=lost', 'invalid_state'],
    ['cursor=nonsense', 'invalid_cursor'],
    ['custom_domain=a%20b', 'invalid_custom_domain'],
    ['colour=red', 'unknown_field'],
    ['q=a&q=b', 'repeated_field'],
  ])('a list of links refuses ?%s', async (query, code) => {
    expect(await list(await open(), `?${query}`)).toMatchObject({ status: 400, body: failed(code) });
  });

  it('a list of links refuses a cursor under other filters', async () => {
    const manager = await open();
    await seedMany(manager, 3);
    const { cursor } = (await list(manager, '?limit=1')).body;
    expect(await list(manager, `?limit=1&cursor=${cursor}`)).toMatchObject({ status: 200 });
    expect(await list(manager, `?limit=1&q=x&cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: failed('invalid_cursor'),
    });
  });

  it('a list of links needs to know the client of a user of several', async () => {
    const [manager, second] = [await open(), await seedTenant()];
    await addMember(db, manager.tenant.userName, second.clientId);
    await manager.make();
    expect(await list(manager)).toMatchObject({ status: 400, body: failed('missing_field') });
    expect(idsOf(await list(manager, `?client_id=${manager.tenant.clientId}`))).toHaveLength(1);
    expect(idsOf(await list(manager, `?client_id=${second.clientId}`))).toHaveLength(0);
    expect(await list(manager, '?client_id=another')).toMatchObject({ status: 403, body: failed('wrong_client') });
  });

  it('a list of links is refused without a credential, before anything else', async () => {
    expect((await call('/v1/links?limit=0')).status).toBe(401);
  });
});
