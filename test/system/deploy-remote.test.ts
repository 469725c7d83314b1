import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { operatorKeysText } from '../../scripts/operator-key.ts';
import { generateTokenKey } from '../../src/tokens/keys.ts';
import { parseOperatorKey, publicHalf } from '../../src/tokens/operator.ts';
import { runProcess, strangersEnv, type Outcome } from '../scripts/support/processes.ts';
import { copyProject, NODE, ROOT } from '../scripts/support/project.ts';

/** Cloudflare's API as far as a deploy asks it before the Worker is taken up: one database, of the first version. */
const COLUMNS = [
  { table: 'links', column: 'id' },
  { table: 'links', column: 'url' },
];
const META = { duration: 1, served_by: 'test', size_after: 1, rows_read: 0, rows_written: 0 };

/** The folder in which the key of the tools is made. */
const folder = copyProject();
let api: Server;
/** What was asked for, in order: the path, and the SQL that came with it. */
let asked: [path: string, body: string][];
let refusesQueries: boolean;

beforeEach(async () => {
  asked = [];
  refusesQueries = false;
  api = createServer((request, response) => {
    void text(request).then((body) => {
      const path = (request.url ?? '').replace(/^.*\/accounts\/[0-9a-f]+/, '');
      asked.push([path, body]);
      if (path === '/upload') return response.setHeader('ETag', createHash('md5').update(body).digest('hex')).end();
      const result = resultOf(path, body);
      const errors = result === null ? [{ code: 7500, message: 'the database is asleep' }] : [];
      response.statusCode = result === null ? 500 : 200;
      response.setHeader('Content-Type', 'application/json');
      return response.end(JSON.stringify({ success: result !== null, errors, messages: [], result }));
    });
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  api.closeAllConnections();
  api.close();
});

const origin = () => `http://127.0.0.1:${(api.address() as AddressInfo).port}`;

function resultOf(path: string, body: string): unknown {
  if (path.endsWith('/query')) return refusesQueries ? null : [{ results: COLUMNS, success: true, meta: META }];
  if (path.endsWith('/import')) {
    if (body.includes('"init"')) return { success: true, upload_url: `${origin()}/upload`, filename: 'schema.sql' };
    return {
      success: true,
      type: 'import',
      status: 'complete',
      at_bookmark: 'b',
      messages: [],
      result: { success: true, num_queries: 1, final_bookmark: 'b', meta: META },
    };
  }
  if (path.startsWith('/d1/database')) {
    const database = { uuid: '11111111-2222-4333-8444-555555555555', name: 'terse' };
    return path.includes('1111') ? database : [database];
  }
  // Of Workers, domains and the rest there is nothing to be had here.
  return null;
}

function deploy(...args: readonly string[]): Promise<Outcome> {
  const env = {
    ...strangersEnv(),
    CLOUDFLARE_API_BASE_URL: `${origin()}/client/v4`,
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
  };
  return runProcess(NODE, ['scripts/deploy.ts', ...args], { cwd: folder, env });
}

const first = (part: string) => asked.findIndex(([path]) => path.includes(part));

it('brings the database up to date, and then takes the Worker up', async () => {
  await deploy('--domain', 'go.example.com');
  const sql = asked.find(([path]) => path === '/upload')?.[1] ?? '';
  expect(sql).toMatch(
    /^ALTER TABLE links ADD COLUMN user_id TEXT;\nALTER TABLE links ADD COLUMN key_id TEXT;\n(?:ALTER TABLE links ADD COLUMN \w+ TEXT;\n)*--/,
  );
  expect(sql).toContain('CREATE TABLE IF NOT EXISTS audit_entries');
  expect(sql).not.toContain('ALTER TABLE members');
  expect(first('/workers/')).toBeGreaterThan(first('/import'));
});

it('takes no Worker up where the database is not brought up to date', async () => {
  refusesQueries = true;
  const { code, stderr } = await deploy();
  expect(stderr).toMatch(
    /^The database was not brought up to date, and nothing is deployed: .*\. Check "npx wrangler/m,
  );
  expect([code, first('/workers/'), first('/import')]).toEqual([2, -1, -1]);
});

it('repeats wrangler’s sentence to a user who has not signed in', async () => {
  const env = strangersEnv();
  const { code, stderr } = await runProcess(NODE, ['scripts/deploy.ts'], { cwd: folder, env });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^The database was not brought up to date, and nothing is deployed: .*CLOUDFLARE_API_TOKEN.*\. Check "npx wrangler whoami"/,
  );
});

it('makes a key for the tools that only its owner can read, and keeps it', async () => {
  const file = join(folder, 'operator-key.json');
  rmSync(file, { force: true });
  await deploy();
  const key = readFileSync(file, 'utf8');
  expect([statSync(file).mode & 0o777, parseOperatorKey(key)]).toEqual([
    0o600,
    expect.objectContaining({ kty: 'OKP' }),
  ]);
  await deploy();
  expect(readFileSync(file, 'utf8')).toBe(key);
  expect(execFileSync('git', ['check-ignore', 'operator-key.json'], { cwd: ROOT }).toString()).toBe(
    'operator-key.json\n',
  );
});

it('gives the Worker the public half of it, and the keys that wrangler.toml names', async () => {
  const [own, other] = [await generateTokenKey(), await generateTokenKey()];
  const text = operatorKeysText(own, [publicHalf(other), publicHalf(own)]);
  expect(JSON.parse(text)).toEqual([publicHalf(own), publicHalf(other)]);
});

it('only tries with --dry-run, and asks no question', async () => {
  const { code, stdout } = await deploy('--dry-run');
  expect([code, asked]).toEqual([0, []]);
  expect(stdout).toContain('--dry-run: exiting now.');
});
