import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { FORMATS } from '../../../src/links/import/formats/table.ts';
import type { FileFormat } from '../../../src/links/import/file-kinds.ts';
import { parseLinkFile } from '../../../src/links/import/import-file.ts';
import { readColumns } from '../../../src/links/import/file-columns.ts';
import { exportOf, EXPORTS, JSON_FILE } from '../../support/exports.ts';
import { SAY_WHAT_IT_IS } from '../../../src/links/import/mapping.ts';
import { importFile, openClient, sendFile, outcomesOf } from '../../support/files.ts';

const site = { requestUrl: new URL('https://terse.test/v1/links/import'), publicUrl: new URL('https://terse.test') };

const FINE = fc.constantFrom(
  '',
  'https://example.com/',
  'https://go.example.com/Slug',
  'go.example.com',
  'slug',
  'terse.test',
);
const HOSTILE = fc.oneof(
  { arbitrary: FINE, weight: 3 },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '=HYPERLINK("https://evil.example","x")',
    'javascript:alert(1)',
    'https://user:pass@go.example.com/a',
    '//go.example.com/a',
    '/../../etc/passwd',
    'https://go.example.com/%ff',
    'https://go.example.com/%00',
    'https://terse.test/admin',
    '9999999999999999999',
    '-1',
    '1e9',
    '0000-00-00 00:00:00',
    '2023-02-31',
    '275760-09-14',
    '[[[[',
    '["a",{"name":{"name":1}},null]',
    '__proto__',
    'x'.repeat(3000),
    '\u0301'.repeat(2000),
    ','.repeat(3000),
  ),
);

const formatAndRow = fc.constantFrom(...FORMATS).chain((format) => {
  const columns = Object.keys(format.columns);
  return fc.record({
    format: fc.constant(format),
    row: fc.array(HOSTILE, { minLength: columns.length, maxLength: columns.length }),
  });
});

const quoted = (cell: string) => `"${cell.replaceAll('"', '""').replaceAll('\0', '')}"`;

describe('a file of another service with hostile values', () => {
  it('a file of another service with hostile values gives a link, an error or a skipped row, never a link of another host on the host of the service', async () => {
    await fc.assert(
      fc.asyncProperty(formatAndRow, fc.constantFrom<FileFormat>('csv', 'json'), async ({ format, row }, kind) => {
        const columns = Object.keys(format.columns);
        const csv = `${columns.join(',')}\n${row.map(quoted).join(',')}\n`;
        const json = JSON.stringify([
          Object.fromEntries(columns.map((name, index) => [name, row[index]?.replaceAll('\0', '')])),
        ]);
        const text = kind === 'csv' ? csv : json;
        const file = await parseLinkFile([Buffer.from(text)], kind, site, { from: format.id });
        expect(file.rows.length + file.skipped.length).toBeLessThanOrEqual(1);
        const [read] = file.rows;
        if (!read || read.content instanceof AppError) return;
        const { customDomain, url, tags, maxClicks, importedClicks, createdAt } = read.content;
        expect(customDomain === null && read.host !== 'terse.test').toBe(false);
        expect(url).toMatch(/^https?:/);
        expect(JSON.parse(tags ?? '[]').length).toBeLessThanOrEqual(20);
        expect([maxClicks ?? 1, importedClicks ?? 1].every(Number.isSafeInteger)).toBe(true);
        expect(createdAt === null || (createdAt >= 0 && createdAt <= Date.now())).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each(EXPORTS)('a file of another service, cut or bent anywhere, gets a result or a 400: %s', async (name) => {
    const text = exportOf(name, 'go.example.com');
    const kind = name.endsWith('.json') ? 'json' : 'csv';
    const bent = fc.record({ at: fc.nat(text.length), to: fc.nat(text.length), put: HOSTILE });
    await fc.assert(
      fc.asyncProperty(bent, async ({ at, to, put }) => {
        const hostile = Buffer.from(text.slice(0, at) + put.replaceAll('\0', '') + text.slice(to));
        const works = [parseLinkFile([hostile], kind, site), readColumns([hostile], kind)];
        for (const outcome of await Promise.allSettled<unknown>(works)) {
          if (outcome.status === 'fulfilled') continue;
          expect(outcome.reason).toBeInstanceOf(AppError);
          expect(outcome.reason).toMatchObject({ status: 400 });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a file of another service with hostile values keeps texts up to the bounds of their fields, and says so', async () => {
    const tags = Array.from({ length: 150 }, (_, index) => `tag ${index}`).join(',');
    const file = `short_link,destination_url,title,description,tags\nterse.test/bounded,https://example.com/,"${'é'.repeat(500)}\nx","${'y'.repeat(3000)}","${tags}"\n`;
    const imported = await importFile(await openClient(), file);
    const [result] = imported.results;
    expect([result?.link?.title?.length, result?.link?.comments?.length, result?.link?.tags.length]).toEqual([
      200, 2000, 20,
    ]);
    expect(result?.notes).toEqual([
      'Its title is cut to 200 characters.',
      'Its comments are cut to 2000 characters.',
      '130 tags are left out: too many, too long or not valid.',
    ]);
  });

  it('a file of another service with hostile values counts rows of JSON and lines within cells as a spreadsheet does', async () => {
    const manager = await openClient();
    const csv = 'keyword,url,title\na1,nowhere,"one\ntwo\nthree"\n\nb1,nowhere,\n';
    const json = '{"data":[{"address":"a1","target":"nowhere"},5,{"address":"b1","target":"nowhere"}]}';
    const rowsOf = async (text: string, type: string) =>
      (await importFile(manager, text, { type, query: '?host=shared' })).results.map(({ row }) => row);
    expect(await rowsOf(csv, 'text/csv')).toEqual([2, 4]);
    expect(await rowsOf(json, JSON_FILE)).toEqual([1, 2, 3]);
  });

  it('a file of another service with hostile values has a byte order mark, other cases and blanks in its header', async () => {
    const file = '\uFEFF SHORT  LINK ;Destination url\r\nterse.test/marked;https://example.com/\r\n';
    expect(outcomesOf(await importFile(await openClient(), file))).toEqual(['created']);
  });

  it.each([
    [
      '{"links":{}}',
      `malformed_body: The JSON has no list of links. Send a list, or an object with a list as data. ${SAY_WHAT_IT_IS}`,
    ],
    ['[', 'malformed_body: The file is not valid JSON. Send it as the other service has written it.'],
    [`[${'{},'.repeat(5000)}{}]`, 'too_many_rows: A file may have at most 5000 rows. Import it in parts.'],
    [
      'PK\u0003\u0004',
      'malformed_body: The file is a spreadsheet workbook. Save the sheet as CSV, and send that file.',
    ],
  ])('a file of another service with hostile values is refused as a whole: %s', async (text, error) => {
    const response = await sendFile(await openClient(), text, { type: JSON_FILE });
    expect([response.status, await response.json()]).toEqual([400, { result: 'Failed', error }]);
  });
});
