import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terseOf } from '../../scripts/support/cli.ts';
import { ended, listen, makeFolder, startProcess, strangersEnv, until } from '../../scripts/support/processes.ts';
import { ROOT } from '../../scripts/support/project.ts';
import { openStub, sendJson, type Sent, type StubService } from '../../scripts/support/stub-service.ts';

let stub: StubService;
afterEach(() => stub.close());

type Respond = (response: ServerResponse, index: number, sent: Sent) => void;

const BIN = join(ROOT, 'bin');
const open = async (respond: Respond) => {
  stub = await openStub(respond);
  return terseOf(BIN, { TERSE_URL: stub.origin, TERSE_API_KEY: 'tk_of_a_test' });
};
const LINK = { id: 'abc', short_url: 'https://go.example.com/abc', url: 'https://example.com/', state: 'active' };
const PAGE = { links: [], cursor: null, scanned_to: null };
const BUSY = { code: 'store_unavailable', detail: 'The database does not respond.', status: 503 };

describe('a request that fails temporarily', () => {
  it('a request that fails temporarily is sent again if it reads, and three times at most', async () => {
    const terse = await open((response, index) =>
      index < 2 ? sendJson(response, BUSY, 503) : sendJson(response, PAGE),
    );
    expect(await terse(['list'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(stub.sent).toHaveLength(3);
  });

  it('a request that fails temporarily ends with exit code 5 if it fails each time', async () => {
    const terse = await open((response) => sendJson(response, BUSY, 503));
    expect(await terse(['list'])).toEqual({ code: 5, stdout: '', stderr: 'terse: The database does not respond.\n' });
    expect(stub.sent).toHaveLength(3);
  });

  it('a request that fails temporarily is sent again with the same Idempotency-Key if it creates', async () => {
    const terse = await open((response, index) => (index === 0 ? response.destroy() : sendJson(response, LINK, 201)));
    expect((await terse(['create', LINK.url])).stdout).toBe(`${LINK.short_url}\n`);
    const keys = stub.sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
    expect(stub.sent[1]?.body).toBe(stub.sent[0]?.body);
  });

  it('a request that fails temporarily is not sent again if that could do something twice', async () => {
    const terse = await open((response) => response.destroy());
    const stdin = 'url\nhttps://example.com/\n';
    expect(await terse(['import', '-', '--type', 'csv', '--json'], { stdin })).toMatchObject({ code: 5, stdout: '' });
    expect(stub.sent).toHaveLength(1);
  });

  it('a request that fails temporarily is not sent again if the service names a time that is too long', async () => {
    const terse = await open((response) => {
      response.setHeader('Retry-After', '60');
      sendJson(response, { code: 'too_many_requests', detail: 'The limit is reached.' }, 429);
    });
    expect((await terse(['list'])).stderr).toBe('terse: The limit is reached.\nTry again in 60 s.\n');
    expect(stub.sent).toHaveLength(1);
  });
});

describe('a service that does not respond', () => {
  it('a service that does not respond is given up after --timeout, before the response and within it', async () => {
    const terse = await open((response, _index, { method }) => {
      if (method === 'GET') response.writeHead(200, { 'Content-Type': 'text/csv' }).write('id,url\n');
    });
    const stdin = 'url\nhttps://example.com/\n';
    const late = `terse: ${stub.origin} did not respond within 1 s.\nTry again, or wait longer with --timeout.\n`;
    expect(await terse(['import', '-', '--type', 'csv', '--timeout', '1'], { stdin })).toEqual({
      code: 5,
      stdout: '',
      stderr: late,
    });
    const cwd = makeFolder();
    expect(await terse(['export', 'all.csv', '--timeout', '1'], { cwd })).toEqual({
      code: 5,
      stdout: '',
      stderr: late,
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('a service that does not exist is named', async () => {
    const terse = await open(() => {});
    stub.close();
    const { code, stderr } = await terse(['import', '-', '--type', 'csv'], { stdin: 'url' });
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: `terse: ${stub.origin} cannot be reached: nothing responds at this port (ECONNREFUSED).\nCheck the URL and the connection, then try again.\n`,
    });
  });
});

describe('the key', () => {
  it('the key is not sent where the service redirects to', async () => {
    const terse = await open((response) => response.writeHead(302, { Location: 'https://evil.example/' }).end());
    expect(await terse(['list'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^terse: The service redirects to https:\/\/evil\.example\/, where the key is not sent\./,
      ),
    });
    expect(stub.sent).toHaveLength(1);
  });

  it('the key is not sent without encryption to another machine, nor that of one service to another', async () => {
    const terse = await open((response) => sendJson(response, { clients: [{ client_id: 'acme' }] }));
    const env = { TERSE_URL: 'http://go.example.com' };
    expect(await terse(['list'], { env })).toMatchObject({ code: 2, stderr: expect.stringContaining('Use https.') });
    const stored = { XDG_CONFIG_HOME: makeFolder(), TERSE_API_KEY: '', TERSE_URL: '' };
    expect((await terse(['login', stub.origin], { env: stored, stdin: 'tk_stored\n' })).code).toBe(0);
    const other = { ...stored, TERSE_URL: 'http://127.0.0.1:9' };
    expect(await terse(['list'], { env: other })).toMatchObject({ code: 3, stdout: '' });
  });

  it('the key is no argument of any command', async () => {
    const terse = await open(() => {});
    for (const option of ['--key', '--api-key', '--token']) {
      expect((await terse(['list', option, 'tk_secret'])).code).toBe(2);
    }
    expect(stub.sent).toEqual([]);
  });
});

describe('an interrupted command', () => {
  it('an interrupted command ends with 130 and leaves no part of a file', async () => {
    await open((response) => response.writeHead(200, { 'Content-Type': 'text/csv' }).write('id,url\n'));
    const cwd = makeFolder();
    const env = { ...strangersEnv(), TERSE_URL: stub.origin, TERSE_API_KEY: 'tk_of_a_test' };
    const child = startProcess(join(BIN, 'terse'), ['export', 'all.csv'], { cwd, env });
    const errors = listen(child.stderr);
    const end = ended(child);
    await until('the file is begun', () => readdirSync(cwd).length > 0);
    child.kill('SIGINT');
    expect({ code: await end, errors: errors(), left: readdirSync(cwd) }).toEqual({ code: 130, errors: '', left: [] });
  });

  it('an interrupted command is quiet when what reads its output has ended', async () => {
    const links = Array.from({ length: 100 }, () => ({ ...LINK, url: `https://example.com/${'x'.repeat(2000)}` }));
    await open((response) => sendJson(response, { ...PAGE, links, cursor: 'more' }));
    const folder = makeFolder();
    writeFileSync(join(folder, 'run.sh'), `'${BIN}/terse' list --all --json | head -n 1 > /dev/null\n`);
    const env = { ...strangersEnv(), TERSE_URL: stub.origin, TERSE_API_KEY: 'tk_of_a_test' };
    const child = startProcess('sh', [join(folder, 'run.sh')], { cwd: folder, env });
    const errors = listen(child.stderr);
    expect({ code: await ended(child), errors: errors() }).toEqual({ code: 0, errors: '' });
  });
});
