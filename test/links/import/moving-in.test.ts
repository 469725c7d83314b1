import { describe, expect, it } from 'vitest';
import { TOTAL } from '../../support/expected-links.ts';
import { exportOf, importExport } from '../../support/exports.ts';
import { importFile, newSlug, openClient, sendFile, outcomesOf, type Imported } from '../../support/files.ts';
import { rowsOf, seedDomain } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

const linksOf = async (clientId: string) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);
const firstError = ({ results }: Imported) => results.find(({ error }) => error)?.error;
const visit = async (url: string) => {
  const { status, headers } = await call(url, { redirect: 'manual' });
  return [status, headers.get('Location')];
};

describe('a link of another host', () => {
  it('a link of another host is refused, with the cure, and never put on the host of the service', async () => {
    const { manager, imported } = await importExport('bitly.csv');
    expect(outcomesOf(imported)).toEqual(['created', 'unknown_domain', 'unknown_domain']);
    expect(imported.hosts).toContainEqual({ host: 'bit.ly', rows: 2 });
    expect(firstError(imported)).toBe(
      'unknown_domain: bit.ly links cannot keep their domain, since it belongs to a link service. Choose ' +
        'another host for them, such as host=bit.ly:shared.',
    );
    expect((await linksOf(manager.tenant.clientId)).map(({ slug }) => slug)).toEqual(['Launch']);
    expect((await call('/3xOldOne')).status).toBe(404);
  });

  it('a link of another host goes where the caller says, by its host', async () => {
    const { manager, host, imported } = await importExport('bitly.csv', { query: '?host=BIT.ly:shared' });
    expect(outcomesOf(imported)).toEqual(['created', 'created', 'created']);
    const urls = imported.results.map(({ link }) => link?.short_url);
    expect(urls).toEqual([`https://${host}/Launch`, 'https://terse.test/3xOldOne', 'https://terse.test/3xNoDate']);
    expect(imported.results.map(({ notes }) => notes)).toEqual([
      ['Its other address https://bit.ly/3xAbCdE is not kept.', TOTAL],
      ['It was archived or not active: it is created disabled.', TOTAL],
      [
        'Its clicks cannot be read, and are not kept.',
        'Its creation date cannot be read, or is still to come: it is created as of now.',
      ],
    ]);
    expect(await visit(`https://${host}/Launch`)).toEqual([302, 'https://example.com/launch?utm_source=mail']);
    expect((await call('/3xOldOne')).status).toBe(410);
    expect(await visit('https://terse.test/3xNoDate')).toEqual([302, 'https://example.com/no-date']);
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(3);
  });

  it('a link of another host goes with all others where the caller says', async () => {
    const manager = await openClient();
    const host = await seedDomain(manager.tenant);
    const imported = await importFile(manager, exportOf('bitly.csv', 'go.example.com'), { query: `?host=${host}` });
    expect(imported.results.map(({ link }) => link?.custom_domain)).toEqual([host, host, host]);
  });

  it('a link of another host cannot be put on a domain of another client', async () => {
    const [manager, stranger] = [await openClient(), await openClient()];
    const host = await seedDomain(stranger.tenant);
    const named = await importFile(manager, exportOf('dub.csv', host));
    const chosen = await importFile(manager, exportOf('dub.csv', 'go.example.com'), { query: `?host=${host}` });
    expect([...outcomesOf(named), ...outcomesOf(chosen)]).toEqual(Array.from({ length: 4 }, () => 'unknown_domain'));
    expect(await linksOf(manager.tenant.clientId)).toEqual([]);
    expect(await linksOf(stranger.tenant.clientId)).toEqual([]);
  });

  it.each(['yourls.csv', 'yourls-plugin.csv'])(
    'a link of another host is asked for where the file names none: %s',
    async (name) => {
      const manager = await openClient();
      const imported = await importFile(manager, exportOf(name, ''));
      expect(outcomesOf(imported)).toEqual(['unknown_domain', 'unknown_domain']);
      expect(firstError(imported)).toBe(
        'unknown_domain: The file does not say on which host the link was. Choose one: host=shared, or a custom domain.',
      );
      const host = await seedDomain(manager.tenant);
      const again = await importFile(manager, exportOf(name, ''), { query: `?host=${host}` });
      expect(outcomesOf(again)).toEqual(['created', 'created']);
    },
  );

  it('a link of a host that is no domain is refused', async () => {
    const file =
      'short_link,destination_url\nhttp://localhost:3000/a,https://example.com/\nhttp://192.0.2.1/b,https://example.com/\n';
    const manager = await openClient();
    expect(firstError(await importFile(manager, file))).toBe(
      'unknown_domain: The link was on "localhost:3000", which cannot be a custom domain. Choose a host for it: host=shared, or a custom domain.',
    );
    const imported = await importFile(manager, file.replace('/b', '/moved-b'), { query: '?host=192.0.2.1:shared' });
    expect(outcomesOf(imported)).toEqual(['unknown_domain', 'created']);
  });

  it.each([
    [
      'host=bit.ly:',
      'invalid_host: host must be shared, a custom domain, or a host of the file and one of these: bit.ly:shared.',
    ],
    [
      'host=a:b:c',
      'invalid_host: host must be shared, a custom domain, or a host of the file and one of these: bit.ly:shared.',
    ],
    ['host=shared&host=go.example.com', 'invalid_host: host must be given only once without a host before it.'],
    [
      Array.from({ length: 21 }, (_, i) => `host=h${i}.example:shared`).join('&'),
      'invalid_host: host must be given at most 20 times.',
    ],
    [
      'from=unknown',
      'invalid_from: from must be one of terse, bitly, chhoto, dub, firebase, golink, kutt, pretty_links, rebrandly, shlink, ' +
        'short_io, sink, snapp, tiny_cc, tinyurl, yourls, url_list.',
    ],
    ['unprotected=yes', 'invalid_unprotected: unprotected must be one of disable, publish.'],
    ['from=bitly&map_url=x', 'invalid_from: from must be left out if columns are mapped.'],
    [`map_url=${'x'.repeat(201)}`, 'too_long: map_url must be at most 200 characters long.'],
  ])('the place of a link of another host is refused if it is given wrongly: %s', async (query, error) => {
    const response = await sendFile(await openClient(), exportOf('dub.csv', 'x.example'), { query: `?${query}` });
    expect([response.status, await response.json()]).toEqual([400, { result: 'Failed', error }]);
  });
});

