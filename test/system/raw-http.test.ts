import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../../bench/contestant.ts';
import { CLIENT_ID } from '../../bench/links.ts';
import { Sandbox } from '../../bench/sandbox.ts';
import { sendRaw, sendText, type RawAnswer } from '../scripts/support/raw.ts';
import { makeLink, type LinkRecord } from '../scripts/support/server.ts';

// What no client would send, byte by byte, to the Worker that a deploy would build: in its own workerd, behind no proxy.

const sandbox = new Sandbox();
let service: Service;
let link: LinkRecord;
let port: number;

beforeAll(async () => {
  service = await startService(sandbox, { name: 'raw', main: 'src/index.ts' }, []);
  port = Number(new URL(service.origin).port);
  link = await makeLink(service.origin, service.apiKey, { url: 'https://example.com/', client_id: CLIENT_ID });
});
afterAll(() => sandbox.close());

/** A request of these very lines; `{id}` and `{port}` stand for those of the link and of the service. */
function raw(target: string, { method = 'GET', lines = ['Host: localhost:{port}'], body = '' } = {}) {
  return sendRaw(port, fill(target), { method, lines: lines.map(fill), body: fill(body) });
}

const fill = (text: string) => text.replaceAll('{id}', link.id).replaceAll('{port}', String(port));

/** Visitors are redirected to the link's own target only, and nothing of what was made up is returned as a header. */
function expectLedNowhere({ text }: RawAnswer): void {
  const [head = ''] = text.split('\r\n\r\n');
  const led = [...head.matchAll(/^(?:location|refresh|content-location|set-cookie): *(.*)$/gim)].map(([, to]) => to);
  expect(led.filter((to) => to?.trim() !== 'https://example.com/')).toEqual([]);
  expect(text).not.toMatch(/evil\.example/i);
}

describe('a Host', () => {
  it.each([
    ['localhost:{port}', 302],
    ['LOCALHOST:{port}', 302],
    ['localhost.:{port}', 302],
    ['127.0.0.1', 302],
    ['0x7f.1', 302],
    ['evil.example', 404],
    ['evil.example:{port}', 404],
    ['localhost.evil.example', 404],
    [`${'a'.repeat(300)}.example`, 404],
    ['localhost@evil.example', 400],
    ['evil.example@localhost:{port}', 400],
    ['evil.example:x@localhost:{port}', 400],
    ['localhost:99999', 400],
    ['localhost:abc', 400],
    ['a b', 400],
    ['%', 400],
    ['[::1', 400],
    ['<script>', 400],
    ['x|y', 400],
    ['exa%00mple.com', 400],
    ['1.2.3.4.5', 400],
    ['.', 400],
    ['..', 400],
    ['...:{port}', 400],
    ['localhost?x', 400],
    ['localhost#x', 400],
    ['localhost:{port}?x', 400],
    ['localhost\\x', 400],
    ['localhost:{port}\r\nHost: evil.example', 400],
    ['evil.example\r\nHost: localhost:{port}', 400],
    ['', 400],
  ])('a Host %j gets for a short link %i', async (host, status) => {
    const answer = await raw('/{id}', { lines: [`Host: ${host}`] });
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    expectLedNowhere(answer);
  });

  it.each(['a b', '[::1', 'evil.example@localhost:{port}', '..', 'localhost?x', 'localhost#x'])(
    'a Host %j gets invalid_host, at any path',
    async (host) => {
      for (const path of ['/', '/v1/links', '/platform', '/openapi.json', '/robots.txt', '/.well-known/terse-domain']) {
        const { status, text } = await raw(path, { lines: [`Host: ${host}`] });
        expect([path, status]).toEqual([path, 400]);
        expect(text).toContain(
          '{"result":"Failed","error":"invalid_host: Host must be one host name, optionally with a port."}',
        );
      }
    },
  );
});

describe('a request target', () => {
  it.each([
    ['http://evil.example/{id}', 302],
    ['http://localhost:{port}/{id}', 302],
    ['//{id}', 302],
    ['//evil.example/{id}', 404],
    ['///evil.example', 404],
    ['/\\evil.example', 404],
    ['/%2f%2fevil.example', 404],
    ['/%5cevil.example', 404],
    ['/x/../{id}', 302],
    ['/../../../etc/passwd', 404],
    ['/%2e%2e/%2e%2e/etc/passwd', 404],
    ['/v1%2flinks', 404],
    ['/%00', 404],
    ['/%', 404],
    ['/{id}%0d%0aLocation:%20//evil.example', 404],
    ['/{id}?%0d%0aLocation:%20//evil.example', 302],
    ['/{id}/%ff', 404],
    [`/${'a'.repeat(30_000)}`, 404],
    ['/{id}?' + 'a'.repeat(60_000), 302],
    ['/platform/sign-in?next=//evil.example', 200],
  ])('a request target %.60s gets %i', async (target, status) => {
    const answer = await raw(target);
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    expectLedNowhere(answer);
  });

  it.each(['/\xff\xfe', '/a b', 'http://[::1/{id}'])(
    'a request target %j is refused before the Worker sees it, or by it',
    async (target) => {
      const { status } = await raw(target);
      expect([400, 404]).toContain(status);
    },
  );

  it('a request target of the whole server, by OPTIONS *, is none of ours', async () => {
    expect((await raw('*', { method: 'OPTIONS' })).status).toBe(400);
  });
});

const HOST = 'Host: localhost:{port}';

