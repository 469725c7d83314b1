import { afterEach, describe, expect, it, vi } from 'vitest';
import wordsPage from '../../docs/contributing/words.md?raw';
import { NOW } from '../../scripts/reference/examples.ts';
import { openPage, PAGE_NAMES } from '../support/pages.ts';
import { seedMember } from '../support/domains.ts';
import { exportOf } from '../support/exports.ts';
import { form, openBrowser, openLinks } from '../support/platform.ts';
import { seedLink } from '../support/seed.ts';
import { call, ORIGIN } from '../support/service.ts';
import { shareOf } from '../support/share.ts';
import { avoidedIn, parseWords, readableOf } from '../support/words.ts';

/** The word list of docs/contributing/words.md, against what pages say when they are rendered. */

const { everywhere, pages } = parseWords(wordsPage);
const ofPlatform = [...everywhere, ...pages];
/** Files, and what scripts of the pages request. All others are pages, or redirects to one. */
const NO_PAGE =
  /\.(?:csv|ndjson|json|svg|png)$|\/check$|\/import\/piece$|\/live\/stream$|\/(?:sign-in|confirm)\/passkey$/;
const BROWSER = { headers: { Accept: 'text/html' } };

it('reads the texts and the labels of a page, and no code', () => {
  const html = '<h1 aria-label="a Target">x</h1><code>target</code><p class="target">The <b>target</b></p>';
  expect(avoidedIn(readableOf(html), everywhere)).toHaveLength(2);
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the words of a page of the platform', () => {
  it.each(shareOf(PAGE_NAMES))('a page of the platform keeps to the word list: %s', async (name) => {
    // The invite of the examples is valid then.
    vi.setSystemTime(NOW);
    const response = await (await openPage(name)).send();
    const isPage = response.headers.get('Content-Type')?.startsWith('text/html') ?? false;
    // A stream does not end.
    const text = isPage ? await response.text() : '';
    if (isPage) expect(text).toContain('<title>');
    else if (response.status !== 303) expect(name).toMatch(NO_PAGE);
    expect(avoidedIn(readableOf(text), ofPlatform)).toEqual([]);
    // Else the order of the keyboard would not be that of the page (WCAG 2.2, 2.4.3).
    expect(text).not.toMatch(/tabindex="[1-9]/);
    // A question is easier to read in one narrow column.
    if (text.includes('<div class="confirm"')) expect(text).toContain('<main id="main" class="page narrow"');
  });

  it.each([
    '',
    '/links',
    '/links/new',
    '/keys',
    '/domains',
    '/members',
    '/audit',
    '/links?q=none',
    '/links?state=x',
    '/no',
  ])('a page of a new workspace keeps to the word list: %s', async (path) => {
    const { browse, caller } = await openLinks();
    const text = await (await browse(`/platform/c/${caller.clientId}${path}`)).text();
    expect(text).toContain('<h1');
    expect(avoidedIn(readableOf(text), ofPlatform)).toEqual([]);
  });

  it.each(['links/new', 'keys/new', 'domains/new', 'members/invite'])(
    'a page with an empty form keeps to the word list: %s',
    async (path) => {
      const { browse, caller } = await openLinks();
      const response = await browse(`/platform/c/${caller.clientId}/${path}`, form({}));
      expect(response.status).toBe(400);
      expect(avoidedIn(readableOf(await response.text()), ofPlatform)).toEqual([]);
    },
  );

  it.each(['/platform/sign-in', '/platform/invite/none', '/platform/reset/none', '/platform/none'])(
    'a page without a session keeps to the word list: %s',
    async (path) => {
      expect(avoidedIn(readableOf(await (await call(path, BROWSER)).text()), ofPlatform)).toEqual([]);
    },
  );
});

describe('the words of a refusal on a page', () => {
  const expectPlain = (page: string, sentence: string) => {
    const text = readableOf(page);
    expect(text).toContain(sentence);
    expect(avoidedIn(text, ofPlatform)).toEqual([]);
    expect(text).not.toMatch(/\/v1\/|\bhost=/);
  };

  it('a refusal on a page of a link keeps to the word list, and names no endpoint', async () => {
    const { browse, caller, path } = await openLinks();
    await seedLink(caller, { external_id: 'taken' });
    const response = await browse(`${path}/new`, form({ url: 'https://example.com/', external_id: 'taken' }));
    expect(response.status).toBe(409);
    expectPlain(await response.text(), 'already in use by another link');
  });

  it.each([
    ['bitly.csv', 'links.example.com', 'bit.ly links cannot keep their domain'],
    ['dub.csv', 'links.example.com', 'only an owner can add it. Ask an owner to add it or to import the file'],
    ['yourls.csv', '', 'Choose one under “Links without a domain in the file become”.'],
  ])(
    'a refusal on a page of rows of a file keeps to the word list, and names no endpoint: %s',
    async (name, host, sentence) => {
      const { caller, path } = await openLinks();
      const { browse } = await openBrowser(await seedMember(caller));
      const body = new FormData();
      body.set('file', new File([exportOf(name, host)], name));
      const response = await browse(`${path}/import`, { method: 'POST', body, headers: { Origin: ORIGIN } });
      expectPlain(await response.text(), sentence);
    },
  );
});

describe('the words of a public page', () => {
  it.each(['/', '/docs', '/docs/errors', '/changelog', '/no-such-slug'])(
    'a public page keeps to the word list: %s',
    async (path) => {
      const text = await (await call(path, BROWSER)).text();
      expect(text).toContain('<title>');
      // The changes of a release are its data, and stay as they were published.
      const page = path === '/changelog' ? text.replaceAll(/<section class="release".*?<\/section>/gs, '') : text;
      expect(avoidedIn(readableOf(page), everywhere)).toEqual([]);
    },
  );
});