describe('a link that was protected', () => {
  it('a link that was protected is open only if the caller says so', async () => {
    const { host, imported } = await importExport('kutt.json', { query: '?unprotected=publish' });
    expect(imported.results.map(({ link }) => link?.disabled)).toEqual([false, false, false, false]);
    expect(imported.results.map(({ notes }) => notes)).toEqual([
      [TOTAL],
      ['It had a password, which the file does not have: it is open now.', TOTAL],
      ['It was banned: it is open now.', TOTAL],
      ['Its expiry date cannot be read: it is open now.'],
    ]);
    expect((await call(`https://${host}/secret`)).status).toBe(302);
  });

  it('a link that was protected is 410 unless the caller says that it is open', async () => {
    const { host } = await importExport('kutt.json');
    const statuses = await Promise.all(
      ['Manual', 'secret', 'spam', 'soon'].map(async (slug) => (await call(`https://${host}/${slug}`)).status),
    );
    expect(statuses).toEqual([302, 410, 410, 410]);
  });

  it('a link that was protected is disabled from an export of this service too', async () => {
    const manager = await openClient();
    const [slug, open] = [newSlug(), newSlug()];
    const file = (name: string) => `slug,url,has_password\n${name},https://example.com/,true\n`;
    expect((await importFile(manager, file(slug))).results[0]?.link?.disabled).toBe(true);
    const published = await importFile(manager, file(open), { query: '?unprotected=publish' });
    expect(published.results[0]?.link?.disabled).toBe(false);
    expect(published.results[0]?.notes).toEqual(['It had a password, which the file does not have: it is open now.']);
  });

  it.each([
    'slug,url,has_password\nSLUG,https://example.com/,true\n',
    'url,title,has_password\nhttps://example.com/,SLUG,true\n',
  ])('a link that was protected is unchanged when it is imported again: %j', async (text) => {
    const manager = await openClient();
    const file = text.replace('SLUG', newSlug());
    expect(await importFile(manager, file)).toMatchObject({ created: 1 });
    expect(await importFile(manager, file)).toMatchObject({ created: 0, unchanged: 1, errors: 0 });
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(1);
  });

  it('a link that was protected stays disabled while all clicks of its limit are used', async () => {
    const { host } = await importExport('shlink.json', { query: '?unprotected=publish' });
    expect((await call(`https://${host}/used`)).status).toBe(410);
    expect((await call(`https://${host}/odd`)).status).toBe(302);
  });
});