describe('a method', () => {
  it.each([
    ['TRACE', '/v1/links', 405],
    ['TRACE', '/{id}', 405],
    ['PROPFIND', '/v1/links', 405],
    ['PURGE', '/{id}', 405],
    ['QUERY', '/platform/sign-in', 403],
    ['LOCK', '/openapi.json', 405],
    ['COPY', '/assets/page.css', 405],
    ['COPY', '/assets/page.0123456789.css', 405],
    ['PURGE', '/favicon.ico', 405],
    ['LOCK', '/robots.txt', 405],
    ['TRACE', '/.well-known/terse-domain', 405],
    ['TRACE', '/.well-known/assetlinks.json', 405],
    ['QUERY', '/', 405],
    ['MKCOL', '/mcp', 405],
    ['SUBSCRIBE', '/nothing/here', 405],
    ['get', '/{id}', 501],
    ['Post', '/v1/links', 501],
    ['connect', '/', 501],
    ['FOO', '/{id}', 501],
  ])('the method %s of %s gets %i', async (method, target, status) => {
    const answer = await raw(target, { method });
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    expectLedNowhere(answer);
  });
});

describe('a version of HTTP', () => {
  it.each([
    [`GET /{id} HTTP/1.0\r\n${HOST}`, 302],
    ['GET /{id} HTTP/1.0', 400],
    [`GET /{id} HTTP/2.0\r\n${HOST}`, 400],
    [`GET /{id} http/1.1\r\n${HOST}`, 400],
    ['GET /{id}', 400],
    [`GET ftp://localhost/{id} HTTP/1.1\r\n${HOST}`, 302],
  ])('a version of HTTP %j gets %i', async (lines, status) => {
    const answer = await sendText(port, `${fill(lines)}\r\nConnection: close\r\n\r\n`);
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    expectLedNowhere(answer);
  });
});

describe('a header', () => {
  it.each([
    'X-Forwarded-Host: evil.example',
    'X-Original-URL: /openapi.json',
    'X-Rewrite-URL: https://evil.example/',
    'X-HTTP-Method-Override: DELETE',
    'X-Method-Override: POST',
    'Forwarded: host=evil.example;proto=https',
    'Upgrade: websocket',
    `Cookie: ${'v'.repeat(60_000)}`,
  ])('a header %.40s changes nothing', async (line) => {
    const answer = await raw('/{id}', { lines: [HOST, line] });
    expect(answer.status).toBe(302);
    expectLedNowhere(answer);
  });

  it.each(['X-A: b\r\n folded: c', 'X-Request-Id: a\rSet-Cookie: x=y', 'X-A : b', 'Content-Length: -1'])(
    'a header %j is refused, and comes back in no response',
    async (line) => {
      const answer = await raw('/v1/links', { lines: [HOST, line] });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expectLedNowhere(answer);
    },
  );
});

describe('a body', () => {
  it.each([
    ['of two lengths', ['Content-Length: 3', 'Content-Length: 5'], 'abcde'],
    ['of a made-up coding', ['Transfer-Encoding: xchunked'], 'abcde'],
    ['in chunks that are none', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
    ['that is no JSON', ['Content-Length: 2'], '{}'],
  ])('a body %s is an error of its sender', async (_what, lines, body) => {
    const headers = [HOST, `X-API-Key: ${service.apiKey}`, 'Content-Type: application/json', ...lines];
    const answer = await raw('/v1/links', { method: 'POST', lines: headers, body });
    expect([answer.status, answer.text]).toEqual([400, expect.any(String)]);
    expect(answer.text).not.toContain(service.apiKey);
  });

  it('a body of both a length and chunks is no longer than a body may be', async () => {
    const headers = [HOST, `X-API-Key: ${service.apiKey}`, 'Content-Type: application/json'];
    const chunk = ' '.repeat(100_000);
    const body = `${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`;
    const send = (lines: string[]) => raw('/v1/links', { method: 'POST', lines: [...headers, ...lines], body });
    expect((await send(['Transfer-Encoding: chunked'])).status).toBe(413);
    expect((await send(['Content-Length: 4', 'Transfer-Encoding: chunked'])).status).toBe(413);
  });

  it('a body of both a length and chunks carries no second request', async () => {
    const smuggled = `GET /{id} HTTP/1.1\r\n${HOST}\r\n\r\n`;
    const lines = [HOST, 'Content-Length: 4', 'Transfer-Encoding: chunked'];
    const { text } = await raw('/v1/links', { method: 'POST', lines, body: `0\r\n\r\n${smuggled}` });
    expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(text).not.toContain('Location:');
  });

  it.each([
    ['that states its length', ['Content-Length: 10485760'], 'x'.repeat(200_000)],
    ['in chunks', ['Transfer-Encoding: chunked'], `30d40\r\n${'x'.repeat(200_000)}\r\n`],
  ])('a body %s gets a response before all of it has arrived, if its key is invented', async (_what, lines, body) => {
    const key = `X-API-Key: tk_${'a'.repeat(12)}_${'b'.repeat(43)}`;
    const headers = [HOST, key, 'Content-Type: text/csv', ...lines];
    const answer = await raw('/v1/links/import', { method: 'POST', lines: headers, body });
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('invalid_credential')]);
  });

  it('a body longer than its Content-Length is cut there', async () => {
    const headers = [HOST, `X-API-Key: ${service.apiKey}`, 'Content-Type: application/json', 'Content-Length: 1'];
    expect((await raw('/v1/links', { method: 'POST', lines: headers, body: '{}' })).status).toBe(400);
  });
});
