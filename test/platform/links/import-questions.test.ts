import { describe, expect, it } from 'vitest';
import { newSlug } from '../../support/files.ts';
import { fieldsOf, sent, upload } from '../../support/import-pages.ts';
import { openLinks, textOf, type LinksScene } from '../../support/platform.ts';
import { rowsOf } from '../../support/seed.ts';

const latin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const utf16 = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le'));

async function ask({ browse, path }: LinksScene, init: RequestInit, status = 400) {
  const response = await browse(`${path}/import`, init);
  expect(response.status).toBe(status);
  return response.text();
}

const titlesOf = async ({ caller }: LinksScene) =>
  (await rowsOf('links')).filter((row) => row['client_id'] === caller.clientId).map((row) => row['title']);

const expiriesOf = async ({ caller }: LinksScene) =>
  (await rowsOf('links')).filter((row) => row['client_id'] === caller.clientId).map((row) => row['expires_at']);

describe('a file that is not in UTF-8', () => {
  const rows = Array.from({ length: 9 }, () => `https://example.com/;${newSlug()};plain\n`).join('');
  const text = `url;slug;title\n${rows}https://example.com/;${newSlug()};Gr\xfcn\n`;

  it('a file that is not in UTF-8 is shown as it would be read, asked for, previewed and imported so', async () => {
    const scene = await openLinks();
    const first = await ask(scene, upload(latin(text)));
    expect(first).toContain('<h1>Check the letters</h1>');
    expect(first).toContain('Grün');
    expect(first).not.toContain('plain');
    expect(fieldsOf(first)).toMatchObject({ charset: 'windows-1252', charset_shown: 'windows-1252' });
    expect(await titlesOf(scene)).toEqual([]);
    const second = await ask(scene, sent(fieldsOf(first)), 200);
    expect(second).toContain('<dt>To be created</dt><dd>10</dd>');
    expect(fieldsOf(second)).toMatchObject({ charset: 'windows-1252', checked: 'charset=windows-1252' });
    await scene.browse(`${scene.path}/import/run`, sent(fieldsOf(second)));
    expect(await titlesOf(scene)).toContain('Grün');
  });

  it('a file that is not in UTF-8 is shown again in another encoding that is chosen, before it counts', async () => {
    const scene = await openLinks();
    const first = await ask(scene, upload(latin(text)));
    const second = await ask(scene, sent({ ...fieldsOf(first), charset: 'windows-1251' }));
    expect(second).toContain('Grьn');
    // The choice of the page before is no longer carried.
    expect(second.match(/name="charset(_shown)?"/g)).toEqual(['name="charset_shown"', 'name="charset"']);
    const third = await ask(scene, sent(fieldsOf(second)), 200);
    expect(fieldsOf(third)).toMatchObject({ charset: 'windows-1251', checked: 'charset=windows-1251' });
    const changed = await ask(scene, sent({ ...fieldsOf(third), charset: 'macintosh' }));
    expect(changed).toContain('<h1>Check the letters</h1>');
  });

  it('a file that is not in UTF-8 keeps what was chosen before, such as the columns', async () => {
    const scene = await openLinks();
    const file = latin(`Ziel;Name\nhttps://example.com/;Gr\xfcn\n`);
    const first = await ask(scene, upload(file));
    const second = await ask(scene, sent(fieldsOf(first)));
    expect(second).toContain('<h1>Map the columns</h1>');
    const third = await ask(scene, sent({ ...fieldsOf(second), column_0: 'url', column_1: 'title' }), 200);
    await scene.browse(`${scene.path}/import/run`, sent(fieldsOf(third)));
    expect(await titlesOf(scene)).toEqual(['Grün']);
  });

  it('a file that is not in UTF-8 is recognised as UTF-16 by its zero bytes', async () => {
    const scene = await openLinks();
    const first = await ask(scene, upload(utf16('url;title\r\nhttps://example.com/;Grün €\r\n')));
    expect(first).toContain('Grün €');
    expect(fieldsOf(first)).toMatchObject({ charset: 'utf-16le' });
    const second = await ask(scene, sent(fieldsOf(first)), 200);
    expect(second).toContain('<dt>To be created</dt><dd>1</dd>');
  });

  it('a file that is not in UTF-8 says that it cannot be read in an encoding that does not fit', async () => {
    const scene = await openLinks();
    // Of an odd length, which UTF-16 cannot have.
    const first = await ask(scene, upload(latin(text.length % 2 === 0 ? `${text}\n` : text)));
    const second = await ask(scene, sent({ ...fieldsOf(first), charset: 'utf-16le' }));
    expect(second).toContain('The file cannot be read in this encoding. Choose another one.');
  });
});

