import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliver, packOf } from '../../support/clicks.ts';
import { openPagesOfLink } from '../../support/link-pages.ts';
import { form, openLinks, placeOf, textOf } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const TABS = [
  ['', 'Statistics'],
  ['/details', 'Details'],
  ['/qr', 'QR'],
  ['/history', 'History'],
  ['/api', 'API'],
] as const;

const decoded = (html: string) =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** The code on a page with an id. */
const codeOf = (page: string, id: string) =>
  decoded(new RegExp(`<code id="${id}">([^<]*)</code>`).exec(page)?.[1] ?? '');

describe('the page of a link', () => {
  it.each(TABS)('the page of a link has a head and all tabs on %s, the open one marked', async (below, label) => {
    const { id, path, browse } = await openPagesOfLink({ title: 'Spring' });
    const page = await textOf(browse(`${path}${below}`));
    expect(page).toContain('<h1><bdi>Spring</bdi></h1>');
    expect(page).toContain(`<title>terse.test/${id}${below === '' ? '' : ` · ${label}`} · Terse</title>`);
    expect(page).toContain(`data-text="https://terse.test/${id}"`);
    expect(page).toMatch(
      /title="https:\/\/example.com\/"><svg.*?<\/svg><span dir="ltr"><span class="unseen">Leads to <\/span>https:\/\/example.com<\/span><\/a>/,
    );
    expect(page).toContain('<span class="badge success">Active</span>');
    for (const action of ['edit', 'disable', 'delete']) expect(page).toContain(`${path}/${action}"`);
    const [, nav = ''] = /<nav class="subnav" aria-label="Pages of the link">(.*?)<\/nav>/s.exec(page) ?? [];
    expect([...nav.matchAll(/href="([^"]+)"( aria-current="page")?>([^<]+)</g)].map((found) => found.slice(1))).toEqual(
      TABS.map(([tab, name]) => [`${path}${tab}`, tab === below ? ' aria-current="page"' : undefined, name]),
    );
  });

  it('the page of a link has ids and metadata for developers alone, set or to add', async () => {
    const { path, browse } = await openPagesOfLink({ title: 'Spring' });
    const page = await textOf(browse(`${path}/details`));
    const addedIn = (section: string) => {
      const [, content = ''] = new RegExp(`aria-labelledby="${section}">(.*?)</section>`, 's').exec(page) ?? [];
      return [...content.matchAll(/<\/svg>([^<]+)<\/a>/g)].map(([, label]) => label);
    };
    expect(addedIn('developers')).toEqual(['External ID', 'Metadata']);
    expect(addedIn('add')).toEqual(expect.arrayContaining(['Comments', 'Password']));
    expect(addedIn('add')).not.toEqual(expect.arrayContaining(['External ID']));
  });

  it.each([
    // With the changes that are pins of the chart.
    ['', 4],
    ['/details', 2],
    // With the logo that the workspace keeps, in parallel.
    ['/qr', 3],
    ['/history', 3],
    ['/api', 2],
  ])('the page of a link reads on the tab %j only what it shows, in %i trips', async (below, most) => {
    const { caller, browse, path } = await openLinks();
    const link = await seedLink(caller);
    await deliver([packOf(link, 3)]);
    const trips = await countTrips();
    const page = await textOf(browse(`${path}/${link.id}${below}`));
    expect(trips()).toEqual({ d1: most, kvReads: 0, kvWrites: 0 });
    expect(/>Visits<[^]{0,80}<dd><bdi>3<\/bdi>/.test(page)).toBe(below === '');
  });

  it.each(TABS)('the page of another workspace’s link is not found on %s', async (below) => {
    const [{ path }, other] = [await openPagesOfLink(), await openLinks()];
    const id = path.split('/').at(-1);
    expect((await other.browse(`${path}${below}`)).status).toBe(404);
    expect((await other.browse(`${other.path}/${id}${below}`)).status).toBe(404);
  });

  it.each(TABS)('the page of a link is shown again at %s after it was disabled and enabled there', async (below) => {
    const { browse, path } = await openPagesOfLink();
    for (const action of ['disable', 'enable']) {
      const page = await textOf(browse(`${path}${below}`));
      const [, to = ''] = new RegExp(`${action}"><input type="hidden" name="to" value="([^"]+)"`).exec(page) ?? [];
      expect(placeOf(await browse(`${path}/${action}`, form({ to })))).toEqual([303, `${path}${below}`]);
    }
    expect(placeOf(await browse(`${path}/disable`, form({ to: 'https://evil.example/' })))).toEqual([303, '/platform']);
  });
});

