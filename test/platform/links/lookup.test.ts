import { describe, expect, it } from 'vitest';
import { HTML, lookUpPatiently } from '../../support/lookups.ts';
import { openOrigin, type Page } from '../../support/origins.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { browse, form, openBrowser, openLinks, textOf } from '../../support/platform.ts';
import { seedCaller } from '../../support/forms.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { openWebhookIsolate } from '../../support/webhook-owners.ts';

lookUpPatiently();

const SALE: Page = {
  headers: HTML,
  body:
    '<head><title>Spring sale</title><meta name="description" content="All of it &amp; more">' +
    '<meta property="og:image" content="/a.png"></head>',
};
const TEXTS = ['title', 'preview.title', 'preview.description', 'preview.image'] as const;

/** A signed-in user, in an isolate that allows look-ups on this machine. */
async function openForms(site: Record<string, Page> = { '/a': SALE }) {
  const { caller, cookie, path } = await openLinks();
  const origin = await openOrigin(site);
  const browser = browse(cookie, openWebhookIsolate());
  const press = async (at: string, fields: Record<string, string>) => {
    const response = await browser(`${path}/${at}`, form({ ...fields, do: 'lookup' }));
    const page = await response.text();
    return { status: response.status, page, fields: pageFieldsOf(page), headers: response.headers };
  };
  return { caller, path, origin, browser, press, url: `${origin.url}/a` };
}

const textsIn = (fields: Readonly<Record<string, string>>) => TEXTS.map((name) => fields[name]);
const noteIn = (page: string) => /role="status"[^>]*>([^<]*)</.exec(page)?.[1];

describe('the button that gets the title and the preview of a destination', () => {
  it('fills in the form of a new link, and saves nothing', async () => {
    const { path, browser, press, url, origin } = await openForms();
    expect(await textOf(browser(`${path}/new`))).toContain(`value="lookup" formaction="${path}/new"`);
    const before = await rowsOf('links');
    const { status, page, fields } = await press('new', { url, slug: 'sale', comments: 'a\r\nb' });
    expect([status, textsIn(fields)]).toEqual([
      200,
      ['Spring sale', 'Spring sale', 'All of it & more', `${origin.url}/a.png`],
    ]);
    expect(fields).toMatchObject({ url, slug: 'sale', comments: 'a\r\nb' });
    expect(noteIn(page)).toBe(
      'Filled in from the destination: Title, Title of the preview, Description, Image. Nothing is saved yet.',
    );
    expect(page).toMatch(/<form[^>]*data-unsaved/);
    expect(await rowsOf('links')).toEqual(before);
  });

  it('the form that it has filled in can be saved as it is', async () => {
    const { path, browser, press, url, origin } = await openForms();
    const { fields } = await press('new', { url });
    const { typed_by: _, ...sent } = fields;
    const made = await browser(`${path}/new`, form(sent));
    expect([made.status, await made.text()]).toEqual([303, '']);
    const [link] = (await rowsOf('links')).toReversed();
    expect(link).toMatchObject({
      title: 'Spring sale',
      preview: JSON.stringify({
        title: 'Spring sale',
        description: 'All of it & more',
        image: `${origin.url}/a.png`,
      }),
    });
  });

  it('fills in the form of an edit, with the values that were typed and not those stored', async () => {
    const { caller, path, browser, press, url } = await openForms();
    const { id } = await seedLink(caller, { title: 'Stored' });
    const shown = pageFieldsOf(await textOf(browser(`${path}/${id}/edit`)));
    const { status, page, fields } = await press(`${id}/edit`, { ...shown, url, 'preview.title': 'Mine' });
    expect([status, textsIn(fields).slice(0, 3)]).toEqual([200, ['Stored', 'Mine', 'All of it & more']]);
    expect(fields).toMatchObject({ url, revision: shown['revision'] });
    expect(noteIn(page)).toBe('Filled in from the destination: Description, Image. Nothing is saved yet.');
    expect((await rowsOf('links')).find((row) => row['id'] === id)).toMatchObject({ title: 'Stored', preview: null });
  });

  it('changes no value that was typed, and says so', async () => {
    const { press, url } = await openForms();
    const typed = Object.fromEntries(TEXTS.map((name) => [name, 'https://example.com/mine']));
    const { page, fields } = await press('new', { url, ...typed });
    expect(fields).toMatchObject(typed);
    expect(noteIn(page)).toBe(
      'Nothing was filled in: the fields have values. Empty those to get from the destination.',
    );
  });

  it('says that a page has no texts, or which status it has', async () => {
    const site = {
      '/a': { headers: HTML, body: '<p>' },
      '/b': { status: 404, headers: HTML, body: '<title>No</title>' },
    };
    const { press, url, origin } = await openForms(site);
    const [none, missing] = [await press('new', { url }), await press('new', { url: `${origin.url}/b` })];
    expect(noteIn(none.page)).toBe('The destination has no title and no preview.');
    expect(noteIn(missing.page)).toBe(
      'The destination has responded with the status 404, without a title and a preview.',
    );
    expect([none.status, missing.status]).toEqual([200, 200]);
    expect(textsIn(missing.fields)).toEqual(['', '', '', '']);
  });

  it.each([
    ['', 'is required'],
    ['nowhere', 'must be an absolute http or https URL'],
    ['https://terse.test/a', 'leads to a host of this service'],
    ['http://10.0.0.1/', 'must lead to a host of the public internet'],
    ['http://127.0.0.1:9/', 'leads to a server that does not respond'],
  ])('says beside the destination %o what is wrong with it, and keeps what was typed', async (url, sentence) => {
    const { press } = await openForms();
    const { status, page, fields } = await press('new', { url, comments: 'kept', utm_source: 'news' });
    expect(status).toBe(400);
    expect(/id="fault-url">([^<]*)</.exec(page)?.[1]).toContain(sentence);
    expect(fields).toMatchObject({ url, comments: 'kept', utm_source: 'news' });
  });

  it('keeps no password in the page, and says to enter it again', async () => {
    const { press, url } = await openForms();
    const { page } = await press('new', { url, password: 'correct horse' });
    expect(page).not.toContain('correct horse');
    expect(page).toContain('Enter the password again: it is not in this page.');
  });

  it('keeps the form beyond ten look-ups a minute, with the time to wait', async () => {
    const { press, url } = await openForms();
    const pressed = [];
    for (let n = 0; n < 21; n++) pressed.push(await press('new', { url, comments: 'kept' }));
    // A minute may begin in between.
    const refused = pressed.find(({ status }) => status === 429);
    expect(refused?.fields).toMatchObject({ url, comments: 'kept' });
    expect(refused?.page).toContain('This credential looks up destinations too often.');
    expect(refused?.headers.get('Retry-After')).toMatch(/^[1-9]\d?$/);
    expect(pressed.slice(0, 10).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });

  it('refuses people of another workspace', async () => {
    const { path, origin, url } = await openForms();
    const stranger = await openBrowser(await seedCaller());
    const response = await stranger.browse(`${path}/new`, form({ url, do: 'lookup' }));
    expect(response.status).toBe(404);
    expect(await origin.lines()).toEqual([]);
  });
});
