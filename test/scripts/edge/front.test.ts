import { afterEach, expect, it, vi } from 'vitest';
import { Front } from '../../../scripts/edge/front.ts';

type Incoming = Parameters<Front['identify']>[0];

/** A request as workerd gives it. */
function request(
  clientIp: string | undefined,
  headers: Readonly<Record<string, string>> = {},
  url = 'http://go.example.com/a',
): Incoming {
  const sent = new Request(url, { headers });
  return Object.assign(sent as Incoming, { cf: { clientIp } as unknown as IncomingRequestCfProperties });
}

/** Reads the log; each line is an object. */
function listenToLog(): () => unknown[] {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  return () => log.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown);
}

afterEach(() => void vi.restoreAllMocks());

it.each([
  ['192.0.2.1:1234', '192.0.2.1'],
  ['[2001:db8::1]:1234', '2001:db8::1'],
  ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
  ['[fe80::1%eth0]:80', 'fe80::1'],
  ['unix:/run/terse.sock', 'unknown'],
  [undefined, 'unknown'],
])(
  'the front of a local server takes the address of the connection, which workerd gives as %s',
  (clientIp, address) => {
    expect(new Front({}).identify(request(clientIp)).headers.get('CF-Connecting-IP')).toBe(address);
  },
);

it('the front of a local server leaves of the headers of proxies only the address that was decided', () => {
  listenToLog();
  const forged = {
    'CDN-Loop': 'cloudflare; loops=1',
    'CF-Access-Authenticated-User-Email': 'admin@example.com',
    'CF-Connecting-IP': '198.51.100.7',
    'CF-IPCountry': 'CH',
    'CF-Region': 'Zurich',
    'CF-Timezone': 'Europe/Zurich',
    'CF-Visitor': '{"scheme":"https"}',
    'CF-Worker': 'example.com',
    Forwarded: 'for=198.51.100.7',
    'Front-End-Https': 'on',
    'True-Client-IP': '198.51.100.7',
    'X-Client-IP': '198.51.100.7',
    'X-Forwarded-For': '198.51.100.7',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Port': '443',
    'X-Real-IP': '198.51.100.7',
  };
  const kept = { accept: '*/*', 'user-agent': 'Firefox', 'x-request-id': 'a' };
  for (const settings of [{}, { TRUSTED_PROXIES: '10.0.0.1' }]) {
    const seen = new Front(settings).identify(request('10.0.0.2:80', { ...kept, ...forged }));
    expect(Object.fromEntries(seen.headers)).toEqual({ ...kept, 'cf-connecting-ip': '10.0.0.2' });
    expect(seen.url).toBe('http://go.example.com/a');
  }
});

it('the front of a local server changes the scheme, not the host, for a trusted proxy', () => {
  const headers = {
    'X-Forwarded-For': '203.0.113.9',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'evil.example',
  };
  const seen = new Front({ TRUSTED_PROXIES: '10.0.0.0/8,::1' }).identify(request('10.0.0.2:80', headers));
  expect(seen.url).toBe('https://go.example.com/a');
  expect(Object.fromEntries(seen.headers)).toEqual({ 'cf-connecting-ip': '203.0.113.9' });
});

it('the front of a local server says once what to do about a proxy that it does not trust, and names only addresses nearby', () => {
  const logged = listenToLog();
  const cureFor = (peer: string) => {
    const front = new Front({});
    for (let i = 0; i < 3; i++) front.identify(request(peer, { 'X-Forwarded-For': '203.0.113.9' }));
  };
  for (const peer of ['127.0.0.1:80', '[fd00::1]:80', '172.17.0.1:80', '198.51.100.7:80']) cureFor(peer);
  const cure = (how: string) => ({
    level: 'info',
    event: 'proxy_not_trusted',
    header: 'x-forwarded-for',
    cure: `Such headers are removed, so that all visitors behind a proxy count as one. If a proxy of yours has sent it, start with ${how}.`,
  });
  expect(logged()).toEqual([
    cure('"--trust-proxy 127.0.0.1"'),
    cure('"--trust-proxy fd00::1"'),
    cure('"--trust-proxy 172.17.0.1"'),
    cure('"--trust-proxy" and its address'),
  ]);
});

it.each([
  ['cloudflare_not_trusted', { 'CF-IPCountry': 'CH' }, 'cf-ipcountry', /--trust-cloudflare-headers/],
  [
    'proxy_headers_conflict',
    { Forwarded: 'for=192.0.2.1', 'X-Forwarded-For': '192.0.2.2' },
    'forwarded',
    /remove the header/,
  ],
  ['proxy_header_malformed', { 'X-Forwarded-For': '$remote_addr' }, 'x-forwarded-for', /not an address/],
])('the front of a local server says %s once', (event, headers, header, cure) => {
  const logged = listenToLog();
  const front = new Front({ TRUSTED_PROXIES: '10.0.0.2' });
  for (let i = 0; i < 3; i++) front.identify(request('10.0.0.2:80', headers));
  expect(logged()).toEqual([{ level: 'info', event, header, cure: expect.stringMatching(cure) }]);
});

it('the front of a local server says once that a trusted proxy names no visitor, which is not said of a program of this machine', () => {
  const logged = listenToLog();
  const front = new Front({ TRUSTED_PROXIES: '127.0.0.1' });
  front.identify(request('127.0.0.1:80', {}, 'http://localhost:8787/operator/v1/users'));
  expect(logged()).toEqual([]);
  for (let i = 0; i < 3; i++) front.identify(request('127.0.0.1:80'));
  expect(logged()).toEqual([
    {
      level: 'info',
      event: 'proxy_names_no_visitor',
      header: null,
      cure: expect.stringContaining('"X-Forwarded-For"'),
    },
  ]);
});

it('the front of a local server says nothing about requests without such headers, or of a trusted proxy that names the visitor', () => {
  const logged = listenToLog();
  const front = new Front({ TRUSTED_PROXIES: '10.0.0.2' });
  front.identify(request('127.0.0.1:80', { Accept: '*/*', CF: 'x', 'X-Forward': 'x', 'X-Request-Id': 'x' }));
  front.identify(request('10.0.0.2:80', { 'X-Forwarded-For': '203.0.113.9', 'X-Real-IP': '203.0.113.9' }));
  expect(logged()).toEqual([]);
});

it.each([
  ['127.0.0.9:80', {}, true],
  ['[::1]:80', {}, true],
  ['10.0.0.2:80', {}, true],
  ['[::ffff:10.0.0.2]:80', {}, true],
  ['10.0.0.3:80', {}, false],
  ['203.0.113.1:80', {}, false],
  [undefined, {}, false],
  ['10.0.0.2:80', { 'X-Forwarded-For': '127.0.0.1' }, false],
  ['127.0.0.1:80', { Forwarded: 'for=127.0.0.1' }, false],
  ['127.0.0.1:80', { 'X-Real-IP': '127.0.0.1' }, false],
])(
  'the front of a local server takes a request from %s with %o for one of the operator: %s',
  (clientIp, headers, isOperator) => {
    expect(new Front({ TRUSTED_PROXIES: '10.0.0.2' }).isFromOperator(request(clientIp, headers))).toBe(isOperator);
  },
);
