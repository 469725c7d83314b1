import { describe, expect, it } from 'vitest';
import type { Caller } from '../../support/forms.ts';
import { cookiesOf, openLinks, placeOf, textOf } from '../../support/platform.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { call, ORIGIN } from '../../support/service.ts';

/** A form with a file, or with other fields. */
function upload(content: string | Uint8Array<ArrayBuffer> | null, name = 'links.csv'): RequestInit {
  const body = new FormData();
  if (content !== null) body.set('file', new File([content], name));
  return { method: 'POST', body, headers: { Origin: ORIGIN } };
}

function carried(page: string): RequestInit {
  const body = new FormData();
  for (const name of ['format', 'content']) {
    body.set(name, new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '');
  }
  return { method: 'POST', body, headers: { Origin: ORIGIN } };
}

const linksOf = async ({ clientId }: Caller) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);

describe('an import', () => {
  it('an import says first what would become of each row, and does it once confirmed, byte for byte', async () => {
    const { caller, browse, path } = await openLinks();
    const there = await seedLink(caller, { slug: 'import-there', url: 'https://example.com/there' });
    const csv =
      'slug,url,metadata\n' +
      'import-new,https://example.com/new,"{\n""a"":1}"\n' +
      'import-there,https://example.com/there,\n';
    const response = await browse(`${path}/import`, upload(csv, 'my <links>.csv'));
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain('<dt>To be created</dt><dd>1</dd>');
    expect(page).toContain('<dt>Already exist</dt><dd>1</dd>');
    expect(page).toContain('Preview of the rows of my &lt;links&gt;.csv.');
    expect(page).toContain('https://example.com/new');
    expect((await linksOf(caller)).map(({ id }) => id)).toEqual([there.id]);

    const done = await browse(`${path}/import/run`, carried(page));
    expect([done.status, done.headers.get('Location')]).toEqual([303, path]);
    const made = (await linksOf(caller)).find(({ slug }) => slug === 'import-new');
    expect(made).toMatchObject({ url: 'https://example.com/new', metadata: '{\n"a":1}', user_id: caller.userId });
    // A reload of the answer sends the form again.
    await browse(`${path}/import/run`, carried(page));
    expect(await linksOf(caller)).toHaveLength(2);
  });

  it('an import shows the rows with errors first, and creates the others', async () => {
    const { caller, browse, path, cookie } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload('url\nhttps://example.com/1\nnowhere\n')));
    expect(page).toContain('<dt>Errors</dt><dd>1</dd>');
    expect(page).toContain('Destination must be an absolute');
    expect(page.indexOf('Destination must be an absolute')).toBeLessThan(page.lastIndexOf('>https://example.com/1<'));
    const done = await browse(`${path}/import/run`, carried(page));
    expect(placeOf(done)).toEqual([303, `${path}/files`]);
    expect(await linksOf(caller)).toHaveLength(1);
    const flash = cookiesOf(done)['__Host-terse-flash']?.[0];
    const next = await textOf(call(`${path}/files`, { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
    expect(next).toContain(
      '<div class="notice warning" role="status">Import incomplete: 1 created, 0 already exist, 1 with errors (row 3). ' +
        `Fix these rows and import the file again. Existing links are not changed. <a href="${path}">Show links</a></div>`,
    );
  });

  it('an import shows all faults of a row at once', async () => {
    const { browse, path } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload('url,metadata,disabled\nnowhere,{,perhaps\n')));
    expect(page).toMatch(
      /Destination must be an absolute [^<]*\. Metadata must be a JSON text[^<]*\. Disabled must be a boolean\./,
    );
  });

  it('an import names the first rows with errors, and says that there are more', async () => {
    const { browse, path, cookie } = await openLinks();
    const page = await textOf(browse(`${path}/import`, upload(`url\nhttps://example.com/\n${'nowhere\n'.repeat(30)}`)));
    const done = await browse(`${path}/import/run`, carried(page));
    const flash = cookiesOf(done)['__Host-terse-flash']?.[0];
    const next = await textOf(call(`${path}/files`, { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
    expect(next).toContain(
      '30 with errors (rows 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22 …)',
    );
  });

  it.each(['', '.1.1', '.1.1.1.<b>', '.1.1.1.123456'])(
    'an import says nothing for a cookie with %j in it',
    async (details) => {
      const { path, cookie } = await openLinks();
      const headers = { Cookie: `${cookie}; __Host-terse-flash=links-imported-in-part${details}` };
      expect(await textOf(call(`${path}/files`, { headers }))).not.toMatch(/<main[^>]*><div class="notice/);
    },
  );

  it('an import takes NDJSON by the name of the file', async () => {
    const { browse, path } = await openLinks();
    const page = await (await browse(`${path}/import`, upload('{"url":"https://example.com/1"}\n', 'a.ndjson'))).text();
    expect(page).toContain('name="format" value="ndjson"');
    expect(page).toContain('<dt>To be created</dt><dd>1</dd>');
  });

  it.each<[string, string | Uint8Array<ArrayBuffer> | null, string]>([
    ['no file', null, 'id="fault-file">Choose a file first.'],
    ['an empty file', '', 'id="fault-file">Choose a file first.'],
    ['a column that there is not', 'url,price\n', 'There is no column &quot;price&quot; here.'],
    ['no column for targets', 'slug\na\n', 'Destination is required'],
    ['several faults of the header', 'slug,slug\na,b\n', 'Destination is required'],
    ['no UTF-8', new Uint8Array([0x75, 0x72, 0x6c, 0x0a, 0xff, 0xfe]), 'The file is not in UTF-8.'],
    ['too many rows', `url\n${'https://example.com/\n'.repeat(5001)}`, 'at most 5000 rows'],
  ])('an import of %s says so, and keeps the page', async (_, content, sentence) => {
    const { browse, path } = await openLinks();
    const response = await browse(`${path}/import`, upload(content));
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain(sentence);
    expect(page).toContain(`action="${path}/import"`);
  });

  it('an import of more than 2 MiB is refused', async () => {
    const { browse, path } = await openLinks();
    expect((await browse(`${path}/import`, upload('x'.repeat(2_200_000)))).status).toBe(413);
  });

  it('an import of a file without rows offers to choose another', async () => {
    const { browse, path } = await openLinks();
    expect(await (await browse(`${path}/import`, upload('url\n'))).text()).toContain('The file has no rows');
  });
});

describe('an export', () => {
  it.each([
    ['csv', 'text/csv; charset=utf-8; header=present'],
    ['ndjson', 'application/x-ndjson'],
  ])('an export of links as %s holds the client’s own links', async (format, type) => {
    const [{ caller, browse, path }, stranger] = [await openLinks(), await openLinks()];
    const [link, theirs] = [await seedLink(caller), await seedLink(stranger.caller)];
    const response = await browse(`${path}/export.${format}`);
    expect([
      response.status,
      response.headers.get('Content-Type'),
      response.headers.get('Content-Disposition'),
    ]).toEqual([200, type, `attachment; filename="links.${format}"`]);
    const text = await response.text();
    expect(text).toContain(`https://terse.test/${link.id}`);
    expect(text).not.toContain(theirs.id);
    expect((await browse(`${stranger.path}/export.${format}`)).status).toBe(404);
  });

  it('an export of links can be imported as it is', async () => {
    const { caller, browse, path } = await openLinks();
    await seedLink(caller, { metadata: '{"a":"=1"}', campaign_name: '=SUM(A1)' });
    const csv = await (await browse(`${path}/export.csv`)).text();
    const page = await (await browse(`${path}/import`, upload(csv))).text();
    expect(page).toContain('<dt>Already exist</dt><dd>1</dd>');
  });
});
