import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { withCurl } from './support/curl.ts';
import { freePort, makeFolder, occupyPort, runProcess, strangersEnv } from './support/processes.ts';
import { copyProject, linesOf, printed, printedOnce, ROOT, runAccount, runNpm } from './support/project.ts';
import { ask, askForToken, isListening, makeLink, startServer, type Server, type Tokens } from './support/server.ts';

/** What a browser says when someone opens an address. */
const NAVIGATION = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Site': 'none',
};

const KEYS_FAULT =
  /^\.dev\.vars: TOKEN_KEYS is not a JSON list of private Ed25519 JWKs; remove that line to have a new key made\.$/;

interface Account {
  readonly user: string;
  readonly password: string;
  readonly clientId: string;
  readonly apiKey: string;
}

function printedAccount(output: string): Account {
  const only = (name: string) => printedOnce(output, name);
  return { user: only('user'), password: only('password'), clientId: only('client_id'), apiKey: only('api_key') };
}

describe('a first start', () => {
  const folder = copyProject();
  const persistTo = makeFolder();
  let server: Server;
  let account: Account;

  beforeAll(async () => {
    server = await startServer({ folder, persistTo });
    account = printedAccount(server.output());
  });

  it('prints the account it made, each value alone on its line', () => {
    expect(account).toEqual({
      user: 'admin',
      password: expect.stringMatching(/^\S{20}$/),
      clientId: 'default',
      apiKey: expect.stringMatching(/^tk_\w+_\S+$/),
    });
  });

  it('keeps the signing keys in a file of its owner alone, which git ignores', () => {
    expect(statSync(join(folder, '.dev.vars')).mode & 0o777).toBe(0o600);
    expect(execFileSync('git', ['check-ignore', '.dev.vars'], { cwd: ROOT }).toString()).toBe('.dev.vars\n');
  });

  it('keeps its data where it was told to, and nowhere else', () => {
    expect(existsSync(join(persistTo, 'v3/d1'))).toBe(true);
    expect(existsSync(join(folder, '.wrangler/state'))).toBe(false);
  });

  it('prints where to sign in with it, and answers there with the page', async () => {
    const [address, ...more] = linesOf(server.output()).filter((line) => line.endsWith('/platform'));
    expect([address, more]).toEqual([`${server.origin}/platform`, []]);
    const answer = await ask(`${address}/sign-in`, { headers: NAVIGATION });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=UTF-8' } });
    expect(answer.body).toContain('<h1>Sign in</h1>');
    expect(answer.body).not.toContain(account.password);
  });

  it('prints a command that makes a link and one that follows it', async () => {
    const [make, follow, ...more] = linesOf(server.output()).filter((line) => line.startsWith('curl '));
    expect(more).toEqual([]);
    // Where the one leaves its answer for the other is part of the commands: the shell around them tells them nothing.
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

  it('lets the printed user sign in and inspect the token', async () => {
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

  it('redirects a browser that navigates to a slug', async () => {
    const link = await makeLink(server.origin, account.apiKey, {
      client_id: account.clientId,
      url: 'https://example.com/page',
    });
    const answer = await ask(link.short_url, { headers: NAVIGATION });
    expect(answer).toMatchObject({ status: 302, body: '', headers: { location: 'https://example.com/page' } });
  });

  it('shows a browser that navigates to an unknown slug a page, and tells a program in JSON', async () => {
    const page = await ask(`${server.origin}/no-such-slug`, { headers: NAVIGATION });
    expect(page).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=UTF-8' } });
    expect(page.body).toContain('<h1>There is no such link</h1>');

    const json = await ask(`${server.origin}/no-such-slug`, { headers: { Accept: '*/*' } });
    expect(json.status).toBe(404);
    expect(JSON.parse(json.body)).toMatchObject({ result: 'Failed', error: expect.stringMatching(/^not_found: /) });
  });

  it('serves the style sheet that its pages ask for', async () => {
    const page = await ask(`${server.origin}/no-such-slug`, { headers: NAVIGATION });
    const [, href] = /<link rel="stylesheet" href="([^"]+)"/.exec(page.body) ?? [];
    expect(href).toBe('/assets/page.css');
    const sheet = await ask(`${server.origin}${href}`, { headers: { 'Sec-Fetch-Mode': 'no-cors' } });
    expect(sheet.status).toBe(200);
    expect(sheet.headers['content-type']).toMatch(/^text\/css/);
    expect(sheet.body).toBe(readFileSync(join(ROOT, 'public/assets/page.css'), 'utf8'));
  });

  it('obeys the operator while it serves: a new user signs in, a disabled one and their key are refused', async () => {
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

  describe('with a custom domain', () => {
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

    it.each([host, `${host}.`, host.toUpperCase(), `${host}:8443`])('follows its links at %s', async (name) => {
      const answer = await ask(`${server.origin}/${slug}`, { headers: { Host: name } });
      expect(answer).toMatchObject({ status: 302, headers: { location: 'https://example.com/on-a-domain' } });
    });

    it('does not follow its links on the host of the service, nor on a host nobody has', async () => {
      expect((await ask(`${server.origin}/${slug}`)).status).toBe(404);
      expect((await ask(`${server.origin}/${slug}`, { headers: { Host: 'other.example.com' } })).status).toBe(404);
    });

    it('does not follow links of the service there', async () => {
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
    ])('has no API there: %s %s', async (method, path) => {
      const there = await ask(`${server.origin}${path}`, { method, headers: { Host: host } });
      expect(there.status).toBe(404);
      const here = await ask(`${server.origin}${path}`, { method });
      expect(here.status).not.toBe(404);
    });
  });
});

describe('a second start', () => {
  const folder = copyProject();
  const persistTo = makeFolder();
  let first: { account: Account; keys: string; link: { id: string; short_url: string }; devVars: string };
  let second: Server;

  beforeAll(async () => {
    const server = await startServer({ folder, persistTo });
    const account = printedAccount(server.output());
    const link = await makeLink(server.origin, account.apiKey, {
      client_id: account.clientId,
      url: 'https://example.com/kept',
    });
    const keys = await ask(`${server.origin}/.well-known/jwks.json`);
    first = { account, link, keys: keys.body, devVars: readFileSync(join(folder, '.dev.vars'), 'utf8') };
    await server.end('SIGTERM');
    const args = ['--var', 'ACCESS_TOKEN_SECONDS:120', '--var', 'PUBLIC_URL:https://short.example:8443'];
    second = await startServer({ folder, persistTo, args });
  });

  it('still follows the links of the first', async () => {
    const answer = await ask(`${second.origin}/${first.link.id}`);
    expect(answer).toMatchObject({ status: 302, headers: { location: 'https://example.com/kept' } });
  });

  it('has the keys of the first', async () => {
    expect(JSON.parse(first.keys).keys).toHaveLength(1);
    expect((await ask(`${second.origin}/.well-known/jwks.json`)).body).toBe(first.keys);
    expect(readFileSync(join(folder, '.dev.vars'), 'utf8')).toBe(first.devVars);
  });

  it('says nothing about the password or the key', () => {
    expect(second.output()).toContain('Your data is as you left it.');
    for (const name of ['user', 'password', 'client_id', 'api_key']) expect(printed(second.output(), name)).toEqual([]);
    expect(second.output()).not.toContain(first.account.password);
    expect(second.output()).not.toContain(first.account.apiKey);
  });

  it('hands --var to the Worker', async () => {
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
  it('leaves nothing running when npm alone is told to end', async () => {
    const server = await startServer({ folder: copyProject(), persistTo: makeFolder() });
    expect(await isListening(server.port)).toBe(true);
    await server.end('SIGTERM');
    expect(server.living()).toEqual([]);
    expect(await isListening(server.port)).toBe(false);
  });

  it.each([
    ['Ctrl-C', 'SIGINT'],
    ['the terminal is closed', 'SIGHUP'],
  ] as const)('leaves nothing running after %s', async (_, name) => {
    const server = await startServer({ folder: copyProject(), persistTo: makeFolder() });
    await server.endAll(name);
    expect(server.living()).toEqual([]);
    expect(await isListening(server.port)).toBe(false);
  });
});

it('leaves a folder that `npx wrangler dev` serves too', async () => {
  const folder = copyProject();
  const persistTo = makeFolder();
  const started = await startServer({ folder, persistTo });
  const account = printedAccount(started.output());
  const keys = await ask(`${started.origin}/.well-known/jwks.json`);
  await started.end('SIGTERM');

  const served = await startServer({ folder, persistTo, command: ['npx', 'wrangler', 'dev'] });
  expect((await ask(`${served.origin}/.well-known/jwks.json`)).body).toBe(keys.body);
  expect((await askForToken(served.origin, account.user, account.password)).status).toBe(201);
  await served.endAll('SIGINT');
});

describe('a start that cannot be', () => {
  const folder = copyProject();

  it.each([
    ['--port', 'abc', /^--port takes a number from 1 to 65535: --port 8788$/],
    ['--port', '0', /^--port takes a number/],
    ['--port', '65536', /^--port takes a number/],
    ['--persist-to', '', /^--persist-to takes a folder: --persist-to \.\/state$/],
    [
      '--persist-to',
      'package.json',
      /^No data can be kept in package\.json: choose a folder of yours with --persist-to/,
    ],
    ['--var', 'nonsense', /^--var takes NAME:value: --var ACCESS_TOKEN_SECONDS:600$/],
    [
      '--var',
      'ACCESS_TOKEN_SECONDS:abc',
      /^ACCESS_TOKEN_SECONDS must be a whole number of seconds from 60 to 2592000\.$/,
    ],
    ['--var', 'ACCESS_TOKEN_SECONDS:59', /^ACCESS_TOKEN_SECONDS must be a whole number/],
    ['--var', 'MEMORY_SECONDS:-1', /^MEMORY_SECONDS must be a whole number of seconds from 0 to 3600\.$/],
    ['--var', 'ENCODE_CUTOFF:tomorrow', /^ENCODE_CUTOFF must be an ISO 8601 instant such as 2027-01-01T00:00:00Z/],
    ['--var', 'PUBLIC_URL:go.example.com', /^PUBLIC_URL must be an http or https origin/],
    ['--var', 'CREATE_LIMITING:maybe', /^CREATE_LIMITING must be "on" or "off"\.$/],
    ['--var', 'TOKEN_KEYS:[]', /^TOKEN_KEYS must be a JSON list/],
  ])('says how to put %s %s right', async (option, value, sentence) => {
    expect(await refusal(folder, [option, value])).toMatch(sentence);
  });

  it('looks at every pair after one --var', async () => {
    const sentence = await refusal(folder, ['--var', 'MEMORY_SECONDS:1', 'ACCESS_TOKEN_SECONDS:abc']);
    expect(sentence).toMatch(/^ACCESS_TOKEN_SECONDS must be/);
  });

  it.each([
    ['junk', 'what is this\n', /^\.dev\.vars is broken at "what is this": write NAME=value lines, or remove the file/],
    ['junk after good lines', 'MEMORY_SECONDS=5\n{"kty":"OKP"}\n', /^\.dev\.vars is broken at /],
    ['bad JSON', "TOKEN_KEYS='[{\n", KEYS_FAULT],
    ['no JSON', 'TOKEN_KEYS=abc\n', KEYS_FAULT],
    ['no keys', 'TOKEN_KEYS=\n', KEYS_FAULT],
    ['an empty list', "TOKEN_KEYS='[]'\n", KEYS_FAULT],
    [
      'a key without its private part',
      `TOKEN_KEYS='[{"kty":"OKP","crv":"Ed25519","x":"${'A'.repeat(43)}"}]'\n`,
      KEYS_FAULT,
    ],
    ['a malformed setting', 'MEMORY_SECONDS=soon\n', /^\.dev\.vars: MEMORY_SECONDS must be a whole number of seconds/],
  ])('says how to put a .dev.vars right that holds %s, and leaves it as it is', async (_, text, sentence) => {
    const folder = copyProject();
    writeFileSync(join(folder, '.dev.vars'), text);
    expect(await refusal(folder, [])).toMatch(sentence);
    // Keys are added where there are none; what is there stays, byte for byte.
    expect(readFileSync(join(folder, '.dev.vars'), 'utf8').startsWith(text)).toBe(true);
  });

  it('says that a port is in use, and which option chooses another', async () => {
    const { server, port } = await occupyPort();
    onTestFinished(() => void server.close());
    const persistTo = makeFolder();
    rmSync(persistTo, { recursive: true });
    const sentence = await refusal(folder, ['--port', String(port), '--persist-to', persistTo]);
    expect(sentence).toBe(`Port ${port} is in use: free it, or choose another with "npm start -- --port N".`);
    // No account was made whose password nobody would have read.
    expect(existsSync(persistTo)).toBe(false);
  });
});

describe('a .dev.vars that is already there', () => {
  it('keeps its lines, gets the keys that are missing, and is closed to others', async () => {
    const folder = copyProject();
    const text = '# mine\r\nexport MEMORY_SECONDS="7"\r\nENCODE_SUNSET=2030-01-01T00:00:00Z';
    writeFileSync(join(folder, '.dev.vars'), text, { mode: 0o644 });
    const server = await startServer({ folder, persistTo: makeFolder() });
    const now = readFileSync(join(folder, '.dev.vars'), 'utf8');
    expect(now.startsWith(`${text}\n`)).toBe(true);
    expect(now.slice(text.length)).toMatch(/^\nTOKEN_KEYS='\[\{.*\}\]'\n$/);
    expect(statSync(join(folder, '.dev.vars')).mode & 0o777).toBe(0o600);
    const answer = await ask(`${server.origin}/shortener/encode`, { method: 'POST' });
    expect(answer.headers['sunset']).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
    await server.end('SIGTERM');
  });
});

/** The one sentence with which a start ends. */
async function refusal(folder: string, args: readonly string[]): Promise<string> {
  const port = args.includes('--port') ? [] : ['--port', String(await freePort())];
  const { code, stdout, stderr } = await runNpm(folder, ['start', '--', ...port, ...args]);
  expect(code).toBe(2);
  expect(linesOf(stdout).filter((line) => !line.startsWith('> '))).toEqual([]);
  const lines = linesOf(stderr);
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}
