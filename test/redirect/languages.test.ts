import { afterEach, describe, expect, it, vi } from 'vitest';
import { LANGUAGE_TAGS, type Language } from '../../src/languages/list.ts';
import { visitorWords } from '../../src/languages/visitor-words.ts';
import { enter } from '../support/locked.ts';
import { openIsolate, type Call } from '../support/service.ts';
import { shareOf } from '../support/share.ts';
import { seedVisited, URL_OF_LINK, VISITOR_PAGES, wanting, type VisitorPage } from '../support/visitor-pages.ts';
import { lock } from '../support/visits.ts';

/** The pages for visitors in each language. */

afterEach(() => void vi.restoreAllMocks());

/** The texts of a page: of each of its elements, and its title. */
const textsIn = (page: string) =>
  page
    .replace(/<script.*?<\/script>/s, '')
    .split(/<[^>]+>/)
    .map((text) => text.replaceAll(/[ \n]+/g, ' ').replaceAll(/^ | $/g, ''))
    .filter(Boolean);

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

async function expectPage(response: Response, language: Language, { status, texts }: VisitorPage): Promise<void> {
  const page = await response.text();
  const { 'content-language': content } = Object.fromEntries(response.headers);
  expect([response.status, content]).toEqual([status, language]);
  expect(page).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
  const expected = texts(await visitorWords(language)).map(escaped);
  const found = textsIn(page);
  expect(found).toEqual(expected.map((text, at) => (text === 'SLUG' ? found[at] : text)));
}

const varies = (response: Response) => (response.headers.get('Vary') ?? '').split(', ');

describe.each(shareOf(Object.entries(VISITOR_PAGES)))('%s', (name, page) => {
  it.each(LANGUAGE_TAGS)(`${name} has the words of %s alone if the visitor asks for it`, async (language) => {
    const response = await page.open(`${language}, nl;q=0.5`);
    await expectPage(response, language, page);
    expect(varies(response)).toContain('Accept-Language');
  });
});

it.each(Object.entries(VISITOR_PAGES).filter(([, { isOfLink = true }]) => isOfLink))(
  '%s is in the language of the link, whatever the visitor asks for',
  async (_, page) => {
    const response = await page.open('fr', 'ja');
    await expectPage(response, 'ja', page);
    expect(varies(response)).not.toContain('Accept-Language');
  },
);

it('a link with a password says in German that the password is wrong', async () => {
  const { isolate, id } = await seedVisited();
  await lock(id, 'open sesame');
  const page = await (await enter(isolate, `/${id}`, 'wrong', { 'Accept-Language': 'de-CH' })).text();
  for (const sentence of [
    '<title>Fehler: Passwort eingeben</title>',
    '<p>Dieser Link ist geschützt. Das Passwort bekommen Sie von der Person, die ihn geschickt hat.</p>',
    '<p class="fault" id="fault" role="alert">Das Passwort ist falsch.</p>',
    '<button>Weiter</button>',
  ])
    expect(page).toContain(sentence);
});

it('a link that asks first names its host in Arabic from left to right', async () => {
  const { isolate, id } = await seedVisited({ ask_first: true });
  const page = await (await isolate(`/${id}`, wanting('ar'))).text();
  expect(page).toContain('<html lang="ar" dir="rtl">');
  expect(page).toContain('<h1>المتابعة إلى موقع آخر؟</h1>');
  expect(page).toContain('<p>يؤدي هذا الرابط إلى <strong dir="ltr">www.example.com</strong></p>');
});

it('an error of a form that no dictionary has is in English, and says so', async () => {
  const { isolate, id } = await seedVisited({ language: 'ar' });
  await lock(id, 'open sesame');
  const response = await isolate(`/${id}`, {
    method: 'POST',
    body: 'password=a&password=b',
    headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('<p class="fault" id="fault" role="alert" lang="en" dir="ltr">');
});

it('a link before its start has the page of an address without a link, in the language of the visitor', async () => {
  const { isolate, id } = await seedVisited({ language: 'ja', starts_at: '2099-01-01T00:00:00Z' });
  const [early, none] = [await isolate(`/${id}`, wanting('fr')), await isolate('/nosuchlink', wanting('fr'))];
  expect([early.status, Object.fromEntries(early.headers), await early.text()]).toEqual([
    404,
    Object.fromEntries(none.headers),
    await none.text(),
  ]);
  expect(none.headers.get('Content-Language')).toBe('fr');
});

it('an error for a program is in English, whatever language it asks for', async () => {
  const response = await openIsolate()('/nosuchlink', {
    headers: { Accept: 'application/json', 'Accept-Language': 'de' },
  });
  const { vary, 'content-language': language } = Object.fromEntries(response.headers);
  expect([response.status, vary, language, await response.json()]).toEqual([
    404,
    'Accept',
    undefined,
    { result: 'Failed', error: 'not_found: There is no short link at this address.' },
  ]);
});

it('HEAD has the headers of the page in the language of the visitor', async () => {
  const response = await openIsolate()('/nosuchlink', { ...wanting('zh-CN'), method: 'HEAD' });
  const { 'content-language': language, vary } = Object.fromEntries(response.headers);
  expect([response.status, language, vary, await response.text()]).toEqual([
    404,
    'zh-Hans',
    'Accept, Accept-Language',
    '',
  ]);
});

function redirectsOf(call: Call, path: string) {
  return Promise.all(['de', 'ar', 'x'.repeat(5000)].map((language) => call(path, wanting(language))));
}

it('a redirect is the same in each language, and says nothing of languages', async () => {
  const { isolate, id } = await seedVisited({ language: 'fr' });
  for (const response of await redirectsOf(isolate, `/${id}`)) {
    const { vary, 'content-language': language, location } = Object.fromEntries(response.headers);
    expect([response.status, location, vary, language]).toEqual([302, URL_OF_LINK, undefined, undefined]);
  }
});
