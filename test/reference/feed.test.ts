import { parseRssFeed } from 'feedsmith';
import { describe, expect, it } from 'vitest';
import { readChangelog } from '../support/changelog.ts';
import type { Entry } from '../../src/changelog/entries.ts';
import { writeFeed } from '../../src/reference/feed.tsx';
import { call, openIsolate, ORIGIN } from '../support/service.ts';

describe('GET /changelog.rss', () => {
  it('GET /changelog.rss is RSS 2.0 that says where it is from, and when it last changed', async () => {
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

  it('GET /changelog.rss has an item for each release, newest first, with its date', async () => {
    const { items = [] } = parseRssFeed(await (await call('/changelog.rss')).text());
    const { releases } = readChangelog();
    expect(items.map(({ guid, pubDate, link }) => [guid, pubDate, link])).toEqual(
      releases.map((release) => [
        { value: `urn:terse:${release.version}`, isPermaLink: false },
        new Date(release.date).toUTCString(),
        `${ORIGIN}/changelog#v${release.version}`,
      ]),
    );
    expect(items.at(-1)).toMatchObject({
      title: 'Terse 1.0.0 (breaking)',
      pubDate: 'Thu, 04 Apr 2024 00:00:00 GMT',
    });
    expect(items.at(-1)?.description).toContain('<li>Added <code>POST /v1/links</code>');
  });

  it('GET /changelog.rss lists the changes of a release, with code as code', async () => {
    const entry: Entry = {
      kind: 'changed',
      method: 'GET',
      path: '/v1/links',
      breaking: false,
      changes: [
        { what: 'query parameter `tag` added', breaking: false },
        { what: 'answer 200 field `links[].x` removed', breaking: true, reason: 'it was never sent' },
      ],
    };
    const added: Entry = {
      kind: 'added',
      method: 'GET',
      path: '/v1/me',
      breaking: false,
      note: 'For all',
      changes: [],
    };
    const releases = [{ version: '2.0.0', date: '2027-01-01', entries: [added, entry] }];
    const { items = [] } = parseRssFeed(await writeFeed({ releases }, ORIGIN));
    expect(items.map(({ title, description }) => [title, description])).toEqual([
      [
        'Terse 2.0.0',
        '<ul><li>Added <code>GET /v1/me</code><p>For all</p></li>' +
          '<li>Changed <code>GET /v1/links</code><ul>' +
          '<li>query parameter <code>tag</code> added</li>' +
          '<li>answer 200 field <code>links[].x</code> removed<strong> (breaking)</strong>: it was never sent</li>' +
          '</ul></li></ul>',
      ],
    ]);
  });

  it('GET /changelog.rss says where it is by PUBLIC_URL, whatever host it is asked on, and by that host where there is none', async () => {
    const addressesOf = async (response: Promise<Response>) => {
      const { link, atom, items } = parseRssFeed(await (await response).text());
      return [link, atom?.links?.[0]?.href, items?.at(-1)?.link];
    };
    const at = (origin: string) => [`${origin}/changelog`, `${origin}/changelog.rss`, `${origin}/changelog#v1.0.0`];
    expect(await addressesOf(call('http://localhost:8787/changelog.rss'))).toEqual(at(ORIGIN));
    const nameless = openIsolate({ PUBLIC_URL: '' });
    expect(await addressesOf(nameless('http://localhost:8787/changelog.rss'))).toEqual(at('http://localhost:8787'));
  });

  it('GET /changelog.rss gives each release its own name, the same on every host', async () => {
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

  it('an entry full of what XML does not like is given to feed readers as it is, except characters that XML forbids', () => {
    const [item] = parseRssFeed(text).items ?? [];
    expect(item?.title).toBe('Terse 1.0.0 (breaking)');
    const escaped = LEGIBLE.replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
    expect(item?.description).toBe(
      `<ul><li>Changed <code>GET /${escaped}</code><strong> (breaking)</strong><p>${escaped}</p>` +
        `<ul><li>${escaped}<strong> (breaking)</strong>: ${escaped}</li></ul></li></ul>`,
    );
    // Every other character stands for itself in it.
    expect(text).not.toMatch(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
  });
});
