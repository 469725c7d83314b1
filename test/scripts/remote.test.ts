import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProcess, strangersEnv } from './support/processes.ts';
import { NODE, ROOT } from './support/project.ts';

/** Cloudflare's API as far as wrangler asks it before it connects: the account has one database of our name. */
const DATABASE_ID = '11111111-2222-4333-8444-555555555555';
const uploads: string[] = [];
let api: Server;

beforeAll(async () => {
  api = createServer((request, response) => {
    void text(request).then((body) => {
      if (body.includes('"bindings"')) uploads.push(body);
      response.setHeader('Content-Type', 'application/json');
      return response.end(
        JSON.stringify({ success: true, errors: [], messages: [], result: resultOf(request.url ?? '') }),
      );
    });
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
});

afterAll(() => void api.close());

function resultOf(path: string): unknown {
  if (path.includes('/d1/database')) return [{ uuid: DATABASE_ID, name: 'terse' }];
  if (path.includes('edge-preview')) return { token: 'a.b.c', exchange_url: null };
  return path.includes('subdomain') ? { subdomain: 'terse', enabled: true } : { preview_token: 'token' };
}

it('binds the deployed database by the id that Cloudflare knows its name by', async () => {
  const { port } = api.address() as AddressInfo;
  const env = {
    ...strangersEnv(),
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
  };
  const list = await runProcess(NODE, ['scripts/account.ts', 'list', '--remote'], { cwd: ROOT, env });
  expect(list.stderr).toMatch(/^The deployed database cannot be used: .*$/m);
  expect(uploads.join()).toContain(`"id":"${DATABASE_ID}"`);
  // Where the API leads to is outside of this machine.
  expect([list.code, list.stdout]).toEqual([2, '']);
});
