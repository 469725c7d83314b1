import { afterEach, describe, expect, it, vi } from 'vitest';
import { importFile, newSlug, openClient, outcomesOf } from '../support/files.ts';
import { rowsOf } from '../support/seed.ts';

afterEach(() => vi.restoreAllMocks());

const linksOf = async (clientId: string) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);

describe('the rows of an import', () => {
  it('an import names the fields in which a link differs, and does not change it', async () => {
    const [manager, other] = [await openClient(), await openClient()];
    const [mine, theirs, alias, gone] = [newSlug(), newSlug(), newSlug(), newSlug()];
    const id = await manager.make({ slug: mine, campaign_name: 'Spring' });
    await other.make({ slug: theirs });
    const moved = await manager.make({ slug: alias });
    await manager.ask('PATCH', `/v1/links/${moved}`, { slug: newSlug() });
    await manager.ask('DELETE', `/v1/links/${await manager.make({ slug: gone })}`);
    const before = await rowsOf('links');
    const body = await importFile(
      manager,
      `slug,url,sec_id\n${[mine, mine.toUpperCase(), theirs, alias, gone].map((slug) => `${slug},https://example.com/,other\n`).join('')}`,
    );
    const taken = (slug: string) =>
      `slug_taken: slug ${slug} is already in use on this host, possibly with different upper and lower case. Choose another one.`;
    expect(body.results.map(({ error }) => error)).toEqual([
      `slug_taken: slug ${mine} is already in use by a link of yours that differs in sec_id, campaign_name.`,
      ...[mine.toUpperCase(), theirs, alias].map(taken),
      expect.stringMatching(new RegExp(`^slug_of_deleted_link: slug ${gone} belongs to your deleted link `)),
    ]);
    expect(await rowsOf('links')).toEqual(before);
    expect((await manager.read(id)).campaign_name).toBe('Spring');
  });

  it('an import knows a row without a slug by its content, within the file and beside it', async () => {
    const [manager, other] = [await openClient(), await openClient()];
    await other.make({ url: 'https://example.com/a' });
    const kept = await manager.make({ url: 'https://example.com/b', sec_id: 'print', campaign_name: 'c' });
    const file = [
      'url,sec_id,campaign_name',
      'https://example.com/a,,',
      'https://example.com/a,,',
      'https://example.com/a,s,',
      'https://example.com/b,,c',
      'https://example.com/b,print,c',
      'https://example.com/b,print,',
      'https://example.com/b,,',
    ].join('\n');
    const body = await importFile(manager, file);
    expect(outcomesOf(body)).toEqual([
      'created',
      'unchanged',
      'created',
      'unchanged',
      'unchanged',
      'created',
      'unchanged',
    ]);
    expect(body.results.map(({ link }) => link?.id).slice(3, 5)).toEqual([kept, kept]);
    expect(body.results[1]?.link).toEqual(body.results[0]?.link);
    expect(body.results[6]?.link).toEqual(body.results[5]?.link);
    expect(body.results[0]?.link).toMatchObject({ slug: body.results[0]?.link?.id });
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(4);
    expect(new Set(outcomesOf(await importFile(manager, file)))).toEqual(new Set(['unchanged']));
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(4);
  });

  it('an import lets the first of two rows have a slug or an alias', async () => {
    const manager = await openClient();
    const [a, b, c] = [newSlug(), newSlug(), newSlug()];
    const rows = [
      [a, 'https://example.com/1', b],
      [a, 'https://example.com/1', b],
      [a, 'https://example.com/2', b],
      [b, 'https://example.com/3', ''],
      [c, 'https://example.com/4', a.toUpperCase()],
      [c, 'https://example.com/5', ''],
    ];
    const file = `slug,url,aliases\n${rows.map((cells) => `${cells.join(',')}\n`).join('')}`;
    const expected = ['created', 'unchanged', 'slug_taken', 'slug_taken', 'slug_taken', 'created'];
    const dry = await importFile(manager, file, { query: '?dry_run=true' });
    expect(outcomesOf(dry)).toEqual(expected);
    const body = await importFile(manager, file);
    expect(outcomesOf(body)).toEqual(expected);
    expect(body.results[2]?.error).toBe(
      `slug_taken: slug ${a} is already in use by row 2 of this file that differs in url.`,
    );
    const addresses = (await rowsOf('addresses')).filter((row) => [a, b, c].includes(String(row['slug'])));
    expect(Object.fromEntries(addresses.map((row) => [row['slug'], row['link_id']]))).toEqual({
      [a]: body.results[0]?.link?.id,
      [b]: body.results[0]?.link?.id,
      [c]: body.results[5]?.link?.id,
    });
    expect(outcomesOf(await importFile(manager, file))).toEqual(
      expected.map((word) => (word === 'created' ? 'unchanged' : word)),
    );
  });
});
