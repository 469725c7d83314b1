import { describe, expect, it } from 'vitest';
import { CSV, importFile, newSlug, openClient, sendFile, outcomesOf, type Imported } from '../support/files.ts';
import { rowsOf } from '../support/seed.ts';

/** CSV files as spreadsheets and browsers make them, with the same row numbers. */

const URL_LINE = 'https://example.com/';
const TARGET = 'https://example.com/?a=1,2;3';

describe('the dialects of an import', () => {
  it.each<[what: string, fileOf: (slug: string) => string]>([
    ['semicolons', (slug) => `slug;url\n${slug};"${TARGET}"\n`],
    ['tabs', (slug) => `slug\turl\n${slug}\t${TARGET}\n`],
    ['semicolons and quotes', (slug) => `"slug";"url"\r\n"${slug}";"${TARGET}"\r\n`],
    ['a byte order mark and semicolons', (slug) => `\ufeffslug;url\n${slug};"${TARGET}"\n`],
    ['a line that names the separator', (slug) => `sep=;\r\nslug;url\r\n${slug};"${TARGET}"\r\n`],
    ['URL and " slug"', (slug) => `URL, slug\n"${TARGET}",${slug}\n`],
    ['columns in words', (slug) => `Url,Slug ,Campaign Name,SEC_ID\n"${TARGET}",${slug},,\n`],
    ['blanks behind quotes', (slug) => `slug,url\n"${slug}" ,"${TARGET}"  \n`],
    ['commas where the header has but one column', () => `URL\n"${TARGET}"\n`],
    ['empty columns and rows, as Excel writes them', (slug) => `url;slug;;\r\n"${TARGET}";${slug};;\r\n;;;\r\n;;;\r\n`],
    ['an empty column between others', (slug) => `url,,slug\n"${TARGET}",,${slug}\n`],
  ])('an import takes %s', async (_, fileOf) => {
    const body = await importFile(await openClient(), fileOf(newSlug()));
    expect(body.results.map(({ row, status, link }) => [row, status, link?.url])).toEqual([[2, 'created', TARGET]]);
  });

  it.each([
    'text/csv; charset=utf-8',
    'application/csv',
    'APPLICATION/CSV',
    'application/vnd.ms-excel',
    'text/tab-separated-values',
  ])('an import takes %s', async (type) => {
    const response = await sendFile(await openClient(), `url\tslug\n${URL_LINE}\t${newSlug()}\n`, { type });
    expect(outcomesOf(await response.json())).toEqual(['created']);
  });

  it.each(['utf16le', 'utf16be'] as const)('an import takes %s, as Excel saves Unicode text', async (encoding) => {
    const slug = `größe-${newSlug()}`;
    const file = Buffer.from(`\ufeffslug\turl\tcampaign_name\r\n${slug}\t${URL_LINE}\t😀\r\n`, 'utf16le');
    if (encoding === 'utf16be') file.swap16();
    const response = await sendFile(await openClient(), new Uint8Array(file));
    const { results } = await response.json<Imported>();
    expect(results[0]?.link).toMatchObject({ slug, campaign_name: '😀' });
  });
});

it('refuses content in a column without a name, and takes the other rows', async () => {
  const file = `url,,\n${URL_LINE},,note\n${URL_LINE},,\n,,note\n`;
  const body = await importFile(await openClient(), file);
  const error = 'malformed_row: Column 3 has no name in the header. Give it one, or leave its cells empty.';
  expect(body.results.map(({ row, status, error }) => [row, status, error])).toEqual([
    [2, 'error', error],
    [3, 'created', undefined],
    [4, 'error', error],
  ]);
});

describe('the number of a row', () => {
  it('the number of a row is that of a spreadsheet: the header and empty rows count, quoted line ends do not', async () => {
    const file = [
      'url,metadata',
      'nowhere,',
      '',
      `${URL_LINE},"{""a"":\r\n1}"`,
      '""',
      'nowhere,',
      `${URL_LINE},"[\n\n\n]"`,
      'nowhere,',
    ].join('\r\n');
    const body = await importFile(await openClient(), file);
    expect(body.results.map(({ row, status }) => [row, status])).toEqual([
      [2, 'error'],
      [4, 'created'],
      [6, 'error'],
      [7, 'created'],
      [8, 'error'],
    ]);
  });

  it('the error of a row names the earlier row that it differs from', async () => {
    const slug = newSlug();
    const file = `url,slug\n\n${URL_LINE},${slug}\n${URL_LINE}2,${slug}\n`;
    const body = await importFile(await openClient(), file);
    expect(body.results[1]?.error).toBe(
      `slug_taken: slug ${slug} is already in use by row 3 of this file that differs in url.`,
    );
  });
});

