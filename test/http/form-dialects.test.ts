import { describe, expect, it } from 'vitest';
import { rewriteHeads } from '../../src/http/part-heads.ts';
import { BOUNDARY, CREATORS, MULTIPART, expectFailure, seedCaller } from '../support/forms.ts';
import { call } from '../support/service.ts';

/** A form as one client library writes it, byte for byte. */
interface Dialect {
  readonly contentType: string;
  readonly boundary: string;
  /** The lines before the empty one, for a field of so many bytes. */
  readonly head: (name: string, bytes: number) => readonly string[];
  /** The rest of the line after a boundary. */
  readonly padding?: string;
}

const disposition = (name: string) => `Content-Disposition: form-data; name="${name}"`;

const DIALECTS: Readonly<Record<string, Dialect>> = {
  'HttpClient of .NET': {
    contentType: 'multipart/form-data; boundary="1b6b7d5c-7c3b-4a04-8a0c-7f9a5c1e2d3f"',
    boundary: '1b6b7d5c-7c3b-4a04-8a0c-7f9a5c1e2d3f',
    head: (name) => ['Content-Type: text/plain; charset=utf-8', `Content-Disposition: form-data; name=${name}`],
  },
  'requests of Python': {
    contentType: 'multipart/form-data; boundary=0b1c5f0f5d0f4c7e8d6a2b3c4d5e6f70',
    boundary: '0b1c5f0f5d0f4c7e8d6a2b3c4d5e6f70',
    head: (name) => [disposition(name)],
  },
  'mime/multipart of Go': {
    contentType: 'multipart/form-data; boundary=8f2c1d0e9b7a6f5e4d3c2b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a',
    boundary: '8f2c1d0e9b7a6f5e4d3c2b1a0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a',
    head: (name) => [disposition(name)],
  },
  'OkHttp of Java': {
    contentType: 'multipart/form-data; boundary=6d5f0c5e-2b1a-4c3d-9e8f-7a6b5c4d3e2f',
    boundary: '6d5f0c5e-2b1a-4c3d-9e8f-7a6b5c4d3e2f',
    head: (name, bytes) => [disposition(name), `Content-Length: ${bytes}`],
  },
  'Apache HttpClient of Java': {
    contentType: 'multipart/form-data; boundary=3aTqXJ0mYh8bN2vKcRzLwPfD; charset=ISO-8859-1',
    boundary: '3aTqXJ0mYh8bN2vKcRzLwPfD',
    head: (name) => [disposition(name), 'Content-Type: text/plain; charset=UTF-8', 'Content-Transfer-Encoding: 8bit'],
  },
  'net/http of Ruby': {
    contentType: 'multipart/form-data; boundary=Ou3nWqL7oYkS2m1tC9pXeA',
    boundary: 'Ou3nWqL7oYkS2m1tC9pXeA',
    head: (name) => [disposition(name)],
  },
  curl: {
    contentType: 'multipart/form-data; boundary=------------------------d74496d66958873e',
    boundary: '------------------------d74496d66958873e',
    head: (name) => [disposition(name)],
  },
  'Guzzle of PHP': {
    contentType: 'multipart/form-data; boundary=a3f1c09f5b7de2846a3f1c09f5b7de2846a3f1c0',
    boundary: 'a3f1c09f5b7de2846a3f1c09f5b7de2846a3f1c0',
    head: (name, bytes) => [disposition(name), `Content-Length: ${bytes}`],
  },
  'hackney of Erlang': {
    contentType: 'multipart/form-data; boundary=---------------------------mtynipxrmpegseog',
    boundary: '---------------------------mtynipxrmpegseog',
    head: (name, bytes) => [`content-length: ${bytes}`, `content-disposition: form-data; name="${name}"`],
  },
  'a type in capitals': {
    contentType: MULTIPART,
    boundary: BOUNDARY,
    head: (name) => [`CONTENT-DISPOSITION: FORM-DATA; NAME="${name}"`],
  },
  'a type in mixed case, without quotes and spaces': {
    contentType: MULTIPART,
    boundary: BOUNDARY,
    head: (name) => [`Content-Disposition:Form-Data;Name=${name};`],
  },
  'white space after each boundary': {
    contentType: MULTIPART,
    boundary: BOUNDARY,
    padding: ' \t ',
    head: (name) => [disposition(name)],
  },
  'a folded line': {
    contentType: MULTIPART,
    boundary: BOUNDARY,
    head: (name) => [
      'Content-Disposition: form-data;',
      `\tname="${name}"`,
      'Content-Type: text/plain;',
      ' charset=utf-8',
    ],
  },
};

function write({ boundary, head, padding = '' }: Dialect, fields: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(fields).map(([name, value]) => {
    const lines = head(name, Buffer.byteLength(value));
    return `--${boundary}${padding}\r\n${lines.join('\r\n')}\r\n\r\n${value}\r\n`;
  });
  return Buffer.from(`${parts.join('')}--${boundary}--${padding}\r\n`);
}

