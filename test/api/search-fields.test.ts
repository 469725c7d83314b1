import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ManagedRecord } from '../../src/links/record.ts';
import { D1_SESSION } from '../support/d1.ts';
import { manyLinks } from '../support/link-lists.ts';
import { open, type Manager } from '../support/manage.ts';

/** The search of links by `q`: the fields that it reads, and how many links. */

afterEach(() => void vi.restoreAllMocks());

interface Page {
  readonly links: readonly ManagedRecord[];
  readonly cursor: string | null;
}

const search = async ({ ask }: Manager, q: string, more = '') =>
  (await ask<Page>('GET', `/v1/links?q=${encodeURIComponent(q)}${more}`)).body;
const idsOf = ({ links }: Page) => links.map(({ id }) => id);

describe('the search for a part of a text', () => {
  it.each([
    ['title', 'Größe der Zelte'],
    ['campaign_name', 'Äpfel & Birnen 50%'],
    ['comments', 'Am Bahnhof.\nZweite Zeile: ÜBER_MORGEN'],
    ['tags', ['Drucksache', 'Übersee']],
    ['external_id', 'Erp-4711'],
  ])('the search finds the link by its %s in any case', async (name, value) => {
    const manager = await open();
    const id = await manager.make({ [name]: value });
    await manager.make({ [name]: Array.isArray(value) ? ['Other'] : 'other' });
    const texts = Array.isArray(value) ? value : value.split('\n');
    for (const text of texts) {
      const part = text.slice(1, -1);
      for (const q of [part, part.toUpperCase(), part.toLowerCase()])
        expect([q, idsOf(await search(manager, q))]).toEqual([q, [id]]);
    }
  });

  it('a wildcard of SQL in a search text is a character like others', async () => {
    const manager = await open();
    const id = await manager.make({ campaign_name: '50%_*[a]?', comments: 'plain', tags: ['a_b%'] });
    await manager.make({ campaign_name: 'plain', tags: ['axb'] });
    for (const q of ['%', '_*', '*[', '[a]', '?', '50%_*', 'a_b', 'b%']) {
      expect([q, idsOf(await search(manager, q))]).toEqual([q, [id]]);
    }
  });

  it('a search text finds no link of another client, nor by the name of a tag of another client', async () => {
    const [mine, theirs] = [await open(), await open()];
    await theirs.make({ title: 'Shared', campaign_name: 'Shared', comments: 'Shared', tags: ['Shared'] });
    await mine.make({ tags: ['Own'] });
    expect(idsOf(await search(mine, 'shared'))).toEqual([]);
    const found = await theirs.ask('GET', `/v1/links?q=shared&client_id=${mine.tenant.clientId}`);
    expect(found.status).toBe(403);
  });

  it('a search by a tag continues page by page, each link once', async () => {
    const manager = await open();
    const made = [];
    for (let n = 0; n < 7; n++)
      made.unshift(await manager.make({ tags: n % 2 ? ['Summer sale'] : ['Summer', 'Sale'] }));
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await search(manager, 'summer', `&limit=3${cursor && `&cursor=${cursor}`}`);
      found.push(...idsOf(page));
      cursor = page.cursor;
    }
    expect(found.toSorted()).toEqual(made.toSorted());
  });
});

describe('the number of links that a search reads', () => {
  it('a page of a search reads the 10,000 newest links, and the next one those before', async () => {
    const manager = await open();
    await manyLinks(manager.tenant, 10_002, (i) => `https://example.com/${i < 2 ? 'rare' : 'x'}`);
    await env.DB.prepare(
      `INSERT INTO tags (id, client_id, name, folded, colour, created_at) VALUES ('rare', ?, 'Rare', 'rare', 'red', 0)`,
    )
      .bind(manager.tenant.clientId)
      .run();
    const { mock } = vi.spyOn(D1_SESSION, 'batch');
    const readBy = async (q: string) => {
      const before = mock.results.length;
      const page = await search(manager, q);
      const results = await Promise.all(mock.results.slice(before).map(({ value }) => value as Promise<D1Result[]>));
      return { page, read: results.flat().reduce((sum, { meta }) => sum + meta.rows_read, 0) };
    };
    const { page, read } = await readBy('rare');
    expect([page.links, page.cursor]).toEqual([[], expect.any(String)]);
    // No link has the tag, and each link is read for it.
    expect(read).toBeLessThanOrEqual(3 * 10_000 + 200);
    const next = await search(manager, 'rare', `&cursor=${page.cursor}`);
    expect(idsOf(next)).toEqual(['many0001', 'many0000']);
    expect((await readBy('nowhere')).read).toBeLessThanOrEqual(2 * 10_000 + 200);
    expect((await readBy('жжёт')).read).toBeLessThanOrEqual(2 * 10_000 + 200);
  });
});
