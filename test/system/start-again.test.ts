import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort, makeFolder, type Outcome } from '../scripts/support/processes.ts';
import {
  copyProject,
  linesOf,
  printed,
  printedAccount,
  printedOnce,
  runAccount,
  runNpm,
  type PrintedAccount,
} from '../scripts/support/project.ts';
import {
  ask,
  askForToken,
  isListening,
  makeLink,
  startServer,
  type LinkRecord,
  type Server,
} from '../scripts/support/server.ts';

describe('a second start', () => {
  const folder = copyProject();
  const persistTo = makeFolder();
  let first: { server: Server; account: PrintedAccount; keys: string; link: LinkRecord; devVars: string };
  let between: Outcome;
  let second: Server;

  beforeAll(async () => {
    const server = await startServer({ folder, persistTo });
    const account = printedAccount(server.output());
    const link = await makeLink(server.origin, account.apiKey, {
      client_id: account.clientId,
      url: 'https://example.com/kept',
    });
    const keys = await ask(`${server.origin}/.well-known/jwks.json`);
    first = { server, account, link, keys: keys.body, devVars: readFileSync(join(folder, '.dev.vars'), 'utf8') };
    await server.end('SIGTERM');
    between = await runAccount(persistTo, ['reset', account.user]);
    const args = ['--var', 'ACCESS_TOKEN_SECONDS:120', '--var', 'PUBLIC_URL:https://short.example:8443'];
    second = await startServer({ folder, persistTo, args });
  });

  it('a second start leaves nothing of the first server running, after a signal to its npm only', async () => {
    expect(first.server.living()).toEqual([]);
    expect(await isListening(first.server.port)).toBe(false);
  });

  it('a reset link with the origin of the first start needs no second start', () => {
    expect(between).toMatchObject({ code: 0, stderr: '' });
    expect(printedOnce(between.stdout, 'reset_link').startsWith(`${first.server.origin}/platform/reset/`)).toBe(true);
  });

  it('a second start still follows the links of the first', async () => {
    const answer = await ask(`${second.origin}/${first.link.id}`);
    expect(answer).toMatchObject({ status: 302, headers: { location: 'https://example.com/kept' } });
  });

  it('a second start has the keys of the first', async () => {
    expect(JSON.parse(first.keys).keys).toHaveLength(1);
    expect((await ask(`${second.origin}/.well-known/jwks.json`)).body).toBe(first.keys);
    expect(readFileSync(join(folder, '.dev.vars'), 'utf8')).toBe(first.devVars);
  });

  it('a second start says nothing about the password or the key', () => {
    expect(second.output()).toContain('Your data is unchanged.');
    for (const name of ['user', 'password', 'client_id', 'api_key']) expect(printed(second.output(), name)).toEqual([]);
    expect(second.output()).not.toContain(first.account.password);
    expect(second.output()).not.toContain(first.account.apiKey);
  });

  it('a second start refuses a third server on the same data, on whatever port, and continues', async () => {
    for (const port of [second.port, await freePort()]) {
      const args = ['start', '--', '--port', String(port), '--persist-to', persistTo];
      const { code, stderr } = await runNpm(folder, args);
      expect(code).toBe(2);
      expect(linesOf(stderr)).toEqual([
        expect.stringMatching(
          /^Process \d+ already serves the data in \S+, at http:\/\/localhost:\d+: stop it first, /,
        ),
      ]);
      expect(stderr).toContain(second.origin);
    }
    expect((await ask(`${second.origin}/health`)).status).toBe(200);
  });

  it('a second start hands --var to the Worker', async () => {
    const { user, password, clientId, apiKey } = first.account;
    const answer = await askForToken(second.origin, user, password);
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body).detail).toContain('120 seconds');

    const link = await makeLink(second.origin, apiKey, { client_id: clientId, url: 'https://example.com/' });
    expect(link.short_url).toBe(`https://short.example:8443/${link.id}`);
    const followed = await ask(`${second.origin}/${link.id}`, { headers: { Host: 'short.example:8443' } });
    expect(followed.status).toBe(302);
  });
});

describe('the end of a start', () => {
  it('the end of a start leaves nothing running after Ctrl-C', async () => {
    const server = await startServer({ folder: copyProject(), persistTo: makeFolder() });
    await server.endAll('SIGINT');
    expect(server.living()).toEqual([]);
    expect(await isListening(server.port)).toBe(false);
  });

  it('the end of a start leaves nothing running after the terminal is closed', async () => {
    const server = await startServer({ folder: copyProject(), persistTo: makeFolder() });
    expect(await isListening(server.port)).toBe(true);
    await server.endAll('SIGHUP');
    expect(server.living()).toEqual([]);
    expect(await isListening(server.port)).toBe(false);
  });
});

describe('a .dev.vars that is already there', () => {
  it('a .dev.vars that is already there keeps its lines, gets the keys that are missing, and is restricted to your user', async () => {
    const folder = copyProject();
    const text = '# mine\r\nexport MEMORY_SECONDS="7"\r\nENCODE_SUNSET=2030-01-01T00:00:00Z';
    writeFileSync(join(folder, '.dev.vars'), text, { mode: 0o644 });
    const server = await startServer({ folder, persistTo: makeFolder() });
    const now = readFileSync(join(folder, '.dev.vars'), 'utf8');
    expect(now.startsWith(`${text}\n`)).toBe(true);
    expect(now.slice(text.length)).toMatch(/^\nTOKEN_KEYS='\[\{.*\}\]'\nWEBHOOK_KEYS='\[\{.*\}\]'\n$/);
    expect(statSync(join(folder, '.dev.vars')).mode & 0o777).toBe(0o600);
    const answer = await ask(`${server.origin}/shortener/encode`, { method: 'POST' });
    expect(answer.headers['sunset']).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
    await server.end('SIGTERM');
  });
});
