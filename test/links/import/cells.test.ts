import { describe, expect, it } from 'vitest';
import { importFile, newSlug, NDJSON, openClient, outcomesOf, sendFile } from '../../support/files.ts';

/** Cells as programs and databases write them. */

const URL = 'https://example.com/';

describe('a list of URLs with a header alone', () => {
  it.each(['url', '"url"'])(
    'a list of URLs with a header alone may have separators in its URLs: %s',
    async (header) => {
      const urls = [`${URL}?a=1,2`, `${URL}?b=x|y`, `${URL}?c=1;2`, URL];
      const { results } = await importFile(await openClient(), `${header}\n${urls.join('\n')}\n`);
      expect(results.map(({ link }) => link?.url)).toEqual(urls);
    },
  );

  it('a list of URLs with a header alone may end its rows with a separator', async () => {
    const { results } = await importFile(await openClient(), `url\n${URL}1,\n"${URL}2",\n`);
    expect(results.map(({ link }) => link?.url)).toEqual([`${URL}1`, `${URL}2`]);
  });
});

describe('NULL', () => {
  const rows = (cells: string) => `url,slug,title,expires_at,max_clicks,disabled\n${URL},${newSlug()},${cells}\n`;

  it.each([
    ['without quotes', 'NULL,NULL,NULL,NULL', { title: null, expires_at: null, disabled: false }],
    ['with quotes', '"NULL","NULL","NULL","NULL"', { title: 'NULL', expires_at: null, disabled: false }],
    ['as a date of MySQL', ',0000-00-00 00:00:00,,', { title: null, expires_at: null, disabled: false }],
  ])('NULL in a file is empty, except as a text: %s', async (_, cells, link) => {
    const imported = await importFile(await openClient(), rows(cells));
    expect(outcomesOf(imported)).toEqual(['created']);
    expect(imported.results[0]?.link).toMatchObject(link);
  });
});

describe('a flag', () => {
  it.each([
    ['1.0', true],
    ['0.0', false],
    ['ya', true],
    ['tidak', false],
    ['nu', false],
  ])('a flag can be %s', async (text, disabled) => {
    const { results } = await importFile(await openClient(), `url,disabled\n${URL},${text}\n`);
    expect(results[0]?.link?.disabled).toBe(disabled);
  });
});

describe('columns of other services', () => {
  it('columns of a table with other things in it are not taken for a file of Shlink whose links forward the query', async () => {
    const csv = `Short URL,Long URL,Title\nhttps://go.example.com/${newSlug()},${URL},A\n`;
    const imported = await importFile(await openClient(), csv, { query: '?host=shared' });
    expect(imported.results[0]?.link?.forward_query ?? null).toBeNull();
    expect(JSON.stringify(imported)).not.toContain('pass the query of a visit on');
  });

  it('columns of tiny.cc can have tags between bars', async () => {
    const csv = `long_url,hash,tags\n${URL},${newSlug()},one|two\n`;
    const { results } = await importFile(await openClient(), csv, { query: '?from=tiny_cc&host=shared' });
    expect(results[0]?.link?.tags).toEqual(['one', 'two']);
  });
});

describe('an error of a file', () => {
  it.each([
    ['?from=bitly', 'url,slug\n', 'Its columns are "url" and "slug".'],
    ['?map_url=address', 'url,slug\n', 'Its columns are "url" and "slug".'],
    ['', `${URL}one,first\n`, 'If each of its lines is a URL, name it with from=url_list.'],
  ])('an error of a file names the cure: %s', async (query, head, cure) => {
    const response = await sendFile(await openClient(), `${head}${URL},x\n`, { query });
    const { error } = await response.json<{ error: string }>();
    expect([response.status, error]).toEqual([400, expect.stringContaining(cure)]);
  });

  it('an error of a file whose clicks can be read as two numbers names them', async () => {
    const row = JSON.stringify({ url: URL, slug: newSlug(), max_clicks: 5000, clicks_left: '1,000' });
    const imported = await importFile(await openClient(), `${row}\n`, { type: NDJSON });
    expect(imported.results[0]).toMatchObject({ status: 'error', errors: [{ field: 'clicks_left' }] });
  });
});
