import { expect, it } from 'vitest';
import { seedCaller } from '../support/forms.ts';
import { browse, form, openBrowser, openLinks, textOf } from '../support/platform.ts';
import { upload } from '../support/import-pages.ts';
import { seedLink } from '../support/seed.ts';
import { ORIGIN } from '../support/service.ts';
import { wordsIn } from '../../src/platform/words.tsx';

/** The language of the pages: that of the browser, or the one that the user has chosen. */

const wanting = (language: string) => ({ headers: { 'Accept-Language': language } });
const langOf = (page: string) => /<html lang="([^"]*)"/.exec(page)?.[1];
const titleOf = (page: string) => /<title>(.*?) · /.exec(page)?.[1];

it.each([
  ['de', 'de', 'Anmelden'],
  ['de-AT, en;q=0.5', 'de', 'Anmelden'],
  ['nl, de;q=0.5', 'de', 'Anmelden'],
  ['de;q=0.5, en', 'en', 'Sign in'],
  // Languages of visitors' pages that the platform does not have.
  ['ar, pt;q=0.8', 'en', 'Sign in'],
  ['*', 'en', 'Sign in'],
  ['', 'en', 'Sign in'],
  ['x'.repeat(5000), 'en', 'Sign in'],
])('who asks for %s gets the page to sign in in %s', async (header, language, title) => {
  const page = await textOf(browse('')('/platform/sign-in', wanting(header)));
  expect([langOf(page), titleOf(page)]).toEqual([language, title]);
});

it('a user chooses a language, which then goes before that of the browser, and gives it up again', async () => {
  const { browse: visit } = await openBrowser(await seedCaller());
  const pageIn = (header: string) => textOf(visit('/platform/account', wanting(header)));
  expect(langOf(await pageIn('de'))).toBe('de');
  const saved = await visit('/platform/account/language', form({ language: 'en' }));
  expect([saved.status, saved.headers.get('Location')]).toEqual([303, '/platform/account']);
  const chosen = await pageIn('de');
  expect(langOf(chosen)).toBe('en');
  expect(chosen).toContain('<option value="en" selected="">English</option>');
  expect(chosen).toContain('<option value="de">Deutsch</option>');
  await visit('/platform/account/language', form({ language: '' }));
  expect(langOf(await pageIn('de'))).toBe('de');
});

it.each(['xx', 'pt', '<b>'])('the language %s cannot be chosen', async (language) => {
  const { browse: visit } = await openBrowser(await seedCaller());
  const response = await visit('/platform/account/language', form({ language }));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('id="fault-language">This must be one of the languages of the list.</p>');
});

it('an error of the API is translated, and one without a translation is marked as English', async () => {
  const { browse: visit } = await openBrowser(await seedCaller());
  const send = (path: string, fields: Record<string, string>) =>
    textOf(visit(path, form(fields, { 'Accept-Language': 'de' })));
  const known = await send('/platform/account/time-zone', { tz: 'Nowhere' });
  expect(known).toContain('id="fault-tz">Geben Sie den Namen einer Zeitzone ein, zum Beispiel Europe/Paris.</p>');
  const unknown = await send('/platform/account/language', { language: 'xx' });
  expect(unknown).toContain('id="fault-language" lang="en">This must be one of the languages of the list.</p>');
  expect(unknown).toContain('<span lang="en">This must be one of the languages of the list.</span>');
});

it('a page of an error is in the language of the visitor', async () => {
  const { browse: visit } = await openBrowser(await seedCaller());
  const response = await visit('/platform/c/unknown/links', wanting('de'));
  const page = await response.text();
  expect([response.status, langOf(page)]).toEqual([404, 'de']);
  expect(page).toContain('<h1>Seite nicht gefunden</h1>');
});

it('a sentence of the API keeps what changes in it', async () => {
  const { said } = await wordsIn('de');
  expect(said('This must be at most 64 characters long.')).toBe('Höchstens 64 Zeichen sind möglich.');
  expect(
    said('slug a.b is already in use on this host, possibly with different upper and lower case. Choose another one.'),
  ).toBe(
    'Der Slug a.b wird auf diesem Host schon verwendet, vielleicht mit anderer Groß- und Kleinschreibung. Wählen Sie einen anderen.',
  );
  expect(said('This is not known.')).toEqual({ english: 'This is not known.' });
  expect((await wordsIn('en')).said('This is not known.')).toBe('This is not known.');
});

