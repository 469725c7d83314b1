import { existsSync, lstatSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, runProcess, strangersEnv, until } from '../scripts/support/processes.ts';
import { copyProject, linesOf, printedAccount, runAccount, type PrintedAccount } from '../scripts/support/project.ts';
import { ask, makeLink, startServer, type LinkRecord, type Server } from '../scripts/support/server.ts';
import { PROXIES, type FrontProxy } from './support/front-proxies.ts';
import { commandOf, optionsOf, readFile, stepsOf, wordsOf } from './support/on-one-machine.ts';

/** The instructions of docs/on-one-machine.md, with the files that it shows. */

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const [OWN, ACME] = ['go.example.com', 'go.acme.example'];

describe('the service of the unit', () => {
  const [folder, persistTo] = [copyProject(), makeFolder()];
  let server: Server;
  let account: PrintedAccount;

  beforeAll(async () => {
    const args = optionsOf(commandOf('terse.service', 'ExecStart').split(/ +/));
    expect(args).toContain('--trust-proxy');
    server = await startServer({ folder, persistTo, args });
    account = printedAccount(server.output());
    expect((await runAccount(persistTo, ['domain', ACME, '--client', account.clientId])).code).toBe(0);
  });

  describe.each(PROXIES)('the service behind %s', (_name, start) => {
    let proxy: FrontProxy;
    beforeAll(async () => {
      proxy = await start(server.port);
    });
    afterAll(() => proxy.end());

    const create = (more: Readonly<Record<string, string>> = {}): Promise<LinkRecord> =>
      makeLink(server.origin, account.apiKey, { client_id: account.clientId, url: 'https://example.com/', ...more });

    it('the service behind a proxy counts visitors by their addresses, whatever they send', async () => {
      const link = await create();
      const visits = [
        ['127.0.0.5', {}],
        ['127.0.0.6', {}],
        ['127.0.0.7', {}],
        ['127.0.0.5', { 'X-Forwarded-For': '198.51.100.1', 'X-Real-IP': '198.51.100.1' }],
        ['127.0.0.5', { Forwarded: 'for=198.51.100.2', 'CF-Connecting-IP': '198.51.100.2', 'CF-IPCountry': 'CH' }],
        ['127.0.0.6', { Forwarded: 'for="', 'True-Client-IP': '198.51.100.3', 'X-Forwarded-For': 'unknown' }],
      ] as const;
      for (const [from, headers] of visits) {
        const answer = await proxy.ask(OWN, `/${link.id}`, { from, headers: { 'User-Agent': FIREFOX, ...headers } });
        expect(answer).toMatchObject({ status: 302, headers: { location: 'https://example.com/' } });
      }
      const clicks = async () => {
        const { body } = await ask(`${server.origin}/v1/links/${link.id}`, {
          headers: { 'X-API-Key': account.apiKey },
        });
        return (JSON.parse(body) as { clicks: { total: number } }).clicks;
      };
      await until('all clicks are counted', async () => (await clicks()).total === visits.length);
      expect(await clicks()).toMatchObject({ total: visits.length, visitors_today: 3 });
    });

    it('the service behind a proxy is reached by https, also for a visitor who says http', async () => {
      const secure = { status: 200, headers: { 'strict-transport-security': expect.stringMatching(/^max-age=/) } };
      expect(await proxy.ask(OWN, '/health')).toMatchObject(secure);
      const headers = { 'X-Forwarded-Proto': 'http', Forwarded: 'proto=http' };
      expect(await proxy.ask(OWN, '/health', { headers })).toMatchObject(secure);
    });

    it('the service behind a proxy serves the links of a custom domain, and of no host that a visitor names otherwise', async () => {
      const { id } = await create({ custom_domain: ACME });
      expect((await proxy.ask(ACME, `/${id}`)).status).toBe(302);
      expect((await proxy.ask(OWN, `/${id}`, { headers: { 'X-Forwarded-Host': ACME } })).status).toBe(404);
    });

    it('the service behind a proxy takes bodies as large as those of imports, and passes on a live stream at once', async () => {
      const headers = { 'X-API-Key': account.apiKey, 'Content-Type': 'text/csv' };
      const body = 'x'.repeat(2 * 1024 * 1024);
      // One row that is too long: the service has read it.
      const refused = await proxy.ask(OWN, '/v1/links/import', { method: 'POST', headers, body });
      expect([refused.status, refused.body]).toEqual([400, expect.stringMatching(/^\{"result":"Failed",/)]);
      const stream = await proxy.ask(OWN, '/v1/clicks/stream', { headers: { 'X-API-Key': account.apiKey } });
      expect(stream).toMatchObject({ status: 200, body: expect.stringContaining(': connected\n') });
    });

    it('the service behind a proxy lets no visitor ask which hosts have certificates', async () => {
      for (const host of [OWN, ACME])
        expect((await proxy.ask(host, `/.well-known/terse-certificate?domain=${ACME}`)).status).toBe(404);
    });
  });

  it('the service of the unit says to Caddy for which hosts there may be certificates', async () => {
    const [, url = ''] = /^\s*ask (\S+)$/m.exec(readFile('Caddyfile')) ?? [];
    const question = async (host: string) =>
      (await ask(`${url.replace('8787', String(server.port))}?domain=${host}`)).status;
    expect([await question(OWN), await question(ACME), await question('www.acme.example')]).toEqual([200, 200, 404]);
    const caddy = PROXIES.find(([name]) => name === 'Caddy')?.[1];
    if (caddy === undefined) return;
    const proxy = await caddy(server.port);
    onTestFinished(() => proxy.end());
    expect((await proxy.ask(ACME, '/none')).status).toBe(404);
    await expect(proxy.ask('www.acme.example', '/none')).rejects.toThrow(/./);
  });

  it('the service of the unit is backed up by the command of the timer, which removes old backups', async () => {
    const backups = makeFolder();
    const [old, recent] = ['2020-01-01.backup', '2020-01-02.backup'];
    for (const name of [old, recent]) writeFileSync(join(backups, name), '');
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    utimesSync(join(backups, old), daysAgo(16), daysAgo(16));
    utimesSync(join(backups, recent), daysAgo(12), daysAgo(12));
    for (const setting of ['ExecStart', 'ExecStartPost']) {
      const command = commandOf('terse-backup.service', setting)
        .replaceAll('/var/lib/terse-backups', backups)
        .replaceAll('/var/lib/terse', persistTo);
      const env = strangersEnv();
      expect(await runProcess('sh', ['-c', command], { cwd: folder, env })).toMatchObject({ code: 0, stderr: '' });
    }
    const [first, created = '', ...others] = readdirSync(backups).toSorted();
    expect([first, others]).toEqual([recent, []]);
    expect(created).toMatch(/^\d{4}-\d\d-\d\d\.backup$/);
    expect(statSync(join(backups, created)).mode & 0o777).toBe(0o600);
  });

  it('the service of the unit logs no request that went well, and ends after the signal of systemd, which npm alone gets', async () => {
    const [, signal] = /^KillSignal=(SIG\w+)$/m.exec(readFile('terse.service')) ?? [];
    const printed = linesOf(server.output()).filter((line) => line.startsWith('{'));
    expect(printed.map((line) => (JSON.parse(line) as { event: string }).event)).not.toContain('proxy_not_trusted');
    expect(printed.filter((line) => line.includes('"status":200'))).toEqual([]);
    await server.end(signal as NodeJS.Signals);
    expect(server.living()).toEqual([]);
  });
});

describe('the container', () => {
  /** Starts the service of a new container, with what is in the volume. */
  async function startContainer(data: string) {
    const folder = copyProject();
    const links = stepsOf().filter((step) => step.startsWith('ln '));
    expect(links).toHaveLength(1);
    for (const step of links) {
      const command = step.replaceAll('/data', data);
      expect((await runProcess('sh', ['-c', command], { cwd: folder, env: strangersEnv() })).code).toBe(0);
    }
    const [program = '', ...words] = wordsOf('ENTRYPOINT');
    expect(words.slice(0, 2)).toEqual(['start', '--']);
    const args = optionsOf(words);
    expect(args).toEqual(expect.arrayContaining(['--ip', '0.0.0.0']));
    const persistTo = join(data, 'state');
    const server = await startServer({ folder, persistTo, args, command: [program, ...words.slice(0, 2)] });
    return { folder, server };
  }

  it('the container keeps its data and its keys in the volume', async () => {
    const data = makeFolder();
    const first = await startContainer(data);
    const { clientId, apiKey } = printedAccount(first.server.output());
    const link = await makeLink(first.server.origin, apiKey, { client_id: clientId, url: 'https://example.com/' });
    const keys = (await ask(`${first.server.origin}/.well-known/jwks.json`)).body;
    expect(lstatSync(join(first.folder, '.dev.vars')).isSymbolicLink()).toBe(true);
    expect(statSync(join(data, '.dev.vars')).mode & 0o777).toBe(0o600);
    await first.server.end('SIGTERM');

    const { server, folder } = await startContainer(data);
    expect(existsSync(join(folder, '.wrangler'))).toBe(false);
    expect((await ask(`${server.origin}/.well-known/jwks.json`)).body).toBe(keys);
    expect(await ask(`${server.origin}/${link.id}`)).toMatchObject({ status: 302 });
    const [command = '', flag = '', script = ''] = wordsOf(String.raw` *CMD`);
    const check = (port: number) =>
      runProcess(command, [flag, script.replace('8787', String(port))], { cwd: folder, env: strangersEnv() });
    expect((await check(server.port)).code).toBe(0);
    await server.end('SIGTERM');
    expect((await check(server.port)).code).toBe(1);
  });
});
