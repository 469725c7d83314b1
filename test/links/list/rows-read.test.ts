import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ManagedRecord } from '../../../src/links/record.ts';
import { D1_SESSION } from '../../support/d1.ts';
import { listed, manyLinks } from '../../support/link-lists.ts';
import { open, type Manager } from '../../support/manage.ts';
import { openLinks, textOf } from '../../support/platform.ts';

afterEach(() => void vi.restoreAllMocks());

/** The rows that all statements of D1 have read meanwhile. */
async function rowsReadBy(work: () => Promise<void>): Promise<number> {
  const { mock } = vi.spyOn(D1_SESSION, 'batch');
  const before = mock.results.length;
  await work();
  const results = await Promise.all(mock.results.slice(before).map(({ value }) => value as Promise<D1Result[]>));
  return results.flat().reduce((sum, { meta }) => sum + meta.rows_read, 0);
}

const urlOf = (i: number) => `https://example.com/${i}`;

const list = async ({ ask }: Manager, query: string) => {
  const { body } = await ask<{ links: readonly ManagedRecord[] }>('GET', `/v1/links?${query}`);
  return body.links;
};

describe('the rows that D1 reads for a list of links', () => {
  it.each([100, 300])(
    'GET /v1/links of 100 of %d links reads three rows of each, and 50 more at most',
    async (links) => {
      const manager = await open();
      await manyLinks(manager.tenant, links, urlOf);
      expect(
        await rowsReadBy(async () => expect(await list(manager, 'limit=100')).toHaveLength(100)),
      ).toBeLessThanOrEqual(350);
    },
  );

  it('GET /v1/links reads three more rows of a link for its tag, and one for its alias', async () => {
    const manager = await open();
    const ids = await manyLinks(manager.tenant, 100, urlOf);
    const read = () => rowsReadBy(async () => expect(await list(manager, 'limit=100')).toHaveLength(100));
    const plain = await read();
    const all = JSON.stringify(ids);
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO tags (id, client_id, name, folded, colour, created_at) VALUES ('read', ?, 'read', 'read', 'red', 0)`,
      ).bind(manager.tenant.clientId),
      env.DB.prepare(
        `INSERT INTO link_tags (link_id, tag_id, created_at)
         SELECT id, 'read', created_at FROM links WHERE id IN (SELECT value FROM json_each(?))`,
      ).bind(all),
      env.DB.prepare(
        `INSERT INTO addresses (domain_id, folded, slug, link_id)
         SELECT '', 'other' || value, 'other' || value, value FROM json_each(?)`,
      ).bind(all),
    ]);
    const tagged = await read();
    await env.DB.prepare('DELETE FROM link_tags').run();
    expect(tagged - plain).toBeLessThanOrEqual(100 * (3 + 1));
  });

  it.each([
    [100, 0],
    [300, 201],
    [700, 401],
  ])('a list page of 100 of %d links reads 450 rows, and %d that follow to count them', async (links, counted) => {
    const { caller, browse, path } = await openLinks();
    await manyLinks(caller, links, urlOf);
    const read = await rowsReadBy(async () =>
      expect(listed(await textOf(browse(`${path}?limit=100`)))).toHaveLength(100),
    );
    expect(read).toBeLessThanOrEqual(450 + counted);
  });

  it('a list of links has the tags and the aliases of each by code points, each once', async () => {
    const manager = await open();
    const id = await manager.make({ slug: `own-${crypto.randomUUID().slice(0, 8)}` });
    const tags = ['b', '\u{1f600}', 'A', '\uff5a', 'a1', 'Ä'];
    const aliases = ['zz', 'c-1', 'b', 'a'].map((slug) => `${slug}-${id}`.toLowerCase());
    // A former slug becomes an alias.
    for (const slug of [...aliases, `last-${id}`])
      expect((await manager.ask('PATCH', `/v1/links/${id}`, { slug, tags })).status).toBe(200);
    // An earlier version has folded it otherwise.
    await env.DB.prepare(`INSERT INTO addresses (domain_id, folded, slug, link_id) VALUES ('', ?1, ?2, ?3)`)
      .bind(`former ${id}`, aliases[0]!, id)
      .run();
    const [listedLink] = await list(manager, `slug=${encodeURIComponent(aliases[0]!)}`);
    const { tags: orderedTags, aliases: orderedAliases } = await manager.read(id);
    const found = { tags: orderedTags, aliases: orderedAliases };
    expect(found.tags).toEqual(['A', 'a1', 'b', 'Ä', '\uff5a', '\u{1f600}']);
    expect(found.aliases).toHaveLength(aliases.length + 1);
    expect(listedLink).toMatchObject(found);
    expect((await list(manager, 'limit=10')).find((link) => link.id === id)).toMatchObject(found);
  });
});
