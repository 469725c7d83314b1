import { describe, expect, it } from 'vitest';
import { deliver, packOf } from '../../support/clicks.ts';
import { openShared, visitor } from '../../support/shared-statistics.ts';
import { openStatisticsPages, rowsOf } from '../../support/statistics-page.ts';

/** What brought visitors, on the pages. */

const SOURCES = [null, ['qr', null, null], ['<b>news</b>', 'email', 'spring'], ['other', null, null]] as const;

const CLICKS = [{ clicks: 4 }, { clicks: 3 }, { clicks: 2 }, { clicks: 1 }];

const packed = (link: Parameters<typeof packOf>[0]) =>
  packOf(link, CLICKS, { sources: SOURCES.map((source) => source && [...source]) });

const named = (page: string, caption: string) => rowsOf(page, caption).map(([name, people]) => [name, people]);

describe('the card of what brought visitors', () => {
  it('the card of what brought visitors has its words as text, filters by them, and gives a file', async () => {
    const { link, read } = await openStatisticsPages([]);
    await deliver([packed(link)]);
    const page = await read('?card=via');
    expect(named(page, 'Came by')).toEqual([
      ['The link', '4'],
      ['The QR code', '3'],
      ['&lt;b&gt;news&lt;/b&gt;', '2'],
      ['All others', '1'],
    ]);
    expect(named(await read('?card=utm_medium'), 'UTM mediums')).toEqual([
      ['No medium', '8'],
      ['email', '2'],
    ]);
    expect(named(await read('?card=via&via=qr&via=null'), 'Came by')).toEqual([['The QR code (filtered)', '3']]);
    expect(named(await read('?card=utm_campaign&utm_medium=email'), 'UTM campaigns')).toEqual([['spring', '2']]);
    expect(await read('?csv=via')).toBe(
      '"via","total","humans","bots","previews"\r\n"link",4,4,0,0\r\n"qr",3,3,0,0\r\n' +
        '"<b>news</b>",2,2,0,0\r\n"other",1,1,0,0\r\n',
    );
  });

  it('the card of what brought visitors is on public pages, as text', async () => {
    const { link, address } = await openShared();
    await deliver([packed(link)]);
    const page = await (await visitor(`${address}?card=via`)).text();
    expect(named(page, 'Came by')).toEqual([
      ['The link', '4'],
      ['The QR code', '3'],
      ['&lt;b&gt;news&lt;/b&gt;', '2'],
      ['All others', '1'],
    ]);
    expect(page).not.toContain('<b>news');
  });

  it('the card of what brought visitors says nothing of clicks whose source is not known', async () => {
    const { read } = await openStatisticsPages([{ clicks: 3 }]);
    expect(await read('')).toContain('No source is known.');
    expect(await read('?card=utm_medium')).toContain('No UTM medium is known.');
  });
});