describe.each(CREATORS)('POST $path', ({ path, headersOf }) => {
  it.each(Object.entries(DIALECTS))('a create takes a form of %s', async (_who, dialect) => {
    const caller = await seedCaller();
    const fields = {
      url: 'https://example.com/ü?a=1&b="2"',
      client_id: caller.clientId,
      campaign_name: `Frühling --${dialect.boundary} Content-Disposition: form-data; name=sec_id`,
      metadata: '{"name":\r\n"--x\\r\\n"\n\n}',
      sec_id: 'print',
    };
    const headers = { ...headersOf(caller), 'Content-Type': dialect.contentType };
    const response = await call(path, { method: 'POST', headers, body: write(dialect, fields) });
    const { result } = await response.json<{ result: string }>();
    expect(JSON.parse(result)).toMatchObject({ ...fields, url: 'https://example.com/%C3%BC?a=1&b=%222%22' });
    expect(response.status).toBe(200);
  });

  it.each<[what: string, head: string, error: string]>([
    [
      'a file without quotes',
      'Content-Disposition: form-data; name=url; filename=url.txt',
      'file_field: The field "url" is a file. Send it as a plain text field.',
    ],
    [
      'an unknown field without quotes',
      'Content-Disposition: form-data; name=colour',
      'unknown_field: There is no field "colour" here. Leave it out.',
    ],
  ])('a create names the field of %s', async (_what, head, error) => {
    const caller = await seedCaller();
    const headers = { ...headersOf(caller), 'Content-Type': MULTIPART };
    const fields = { client_id: caller.clientId, ...(head.includes('url') ? {} : { url: 'https://example.com/' }) };
    const rest = write({ ...DIALECTS['HttpClient of .NET']!, boundary: BOUNDARY }, fields);
    const body = Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\nx\r\n`), rest]);
    await expectFailure(await call(path, { method: 'POST', headers, body }), 400, error);
  });

  it.each<[what: string, head: string]>([
    ['no name', 'Content-Disposition: form-data; filename=x'],
    ['two names', 'Content-Disposition: Form-Data; name=url; name=sec_id'],
    ['another disposition', 'Content-Disposition: attachment; name=url'],
    ['a line without a colon', 'Content-Disposition: form-data; name=url\r\nContent-Type'],
    ['a name with an open quote', 'Content-Disposition: form-data; name="url'],
    ['no colon', 'Content-Disposition form-data; name=url'],
    [
      'two dispositions without quotes',
      'Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b',
    ],
    ['a continuation of nothing', ' Content-Disposition: form-data; name=url'],
    ['a head of 9 KiB', `Content-Disposition: form-data; name=${'x'.repeat(9 * 1024)}`],
  ])('a create refuses a part with %s as malformed', async (_what, head) => {
    const headers = { ...headersOf(await seedCaller()), 'Content-Type': MULTIPART };
    const body = `--${BOUNDARY}\r\n${head}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`;
    const error =
      'malformed_body: The body is not a complete form. ' +
      'Check the boundary, that every field has a name, and that the body is sent to its end.';
    await expectFailure(await call(path, { method: 'POST', headers, body }), 400, error);
  });
});

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
const CONTENTS: readonly Buffer[] = [
  everyByte,
  Buffer.from('Content-Disposition: form-data; name=a\r\n\r\n --bb\r--bb \n --bb\r\n\r\nNAME=b'),
  Buffer.from('\r\n\r\n'),
  Buffer.alloc(0),
];

it('copies the content of a part byte for byte, with any content', async () => {
  const parts = CONTENTS.flatMap((content, index) => [
    Buffer.from(`--bb \r\nContent-Disposition: form-data; filename=f; name=n${index}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  const contentType = 'multipart/form-data; boundary=bb';
  const body = rewriteHeads(Buffer.concat([...parts, Buffer.from('--bb--')]), contentType);
  const form = await new Response(body, { headers: { 'Content-Type': contentType } }).formData();
  const files = [...form].map(([name, file]) => [name, file]);
  const read = await Promise.all(
    files.map(async ([name, file]) => [name, file instanceof File && Buffer.from(await file.arrayBuffer())]),
  );
  expect(read).toEqual(CONTENTS.map((content, index) => [`n${index}`, content]));
});

it('a body without a boundary or without an end stays as it is', () => {
  const body = Buffer.from('--bb\r\nContent-Disposition: form-data; name=a\r\n\r\nx');
  for (const contentType of [
    'multipart/form-data; boundary=bb',
    'multipart/form-data; boundary=c',
    'multipart/form-data',
  ])
    expect(Buffer.from(rewriteHeads(body, contentType)).toString()).toBe(body.toString());
});
