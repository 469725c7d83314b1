import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { withCurl } from '../scripts/support/curl.ts';
import { curlCommands } from '../scripts/support/pages.ts';
import { makeFolder, runProcess, strangersEnv } from '../scripts/support/processes.ts';
import {
  copyProject,
  linesOf,
  printedAccount,
  printedOnce,
  ROOT,
  runAccount,
  type PrintedAccount,
} from '../scripts/support/project.ts';
import { ask, askForToken, makeLink, startServer, type Server, type Tokens } from '../scripts/support/server.ts';

/** The headers of a browser when a person opens an address. */
const NAVIGATION = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Site': 'none',
};

describe('a first start', () => {
  const folder = copyProject();
  const persistTo = makeFolder();
  let server: Server;
  let account: PrintedAccount;

  beforeAll(async () => {
    server = await startServer({ folder, persistTo });
    account = printedAccount(server.output());
  });

  it('a first start prints the account it created, each value alone on its line', () => {
    expect(account).toEqual({
      user: 'admin',
      password: expect.stringMatching(/^\S{20}$/),
      clientId: 'default',
      apiKey: expect.stringMatching(/^tk_\w+_\S+$/),
    });
  });

  it('a first start keeps the signing keys in a file of its owner alone, which git ignores', () => {
    expect(statSync(join(folder, '.dev.vars')).mode & 0o777).toBe(0o600);
    expect(execFileSync('git', ['check-ignore', '.dev.vars'], { cwd: ROOT }).toString()).toBe('.dev.vars\n');
  });

  it('a first start keeps its data in the given folder, and nowhere else', () => {
    expect(existsSync(join(persistTo, 'v3/d1'))).toBe(true);
    expect(existsSync(join(folder, '.wrangler/state'))).toBe(false);
  });

  it('a first start prints where to sign in, and serves the page there', async () => {
    const [address, ...more] = linesOf(server.output()).filter((line) => line.endsWith('/platform'));
    expect([address, more]).toEqual([`${server.origin}/platform`, []]);
    const answer = await ask(`${address}/sign-in`, { headers: NAVIGATION });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=UTF-8' } });
    expect(answer.body).toContain('<h1>Good to see you.</h1>');
    expect(answer.body).not.toContain(account.password);
  });

  it('a first start prints a command that creates a link and one that follows it', async () => {
    const [make, follow, ...more] = linesOf(server.output()).filter((line) => line.startsWith('curl '));
    expect(more).toEqual([]);
    // The commands themselves say where one leaves its response for the other, not the shell around them.
    const inShell = (command = 'false') => runProcess('sh', ['-c', command], { cwd: makeFolder(), env });
    const env = withCurl(strangersEnv());
    const made = await inShell(make);
    const followed = await inShell(follow);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { id, short_url } = JSON.parse(JSON.parse(made.stdout).result);
    expect(short_url).toBe(`${server.origin}/${id}`);
    expect(followed).toMatchObject({ code: 0, stderr: '' });
    expect(followed.stdout).toMatch(/^HTTP\/1\.1 302 Found\r\n/);
    expect(followed.stdout).toMatch(/^location: https:\/\/example\.com\/\r$/im);
  });

  it('a first start accepts the commands of the pages as they are there, with the values that it printed', async () => {
    const commands = curlCommands();
    const known: Record<string, string> = { PASSWORD: account.password, API_KEY: account.apiKey };
    const ran: string[] = [];
    const run = async (part: string, end = { option: '', code: 0 }) => {
      const [command = 'false', ...others] = commands.filter((text) => text.includes(part));
      expect(others).toEqual([]);
      ran.push(command);
      const text = command
        .replace('http://localhost:8787', server.origin)
        .replace(/\b(?:PASSWORD|API_KEY|ACCESS_TOKEN|ID)\b/g, (word) => known[word] ?? word);
      const { code, stdout } = await runProcess('sh', ['-c', `${text}${end.option}`], {
        cwd: makeFolder(),
        env: withCurl(strangersEnv()),
      });
      expect([text, code]).toEqual([text, end.code]);
      return stdout;
    };
    known['ACCESS_TOKEN'] = JSON.parse(await run('/tokens/create_token')).access_token;
    const made = JSON.parse(JSON.parse(await run('-F url=')).result);
    expect(made).toMatchObject({ url: 'https://example.com/page', campaign_name: 'Spring 2026', sec_id: 'print' });
    known['ID'] = made.id;
    expect(await run('curl -i ')).toMatch(
      /^HTTP\/1\.1 302 Found\r\n(?:.*\r\n)*location: https:\/\/example\.com\/page\r\n/i,
    );
    expect(JSON.parse(JSON.parse(await run('/info/')).result)).toMatchObject({ ...made, clicks: { previews: 0 } });
    expect(JSON.parse(await run('/v1/keys'))).toMatchObject({ name: 'build server', scopes: ['links:write'] });
    expect(JSON.parse(await run('"rules"'))).toMatchObject({ id: made.id, rules: [{ name: 'German' }] });
    expect(JSON.parse(await run('/resolve'))).toMatchObject({
      location: 'https://example.com/de',
      destination: { by: 'rule', name: 'German' },
    });
    const planned = { dry_run: true, created: 1, errors: 0 };
    expect(JSON.parse(await run('x-ndjson'))).toMatchObject({ ...planned, format: { id: 'terse' } });
    expect(JSON.parse(await run('sho.rt'))).toMatchObject({ ...planned, format: { id: 'kutt' } });
    expect(JSON.parse(await run('map_url'))).toMatchObject({ ...planned, format: { id: 'mapped' } });
    expect(JSON.parse(JSON.parse(await run('"slug": "hello"')).result).short_url).toBe(`${server.origin}/hello`);
    expect(JSON.parse(await run('moved'))).toMatchObject({ id: made.id, url: 'https://example.com/moved' });
    expect(JSON.parse(await run('/ID/stats'))).toMatchObject({ by: 'day', rows: expect.any(Array) });
    expect(JSON.parse(await run('/v1/stats'))).toMatchObject({ total: 0, compare: { from: '2026-03-18', total: 0 } });
    const found = JSON.parse(await run('tools/call')).result.structuredContent;
    expect(found.links).toEqual(expect.arrayContaining([expect.objectContaining({ id: made.id })]));
    // The stream does not end by itself; 28 is curl's code for that.
    expect(await run('/clicks/stream', { option: ' --max-time 10', code: 28 })).toMatch(/^retry: 6000\n: connected\n/);
    expect(JSON.parse(await run('/v1/webhooks'))).toMatchObject({
      url: 'http://localhost:9000/terse',
      events: ['link.created', 'link.clicked'],
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(ran.toSorted()).toEqual(commands.toSorted());
  });

  it('a first start lets the printed user sign in and inspect the token', async () => {
    const answer = await askForToken(server.origin, account.user, account.password);
    expect(answer.status).toBe(201);
    const tokens: Tokens = JSON.parse(answer.body);
    const info = await ask(`${server.origin}/tokens/token_info`, {
      headers: { Authorization: `Bearer ${tokens.access_token}` },
    });
    expect(info.status).toBe(200);
    const { token } = JSON.parse(info.body);
    expect(token.sub).toBe(tokens.local_id);
    expect(Number(token.exp) - Number(token.iat)).toBe(3600);
    expect(tokens.detail).toContain('3600 seconds');
  });

  it('a first start redirects a browser that navigates to a slug', async () => {
    const link = await makeLink(server.origin, account.apiKey, {
      client_id: account.clientId,
      url: 'https://example.com/page',
    });
    const answer = await ask(link.short_url, { headers: NAVIGATION });
    expect(answer).toMatchObject({ status: 302, body: '', headers: { location: 'https://example.com/page' } });
  });

  it('a first start gives an unknown slug a page for browsers, and JSON for programs', async () => {
    const page = await ask(`${server.origin}/no-such-slug`, { headers: NAVIGATION });
    expect(page).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=UTF-8' } });
    expect(page.body).toContain('<h1>Link not found</h1>');

    const json = await ask(`${server.origin}/no-such-slug`, { headers: { Accept: '*/*' } });
    expect(json.status).toBe(404);
    expect(JSON.parse(json.body)).toMatchObject({ result: 'Failed', error: expect.stringMatching(/^not_found: /) });
  });

  it('a first start serves the style sheet that its pages ask for', async () => {
    const page = await ask(`${server.origin}/no-such-slug`, { headers: NAVIGATION });
    const [, href] = /<link rel="stylesheet" href="([^"]+)"/.exec(page.body) ?? [];
    expect(href).toMatch(/^\/assets\/page\.[0-9a-f]{10}\.css$/);
    const sheet = await ask(`${server.origin}${href}`, { headers: { 'Sec-Fetch-Mode': 'no-cors' } });
    expect(sheet.status).toBe(200);
    expect(sheet.headers['content-type']).toMatch(/^text\/css/);
    expect(sheet.body).toBe(readFileSync(join(ROOT, 'public/assets/page.css'), 'utf8'));
  });

  it('a first start obeys the operator while it serves: a new user signs in, a disabled one and their key are refused', async () => {
    const added = await runAccount(persistTo, ['add', 'Zoë', '--client', 'zoes']);
    const password = printedOnce(added.stdout, 'password');
    const key = await runAccount(persistTo, ['key', 'zoes', '--name', 'laptop']);
    const apiKey = printedOnce(key.stdout, 'api_key');
    expect((await askForToken(server.origin, 'Zoë', password)).status).toBe(201);
    const fields = { client_id: 'zoes', url: 'https://example.com/' };
    const link = await makeLink(server.origin, apiKey, fields);

    expect(await runAccount(persistTo, ['disable', 'Zoë'])).toMatchObject({ code: 0 });
    expect((await askForToken(server.origin, 'Zoë', password)).status).toBe(401);
    await expect(makeLink(server.origin, apiKey, fields)).rejects.toThrow('create answered 401');
    expect((await ask(link.short_url)).status).toBe(302);
  });

  describe('a start with a custom domain', () => {
    const host = 'go.example.com';
    let slug: string;

    beforeAll(async () => {
      expect(await runAccount(persistTo, ['domain', host, '--client', account.clientId])).toMatchObject({ code: 0 });
      const link = await makeLink(server.origin, account.apiKey, {
        client_id: account.clientId,
        url: 'https://example.com/on-a-domain',
        custom_domain: host,
      });
      expect(link.short_url).toBe(`https://${host}/${link.id}`);
      slug = link.id;
    });

    it.each([host, `${host}.`, host.toUpperCase(), `${host}:8443`])(
      'a first start with a custom domain follows its links at %s',
      async (name) => {
        const answer = await ask(`${server.origin}/${slug}`, { headers: { Host: name } });
        expect(answer).toMatchObject({ status: 302, headers: { location: 'https://example.com/on-a-domain' } });
      },
    );

    it('a first start with a custom domain does not follow its links on the host of the service, nor on an unknown host', async () => {
      expect((await ask(`${server.origin}/${slug}`)).status).toBe(404);
      expect((await ask(`${server.origin}/${slug}`, { headers: { Host: 'other.example.com' } })).status).toBe(404);
    });

    it('a first start with a custom domain does not follow links of the service on the domain', async () => {
      const own = await makeLink(server.origin, account.apiKey, {
        client_id: account.clientId,
        url: 'https://example.com/',
      });
      expect((await ask(own.short_url)).status).toBe(302);
      expect((await ask(own.short_url, { headers: { Host: host } })).status).toBe(404);
    });

    it.each([
      ['GET', '/tokens/create_token'],
      ['GET', '/tokens/token_info'],
      ['GET', '/.well-known/jwks.json'],
      ['GET', '/info/a/b/c'],
      ['POST', '/v1/links'],
      ['POST', '/shortener/encode'],
      ['OPTIONS', '/v1/links'],
    ])('a first start with a custom domain has no API on the domain: %s %s', async (method, path) => {
      const there = await ask(`${server.origin}${path}`, { method, headers: { Host: host } });
      // Such a path may be a slug of a custom domain, which takes only GET and HEAD.
      expect(there.status).toBe(method === 'GET' ? 404 : 405);
      const here = await ask(`${server.origin}${path}`, { method });
      expect(here.status).not.toBe(404);
    });
  });
});
