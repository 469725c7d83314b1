import { describe, expect, it } from 'vitest';
import { readChangelog } from '../support/changelog.ts';
import { seedTenant } from '../support/seed.ts';
import { call, ORIGIN, openIsolate } from '../support/service.ts';

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; " +
  "frame-ancestors 'none'; base-uri 'none'";
const PAGES = ['/', '/changelog'];
const DOCUMENTS = [...PAGES, '/changelog.rss'];
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const headersOf = ({ headers }: Response, ...names: string[]) => names.map((name) => headers.get(name));

describe.each(PAGES)('the page %s', (path) => {
  it('a page for everyone may load only our own files, and must not be framed', async () => {
    const response = await call(path, { headers: BROWSER });
    expect(response.status).toBe(200);
    expect(
      headersOf(response, 'Content-Type', 'Content-Security-Policy', 'X-Frame-Options', 'Referrer-Policy'),
    ).toEqual(['text/html; charset=UTF-8', POLICY, 'DENY', 'same-origin']);
  });

  it('a page for everyone has no style and no script but by their addresses, and names no other host', async () => {
    const text = await (await call(path, { headers: BROWSER })).text();
    expect(text).toMatch(/^<!doctype html><html lang="en">/);
    expect(text).not.toMatch(/<style|<script(?![^>]* src="\/assets\/)|\sstyle=|\son\w+=/);
    const loaded = [...text.matchAll(/<(?:link|script|img)([^>]*) (?:src|href)="([^"]*)"/g)]
      .filter(([, attributes]) => !attributes?.includes('rel="canonical"'))
      .map(([, , address]) => address);
    expect(loaded.filter((address) => !address?.startsWith('/'))).toEqual([]);
  });
});

describe.each(DOCUMENTS)('the document %s', (path) => {
  it('a public document may be kept, and asked for anew with its ETag, in whatever list it stands', async () => {
    const response = await call(path);
    const etag = response.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('Cache-Control')).toBe('no-cache');
    for (const asked of [etag, `W/${etag}`, `"other", ${etag}`, `W/"other",W/${etag}`, '*']) {
      const again = await call(path, { headers: { 'If-None-Match': asked } });
      expect([asked, again.status, await again.text()]).toEqual([asked, 304, '']);
      expect(headersOf(again, 'ETag', 'Cache-Control', 'Vary')).toEqual(
        headersOf(response, 'ETag', 'Cache-Control', 'Vary'),
      );
    }
    expect((await call(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  it('a public document has for HEAD the response of GET, without the body', async () => {
    const [head, get] = [await call(path, { method: 'HEAD' }), await call(path)];
    const names = ['Content-Type', 'ETag', 'Cache-Control', 'Vary', 'Content-Security-Policy'];
    expect([head.status, await head.text(), headersOf(head, ...names)]).toEqual([200, '', headersOf(get, ...names)]);
  });

  it('a public document refuses other methods', async () => {
    const response = await call(path, { method: 'POST' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('a public document is not found on a custom domain', async () => {
    expect((await call(`https://go.acme.example${path}`, { headers: BROWSER })).status).toBe(404);
  });
});

describe('the first page', () => {
  it('the first page has its own origin in its commands, and leads to the rest', async () => {
    const text = await (await call('/', { headers: BROWSER })).text();
    expect(text).toContain(`curl ${ORIGIN}/v1/links -H &#39;X-API-Key: API_KEY&#39;`);
    for (const path of ['/docs', '/platform', '/changelog', '/openapi.json']) expect(text).toContain(`href="${path}"`);
    const local = await (await call('http://localhost:8787/', { headers: BROWSER })).text();
    expect(local).toContain('curl -i http://localhost:8787/page');
    expect(local).not.toContain(`curl -i ${ORIGIN}`);
  });

  it('the first page has three commands that create a link, follow it and read its clicks', async () => {
    const { apiKey } = await seedTenant();
    const text = await (await call('/', { headers: BROWSER })).text();
    const plain = (html: string) => html.replaceAll('&#39;', "'").replaceAll('&quot;', '"');
    const commands = [...text.matchAll(/<code id="(?:create|follow|count)">([^<]*)/g)].map(([, code = '']) =>
      plain(code),
    );
    const responses: Response[] = [];
    for (const command of commands) {
      const [, url = ''] = /(https?:\S+)/.exec(command) ?? [];
      const body = /-d '([^']*)'/.exec(command)?.[1];
      const headers = [...command.replace('API_KEY', apiKey).matchAll(/-H '([\w-]+): ([^']*)'/g)].map(
        ([, name = '', value = '']): [string, string] => [name, value],
      );
      responses.push(await call(url, { method: body === undefined ? 'GET' : 'POST', headers, body: body ?? null }));
    }
    expect(responses.map(({ status, headers }) => [status, headers.get('Location')])).toEqual([
      [200, null],
      [302, 'https://example.com/a/long/page'],
      [200, null],
    ]);
  });

  it('the first page is JSON for a client that asks for JSON', async () => {
    const response = await call('/', { headers: { Accept: 'application/json' } });
    expect(headersOf(response, 'Content-Type', 'Vary')).toEqual(['application/json', 'Accept']);
    expect(await response.json()).toEqual({
      service: 'Terse',
      version: readChangelog().releases[0]?.version,
      docs: `${ORIGIN}/docs`,
      openapi: `${ORIGIN}/openapi.json`,
      changelog: `${ORIGIN}/changelog`,
      feed: `${ORIGIN}/changelog.rss`,
      platform: `${ORIGIN}/platform`,
    });
  });
});

describe('the changelog', () => {
  it.each([
    [undefined, 'text/html; charset=UTF-8'],
    ['*/*', 'text/html; charset=UTF-8'],
    [BROWSER.Accept, 'text/html; charset=UTF-8'],
    ['application/json;q=0.5, text/html', 'text/html; charset=UTF-8'],
    ['application/json', 'application/json'],
    ['application/*', 'application/json'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['application/json;q=0, */*', 'text/html; charset=UTF-8'],
    ['text/html;q=0, */*', 'application/json'],
    ['*/*;q=0.9, text/html;q=0.1', 'application/json'],
    ['text/*;q=0.9, application/json;q=0.5, text/html;q=0.1', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['Application/JSON;charset=utf-8', 'application/json'],
    ['text/html, application/json', 'text/html; charset=UTF-8'],
    ['application/json, text/html', 'application/json'],
    ['application/*, text/html', 'text/html; charset=UTF-8'],
    ['text/html;q=0', 'text/html; charset=UTF-8'],
    ['', 'text/html; charset=UTF-8'],
    ['image/png', 'text/html; charset=UTF-8'],
  ])('the changelog for Accept: %s is %s', async (accept, type) => {
    const response = await call('/changelog', { headers: accept === undefined ? {} : { Accept: accept } });
    expect([response.status, ...headersOf(response, 'Content-Type', 'Vary')]).toEqual([200, type, 'Accept']);
  });

  it('the changelog has as JSON what is kept', async () => {
    const response = await call('/changelog', { headers: { Accept: 'application/json' } });
    expect(await response.json()).toEqual(readChangelog());
  });

  it('the changelog has ETags of its own for the page and for JSON', async () => {
    const json = { Accept: 'application/json' };
    const etag = (await call('/changelog', { headers: json })).headers.get('ETag') ?? '';
    expect((await call('/changelog', { headers: { ...json, 'If-None-Match': etag } })).status).toBe(304);
    expect((await call('/changelog', { headers: { ...BROWSER, 'If-None-Match': etag } })).status).toBe(200);
  });

  it('the changelog begins with the recorded history, its odd paths as they were written', async () => {
    expect(readChangelog().releases.at(-1)).toEqual({
      version: '1.0.0',
      date: '2024-04-04',
      entries: [
        { kind: 'removed', method: 'GET', path: '/info/{id}/{client}_id', breaking: true, changes: [] },
        { kind: 'removed', method: 'GET', path: '/info/{id}/{client}_id/{sec}_id', breaking: true, changes: [] },
        { kind: 'added', method: 'GET', path: '/info/{id}/{client_id}/{sec_id}', breaking: false, changes: [] },
        { kind: 'removed', method: 'GET', path: '/{id}', breaking: true, note: 'An earlier change.', changes: [] },
        { kind: 'added', method: 'POST', path: '/v1/links', breaking: false, note: 'An earlier change.', changes: [] },
      ],
    });
    const text = await (await call('/changelog')).text();
    expect(text).toContain('<time datetime="2024-04-04">4 April 2024</time>');
    expect(text).toContain(
      '<code>GET /info/{id}/{client}_id/{sec}_id</code><strong class="breaking">breaking</strong>',
    );
  });

  it('the changelog is where the deprecated endpoint says that it is explained', async () => {
    const link = (await call('/shortener/encode', { method: 'POST' })).headers.get('Link');
    expect(link).toContain('</changelog>; rel="deprecation"; type="text/html"');
    expect((await call('/changelog', { headers: BROWSER })).status).toBe(200);
  });
});

it('the changelog says on its page, in its JSON and in the feed when POST /shortener/encode ends', async () => {
  const isolate = openIsolate({ ENCODE_CUTOFF: '2027-01-01T00:00:00Z', ENCODE_SUNSET: '2027-03-01T00:00:00Z' });
  const notice =
    'Deprecated. It refuses tokens issued from 2027-01-01T00:00:00Z on. It will be removed at 2027-03-01T00:00:00Z. ' +
    'Send the same form to POST /v1/links.';
  const answers = await Promise.all([
    isolate('/changelog', { headers: { Accept: 'text/html' } }),
    isolate('/changelog', { headers: { Accept: 'application/json' } }),
    isolate('/changelog.rss'),
  ]);
  for (const answer of answers) expect((await answer.text()).split(notice)).toHaveLength(2);
});
