import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startResolver } from '../support/resolver.ts';
import { makeFolder, until } from '../scripts/support/processes.ts';
import { copyProject, printedAccount, runAccount, type PrintedAccount } from '../scripts/support/project.ts';
import { sendRaw } from '../scripts/support/raw.ts';
import { ask, askForToken, startServer, type Server } from '../scripts/support/server.ts';

/** `npm start` behind a proxy that it trusts, at 127.0.0.1, and a caller beside it, at 127.0.0.2. */

const [PROXY, CALLER] = ['127.0.0.1', '127.0.0.2'];
const FIREFOX = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const persistTo = makeFolder();
let server: Server;
let account: PrintedAccount;

let resolver: Awaited<ReturnType<typeof startResolver>>;

beforeAll(async () => {
  resolver = await startResolver();
  const settings = ['--var', `DNS_RESOLVER_URL:${resolver.url}`];
  const args = ['--trust-proxy', '127.0.0.1,::1', '10.0.0.0/8', '--trust-cloudflare-headers', ...settings];
  server = await startServer({ folder: copyProject(), persistTo, args });
  account = printedAccount(server.output());
});
afterAll(() => resolver.end());

/** The status of a sign-in with a wrong password. */
async function signIn(from: string, ...headers: readonly string[]): Promise<number> {
  const credentials = Buffer.from('guest:wrong').toString('base64');
  const lines = [`Host: localhost:${server.port}`, `Authorization: Basic ${credentials}`, ...headers];
  return (await sendRaw(server.port, '/tokens/create_token', { lines, from })).status;
}

/** True if sign-ins are limited, if each of up to 75 names another address in a header. */
async function areLimited(from: string, headerOf: (address: string) => string): Promise<boolean> {
  const statuses: number[] = [];
  // Requests of a batch are in one minute, unless a new one begins within it.
  while (statuses.length < 75 && !statuses.includes(429)) {
    const batch = Array.from({ length: 15 }, (_, index) => `198.51.100.${statuses.length + index}`);
    statuses.push(...(await Promise.all(batch.map((address) => signIn(from, headerOf(address))))));
  }
  return statuses.includes(429);
}

it('limits each visitor of the proxy by the address that the proxy names', async () => {
  expect(await areLimited(PROXY, () => 'X-Forwarded-For: 192.0.2.66, 203.0.113.1, 10.9.9.9')).toBe(true);
  expect(await signIn(PROXY, 'X-Forwarded-For: 203.0.113.1, 203.0.113.2')).toBe(401);
  expect(await signIn(PROXY, 'Forwarded: for=203.0.113.1, for="[2001:db8::1]:80"')).toBe(401);
  expect(await signIn(PROXY, 'CF-Connecting-IP: 203.0.113.3', 'X-Forwarded-For: 203.0.113.1')).toBe(401);
});

it.each<[who: string, from: string, headerOf: (address: string) => string]>([
  ['that is not the proxy', CALLER, (address) => `X-Forwarded-For: ${address}\r\nCF-Connecting-IP: ${address}`],
  ['behind the proxy by what is before its address', PROXY, (address) => `X-Forwarded-For: ${address}, 203.0.113.4`],
  ['behind the proxy by a header it passes on', PROXY, (to) => `Forwarded: for=${to}\r\nX-Forwarded-For: 203.0.113.5`],
])('lets no caller %s choose its address', async (_who, from, headerOf) => {
  expect(await areLimited(from, headerOf)).toBe(true);
});

describe('a link', () => {
  let key: string[];
  beforeAll(() => {
    key = [`X-API-Key: ${account.apiKey}`, 'Content-Type: application/json'];
  });

  async function create(fields: object, from: string, ...headers: readonly string[]) {
    const body = JSON.stringify({ url: 'https://example.com/', ...fields });
    const lines = ['Host: terse.example.workers.dev', ...key, `Content-Length: ${body.length}`, ...headers];
    const { text } = await sendRaw(server.port, '/v1/links', { method: 'POST', lines, body, from });
    const answer = JSON.parse(text.split('\r\n\r\n')[1] ?? '') as { result: string };
    return JSON.parse(answer.result) as { id: string; short_url: string };
  }

  it.each([
    [PROXY, 'X-Forwarded-Proto: https', 'https:'],
    [PROXY, 'Forwarded: for=203.0.113.1;proto=https', 'https:'],
    [PROXY, 'X-Forwarded-Proto: https\r\nForwarded: for=203.0.113.1;proto=http', 'http:'],
    [CALLER, 'X-Forwarded-Proto: https', 'http:'],
    [CALLER, 'Forwarded: for=203.0.113.1;proto=https', 'http:'],
  ])('a link that %s creates with "%s" begins with %s', async (from, header, scheme) => {
    expect(new URL((await create({}, from, header)).short_url).protocol).toBe(scheme);
  });

  it('a link has the host that Host names, whatever the proxy says', async () => {
    const evil = ['X-Forwarded-Host: evil.example', 'Forwarded: for=203.0.113.1;host=evil.example'];
    for (const from of [PROXY, CALLER])
      expect(new URL((await create({}, from, ...evil)).short_url).host).toBe('terse.example.workers.dev');
  });

  it('a link leads a visitor by the country that Cloudflare names through the proxy, and counts visitors by address', async () => {
    const rules = [{ if: [{ type: 'country', in: ['CH'] }], url: 'https://example.com/swiss' }];
    const { id } = await create({ rules }, PROXY);
    const visit = async (from: string, address: string, country: string) => {
      const headers = [`X-Forwarded-For: ${address}`, `CF-IPCountry: ${country}`];
      const lines = [`Host: localhost:${server.port}`, FIREFOX, ...headers];
      return /^location: (.*)\r$/im.exec((await sendRaw(server.port, `/${id}`, { lines, from })).text)?.[1];
    };
    expect(await visit(PROXY, '203.0.113.1', 'CH')).toBe('https://example.com/swiss');
    expect(await visit(PROXY, '203.0.113.2', 'AT')).toBe('https://example.com/');
    expect(await visit(PROXY, '203.0.113.2', 'CH')).toBe('https://example.com/swiss');
    for (const address of ['203.0.113.3', '203.0.113.4'])
      expect(await visit(CALLER, address, 'CH')).toBe('https://example.com/');
    const clicks = async () => {
      const { body } = await ask(`${server.origin}/v1/links/${id}`, { headers: { 'X-API-Key': account.apiKey } });
      return (JSON.parse(body) as { clicks: { total: number } }).clicks;
    };
    await until('all clicks are counted', async () => (await clicks()).total === 5);
    expect(await clicks()).toMatchObject({ total: 5, visitors_today: 3 });
  });
});

