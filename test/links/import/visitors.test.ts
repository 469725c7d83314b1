import { describe, expect, it } from 'vitest';
import { JSON_FILE } from '../../support/exports.ts';
import { importFile, newSlug, openClient } from '../../support/files.ts';
import { call } from '../../support/service.ts';

/** Redirects of an imported link of another service. */

const visit = async (slug: string, query = '', headers: Record<string, string> = {}) => {
  const { status, headers: given } = await call(`/${slug}${query}`, { redirect: 'manual', headers });
  return [status, given.get('Location')];
};

const send = async (link: object, query = '?host=shared') =>
  importFile(await openClient(), JSON.stringify([link]), { type: JSON_FILE, query });

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';

describe('the query of a visit', () => {
  const link = (more: object) => ({
    shortCode: newSlug(),
    longUrl: 'https://example.com/?a=1&b=2',
    visitsSummary: { total: 0 },
    ...more,
  });

  it('the query of a visit is passed on by a link of Shlink, and wins, as it does there', async () => {
    const given = link({ forwardQuery: true });
    const imported = await send(given);
    expect(imported.columns.find(({ column }) => column === 'forwardquery')?.field).toBe('forward_query');
    expect(imported.results[0]?.link?.forward_query).toBe('override');
    expect(await visit(given.shortCode, '?b=3&c=4')).toEqual([302, 'https://example.com/?a=1&b=3&c=4']);
  });

  it('the query of a visit is not passed on if the link says so', async () => {
    const given = link({ forwardQuery: false });
    expect((await send(given)).results[0]?.link?.forward_query).toBeNull();
    expect(await visit(given.shortCode, '?b=3')).toEqual([302, 'https://example.com/?a=1&b=2']);
  });

  it('the query of a visit is passed on where the file does not say it, and the file has a note', async () => {
    const given = link({});
    const { results, notes } = await send(given);
    expect(results[0]?.link?.forward_query).toBe('override');
    expect(notes).toContain(
      'The file does not say which links pass the query of a visit on: all of them do, as is the default of Shlink.',
    );
  });

  it.each([
    ['false', 'override'],
    ['true', null],
    ['', null],
  ])('the query of a visit is passed on by a link of Short.io whose skip_qs is %j: %j', async (skips, forwards) => {
    const file = `path,original_url,skip_qs\n${newSlug()},https://example.com/,${skips}\n`;
    const imported = await importFile(await openClient(), file, { query: '?host=shared' });
    expect(imported.results[0]?.link?.forward_query).toBe(forwards);
  });

  it('the query of a visit is passed on for a link of another service only if the file says so', async () => {
    const file = `keyword,url\n${newSlug()},https://example.com/\n`;
    const imported = await importFile(await openClient(), file, { query: '?host=shared' });
    expect(imported.results[0]?.link?.forward_query).toBeNull();
  });
});

describe('destinations of some visitors', () => {
  const link = (more: object) => ({
    shortLink: `https://dub.sh/${newSlug()}`,
    key: '',
    url: 'https://example.com/',
    createdAt: '2025-01-01T00:00:00Z',
    ...more,
  });

  it('destinations of some visitors become rules, which redirect them', async () => {
    const given = link({ ios: 'https://example.com/ios', android: 'https://example.com/android' });
    const { results } = await send(given);
    const slug = results[0]?.link?.slug ?? '';
    expect(await visit(slug, '', { 'User-Agent': IPHONE })).toEqual([302, 'https://example.com/ios']);
    expect(await visit(slug, '', { 'User-Agent': ANDROID })).toEqual([302, 'https://example.com/android']);
    expect(await visit(slug)).toEqual([302, 'https://example.com/']);
  });

  it('destinations of some visitors are one rule for countries with the same one, and what cannot be kept is in the notes', async () => {
    const codes = 'AT DE CH FR IT ES PT NL BE LU DK SE NO FI IE GB PL CZ'.split(' ');
    const own = Object.fromEntries(codes.map((code) => [code, `https://example.com/${code}`]));
    const geo = {
      ...own,
      LI: 'https://example.com/CH',
      XX: 'https://example.com/xx',
      US: 'app://open',
      us: '',
      MX: null,
    };
    const { results } = await send(link({ geo, ios: 'mailto:a@example.com', expiredUrl: 'nowhere' }));
    const { rules, expired_url: expired } = results[0]!.link!;
    const kept = rules as object[];
    expect(kept).toHaveLength(16);
    expect(kept[2]).toEqual({
      name: 'CH, LI',
      if: [{ type: 'country', in: ['CH', 'LI'] }],
      url: 'https://example.com/CH',
    });
    expect(expired).toBeNull();
    expect(results[0]?.notes).toEqual([
      'Its destination for iOS is not kept, since it is not one of the web.',
      'The destinations of 4 countries are not kept.',
      'Its address after the expiry is not kept, since it is not one of the web.',
    ]);
  });

  it('destinations of some visitors can be those of all countries, before the columns by which the service is recognised', async () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    const codes = letters.flatMap((one) => letters.map((other) => one + other));
    const geo = Object.fromEntries(codes.map((code) => [code, 'https://example.com/abroad']));
    const { shortLink, ...more } = link({});
    const imported = await send({ geo, ...more, shortLink });
    expect(imported.format.id).toBe('dub');
    expect(imported.columns).toHaveLength(64);
    const [rule] = imported.results[0]!.link!.rules as { if: { in: string[] }[] }[];
    expect(rule?.if[0]?.in.length).toBeGreaterThan(240);
  });
});

describe('UTM parameters in columns of their own', () => {
  const send1 = async (url: string, source: string) => {
    const file = `original_url\tpath\tutm_source\n${url}\t${newSlug()}\t${source}\n`;
    return (await importFile(await openClient(), file, { query: '?host=shared' })).results[0];
  };

  it.each([
    ['https://example.com/', 'mail', 'https://example.com/?utm_source=mail'],
    ['https://example.com/?a=1#b', 'a&b c', 'https://example.com/?a=1&utm_source=a%26b%20c#b'],
    ['https://example.com/?utm_source=kept&a=1', 'mail', 'https://example.com/?utm_source=kept&a=1'],
  ])('UTM parameters in columns of their own are added to %s', async (url, source, expected) => {
    expect((await send1(url, source))?.link?.url).toBe(expected);
  });

  it.each([
    ['https://example.com/', 'x'.repeat(201)],
    [`https://example.com/${'a'.repeat(8165)}`, 'mail'],
  ])(
    'UTM parameters in columns of their own that are too long for %s are not added, and the row says so',
    async (url, source) => {
      const result = await send1(url, source);
      expect([result?.link?.url, result?.notes]).toEqual([
        url,
        ['Its UTM parameters are not kept, since they are too long.'],
      ]);
    },
  );
});
