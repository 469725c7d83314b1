import { describe, expect, it } from 'vitest';
import { seedClicks } from '../support/stats.ts';
import { form, openLinks, placeOf } from '../support/platform.ts';
import { seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';

/** The service leaves out the empty fields of an address, where no script does. */

async function openPages() {
  const { caller, browse, path } = await openLinks();
  const link = await seedLink(caller, { campaign_name: 'Spring' });
  await seedClicks(link, [{ at: new Date().toISOString() }]);
  const client = `/platform/c/${caller.clientId}`;
  return { browse, path, client, link };
}

describe('an address of a page', () => {
  it('an address of a page loses its empty parameters, and keeps the others in their order', async () => {
    const { browse, path } = await openPages();
    const searched = `${path}?q=a+b&campaign_name=&tag=&slug=&url=&sec_id=&external_id=&state=disabled`;
    const sent = await browse(searched);
    expect(placeOf(sent)).toEqual([302, `${path}?q=a+b&state=disabled`]);
    expect((await browse(sent.headers.get('Location') ?? '')).status).toBe(200);
    expect(placeOf(await browse(`${path}?q=&campaign_name=`))).toEqual([302, path]);
    expect(placeOf(await browse(`${path}?q`))).toEqual([302, path]);
  });

  it.each([
    ['the statistics of a workspace', '', 'from=2026-01-01&to=', 'from=2026-01-01'],
    ['a repeated filter', '', 'country=AT&country=&country=DE', 'country=AT&country=DE'],
    [
      'the form of a new link',
      '/links/new',
      'typed_by=someone&url=https%3A%2F%2Fexample.com%2F&slug=',
      'url=https%3A%2F%2Fexample.com%2F',
    ],
    ['a visit that is tried', '/links/ID/try', 'agent=iphone&country=&query=a%3Db%26c', 'agent=iphone&query=a%3Db%26c'],
    ['the code of a link', '/links/ID/qr', 'size=512&level=', 'size=512'],
    ['a new name of a campaign', '/campaigns/Spring/rename', 'name=&do=continue', 'do=continue'],
  ])('an address of a page is shorter for %s', async (_, below, query, kept) => {
    const { browse, client, link } = await openPages();
    const path = `${client}${below.replace('ID', link.id)}`;
    expect(placeOf(await browse(`${path}?${query}`))).toEqual([302, `${path}?${kept}`]);
  });

  it('an address of a page is the same where nothing in it is empty, and for what is sent by POST', async () => {
    const { browse, path } = await openPages();
    expect((await browse(`${path}?q=%20`)).status).toBe(200);
    expect((await browse(`${path}/new?slug=`, form({ url: 'no URL' }))).status).toBe(400);
  });

  it('an address of a page is cleaned before the user signs in, and refused where it is too long', async () => {
    const { browse, path } = await openPages();
    expect(placeOf(await call(`${path}?q=&tag=a`))).toEqual([302, `${path}?tag=a`]);
    expect((await browse(`${path}?q=&${'a=&'.repeat(4000)}`)).status).toBe(400);
  });
});

it('a page says that a campaign needs a new name where the field was left empty', async () => {
  const { browse, client } = await openPages();
  const page = await browse(`${client}/campaigns/Spring/rename?do=continue`);
  expect([page.status, (await page.text()).match(/id="fault-name"[^>]*>([^<]+)/)?.[1]]).toEqual([
    400,
    expect.stringMatching(/\w/),
  ]);
});
