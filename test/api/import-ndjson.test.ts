import { describe, expect, it } from 'vitest';
import { importFile, newSlug, NDJSON, openClient, ownFile, sendFile, outcomesOf } from '../support/files.ts';
import { openIsolate } from '../support/service.ts';

/** Which files an import takes, and how it refuses the others: as a whole, and with nothing written. */

const URL_LINE = 'https://example.com/';
const bytes = (...pieces: readonly (string | readonly number[])[]) =>
  Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece))));

describe('an import as NDJSON', () => {
  it('an import as NDJSON takes a line for each link, and says of each that is none', async () => {
    const manager = await openClient();
    const slug = newSlug();
    const lines = [
      JSON.stringify({ url: URL_LINE, slug, sec_id: null, custom_domain: null, aliases: [], disabled: false }),
      '{',
      '[]',
      'null',
      '',
      '{"url": "https://example.com/\\ud800"}',
      '{"url": 7}',
      '{"url": "https://example.com/", "colour": "red"}',
      '{"url": "https://example.com/", "disabled": "true"}',
      '{"url": "https://example.com/", "aliases": "a b"}',
      '{"url": "https://example.com/", "slug": "=a"}',
      '{"url": "https://example.com/", "aliases": ["x"]}',
      '  {"url": "https://example.com/", "campaign_name": "\'=kept"}  ',
    ];
    const body = await importFile(manager, lines.join('\r\n'), { type: NDJSON });
    expect(outcomesOf(body)).toEqual([
      'created',
      'malformed_row',
      'malformed_row',
      'malformed_row',
      'malformed_row',
      'invalid_url',
      'unknown_field',
      'invalid_disabled',
      'invalid_aliases',
      'invalid_slug',
      'missing_field',
      'created',
    ]);
    expect(body.results.map(({ row }) => row)).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(body.results[1]?.error).toBe('malformed_row: The line is not a JSON object. Write one object a line.');
    expect(body.results[10]?.error).toBe('missing_field: slug is required with aliases.');
    expect(body.results[11]?.link?.campaign_name).toBe("'=kept");
  });

  it('an import as NDJSON takes the export of a client without links', async () => {
    expect(await importFile(await openClient(), '', { type: NDJSON })).toEqual({
      dry_run: false,
      created: 0,
      unchanged: 0,
      errors: 0,
      ...ownFile(),
      results: [],
    });
  });

  it.each([
    [
      'bad UTF-8',
      bytes('{}\n{"url": "', [0xc3], '"}'),
      'malformed_body: Row 2 of the file is not valid UTF-8. Save it as UTF-8, or name its encoding, such as charset=windows-1252.',
    ],
    ['NUL', '{"url": "\0"}', 'malformed_body: The file holds a NUL character. Save it as UTF-8.'],
    ['5,001 rows', '{}\n'.repeat(5001), 'too_many_rows: A file may have at most 5000 rows. Import it in parts.'],
  ])('an import as NDJSON refuses %s as a whole', async (_, file, error) => {
    const response = await sendFile(await openClient(), file, { type: NDJSON });
    expect(await response.json()).toEqual({ result: 'Failed', error });
    expect(response.status).toBe(400);
  });

  it('an import as NDJSON reports a line that is longer than a link or nested too deep, and reads on', async () => {
    const manager = await openClient();
    const long = JSON.stringify({ url: URL_LINE, campaign_name: 'x'.repeat(70_000) });
    const deep = `{"url":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    const body = await importFile(manager, [long, deep, `{"url":"${URL_LINE}"}`].join('\n'), { type: NDJSON });
    expect(body.results.map(({ row, status }) => [row, status])).toEqual([
      [1, 'error'],
      [2, 'error'],
      [3, 'created'],
    ]);
    expect(body.results[0]?.error).toBe('malformed_row: The row is longer than 65536 bytes. Shorten it.');
  });
});

it.each([
  ['text/csv', 'url\n', `${URL_LINE}\n`],
  [NDJSON, '', '{}\n'],
])('stops reading %s after the 5,001st row', async (type, header, row) => {
  const manager = await openClient();
  const chunk = new Uint8Array(Buffer.from(row.repeat(1000)));
  let sent = 0;
  const body = new ReadableStream(
    {
      type: 'bytes',
      pull(controller) {
        controller.enqueue(sent === 0 ? new Uint8Array(Buffer.from(header || row)) : chunk.slice());
        sent += 1;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { ...manager.key, 'Content-Type': type };
  const response = await openIsolate()('/v1/links/import', { method: 'POST', headers, body });
  expect(await response.json()).toEqual({ result: 'Failed', error: expect.stringMatching(/^too_many_rows: /) });
  // Up to 64 KiB and a piece of 16 KiB are read before parsing begins.
  expect(sent).toBeLessThanOrEqual(Math.max(8, 3 + Math.ceil((64 + 16) * (1024 / chunk.length))));
});
