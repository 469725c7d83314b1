import { describe, expect, it } from 'vitest';
import { importExport } from '../../support/exports.ts';
import { importFile, NDJSON, newSlug, openClient, outcomesOf, sendFile } from '../../support/files.ts';

describe('the columns', () => {
  it('the columns say what they become', async () => {
    const { imported } = await importExport('rebrandly.csv');
    expect(imported.columns).toEqual([
      { column: 'id', field: null },
      { column: 'title', field: 'title' },
      { column: 'slashtag', field: 'slug' },
      { column: 'destination', field: 'url' },
      { column: 'domainName', field: 'custom_domain' },
      { column: 'shortUrl', field: 'slug' },
      { column: 'tags', field: 'tags' },
      { column: 'clicks', field: 'imported_clicks' },
      { column: 'createdAt', field: 'created_at' },
      { column: 'expiredAt', field: 'expires_at' },
      { column: 'status', field: 'disabled' },
    ]);
  });

  it('the columns can be mapped', async () => {
    const manager = await openClient();
    const slug = newSlug();
    const file = `Where to;Back half;Labels;Made on;Hits;Other\nhttps://example.com/mapped;${slug};a|b;2020-01-02;5;x\n`;
    const map = 'map_url=where%20TO&map_slug=Back+half&map_tags=Labels&map_created_at=Made+on&map_clicks=Hits';
    const imported = await importFile(manager, file, { query: `?${map}` });
    expect(imported.format).toEqual({ id: 'mapped', name: 'Mapped columns', by: 'mapped' });
    expect(imported.columns.map(({ field }) => field)).toEqual([
      'url',
      'slug',
      'tags',
      'created_at',
      'imported_clicks',
      null,
    ]);
    expect(imported.results[0]?.link).toMatchObject({
      short_url: `https://terse.test/${slug}`,
      url: 'https://example.com/mapped',
      tags: ['a', 'b'],
      created_at: '2020-01-02T00:00:00.000Z',
      imported_clicks: 5,
    });
  });

  it.each([
    ['map_slug=a', 'missing_field: map_url is required: name the column with the destination.'],
    [
      'map_url=c',
      'unknown_field: map_url names the column "c", which the file does not have. Its columns are "a" and "b".',
    ],
    ['map_url=a&map_title=A', 'repeated_field: map_title names the column "A", as another field does.'],
    ['from=kutt', 'missing_field: This is no export of Kutt: it has no column "target". Its columns are "a" and "b".'],
  ])('the columns are refused: %s', async (query, error) => {
    const response = await sendFile(await openClient(), 'a,b\n1,2\n', { query: `?${query}` });
    expect([response.status, await response.json()]).toEqual([400, { result: 'Failed', error }]);
  });

  it('the columns can be the fields of the list of links, whose clicks are ignored', async () => {
    const manager = await openClient();
    const { slug } = await manager.read(await manager.make({ slug: newSlug(), title: 'From the list' }));
    const { links } = (await manager.ask<{ links: object[] }>('GET', '/v1/links')).body;
    expect(links).toMatchObject([{ clicks: 0, humans: 0, last_click_at: null }]);
    const clicked = { ...links[0], clicks: 9, humans: 5, last_click_at: '2026-05-20T12:00:00.000Z' };
    const elsewhere = await openClient();
    const file = `${JSON.stringify(clicked)}\n`;
    expect(outcomesOf(await importFile(manager, file, { type: NDJSON }))).toEqual(['unchanged']);
    const moved = { ...clicked, slug: `${slug}-2`, short_url: `https://terse.test/${slug}-2` };
    const imported = await importFile(elsewhere, `${JSON.stringify(moved)}\n`, { type: NDJSON });
    expect(imported.results).toMatchObject([
      { status: 'created', link: { title: 'From the list', imported_clicks: null } },
    ]);
  });

  it('the columns are overruled by what the caller says', async () => {
    const manager = await openClient();
    const slug = newSlug();
    const file = `url,title\nhttps://example.com/${slug},T\n`;
    expect((await importFile(manager, file, { query: '?dry_run=true' })).format.id).toBe('terse');
    const chosen = await importFile(manager, file, { query: '?dry_run=true&from=tinyurl&host=shared' });
    expect(chosen.format).toEqual({ id: 'tinyurl', name: 'TinyURL', by: 'chosen' });
    expect(chosen.columns[1]).toEqual({ column: 'title', field: null });
  });
});