describe('a file with dates that can be read in several ways', () => {
  const file = `url,slug,expires_at\nhttps://example.com/,${newSlug()},03/04/2099\n`;

  it('a file with dates that can be read in several ways needs an order, with what a date of it would be', async () => {
    const scene = await openLinks();
    const first = await ask(scene, upload(file));
    expect(first).toContain('<h1>Check the dates</h1>');
    expect(first).toContain('03/04/2099 as day, month, year is 2099-04-03.');
    expect(first).toContain('03/04/2099 as month, day, year is 2099-03-04.');
    expect(first).not.toContain('Choose the order.');
    const unchosen = await ask(scene, sent(fieldsOf(first)));
    expect(unchosen).toContain('<h1>Check the dates</h1>');
    expect(unchosen).toContain('Choose the order.');
    const second = await ask(scene, sent({ ...fieldsOf(first), dates: 'dmy' }), 200);
    expect(second).toContain('read as day, month, year: 03/04/2099 is 2099-04-03.');
    expect(fieldsOf(second)).toMatchObject({ dates: 'dmy', checked: 'dates=dmy' });
    const other = await ask(scene, sent({ ...fieldsOf(second), dates: 'mdy' }), 200);
    await scene.browse(`${scene.path}/import/run`, sent(fieldsOf(other)));
    expect(await expiriesOf(scene)).toEqual([Date.parse('2099-03-04T00:00:00Z')]);
  });

  it('a file with dates that can be read in several ways needs no order if all dates of the column admit one, which the page says and lets be changed', async () => {
    const scene = await openLinks();
    const clear = `${file}https://example.com/,${newSlug()},31/12/2099\n`;
    const page = await ask(scene, upload(clear), 200);
    expect(page).toContain('read as day, month, year: 03/04/2099 is 2099-04-03.');
    expect(page).toContain('>Dates are written as</label>');
    const plain = await textOf(scene.browse(`${scene.path}/import`, upload('url\nhttps://example.com/\n')));
    expect(plain).not.toContain('Dates are written as');
  });
});

describe('a piece of a larger file', () => {
  const seen = (orders: readonly string[]) =>
    JSON.stringify({ Expires_At: { orders, example: '03/04/2099' }, other: { orders: ['mdy'], example: '1/13/2099' } });
  const file = `url,slug,expires_at\nhttps://example.com/,${newSlug()},03/04/2099\n`;

  it('a piece of a larger file is read as all dates of the file admit', async () => {
    const scene = await openLinks();
    const page = await ask(scene, upload(file, 'a.csv', { file_rows: '9000', dates_seen: seen(['dmy']) }), 200);
    expect(page).toContain('03/04/2099 is 2099-04-03.');
    const { checked } = fieldsOf(page);
    expect(new URLSearchParams(checked).get('dates_seen')).toBe(seen(['dmy']));
  });

  it.each([[['dmy', 'mdy']], [[]]])(
    'a piece of a larger file needs an order if the dates of the file admit %j, also if it has no such date',
    async (orders) => {
      const scene = await openLinks();
      for (const piece of [file, `url,expires_at\nhttps://example.com/,2099-01-01\n`]) {
        const page = await ask(scene, upload(piece, 'a.csv', { file_rows: '9000', dates_seen: seen(orders) }));
        expect(page).toContain('<h1>Check the dates</h1>');
        expect(fieldsOf(page)).toMatchObject({ file_rows: '9000', dates_seen: seen(orders) });
      }
    },
  );

  it.each(['{', '[]', '{"a":1}', '{"a":{"orders":["xyz"],"example":""}}', 'x'.repeat(99_999)])(
    'a piece of a larger file is read by itself if what a script says of the file is %.20s',
    async (said) => {
      const scene = await openLinks();
      const clear = file.replace('03/04', '31/12');
      const page = await ask(scene, upload(clear, 'a.csv', { file_rows: '9000', dates_seen: said }), 200);
      expect(page).toContain('31/12/2099 is 2099-12-31.');
    },
  );

  it('a piece of a larger file that a script has converted is shown before it counts', async () => {
    const scene = await openLinks();
    const text = `\ufeffurl;title\nhttps://example.com/;Grün\n`;
    const first = await ask(scene, upload(text, 'a.csv', { file_rows: '9000', charset_guess: 'windows-1252' }));
    expect(first).toContain('Grün');
    expect(fieldsOf(first)).toMatchObject({ charset: 'windows-1252', file_rows: '9000' });
    const second = await ask(scene, sent(fieldsOf(first)), 200);
    expect(second).toContain('>Import 9,000 rows</button>');
    expect(fieldsOf(second)).toMatchObject({ checked: 'charset=windows-1252' });
  });
});
