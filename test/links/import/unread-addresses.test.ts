import { describe, expect, it } from 'vitest';
import { importFile, newSlug, openClient, outcomesOf } from '../../support/files.ts';
import { seedDomain } from '../../support/seed.ts';

const URL = 'https://example.com/';

describe('a slug that cannot be read', () => {
  it.each([
    ['keyword,url', '100%', 'invalid_slug'],
    ['keyword,url', 'k'.repeat(3000), 'invalid_slug'],
    ['source,hits,target', '/100%/,1', 'invalid_slug'],
    ['short_link,destination_url', 'https://go.example.com/50%', 'invalid_slug'],
    ['short_link,destination_url', 'https://someone:secret@go.example.com/a', 'invalid_slug'],
  ])('a slug that cannot be read refuses the row, which gets no other slug: %s %s', async (header, cells, code) => {
    const manager = await openClient();
    const imported = await importFile(manager, `${header}\n${cells},${URL}\n`, { query: '?host=shared' });
    expect(outcomesOf(imported)).toEqual([code]);
    expect(imported.results[0]?.error).toMatch(/^invalid_slug: slug must be /);
  });

  it('a slug that cannot be read does not matter beside one that can', async () => {
    const slug = newSlug();
    const file = `keyword,source,url\n${slug},/100%/,${URL}\n`;
    const imported = await importFile(await openClient(), file, { query: '?from=yourls&host=shared' });
    expect(imported.results[0]?.link?.slug).toBe(slug);
  });
});

describe('a short URL without a path', () => {
  const ROOT = 'It is the address of the domain itself: set the root URL of the domain instead.';

  it.each([
    ['short_link,destination_url', 'https://go.example.com/'],
    ['short_link,destination_url', 'https://go.example.com'],
    ['idstring,shorturl,originalpath,originalurl', 'lnk_1,https://go.example.com/,'],
  ])('a short URL without a path is skipped, and gets no random slug: %s %s', async (header, cells) => {
    const file = `${header}\n${cells},${URL}\n`;
    const imported = await importFile(await openClient(), file, { query: '?host=shared' });
    expect(imported).toMatchObject({ created: 0, errors: 0, skipped: [{ row: 2, reason: ROOT }] });
  });

  it('a short URL without a path is only a host in a file whose columns are mapped', async () => {
    const manager = await openClient();
    const file = `Short,Long\n${await seedDomain(manager.tenant)},${URL}\n`;
    expect(outcomesOf(await importFile(manager, file, { query: '?map_short_url=Short&map_url=Long' }))).toEqual([
      'created',
    ]);
  });
});

describe('the host of a row', () => {
  it('the host of a row is compared in ASCII with what the caller says, in the format of this service too', async () => {
    const slug = newSlug();
    const file = `slug,url,custom_domain\n${slug},${URL},Gö.Example.com\n`;
    const imported = await importFile(await openClient(), file, { query: '?host=g%C3%B6.example.com:shared' });
    expect(imported.hosts).toEqual([{ host: 'xn--g-1ga.example.com', rows: 1 }]);
    expect(imported.results[0]?.link).toMatchObject({ slug, custom_domain: null });
  });

  it('the host of a row is asked for if the mapped short URL of the row has none', async () => {
    const manager = await openClient();
    const host = await seedDomain(manager.tenant);
    const slugs = [newSlug(), newSlug()];
    const file = `Short,Long\nhttps://${host}/${slugs[0]},${URL}\n/${slugs[1]},${URL}2\n`;
    const query = '?map_short_url=Short&map_url=Long';
    expect(outcomesOf(await importFile(manager, file, { query }))).toEqual(['created', 'unknown_domain']);
    expect(outcomesOf(await importFile(manager, file, { query: `${query}&host=:shared` }))).toEqual([
      'unchanged',
      'created',
    ]);
  });
});

describe('a short URL in the format of this service', () => {
  const file = (rows: readonly string[]) => `short_url,url,title\n${rows.map((row) => `${row},t\n`).join('')}`;

  it('a short URL in the format of this service says where its link goes, which is never the host of the service in silence', async () => {
    const manager = await openClient();
    const host = await seedDomain(manager.tenant);
    const [slug, foreign, own] = [newSlug(), newSlug(), newSlug()];
    const rows = [
      `https://${host}/${slug},${URL}`,
      `https://old.example/${foreign},${URL}`,
      `https://terse.test/${own},${URL}`,
    ];
    const imported = await importFile(manager, file(rows), { headers: manager.key });
    expect(outcomesOf(imported)).toEqual(['created', 'unknown_domain', 'created']);
    expect(imported.results.map(({ link }) => link?.short_url)).toEqual([
      `https://${host}/${slug}`,
      undefined,
      `https://terse.test/${own}`,
    ]);
    expect(imported.hosts).toContainEqual({ host: 'old.example', rows: 1 });
    const chosen = await importFile(manager, file(rows), { query: '?host=old.example:shared' });
    expect(outcomesOf(chosen)).toEqual(['unchanged', 'created', 'unchanged']);
    expect(chosen.results[1]?.link?.short_url).toBe(`https://terse.test/${foreign}`);
  });

  it('a short URL in the format of this service on this machine is one of the service', async () => {
    const slug = newSlug();
    const imported = await importFile(await openClient(), file([`http://localhost:8787/${slug},${URL}`]));
    expect(imported.results[0]?.link?.short_url).toBe(`https://terse.test/${slug}`);
  });

  it('a short URL in the format of this service that cannot be read refuses its row', async () => {
    const imported = await importFile(await openClient(), file([`https://someone:secret@old.example/a,${URL}`]));
    expect(outcomesOf(imported)).toEqual(['invalid_slug']);
  });

  it('a short URL in the format of this service does not matter beside a domain and a slug', async () => {
    const manager = await openClient();
    const [host, slug] = [await seedDomain(manager.tenant), newSlug()];
    const text = `short_url,slug,custom_domain,url\nhttps://old.example/x,${slug},${host},${URL}\n`;
    expect((await importFile(manager, text)).results[0]?.link?.short_url).toBe(`https://${host}/${slug}`);
  });
});
