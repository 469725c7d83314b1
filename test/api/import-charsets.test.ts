import { describe, expect, it } from 'vitest';
import { importFile, newSlug, openClient, sendFile, type Imported } from '../support/files.ts';

/** Files in other encodings than UTF-8. */

const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint8Array(isBig ? bytes.swap16() : bytes);
};
const csv = (title: string) => `url;slug;title\r\nhttps://example.com/;${newSlug()};${title}\r\n`;

async function titleOf(file: Uint8Array, options: Parameters<typeof sendFile>[2] = {}) {
  const response = await sendFile(await openClient(), file, options);
  const body = await response.json<Imported & { readonly error?: string }>();
  return response.status === 200 ? body.results[0]?.link?.title : [response.status, body.error];
}

describe('the encoding of a file', () => {
  it.each([
    ['charset=windows-1252', latin(csv('Grün \x80 5'))],
    ['charset=latin1', latin(csv('Grün \x80 5'))],
    ['charset=ISO-8859-1', latin(csv('Grün \x80 5'))],
    ['charset=utf-16le', utf16(csv('Grün € 5'))],
    ['charset=utf-16be', utf16(csv('Grün € 5'), true)],
    ['charset=utf-8', new Uint8Array(Buffer.from(csv('Grün € 5')))],
    ['charset=windows-1252', new Uint8Array(Buffer.from(`\ufeff${csv('Grün € 5')}`))],
  ])('a file is read in the encoding that the query names: %s', async (query, file) => {
    expect(await titleOf(file, { query: `?${query}` })).toBe('Grün € 5');
  });

  it.each([
    ['text/csv; charset=windows-1252', latin(csv('Grün \x80 5'))],
    ['text/csv; header=present; charset="ISO-8859-1"', latin(csv('Grün \x80 5'))],
    // What is valid UTF-8 is UTF-8, whatever a program names by habit.
    ['text/csv; charset=iso-8859-1', new Uint8Array(Buffer.from(csv('Grün € 5')))],
    ['text/csv;charset=UTF-16LE', utf16(csv('Grün € 5'))],
    ['text/csv; charset=us-ascii', new Uint8Array(Buffer.from(csv('Grün € 5')))],
    ['text/csv; charset=binary', new Uint8Array(Buffer.from(csv('Grün € 5')))],
    ['text/csv; charset=utf-8', new Uint8Array(Buffer.from(csv('Grün € 5')))],
  ])('a file is read in the encoding that the Content-Type names: %s', async (type, file) => {
    expect(await titleOf(file, { type })).toBe('Grün € 5');
  });

  it.each([
    ['windows-1252', latin('https://example.com/caf\xe9\nhttps://example.com/b\n')],
    ['utf-16le', utf16('https://example.com/café\nhttps://example.com/b\n')],
  ])('a file is read in the encoding that the query names, for a list of URLs: %s', async (charset, file) => {
    const response = await sendFile(await openClient(), file, { query: `?charset=${charset}` });
    const { results } = await response.json<Imported>();
    expect(results.map(({ link }) => link?.url)).toEqual(['https://example.com/caf%C3%A9', 'https://example.com/b']);
  });

  it('a file is read in the encoding that its part of a form names, unless the query names another one', async () => {
    const part = (charset: string) =>
      latin(
        `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv; charset=${charset}\r\n\r\n${csv('Grün \x80 5')}\r\n--x--\r\n`,
      );
    const type = 'multipart/form-data; boundary=x';
    expect(await titleOf(part('windows-1252'), { type })).toBe('Grün € 5');
    expect(await titleOf(part('utf-8'), { type, query: '?charset=windows-1252' })).toBe('Grün € 5');
  });

  it.each([
    ['windows-1251', Buffer.from('cfe5f2e5f0', 'hex'), 'Петер'],
    ['windows-1250', Buffer.from('a3f3649f', 'hex'), 'Łódź'],
    ['shift_jis', Buffer.from('93fa967b', 'hex'), '日本'],
    ['macintosh', Buffer.from('47729f6e', 'hex'), 'Grün'],
  ])('a file is read in the encoding %s', async (charset, title, expected) => {
    const file = Buffer.concat([Buffer.from(`url,title\nhttps://example.com/,`), title, Buffer.from('\n')]);
    expect(await titleOf(new Uint8Array(file), { query: `?charset=${charset}` })).toBe(expected);
  });

  it('a file is read in its encoding as JSON and NDJSON too', async () => {
    const item = JSON.stringify({ url: 'https://example.com/', title: 'Grün' });
    for (const [type, text] of [
      ['application/json', `[${item}]`],
      ['application/x-ndjson', `${item}\n`],
    ] as const) {
      expect(await titleOf(latin(text), { type, query: '?charset=windows-1252' })).toBe('Grün');
    }
  });
});

describe('a file in an encoding that nothing names', () => {
  it('a file in an encoding that nothing names is refused if it is not UTF-8, with what to say', async () => {
    expect(await titleOf(latin(csv('Grün')))).toEqual([
      400,
      'malformed_body: Row 2 of the file is not valid UTF-8. Save it as UTF-8, or name its encoding, such as charset=windows-1252.',
    ]);
  });

  it.each([
    ['utf-16le', false],
    ['utf-16be', true],
  ])(
    'a file in an encoding that nothing names is refused if it is UTF-16 without a mark, with its name: %s',
    async (name, isBig) => {
      expect(await titleOf(utf16(csv('Grün'), isBig))).toEqual([
        400,
        `malformed_body: The file seems to be UTF-16 without a byte order mark. Name its encoding, as charset=${name}, or save it as UTF-8.`,
      ]);
    },
  );

  it('a file in an encoding that nothing names is refused with a name that there is not', async () => {
    expect(await titleOf(latin(csv('x')), { query: '?charset=klingon' })).toEqual([
      400,
      'invalid_charset: charset must be the name of an encoding, such as utf-8, windows-1252 or utf-16le.',
    ]);
  });

  it('a file in an encoding that nothing names is refused if it is not in the encoding that is named', async () => {
    expect(await titleOf(new Uint8Array(Buffer.from('75726c0aff', 'hex')), { query: '?charset=shift_jis' })).toEqual([
      400,
      'malformed_body: The file is not valid shift_jis. Name its encoding with charset, or save it as UTF-8.',
    ]);
  });
});

it('an export of this service is read as it is, whatever its name says of it', async () => {
  const { results } = await importFile(await openClient(), `\ufeff${csv('ä')}`, { query: '?charset=utf-16le' });
  expect(results[0]?.link?.title).toBe('ä');
});
