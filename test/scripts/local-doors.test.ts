import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, until } from './support/processes.ts';
import { copyProject, linesOf } from './support/project.ts';
import { ask, startServer, type Server } from './support/server.ts';

/** The paths that `wrangler dev` and miniflare serve beside a Worker, in all versions. */
const DOORS = [
  '/cdn-cgi/explorer',
  '/cdn-cgi/explorer/api/d1/database',
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

describe('a service on this machine', () => {
  const folder = copyProject();
  const persistTo = makeFolder();
  let server: Server;

  beforeAll(async () => {
    server = await startServer({ folder, persistTo });
  });

  it.each(DOORS)('has nothing at %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await ask(`${server.origin}${path}`, { method });
      expect(JSON.parse(body)).toEqual({
        result: 'Failed',
        error: expect.stringMatching(/^(not_found|method_not_allowed): /),
      });
      expect([404, 405]).toContain(status);
    }
  });

  it('lets only its own process reach the database through the proxy', async () => {
    const url = `${server.origin}/cdn-cgi/local/platform-proxy`;
    const operation = { 'MF-Op': 'GET', 'MF-Op-Target': '0' };
    expect(await ask(url)).toMatchObject({ status: 400, body: 'Invalid proxy request' });
    expect(await ask(url, { headers: operation })).toMatchObject({ status: 401, body: '' });
    expect(await ask(url, { headers: { ...operation, 'MF-Op-Secret': 'a'.repeat(64) } })).toMatchObject({
      status: 401,
    });
  });

  it('logs a request at the terminal without its path and query', async () => {
    const paths = ['/platform/invite/inv_SECRET', '/platform/reset/SECRET', '/SECRET?q=SECRET', '/v1/links?q=SECRET'];
    for (const path of paths) await ask(`${server.origin}${path}`);
    await until('the last request is logged', () => server.output().includes('"route":"/v1/links"'));
    expect(server.output()).toContain('"route":"/platform/invite/:token"');
    expect(server.output()).not.toContain('SECRET');
    const logged = linesOf(server.output()).filter((line) => line.includes('"event"'));
    for (const line of logged) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) });
  });

  it('keeps no requested URL in any of its files', async () => {
    await ask(`${server.origin}/platform/invite/inv_KEPTNOWHERE?q=KEPTNOWHERE`);
    await ask(`${server.origin}/KEPTNOWHERE`);
    await server.end('SIGTERM');
    const files = [...filesIn(persistTo), ...filesIn(join(folder, '.wrangler'))];
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => readFileSync(file).includes('KEPTNOWHERE'))).toEqual([]);
  });

  it('prints the password and the key last', () => {
    const said = linesOf(server.output()).filter((line) => !line.startsWith('{'));
    expect(said.slice(-4).map((line) => line.split(' ', 1)[0])).toEqual([
      'user:',
      'password:',
      'client_id:',
      'api_key:',
    ]);
  });
});

function filesIn(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