it('the error of a slug is in the language of the page beside another one, and while the form is filled in', async () => {
  const { path, browse: visit } = await openLinks();
  const inGerman = { 'Accept-Language': 'de' };
  const taken = { slug: 'ein-kurzer', url: 'https://example.com/' };
  await visit(`${path}/new`, form(taken));
  const fault = 'Der Slug ein-kurzer wird auf diesem Host schon verwendet';
  const refused = await textOf(visit(`${path}/new`, form({ ...taken, url: 'x' }, inGerman)));
  expect(refused).toContain(`id="fault-slug">${fault}`);
  const { faults } = await (
    await visit(`${path}/check`, form({ ...taken, url: 'https://example.com/other' }, inGerman))
  ).json<{
    faults: Record<string, unknown>;
  }>();
  expect(faults).toEqual({
    slug: 'Der Slug ein-kurzer wird auf diesem Host schon verwendet, vielleicht mit anderer Groß- und Kleinschreibung. Wählen Sie einen anderen.',
  });
});

it('the link past the header is in the language of the page', async () => {
  const page = await textOf(browse('')('/platform/sign-in', wanting('de')));
  expect(page).toContain('<a class="skip" href="#main">Zum Inhalt springen</a>');
});

it('the errors and the notes of the rows of a file are in the language of the page, with its names of fields', async () => {
  const { caller, path, browse: visit } = await openLinks();
  await seedLink(caller, { slug: 'ein-langer' });
  const file =
    'Link,Long URL,Title,Created,Clicks\nhttps://bit.ly/ok,https://example.com/,a,2024-01-01,7\n' +
    `https://bit.ly/bad,nowhere,a,2024-01-01,\nhttps://bit.ly/ein-langer,https://example.com/x,${'a'.repeat(300)},2024-01-01,\n`;
  const inLanguage = (language: string) =>
    textOf(visit(`${path}/import`, { ...upload(file), headers: { Origin: ORIGIN, 'Accept-Language': language } }));
  const german = await inLanguage('de');
  expect(german).toContain('Ziel: Geben Sie eine vollständige http- oder https-URL ein');
  expect(german).toContain('<span class="hint">Von seinen Klicks bleibt nur die Gesamtzahl erhalten.</span>');
  expect(german).toMatch(/Der Slug ein-langer gehört schon zu einem Ihrer Links, .* unterscheidet: Ziel, Titel\./);
  expect(/<main.*<\/main>/s.exec(german)?.[0]).not.toContain('lang="en"');
  expect(await inLanguage('ja')).toContain('クリックは合計のみ引き継がれます。');
});

it('the errors and the notes of the rows of a file without a translation are marked as English', async () => {
  const { path, browse: visit } = await openLinks();
  const sent = upload(
    'slug,url,language,clicks_left,max_clicks\nbroken,https://example.com/,xx,,\nlimited,https://example.com/,,,5\n',
  );
  const inLanguage = (language: string) =>
    textOf(visit(`${path}/import`, { ...sent, headers: { Origin: ORIGIN, 'Accept-Language': language } }));
  const english = await inLanguage('en');
  const [, error = ''] = /data-label="Link or error">([^<]+)</.exec(english) ?? [];
  const [, note = ''] = /class="stacked">.*?<span class="hint">([^<]+)</s.exec(english) ?? [];
  expect([error, note].filter((text) => text === '')).toEqual([]);
  const german = await inLanguage('de');
  expect(german).toContain(`<span lang="en">${error}</span>`);
  expect(german).toContain(`<span class="hint"><span lang="en">${note}</span></span>`);
});

it('an error of a file is in the language of the page, or is marked as English', async () => {
  const { path, browse: visit } = await openLinks();
  const inGerman = (file: string) =>
    textOf(visit(`${path}/import`, { ...upload(file), headers: { Origin: ORIGIN, 'Accept-Language': 'de' } }));
  expect(await inGerman('slug,url,redirect_status,expires_at\na,https://example.com/,999,nope\n')).toContain(
    'Weiterleitungsstatus: Möglich sind 301, 302, 307 und 308.',
  );
  expect(await inGerman('\n')).toContain('Die Datei ist leer. Die erste Zeile muss die Spalten nennen.');
  expect(await inGerman('foo,bar\n1,2\n')).toContain('<span lang="en">There are no columns');
});