describe('rows of deleted links', () => {
  it('rows of deleted links are skipped and listed', async () => {
    const { host, imported } = await importExport('tinyurl.csv', { query: '?host=tinyurl.com:shared' });
    expect(imported.skipped).toEqual([{ row: 3, reason: 'The link was deleted where it comes from.' }]);
    expect(imported.results.map(({ row, link }) => [row, link?.short_url, link?.tags, link?.created_at])).toEqual([
      [2, `https://${host}/tiny-One`, ['a', 'b'], '2023-01-01T00:00:00.000Z'],
      [4, 'https://terse.test/public1', [], '2023-01-01T00:00:00.000Z'],
    ]);
  });
});

describe('what was before', () => {
  it('the past of an imported link keeps its place in lists, and its clicks beside the new ones', async () => {
    const { manager, host } = await importExport('dub.csv');
    const fresh = await manager.read(await manager.make());
    const list = async (query: string) => {
      const response = await call(`/v1/links?${query}`, { headers: manager.key });
      return response.json<{
        links: { slug: string; imported_clicks: number | null; clicks: number }[];
        cursor: string;
      }>();
    };
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${encodeURIComponent(first.cursor)}`);
    const slugs = [...first.links, ...second.links].map(({ slug }) => slug);
    expect(slugs).toEqual([fresh.slug, 'Dub', 'dub-old']);
    const [, dub] = first.links;
    expect([dub?.imported_clicks, dub?.clicks]).toEqual([321, 0]);
    const row = (await linksOf(manager.tenant.clientId)).find(({ slug }) => slug === 'Dub');
    expect(row?.['created_at']).toBe(Date.parse('2024-09-01T07:08:09.123Z'));
    expect(Number(row?.['updated_at'])).toBeGreaterThan(Date.now() - 600_000);
    expect(row?.['revision']).toBe(row?.['updated_at']);
    expect(await visit(`https://${host}/Dub`)).toEqual([302, 'https://example.com/dub']);
  });

  it('the past of an imported link is in an export, and comes back with it', async () => {
    const [{ manager, host }, other] = [await importExport('dub.csv'), await openClient()];
    const csv = await (await call('/v1/links/export?format=csv', { headers: manager.key })).text();
    expect(csv.split('\r\n')[0]).toContain(',"imported_clicks",');
    const home = await seedDomain(other.tenant);
    const copied = await importFile(other, csv, { query: `?host=${host}:${home}` });
    expect(copied.format.id).toBe('terse');
    const links = copied.results.map(({ link }) => [link?.short_url, link?.created_at, link?.imported_clicks]);
    expect(links).toEqual([
      [`https://${home}/Dub`, '2024-09-01T07:08:09.123Z', 321],
      [`https://${home}/dub-old`, '2024-01-01T00:00:00.000Z', 0],
    ]);
  });

  it('the past of an imported link is unchanged by a newer export with more clicks', async () => {
    const { manager, host } = await importExport('dub.csv');
    const newer = await importFile(manager, exportOf('dub.csv', host).replace('321', '400'));
    expect(outcomesOf(newer)).toEqual(['unchanged', 'unchanged']);
    expect(newer.results[0]?.link?.imported_clicks).toBe(321);
  });

  it('the past of an imported link cannot be set by a create or an edit', async () => {
    const manager = await openClient();
    const id = await manager.make();
    const init = { headers: { ...manager.key, 'Content-Type': 'application/json' } };
    const body = JSON.stringify({ imported_clicks: 5 });
    const edited = await call(`/v1/links/${id}`, { ...init, method: 'PATCH', body });
    const url = JSON.stringify({ url: 'https://example.com/', imported_clicks: 5 });
    const created = await call('/v1/links', { ...init, method: 'POST', body: url });
    expect([edited.status, created.status]).toEqual([400, 400]);
  });
});