describe('a proxy that asks whether to get a certificate', () => {
  const PATH = '/.well-known/terse-certificate';
  const [active, lost, pending, proved] = [
    'go.acme.example',
    'lost.acme.example',
    'new.acme.example',
    'own.acme.example',
  ];

  beforeAll(async () => {
    await runAccount(persistTo, ['domain', active, '--client', account.clientId]);
    const signedIn = await askForToken(server.origin, account.user, account.password);
    const { access_token: token } = JSON.parse(signedIn.body) as { access_token: string };
    for (const host of [pending, proved]) {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const added = await ask(`${server.origin}/v1/domains`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ host }),
      });
      const { dns } = JSON.parse(added.body) as { dns: { txt: { name: string; value: string } } };
      const { name, value } = dns.txt;
      const answer = { txt: [host === proved ? value : 'another'] };
      await fetch(resolver.url, { method: 'PUT', body: JSON.stringify({ name, answer }) });
    }
  });

  const question = async (query: string, { from = PROXY, lines = [] as string[], method = 'GET' } = {}) => {
    const all = [`Host: 127.0.0.1:${server.port}`, ...lines];
    const { status, text } = await sendRaw(server.port, `${PATH}${query}`, { method, lines: all, from });
    return [status, text.split('\r\n\r\n')[1]];
  };
  const served = [200, 'This host is served.\n'];
  const notServed = [404, 'This host is not served.\n'];
  const malformed = [400, 'The parameter "domain" must be one host name.\n'];

  it.each([
    ['an active domain', active, served],
    ['the same in another case, with a dot', `${active.toUpperCase()}.`, served],
    ['a pending domain whose TXT record proves it', proved, served],
    ['a pending domain', pending, notServed],
    ['an unknown host', lost, notServed],
    ['a host below an active domain', `a.${active}`, notServed],
    ['localhost', 'localhost', malformed],
    ['an address', '203.0.113.1', malformed],
    ['a port', `${active}:443`, malformed],
    ['nothing', '', malformed],
    ['a long text', 'a'.repeat(5000), malformed],
    ['two hosts', `${active}&domain=${active}`, malformed],
  ])('a proxy that asks whether to get a certificate hears of %s what it may', async (_what, host, answer) => {
    expect(await question(`?domain=${host}`)).toEqual(answer);
    expect(await question(`?domain=${host}`, { from: CALLER })).toEqual(answer);
  });

  it('a proxy that asks whether to get a certificate hears that the resolver does not respond, and may ask again', async () => {
    await fetch(resolver.url, {
      method: 'PUT',
      body: JSON.stringify({ name: `_terse.${pending}`, answer: { rcode: 'REFUSED' } }),
    });
    const { headers, status } = await ask(`${server.origin}${PATH}?domain=${pending}`);
    expect([status, headers['retry-after']]).toEqual([503, '30']);
  });

  it('a proxy that asks whether to get a certificate asks by GET or HEAD', async () => {
    expect(await question(`?domain=${active}`, { method: 'HEAD' })).toEqual([200, '']);
    expect(await question(`?domain=${active}`, { method: 'POST' })).toEqual([405, 'Ask by GET.\n']);
  });

  it.each(['X-Forwarded-For: 203.0.113.9', 'Forwarded: for=203.0.113.9', 'CF-Connecting-IP: 203.0.113.9'])(
    'a proxy that asks whether to get a certificate does not ask for a visitor, of whom it says %s',
    async (header) => {
      const lines = [header];
      const expected = await question('-too?domain=x', { lines });
      expect(expected[0]).toBe(404);
      expect(await question(`?domain=${active}`, { lines })).toEqual(expected);
    },
  );
});
