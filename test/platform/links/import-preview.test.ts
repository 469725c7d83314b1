import { describe, expect, it } from 'vitest';
import { openLinks, textOf } from '../../support/platform.ts';
import { seedDomain } from '../../support/seed.ts';
import { ORIGIN } from '../../support/service.ts';

function upload(content: string, fields: Readonly<Record<string, string>> = {}): RequestInit {
  const body = new FormData();
  body.set('file', new File([content], 'links.csv'));
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return { method: 'POST', body, headers: { Origin: ORIGIN } };
}

/** The options of a list, each with its value. */
function optionsOf(page: string, label: string): string[] {
  const [, options = ''] =
    new RegExp(`>${label}</label><select[^>]*>(.*?)</select>`, 's').exec(page) ?? expect.fail(`no list ${label}`);
  return [...options.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g)].map(([, value, text]) => `${value}: ${text}`);
}

describe('the preview of a file', () => {
  it('the preview of a file has rows with errors first, then rows with notes, then the others', async () => {
    const { browse, path } = await openLinks();
    const csv =
      'slug,url,clicks_left,max_clicks\nplain,https://example.com/,,\nlimited,https://example.com/,,5\n' +
      'broken,nowhere,,\nlast,https://example.com/,,\n';
    const page = await textOf(browse(`${path}/import`, upload(csv)));
    const numbers = [...page.matchAll(/<th scope="row" role="rowheader">(\d+)<\/th>/g)].map(([, number]) => number);
    expect(numbers).toEqual(['4', '3', '2', '5']);
    expect(page).toContain('<dt>Errors</dt><dd>1</dd>');
    expect(page).toContain('<dt>With notes</dt><dd>1</dd>');
  });

  it('the preview of a file says where each new link will be, with its destination', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const csv = `slug,url,custom_domain\ngrün,https://example.com/a,\nthere,https://example.com/b,${host}\n,https://example.com/c,\n`;
    const page = await textOf(browse(`${path}/import`, upload(csv)));
    for (const [place, url] of [
      ['terse.test/grün', 'https://example.com/a'],
      [`${host}/there`, 'https://example.com/b'],
      ['terse.test/<span class="quiet"> and a generated slug</span>', 'https://example.com/c'],
    ]) {
      expect(page).toContain(
        `<span class="broken">${place}</span><span class="hint broken" dir="ltr" title="${url}">${url}</span>`,
      );
    }
  });

  it('the preview of a file says of each row with clicks that only their total is kept', async () => {
    const { browse, path } = await openLinks();
    const csv =
      'Short link,Destination URL,Clicks,Created at\nhttps://terse.test/moved,https://example.com/,42,2024-01-01\n' +
      'https://terse.test/unseen,https://example.com/,0,2024-01-01\n';
    const page = await textOf(browse(`${path}/import`, upload(csv)));
    const rows = page.split('<tr').filter((row) => row.includes('https://example.com/'));
    expect(rows.map((row) => row.includes('<span class="hint">Of its clicks only the total is kept.</span>'))).toEqual([
      true,
      false,
    ]);
    expect(page).toContain('<dt>With notes</dt><dd>0</dd>');
  });

  it('the preview of a file says that links go to the default domain if the file never named one', async () => {
    const { caller, browse, path } = await openLinks();
    const host = await seedDomain(caller);
    const mapped = { from: 'map', column_0: 'url', column_1: 'slug' };
    const page = await textOf(browse(`${path}/import`, upload('Ziel,Name\nhttps://example.com/,a\n', mapped)));
    expect(optionsOf(page, 'Links without a domain in the file become')).toEqual([
      ': terse.test/…',
      `${host}: ${host}/…`,
    ]);
  });

  it('the preview of a file asks for a domain if the links were on a host that the file does not name', async () => {
    const { browse, path } = await openLinks();
    const csv = 'keyword,url,title,timestamp,ip,clicks\na,https://example.com/,A,2020-01-01 00:00:00,,1\n';
    const page = await textOf(browse(`${path}/import`, upload(csv, { from: 'yourls' })));
    expect(optionsOf(page, 'Links without a domain in the file become')).toEqual([
      ': Not chosen',
      'shared: terse.test/…',
    ]);
    expect(page).toContain('<dt>Errors</dt><dd>1</dd>');
  });
});

describe('the preview of the first piece of a file', () => {
  const FIRST = 'url\nhttps://example.com/1\nhttps://example.com/2\n';

  it('the preview of the first piece of a file says how many rows the file has, and imports all of them', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload(FIRST, { file_rows: '34567' })));
    expect(page).toContain('Preview of the first 2 of the 34,567 rows of links.csv.');
    expect(page).toContain('>Import 34,567 rows</button>');
    expect(page).toContain('Links keep a domain that only these rows name.');
    expect(page).toContain('name="file_rows" value="34567"');
  });

  it('the preview of the first piece of a file can be continued if all of its rows exist already', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload('url\nnowhere\n', { file_rows: '9000' })));
    expect(page).toContain('<dt>To be created</dt><dd>0</dd>');
    expect(page).toContain('>Import 9,000 rows</button>');
  });

  it.each(['-1', '1e3', '9'.repeat(99)])(
    'the preview of the first piece of a file is that of a whole file if it has %s rows',
    async (rows) => {
      const { browse, path } = await openLinks();
      const page = await textOf(browse(`${path}/import`, upload(FIRST, { file_rows: rows })));
      expect(page).toContain('Preview of the rows of links.csv.');
      expect(page).toContain('>Import 2 links</button>');
    },
  );
});
