import { parseRssFeed } from 'feedsmith';
import { describe, expect, it } from 'vitest';
import { readChangelog } from '../../src/reference/changelog.ts';
import type { Entry } from '../../src/reference/entries.ts';
import { writeFeed } from '../../src/reference/feed.tsx';
import { urnOf } from '../../src/reference/names.ts';
import { call, openIsolate, ORIGIN } from '../support/service.ts';

describe('GET /changelog.rss', () => {
  it('is RSS 2.0 that says where it is from, and when it last changed', async () => {
    const response = await call('/changelog.rss');
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      200,
      'application/rss+xml; charset=utf-8',
    ]);
    const text = await response.text();
    expect(text).toMatch(/^<\?xml version="1\.0" encoding="utf-8"\?>\s*<rss version="2\.0"/);
    const newest = readChangelog().releases[0]?.date ?? '';
    expect(parseRssFeed(text)).toMatchObject({
      title: 'Terse changelog',
      link: `${ORIGIN}/changelog`,
      lastBuildDate: new Date(newest).toUTCString(),
      atom: { links: [{ href: `${ORIGIN}/changelog.rss`, rel: 'self', type: 'application/rss+xml' }] },
    });
  });

  it('has an item for each entry of each release, newest first, with its date', async () => {
    const { items = [] } = parseRssFeed(await (await call('/changelog.rss')).text());
    const { releases } = readChangelog();
    expect(items.map(({ guid, pubDate, link }) => [guid, pubDate, link])).toEqual(
      releases.flatMap((release) =>
        release.entries.map((entry) => [
          { value: urnOf(release, entry), isPermaLink: false },
          new Date(release.date).toUTCString(),
          `${ORIGIN}/changelog#v${release.version}`,
        ]),
      ),
    );
    expect(items.at(-3)).toMatchObject({
      title: '1.0.0: Added GET /info/{id}/{client_id}/{sec_id}',
      guid: { value: 'urn:terse:1.0.0:added:GET:%2Finfo%2F%7Bid%7D%2F%7Bclient_id%7D%2F%7Bsec_id%7D' },
      pubDate: 'Thu, 04 Apr 2024 00:00:00 GMT',
    });
  });

  it('says where it is by PUBLIC_URL, whatever host it is asked on, and by that host where there is none', async () => {
    const addressesOf = async (response: Promise<Response>) => {
      const { link, atom, items } = parseRssFeed(await (await response).text());
      return [link, atom?.links?.[0]?.href, items?.at(-1)?.link];
    };
    const at = (origin: string) => [`${origin}/changelog`, `${origin}/changelog.rss`, `${origin}/changelog#v1.0.0`];
    expect(await addressesOf(call('http://localhost:8787/changelog.rss'))).toEqual(at(ORIGIN));
    const nameless = openIsolate({ PUBLIC_URL: '' });
    expect(await addressesOf(nameless('http://localhost:8787/changelog.rss'))).toEqual(at('http://localhost:8787'));
  });

  it('names entries alike on every host, and each otherwise', async () => {
    const guids = async (answer: Promise<Response>) => {
      const { items = [] } = parseRssFeed(await (await answer).text());
      return items.map(({ guid }) => guid?.value);
    };
    const here = await guids(call('/changelog.rss'));
    expect(here).toEqual(await guids(openIsolate({ PUBLIC_URL: '' })('http://localhost:8787/changelog.rss')));
    expect(new Set(here).size).toBe(here.length);
    expect(here.join()).not.toContain('terse.test');
  });
});

const HOSTILE = ']]><script>alert("&amp;")</script>\u0000\u0008\u{b}\u{1f}\uD800\uFFFF <!-- -- ]]> &#0; 😀';
const LEGIBLE = ']]><script>alert("&amp;")</script>\uFFFD <!-- -- ]]> &#0; 😀';

describe('an entry full of what XML does not like', async () => {
  const entry: Entry = {
    kind: 'changed',
    method: 'GET',
    path: `/${HOSTILE}`,
    breaking: true,
    note: HOSTILE,
    changes: [{ what: HOSTILE, breaking: true, reason: HOSTILE }],
  };
  const text = await writeFeed({ releases: [{ version: '1.0.0', date: '2024-04-04', entries: [entry] }] }, ORIGIN);

  it('is told to readers as it is, but for what no document may hold', () => {
    const [item] = parseRssFeed(text).items ?? [];
    expect(item?.title).toBe(`1.0.0: Changed GET /${LEGIBLE} (breaking)`);
    const escaped = LEGIBLE.replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
    expect(item?.description).toBe(
      `<p>This breaks programs that use it.</p><p>${escaped}</p><ul><li>${escaped} (breaking): ${escaped}</li></ul>`,
    );
    // Every other character stands for itself in it.
    expect(text).not.toMatch(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
  });

  it('has a name of letters that every address may hold', () => {
    const { guid } = parseRssFeed(text).items?.[0] ?? {};
    expect(guid?.value).toMatch(/^urn:terse:1\.0\.0:changed:GET:%2F[\w.!~*'()%-]+$/);
    expect(decodeURIComponent(guid?.value?.split(':').at(-1) ?? '')).toBe(`/${HOSTILE.toWellFormed()}`);
  });
});