describe('the tab of the API', () => {
  it('the API tab of a link has the calls for the link, with no secret in them', async () => {
    const { caller, browse, path } = await openLinks();
    const url = "https://example.com/it's?a=1";
    const link = await seedLink(caller, { url, campaign_name: 'A <b>', sec_id: 'print', external_id: 'it/s-1' });
    const page = await textOf(browse(`${path}/${link.id}/api`));
    expect(page).toContain(`value="${link.id}" readonly`);
    expect(page).toContain(`value="it/s-1" readonly`);
    expect(page).not.toContain(caller.apiKey);
    const of = `https://terse.test/v1/links/${link.id}`;
    expect(codeOf(page, 'curl-get')).toBe(`curl ${of} -H 'X-API-Key: API_KEY'`);
    expect(codeOf(page, 'curl-patch')).toBe(
      `curl -X PATCH ${of} -H 'X-API-Key: API_KEY' \\\n  -H 'Content-Type: application/json' -d '{"title":"New title"}'`,
    );
    expect(codeOf(page, 'curl-stats')).toBe(`curl ${of}/stats -H 'X-API-Key: API_KEY'`);
    expect(codeOf(page, 'curl-qr-code')).toBe(`curl ${of}/qr.svg -H 'X-API-Key: API_KEY' -o ${link.id}.svg`);
    expect(codeOf(page, 'curl-info')).toBe(
      `curl https://terse.test/info/${link.id}/${caller.clientId}/print \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`,
    );
    expect(codeOf(page, 'curl-create')).toBe(
      [
        `curl https://terse.test/v1/links -H 'X-API-Key: API_KEY'`,
        `--form-string client_id=${caller.clientId}`,
        String.raw`--form-string 'url=https://example.com/it'\''s?a=1'`,
        '--form-string sec_id=print',
        `--form-string 'campaign_name=A <b>'`,
      ].join(' \\\n  '),
    );
    expect(codeOf(page, 'typescript-patch')).toBe(
      [
        `const { data, error } = await terse.PATCH('/v1/links/{id}', {`,
        `  params: { path: { id: "${link.id}" } },`,
        '  body: {"title":"New title"},',
        '});',
      ].join('\n'),
    );
    expect(codeOf(page, 'typescript-start')).toContain(`baseUrl: 'https://terse.test'`);
  });

  it('the API tab of a link has calls that work as they are, once they have a key', async () => {
    const { caller, id, browse, path } = await openPagesOfLink({ external_id: 'a/b?c' });
    const page = await textOf(browse(`${path}/api`));
    const statuses = [];
    for (const name of ['get', 'stats', 'qr-code', 'external', 'patch', 'delete']) {
      const code = codeOf(page, `curl-${name}`).replace('API_KEY', caller.apiKey);
      const [, method = 'GET'] = /-X (\w+)/.exec(code) ?? [];
      const [, url = ''] = /'?(https:[^\s']+)'?/.exec(code) ?? [];
      const [, body] = /-d '(.*)'$/.exec(code) ?? [];
      const headers = Object.fromEntries(
        [...code.matchAll(/-H '([^:]+): ([^']+)'/g)].map((found) => found.slice(1, 3)),
      );
      const response = await call(url, { method, headers, ...(body !== undefined && { body }) });
      statuses.push([name, response.status]);
      if (name === 'external') expect(await response.json()).toMatchObject({ id });
    }
    expect(statuses).toEqual([
      ['get', 200],
      ['stats', 200],
      ['qr-code', 200],
      ['external', 200],
      ['patch', 200],
      ['delete', 204],
    ]);
  });
});
