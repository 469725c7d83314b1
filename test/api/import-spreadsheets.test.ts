import { describe, expect, it } from 'vitest';
import { importFile, newSlug, NDJSON, openClient, outcomesOf } from '../support/files.ts';

/** Cells as databases and spreadsheets write them, in the format of this service and in those of others. */

const URL_CELL = 'https://example.com/';

/** The first link of a file. */
async function linkOf(file: string, query = '') {
  const { results } = await importFile(await openClient(), file, { query });
  const [first] = results;
  return first?.link ?? expect.fail(JSON.stringify(first));
}

describe('a cell that is NULL without quotes', () => {
  it.each(['NULL', String.raw`\N`, ' NULL '])('a cell that is NULL without quotes is empty, as %j', async (absent) => {
    const columns = 'url,title,slug,expires_at,max_clicks,campaign_name';
    const link = await linkOf(`${columns}\n${URL_CELL},${absent},${absent},${absent},${absent},${absent}\n`);
    expect(link).toMatchObject({ title: null, expires_at: null, max_clicks: null, campaign_name: null });
    expect(link.slug).toBe(link.id);
  });

  it('a cell that is NULL without quotes is a text in quotes, also in the file of another service', async () => {
    expect(await linkOf(`url,title\n${URL_CELL},"NULL"\n`)).toMatchObject({ title: 'NULL' });
    const file = `"keyword","url","title","timestamp","clicks"\n"${newSlug()}","${URL_CELL}","NULL","2020-01-01 00:00:00",NULL\n`;
    expect(await linkOf(file, '?host=shared')).toMatchObject({ title: 'NULL', imported_clicks: null, disabled: false });
  });

  it('a cell that is NULL without quotes is empty in a row of nothing else, which is skipped, and in a header it is a name', async () => {
    const manager = await openClient();
    expect(outcomesOf(await importFile(manager, `url,title\nNULL,NULL\n${URL_CELL},\n`))).toEqual(['created']);
    const mapped = `NULL,Ziel\nx,${URL_CELL}\n`;
    expect(await linkOf(mapped, '?map_url=Ziel&map_title=NULL')).toMatchObject({ title: 'x' });
  });

  it('a cell that is NULL without quotes is no date and no limit, even in quotes', async () => {
    const file = `shortURL,originalURL,expiresAt,clicksLimit\nhttps://terse.test/${newSlug()},${URL_CELL},"NULL","NULL"\n`;
    expect(await linkOf(file)).toMatchObject({ expires_at: null, max_clicks: null, disabled: false });
  });
});

