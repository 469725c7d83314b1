import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, portsOf, until } from '../scripts/support/processes.ts';
import { copyProject, linesOf, printedAccount, ROOT } from '../scripts/support/project.ts';
import { sendRaw } from '../scripts/support/raw.ts';
import { ask, makeLink, startServer, type Server } from '../scripts/support/server.ts';

/** The paths that `wrangler dev` and miniflare serve beside a Worker, in all versions. */
const DOORS = [
  '/cdn-cgi/explorer',
  '/cdn-cgi/explorer/api/d1/database',
  '/cdn-cgi/local/platform-proxy',
  '/cdn-cgi/local/explorer',
  '/cdn-cgi/local/explorer/api/d1/database',
  '/cdn-cgi/local/scheduled',
  '/cdn-cgi/handler/scheduled',
  '/cdn-cgi/mf/scheduled',
  '/cdn-cgi/local/email?from=a@example.com&to=b@example.com',
  '/cdn-cgi/handler/email?from=a@example.com&to=b@example.com',
  '/cdn-cgi/local/r2/public/x',
  '/cdn-cgi/local/r2/s3/x',
  '/cdn-cgi/mf/stream',
  '/cdn-cgi/mf/imagedelivery',
  '/cdn-cgi/live-reload',
  '/cdn-cgi/ProxyWorker/play',
  '/__scheduled',
  '/__cf_local/stream/x',
  '/__cf_local/imagedelivery/x',
  '/__cf_local/imageupload/x',
];

/** The last line that a first start prints of its account. */
const LAST_PRINTED = /^api_key: .*$/m;

const MALFORMED_HOSTS = [
  '.',
  '..',
  '...',
  'localhost?x',
  'localhost#x',
  'localhost\\x',
  'evil.example@localhost',
  'a b',
  '%',
  '[::1',
  ':99999',
  'localhost:99999',
  'localhost:abc',
  '<script>',
  '1.2.3.4.5',
];

