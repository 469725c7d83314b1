import { describe, expect, it } from 'vitest';
import { newSlug } from '../../support/files.ts';
import { fieldsOf, upload } from '../../support/import-pages.ts';
import { seedCaller } from '../../support/forms.ts';
import { seedMember } from '../../support/management.ts';
import { openBrowser, openLinks, textOf } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { inWords } from '../../../src/platform/links/import/import-words.ts';

/** The text of the main part of a page, without forms' values. */
const wordsOf = (page: string) =>
  (/<main.*<\/main>/s.exec(page)?.[0] ?? '').replaceAll(/<code>.*?<\/code>|<option.*?<\/option>|<[^>]*>/gs, ' ');

describe('the words of an import', () => {
  it('the words of an import have no names of the fields of the API', async () => {
    const { caller, browse, path } = await openLinks();
    const slug = newSlug();
    await seedLink(caller, { slug });
    const csv =
      `slug,url,max_clicks,expires_at,starts_at,redirect_status,custom_domain,clicks_left\n` +
      `${slug},https://example.com/other,5,,,,,5\nbad slug,nowhere,x,nope,nope,999,not a host,\n` +
      `,https://example.com/,,2020-01-01T00:00:00Z,,,localhost,\n`;
    const page = await textOf(browse(`${path}/import`, upload(csv)));
    expect(page).toContain('<dt>Errors</dt><dd>3</dd>');
    expect(wordsOf(page)).toContain(`The slug ${slug} is already in use`);
    expect(
      wordsOf(page)
        .match(/\b[a-z]+(?:_[a-z]+)+\b/g)
        ?.filter((word) => !COLUMNS.has(word)) ?? [],
    ).toEqual([]);
    expect(wordsOf(await textOf(browse(`${path}/files`))).match(/\b[a-z]+(?:_[a-z]+)+\b/g)).toBeNull();
  });

  it.each([
    [
      'custom_domain go.example.com is not one of your domains, and only an owner can add it. Ask an owner to add it first, or to import the file, or choose another host for its links, such as host=go.example.com:shared.',
      'go.example.com is not one of your domains, and only an owner can add it. Ask an owner to add it first, or to import the file, or choose another domain under “Keep go.example.com links as”.',
    ],
    [
      'bit.ly links cannot keep their domain, since it belongs to a link service. Choose another host for them, such as host=bit.ly:shared.',
      'bit.ly links cannot keep their domain, since it belongs to a link service. Choose another domain for them under “Keep bit.ly links as”.',
    ],
    [
      'slug my_slug is already in use by a link that differs in url, max_clicks.',
      'The slug my_slug is already in use by a link that differs in destination, click limit.',
    ],
    ['expires_at must be in the future.', 'Expires must be in the future.'],
    ['tags.0 must be a text.', 'Tags must be a text.'],
    [
      'expires_at must be a date such as 2027-01-31, an ISO 8601 instant such as 2027-01-01T00:00:00Z, or a date in the order of day, month and year that dates names.',
      'Expires must be a date such as 2027-01-31 or an instant such as 2027-01-01T00:00:00Z.',
    ],
  ])('the words of an import say: %s', (sentence, shown) => {
    expect(inWords(sentence)).toBe(shown);
  });

  it('the words of an import say that links of a member go to the service where only an owner can add their domain', async () => {
    const owner = await seedCaller();
    const { browse } = await openBrowser(await seedMember(owner));
    const path = `/platform/c/${owner.clientId}/links`;
    const csv = `Short link,Destination URL,Clicks,Created at\nhttps://go.unknown.example/${newSlug()},https://example.com/,1,2024-01-01\n`;
    const page = await textOf(browse(`${path}/import`, upload(csv)));
    expect(wordsOf(page)).toContain(
      'go.unknown.example links cannot keep their domain, since only an owner can add it.',
    );
    expect(fieldsOf(page)).toMatchObject({ place_0: 'shared', checked: 'host=go.unknown.example%3Ashared' });
    expect(page).toContain('<dt>To be created</dt><dd>1</dd>');
  });

  it('the words of an import say of each column an example, what it becomes and why', async () => {
    const { browse, path } = await openLinks();
    const csv = `Link,Destination URL,Tags,Channel\nbit.ly/${newSlug()},https://example.com/,"a,b",web\n`;
    const words = wordsOf(await textOf(browse(`${path}/import`, upload(csv)))).replaceAll(/\s+/g, ' ');
    expect(words).toContain('Tags a,b Tags New tags are created.');
    expect(words).toContain('Channel web Left out Links have no such field here.');
  });
});

/** The columns of the file, which its preview lists. */
const COLUMNS: ReadonlySet<string> = new Set([
  'max_clicks',
  'expires_at',
  'starts_at',
  'redirect_status',
  'custom_domain',
  'clicks_left',
]);