describe('a row in the format of this service', () => {
  it('a row in the format of this service may have spaces around its cells and before their quotes', async () => {
    const slug = newSlug();
    const link = await linkOf(`url, slug , title, disabled\n ${URL_CELL}a ,  ${slug}  , "Spring, Summer" , true \n`);
    expect(link).toMatchObject({ url: `${URL_CELL}a`, slug, title: 'Spring, Summer', disabled: true });
    const quoted = await linkOf(`url,slug,max_clicks\n" ${URL_CELL}"," ${newSlug()} "," 7 "\n`);
    expect(quoted).toMatchObject({ url: URL_CELL, max_clicks: 7 });
  });

  it('a row in the format of this service keeps the spaces within the quotes of a text', async () => {
    expect(await linkOf(`url,campaign_name\n${URL_CELL}," a "\n`)).toMatchObject({ campaign_name: ' a ' });
  });

  it('a row in the format of this service may have empty cells after the last column, or none for columns without a name', async () => {
    const manager = await openClient();
    const cells = [`${URL_CELL}1,a,`, `${URL_CELL}2,b,, ,`, `${URL_CELL}3,c`, ',,,,,', ' , , ', `${URL_CELL}4,d,x`];
    for (const header of ['url,title', 'url,title,']) {
      const { results } = await importFile(manager, `${header}\n${cells.join('\n')}\n`);
      expect(results.map(({ row, status }) => [row, status === 'error'])).toEqual([
        [2, false],
        [3, false],
        [4, false],
        [7, true],
      ]);
    }
    const foreign = `keyword,url,title\n${newSlug()},${URL_CELL},x,\n,,,,\n`;
    expect(outcomesOf(await importFile(manager, foreign, { query: '?host=shared' }))).toEqual(['created']);
  });

  it('a row in the format of this service has line ends in a title, which become spaces, in CSV and in NDJSON', async () => {
    const csv = `url,title\n${URL_CELL},"Spring\r\nSummer\n"\n`;
    expect(await linkOf(csv)).toMatchObject({ title: 'Spring Summer' });
    const { results } = await importFile(
      await openClient(),
      JSON.stringify({ url: URL_CELL, title: 'Spring\nSummer' }),
      { type: NDJSON },
    );
    expect(results[0]?.link?.title).toBe('Spring Summer');
  });

  it.each([
    ['true', 'WAHR', 'VRAI', 'VERDADERO', 'VERO', 'VERDADEIRO', 'WAAR', 'PRAWDA', 'DOĞRU', 'ИСТИНА', 'ΑΛΗΘΗΣ'],
    ['yes', 'ja', 'Oui', 'sí', 'si', 'sim', 'tak', 'on', '1', 'TRUE', ' true '],
  ])('a row in the format of this service is disabled if it says %s and the like', async (...words) => {
    const rows = words.map((word) => `${URL_CELL},${newSlug()},${word}\n`).join('');
    const { results } = await importFile(await openClient(), `url,slug,disabled\n${rows}`);
    expect(results.map(({ link }) => link?.disabled)).toEqual(words.map(() => true));
  });

  it.each([
    ['false', 'FALSCH', 'FAUX', 'FALSO', 'FALSE', 'ONWAAR', 'FAŁSZ', 'NEPRAVDA', 'YANLIŞ', 'ЛОЖЬ', 'EPÄTOSI'],
    ['no', 'nein', 'NON', 'não', 'nee', 'nie', 'off', '0', 'nej', 'нет', ' falsch '],
  ])('a row in the format of this service is enabled if it says %s and the like', async (...words) => {
    const rows = words.map((word) => `${URL_CELL},${newSlug()},${word}\n`).join('');
    const { results } = await importFile(await openClient(), `url,slug,disabled\n${rows}`);
    expect(results.map(({ link }) => link?.disabled)).toEqual(words.map(() => false));
  });

  it('a row in the format of this service is refused if its flag is no such word', async () => {
    const file = `url,disabled\n${URL_CELL},perhaps\n${URL_CELL},"true false"\n`;
    expect(outcomesOf(await importFile(await openClient(), file))).toEqual(['invalid_disabled', 'invalid_disabled']);
  });

  it.each([
    ['7.0', 7],
    ['7,0', 7],
    ['7.00', 7],
    ['1,234', 1234],
    ['1.234', 1234],
    ['1 234', 1234],
    ['1’234', 1234],
    ['1,234,000', 1_234_000],
    ['1.234,00', 1234],
    ['1,000.00', 1000],
  ])('a row in the format of this service has the number %s, which is %i', async (text, number) => {
    expect(await linkOf(`url,max_clicks\n${URL_CELL},"${text}"\n`)).toMatchObject({ max_clicks: number });
  });

  it.each(['7.5', '1,000', '1.000', '1,23', '1,2345', '7.0.0', '7,', '-7', '1e3', '0x7'])(
    'a row in the format of this service is refused if its number is %s, which is none or can be two',
    async (text) => {
      const imported = await importFile(await openClient(), `url,max_clicks\n${URL_CELL},"${text}"\n`);
      expect(outcomesOf(imported)).toEqual(['invalid_max_clicks']);
    },
  );

  it('a row in the format of this service has a status of redirects as a spreadsheet writes it', async () => {
    const link = await linkOf(`url;redirect_status;inspectable\n${URL_CELL};301,0;FAUX\n`);
    expect(link).toMatchObject({ redirect_status: 301, inspectable: false });
  });
});

describe('a row of another service', () => {
  it('a row of another service is not archived, whatever the language of FALSE is', async () => {
    const words = ['FALSCH', 'FAUX', 'FALSO', 'ONWAAR', 'FAŁSZ', 'nein', 'non'];
    const rows = words.map((word) => `terse.test/${newSlug()},${URL_CELL},${word}\n`).join('');
    const { results } = await importFile(await openClient(), `short_link,destination_url,archived\n${rows}`);
    expect(results.map(({ link }) => link?.disabled)).toEqual(words.map(() => false));
  });

  it.each([
    ['12.0', 12],
    ['1,000', 1000],
    ['1.234', 1234],
    ['1.234.567', 1_234_567],
  ])('a row of another service has %s clicks', async (text, clicks) => {
    const file = `short_link,destination_url,clicks\nterse.test/${newSlug()},${URL_CELL},"${text}"\n`;
    expect(await linkOf(file)).toMatchObject({ imported_clicks: clicks });
  });

  it('a row of another service says of each column with clicks that they are kept, also of those in the total', async () => {
    const file = `Link,Destination URL,Engagements,Link clicks,QR code scans,Other\nhttps://terse.test/${newSlug()},${URL_CELL},7,5,2,x\n`;
    const { columns, results } = await importFile(await openClient(), file);
    expect(results[0]?.link?.imported_clicks).toBe(7);
    expect(columns.map(({ field }) => field)).toEqual([
      'slug',
      'url',
      'imported_clicks',
      'imported_clicks',
      'imported_clicks',
      null,
    ]);
  });

  it('a row of another service says that clicks of one kind are left out if there is no total', async () => {
    const file = `Link,Destination URL,QR code scans\nhttps://terse.test/${newSlug()},${URL_CELL},2\n`;
    expect((await importFile(await openClient(), file)).columns.at(-1)).toEqual({
      column: 'QR code scans',
      field: null,
    });
  });
});