describe('a service on this machine', () => {
  const folder = copyProject();
  const persistTo = makeFolder();
  let server: Server;

  beforeAll(async () => {
    server = await startServer({ folder, persistTo });
  });

  it.each(DOORS)('a service on this machine has nothing at %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await ask(`${server.origin}${path}`, { method });
      expect(JSON.parse(body)).toEqual({
        result: 'Failed',
        error: expect.stringMatching(/^(not_found|method_not_allowed): /),
      });
      expect([404, 405]).toContain(status);
    }
  });

  it('a service on this machine gives nothing to others at the further ports that its processes listen on', async () => {
    const inner = portsOf(server.living()).filter((port) => port !== server.port);
    expect(inner.length > 0).toBe(existsSync('/proc/self/net/tcp'));
    const operation = { 'MF-Op': 'GET', 'MF-Op-Target': '0' };
    const attempts = [
      {},
      { 'MF-Route-Override': 'terse' },
      operation,
      { ...operation, 'MF-Op-Secret': 'a'.repeat(64) },
    ];
    for (const port of inner)
      for (const path of ['/', '/platform/sign-in', '/v1/links', '/cdn-cgi/local/platform-proxy', '/core/error'])
        for (const headers of attempts)
          expect([400, 401, 403, 404]).toContain((await ask(`http://127.0.0.1:${port}${path}`, { headers })).status);
  });

  it.each(MALFORMED_HOSTS)('a service on this machine gives %j as Host invalid_host, at any path', async (host) => {
    for (const path of ['/', '/v1/links', '/platform', '/assets/page.css', '/cdn-cgi/local/platform-proxy']) {
      const { status, text } = await sendRaw(server.port, path, { lines: [`Host: ${host}`] });
      expect([path, status]).toEqual([path, 400]);
      expect(text.split('\r\n\r\n')[1]).toBe(
        '{"result":"Failed","error":"invalid_host: Host must be one host name, optionally with a port."}',
      );
    }
  });

  it('a service on this machine ignores the headers that Miniflare sends to itself', async () => {
    const lines = [`Host: localhost:${server.port}`];
    const expected = await sendRaw(server.port, '/robots.txt', { lines });
    expect(expected.status).toBe(200);
    const headers = [
      'MF-CF-Blob: {',
      'MF-Original-URL: x',
      'MF-Original-URL: http://evil.example/',
      'MF-Proxy-Shared-Secret: x',
    ];
    for (const header of headers)
      expect(await sendRaw(server.port, '/robots.txt', { lines: [...lines, header] })).toEqual(expected);
  });

  it('a service on this machine distinguishes visitors by their addresses', async () => {
    const { clientId, apiKey } = printedAccount(server.output());
    const link = await makeLink(server.origin, apiKey, { client_id: clientId, url: 'https://example.com/' });
    const lines = [
      `Host: localhost:${server.port}`,
      'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ];
    for (const from of ['127.0.0.1', '127.0.0.2', '127.0.0.1'])
      expect(await sendRaw(server.port, `/${link.id}`, { lines, from })).toMatchObject({ status: 302 });
    const clicks = async () => {
      const { body } = await ask(`${server.origin}/v1/links/${link.id}`, { headers: { 'X-API-Key': apiKey } });
      return JSON.parse(body).clicks;
    };
    await until('all clicks are counted', async () => (await clicks()).total === 3);
    expect(await clicks()).toMatchObject({ total: 3, visitors_today: 2 });
  });

  it('a service on this machine lets no caller choose the address that limits its sign-ins, and says once how to trust a proxy', async () => {
    // 75 sign-ins with 75 addresses; those of a batch are in one minute, unless a new one begins within it.
    const statuses: number[] = [];
    while (statuses.length < 75 && !statuses.includes(429))
      statuses.push(
        ...(await Promise.all(
          Array.from({ length: 15 }, (_, index) => signInFrom(server.origin, statuses.length + index)),
        )),
      );
    expect(statuses).toContain(429);
    const logged = linesOf(server.output()).filter((line) => line.includes('proxy_not_trusted'));
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        event: 'proxy_not_trusted',
        header: expect.any(String),
        cure: expect.stringContaining('--trust-proxy '),
      },
    ]);
  });

  it('a service on this machine believes no caller about its scheme', async () => {
    const { clientId, apiKey } = printedAccount(server.output());
    const body = `client_id=${clientId}&url=https://example.com/`;
    const lines = [
      'Host: terse.example.workers.dev',
      `X-API-Key: ${apiKey}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ];
    for (const header of ['X-Forwarded-Proto: https', 'Forwarded: proto=https', 'CF-Visitor: {"scheme":"https"}'])
      expect(
        (await sendRaw(server.port, '/v1/links', { method: 'POST', lines: [...lines, header], body })).text,
      ).toContain('http://terse.example.workers.dev/');
  });

  it('a service on this machine serves its files as they are, and gives 304 to clients that have them', async () => {
    const url = `${server.origin}/assets/page.css`;
    const { status, headers, body } = await ask(url);
    expect([status, body]).toEqual([200, readFileSync(join(ROOT, 'public/assets/page.css'), 'utf8')]);
    expect(headers).toMatchObject({ 'content-type': 'text/css; charset=utf-8', etag: expect.stringMatching(/"\w+"/) });
    expect(await ask(url, { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
      headers: { etag: headers['etag'] },
    });
    expect(await ask(url, { headers: { 'If-None-Match': String(headers['etag']) } })).toMatchObject({
      status: 304,
      body: '',
    });
    expect((await ask(url, { method: 'POST' })).status).toBe(405);
    expect((await ask(`${server.origin}/assets/none.css`)).status).toBe(404);
  });

  it('a service on this machine logs a request at the terminal without its path and query', async () => {
    const paths = ['/platform/invite/inv_SECRET', '/platform/reset/SECRET', '/SECRET?q=SECRET', '/v1/links?q=SECRET'];
    for (const path of paths) await ask(`${server.origin}${path}`);
    const answered = ['/platform/invite/:token', '/v1/links'].map((route) => `"method":"GET","route":"${route}"`);
    await until('the requests are logged', () => answered.every((line) => server.output().includes(line)));
    expect(server.output()).not.toContain('SECRET');
    const logged = linesOf(server.output()).filter((line) => line.includes('"event"'));
    for (const line of logged) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) });
  });

  it('a service on this machine opens no tunnel by CONNECT, which workerd itself refuses, and keeps serving', async () => {
    for (const target of ['example.com:443', `localhost:${server.port}`, '/', 'x'])
      expect(await sendRaw(server.port, target, { method: 'CONNECT', lines: [`Host: ${target}`] })).toEqual({
        status: 500,
        text: expect.stringMatching(/\r\n\r\nInternal Server Error$/),
      });
    expect((await ask(`${server.origin}/robots.txt`)).status).toBe(200);
  });

  it.each(['connect', 'get', 'TRACK', 'FOO', 'BREW'])(
    'a service on this machine gives the method %s 501',
    async (method) => {
      const lines = [`Host: localhost:${server.port}`];
      expect((await sendRaw(server.port, '/v1/links', { method, lines })).status).toBe(501);
    },
  );

  it('a service on this machine logs nothing but JSON, also what workerd itself says of a request', async () => {
    const printed = () => linesOf(server.output().split(LAST_PRINTED)[1] ?? '').concat(linesOf(server.errors()));
    await until('the refused CONNECT is logged', () => printed().some((line) => line.includes('connect() function')));
    for (const line of printed())
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), event: expect.any(String) });
  });

  it('a service on this machine keeps no requested URL in any of its files', async () => {
    await ask(`${server.origin}/platform/invite/inv_KEPTNOWHERE?q=KEPTNOWHERE`);
    await ask(`${server.origin}/KEPTNOWHERE`);
    await server.end('SIGTERM');
    const files = [...filesIn(persistTo), ...filesIn(join(folder, '.wrangler'))];
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => readFileSync(file).includes('KEPTNOWHERE'))).toEqual([]);
  });

  it('a service on this machine prints no error for any of these requests, with any Host and headers', () => {
    const lines = linesOf(server.output() + server.errors()).filter((line) => !line.includes('connect() function'));
    expect(lines.join('\n')).not.toMatch(/uncaught|exception|"level":"error"/i);
  });

  it('a service on this machine prints the password and the key last', () => {
    const said = linesOf(server.output()).filter((line) => !line.startsWith('{'));
    expect(said.slice(-4).map((line) => line.split(' ', 1)[0])).toEqual([
      'user:',
      'password:',
      'client_id:',
      'api_key:',
    ]);
  });
});

/** Tries to sign in with a wrong password, and with an address in each header that could name one. */
async function signInFrom(origin: string, index: number): Promise<number> {
  const address = `198.51.100.${index}`;
  const headers = {
    Authorization: `Basic ${Buffer.from('guest:wrong').toString('base64')}`,
    'CF-Connecting-IP': address,
    'True-Client-IP': address,
    'X-Forwarded-For': address,
    'X-Real-IP': address,
    Forwarded: `for=${address}`,
  };
  return (await ask(`${origin}/tokens/create_token`, { headers })).status;
}

function filesIn(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