describe('a file in a form', () => {
  const send = async (form: FormData | Uint8Array, type?: string) => {
    const manager = await openClient();
    const before = await rowsOf('links');
    const built = new Request('https://terse.test/', { method: 'POST', body: form });
    const contentType = type ?? built.headers.get('Content-Type') ?? '';
    const response = await sendFile(manager, new Uint8Array(await built.arrayBuffer()), { type: contentType });
    const body = await response.json<Imported & { error?: string }>();
    if (response.status !== 200) expect(await rowsOf('links')).toEqual(before);
    return response.status === 200 ? outcomesOf(body) : [response.status, body.error];
  };
  const formOf = (...entries: [name: string, value: string | File][]) => {
    const form = new FormData();
    for (const [name, value] of entries) form.append(name, value);
    return form;
  };
  const csv = (name = 'links.csv', type = CSV) => new File([`url\r\n${URL_LINE}\r\nnowhere\r\n`], name, { type });

  it.each([
    ['as text/csv', csv()],
    ['of no type', csv('links.csv', '')],
    ['as a browser on Windows sends it', csv('Links.CSV', 'application/vnd.ms-excel')],
    ['of a strange name', csv('a"b\r\n--x.txt', 'application/octet-stream')],
  ])('a file in a form is taken %s', async (_, file) => {
    expect(await send(formOf(['file', file]))).toEqual(['created', 'invalid_url']);
  });

  it.each([
    ['by its type', new File([`{"url":"${URL_LINE}"}`], 'links', { type: 'application/x-ndjson' })],
    ['by its name', new File([`{"url":"${URL_LINE}"}`], 'links.jsonl')],
  ])('a file in a form is NDJSON %s', async (_, file) => {
    expect(await send(formOf(['file', file]))).toEqual(['created']);
  });

  it('a file in a form is taken from a field of any name', async () => {
    expect(await send(formOf(['die Größen', csv()]))).toEqual(['created', 'invalid_url']);
  });

  it('a file in a form is accepted as a text field too', async () => {
    expect(await send(formOf(['file', `url\n${URL_LINE}\n`]))).toEqual(['created']);
  });

  it('a file in a form keeps every byte, also texts that look like a boundary', async () => {
    const metadata = JSON.stringify('\r\n--x\r\n--xx\r\n-');
    const row = `${URL_LINE},"${metadata.replaceAll('"', '""')}"\r\n`;
    const head = 'Content-Disposition: form-data; name=file; filename=a.csv';
    const text = `--xyz \r\n${head}\r\n\r\nurl,metadata\r\n${row.repeat(3000)}\r\n--xyz--\r\nan epilogue`;
    const manager = await openClient();
    const body = await importFile(manager, text, { type: 'multipart/form-data; boundary=xyz' });
    expect(body).toMatchObject({ created: 1, unchanged: 2999, errors: 0 });
    expect(body.results[0]?.link?.metadata).toBe(metadata);
  });

  it.each<[string, FormData | string, unknown[]]>([
    ['no file', formOf(['Größe', 'x']), [400, expect.stringMatching(/^unknown_field: .*"Größe".*"file"/)]],
    ['another field besides', formOf(['file', csv()], ['name', 'x']), [400, expect.stringMatching(/^unknown_field: /)]],
    [
      'two files',
      formOf(['file', csv()], ['file', csv()]),
      [400, expect.stringMatching(/^repeated_field: .*one file/)],
    ],
    ['two files of two names', formOf(['a', csv()], ['b', csv()]), [400, expect.stringMatching(/^repeated_field: /)]],
    ['nothing', '--x--\r\n', [400, expect.stringMatching(/^missing_field: file is required/)]],
    ['no boundary in it', 'url\n', [400, expect.stringMatching(/^malformed_body: /)]],
    [
      'no end',
      `--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nurl\n${URL_LINE}\n`,
      [400, expect.stringMatching(/^malformed_body: /)],
    ],
    ['a head without end', `--x\r\n${'a: b\r\n'.repeat(20_000)}`, [400, expect.stringMatching(/^malformed_body: /)]],
  ])('a file in a form is refused with %s', async (_, form, expected) => {
    const isText = typeof form === 'string';
    const body = isText ? new Uint8Array(Buffer.from(form)) : form;
    expect(await send(body, isText ? 'multipart/form-data; boundary=x' : undefined)).toEqual(expected);
  });
});
