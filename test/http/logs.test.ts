import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FREQUENT_CRON } from '../../src/app/crons.ts';
import * as example from '../../scripts/reference/examples.ts';
import worker from '../../src/index.ts';
import { refuse } from '../../src/redirect/refusal.ts';
import { deliver, packOf } from '../support/clicks.ts';
import { failD1 } from '../support/d1.ts';
import { seedExamples } from '../support/example-world.ts';
import { atExampleTime, EXAMPLES, sendExample } from '../support/examples.ts';
import { bytesOf } from '../support/event-streams.ts';
import { openPage, PAGE_NAMES, PAGE_SECRETS } from '../support/pages.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { shareOf } from '../support/share.ts';

const LEVELS = ['log', 'info', 'debug', 'warn', 'error'] as const;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const ADDRESS = '203.0.113.77';
const COOKIE = 'cookie-that-nobody-may-read';
const AGENT = 'Agent-that-nobody-may-read/1.0';
const VISITOR = { 'CF-Connecting-IP': ADDRESS, Cookie: `__Host-terse=${COOKIE}; terse=${COOKIE}`, 'User-Agent': AGENT };

/** Everything that is logged from now on. */
function listen(): () => string[] {
  const spies = LEVELS.map((level) => vi.spyOn(console, level).mockImplementation(() => undefined));
  return () => spies.flatMap(({ mock }) => mock.calls.map((words) => words.map(String).join(' ')));
}

/** The secrets of a credential's header, in each of their forms. */
function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.values(headers).flatMap((value) => {
    const [scheme, word = ''] = value.split(' ');
    if (scheme === 'Basic') return [word, ...(Buffer.from(word, 'base64').toString().split(':')[1] ?? '').split('\n')];
    return scheme === 'Bearer' ? [word] : [value];
  });
}

/** The secrets that an answer gave to its caller. */
function secretsOf(text: string): string[] {
  const given = /"(?:access_token|api_token|refresh_token|key|url)":"([^"]{20,})"/g;
  return (
    [...text.matchAll(given)]
      .map(([, secret = '']) => secret.split('/').at(-1) ?? '')
      // The last word of a URL in an example may be part of an id by chance; every secret is longer.
      .filter((word) => word.length >= 20)
  );
}

beforeEach(atExampleTime);
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Visitors request these. Their responses are logged, and have an id, only if they fail. */
const WITHOUT_ID = [
  'GET /{slug}',
  'GET /{slug}+',
  'GET /robots.txt',
  'GET /.well-known/apple-app-site-association',
  'GET /.well-known/assetlinks.json',
  'GET /.well-known/terse-domain',
];

/** Has a request sent twice, first while the database fails, so that nothing is changed, and then with all that it needs. */
async function withAndWithoutDatabase(log: () => Promise<void>): Promise<void> {
  failD1();
  await log();
  vi.restoreAllMocks();
  atExampleTime();
  await log();
}

it.each(shareOf(EXAMPLES))(
  'the log of %s is JSON lines with the request’s id, and without any secret, with and without a database',
  async (name, type, documented) => {
    const credentials = await seedExamples();
    const shown = Object.assign(
      {},
      ...documented.operation.security.map((scheme) => credentials[Object.keys(scheme)[0] ?? '']),
    );
    const headers = { ...VISITOR, ...shown };
    await withAndWithoutDatabase(async () => {
      const lines = listen();
      const response = await sendExample(documented, { type, headers, settings: { ACCESS_LOG: 'on' } });
      const secrets = [
        ADDRESS,
        COOKIE,
        AGENT,
        example.REFRESH_TOKEN,
        example.INVITE_TOKEN,
        example.DOMAIN_TOKEN,
        ...Object.values(credentials).flatMap(secretsIn),
        ...(response.headers.get('Content-Type') === 'application/json' ? secretsOf(await response.text()) : []),
      ];
      for (const line of lines()) {
        expect(JSON.parse(line)).toMatchObject({
          level: expect.stringMatching(/^(info|error)$/),
          event: expect.any(String),
        });
        expect(secrets.filter((secret) => line.includes(secret))).toEqual([]);
      }
      const id = response.headers.get('X-Request-Id');
      if (id === null) expect(WITHOUT_ID).toContain(name);
      else expect(lines().filter((line) => JSON.parse(line)['request_id'] === id).length).toBeGreaterThan(0);
      if (response.status >= 500) expect(id).not.toBeNull();
    });
  },
);

it.each(shareOf(PAGE_NAMES))(
  'the log of the page or form %s is JSON lines with the request’s id, and without any secret, with and without a database',
  async (name) => {
    const { send, cookie } = await openPage(name);
    await withAndWithoutDatabase(async () => {
      const lines = listen();
      const response = await send({ ACCESS_LOG: 'on' });
      const text = new TextDecoder().decode(await bytesOf(response));
      const shown = [...text.matchAll(/tk_\w{12}_\w{43}|(?<=\/platform\/(?:invite|reset)\/)\w{43}/g)].map(
        ([secret]) => secret,
      );
      const given = response.headers.getSetCookie().map((each) => /=([^;]*)/.exec(each)?.[1] ?? '');
      const secrets = [...PAGE_SECRETS, cookie, ...shown, ...given].filter((secret) => secret !== '');
      const logged = lines();
      expect(secrets.filter((secret) => logged.join('\n').includes(secret))).toEqual([]);
      const ids = logged.map((line) => JSON.parse(line)['request_id']);
      expect(ids).toContain(response.headers.get('X-Request-Id'));
    });
  },
);

it.each<[what: string, path: string, init: RequestInit]>([
  ['the query of an endpoint', '/v1/links?token=SECRET', {}],
  ['a query that is not read', '/tokens/token_info?password=SECRET', {}],
  ['a path that there is not', '/v1/SECRET', {}],
  ['a path of a page that there is not', '/platform/SECRET?next=SECRET', {}],
  ['an id', '/v1/links/SECRET', { headers: { 'X-API-Key': 'SECRET' } }],
  ['a cookie', '/platform/account', { headers: { Cookie: '__Host-terse=SECRET' } }],
  ['a form that is none', '/tokens/refresh_token', { method: 'POST', body: 'refresh_token=SECRET' }],
  [
    'a field that there is not',
    '/tokens/refresh_token',
    { method: 'POST', body: new URLSearchParams({ SECRET: 'x' }) },
  ],
  ['JSON that is none', '/v1/invites/accept', { method: 'POST', body: '{"token":"SECRET"', headers: JSON_TYPE }],
  ['a password by Basic', '/tokens/create_token', { headers: { Authorization: `Basic ${btoa('ann:SECRET')}` } }],
  ['a bearer token', '/tokens/token_info', { headers: { Authorization: 'Bearer SECRET' } }],
  [
    'a referrer',
    '/v1/links',
    { headers: { Referer: 'https://example.com/?SECRET', Origin: 'https://SECRET.example' } },
  ],
  ['a short link that there is not', '/SECRET?x=SECRET', {}],
])('the log says nothing of a secret in %s', async (_what, path, init) => {
  const lines = listen();
  await openIsolate({ ACCESS_LOG: 'on' })(path, init);
  failD1();
  await openIsolate({ ACCESS_LOG: 'on' })(path, init);
  expect(lines().join('\n')).not.toMatch(/SECRET|U0VDUkVU/i);
});

describe('what is logged without a request', () => {
  it('the log says of the queue’s messages nothing but their ids', async () => {
    const lines = listen();
    failD1();
    await deliver([{ secret: 'SECRET' }, packOf({ id: 'SECRET', client_id: 'SECRET' }, [{ referrer: 'SECRET' }])]);
    expect(lines().map((line) => JSON.parse(line)['event'])).toEqual([
      'click_message_unreadable',
      'click_events_not_recorded',
    ]);
    expect(lines().join('\n')).not.toContain('SECRET');
  });

  it('the log names what the cron could not do', async () => {
    const lines = listen();
    failD1();
    await expect(worker.scheduled(createScheduledController(), env)).rejects.toThrow('Network connection lost');
    expect(lines().map((line) => JSON.parse(line)['event'])).toEqual([
      'click_webhook_not_expected',
      'click_clean_up_failed',
      'clean_up_failed',
      'members_not_confirmed',
      'mail_domains_not_checked',
      'link_clean_up_failed',
      'deletions_not_continued',
    ]);
    const frequent = createScheduledController({ cron: FREQUENT_CRON });
    await expect(worker.scheduled(frequent, env)).rejects.toThrow('Network connection lost');
    expect(lines().map((line) => JSON.parse(line)['event'])).toContain('domains_not_checked');
  });
});

it('the log says nothing of a password that is typed into the sign-in page, nor of the cookie that it gives', async () => {
  const tenant = await seedTenant();
  const lines = listen();
  const isolate = openIsolate({ ACCESS_LOG: 'on' });
  const body = new URLSearchParams({ name: tenant.userName, password: tenant.password, next: '' });
  const headers = { ...VISITOR, Origin: 'https://terse.test' };
  const response = await isolate('/platform/sign-in', { method: 'POST', headers, body });
  const cookie = /=([^;]+)/.exec(response.headers.get('Set-Cookie') ?? '')?.[1] ?? '';
  expect(cookie.length).toBeGreaterThan(20);
  await isolate('/platform/account', { headers: { Cookie: response.headers.get('Set-Cookie') ?? '' } });
  expect(lines().length).toBeGreaterThan(0);
  const logged = lines().join('\n');
  expect([tenant.password, cookie, ADDRESS, COOKIE, AGENT].filter((secret) => logged.includes(secret))).toEqual([]);
});

it.each(['https://example.com/?token=secret', '{"url":"https://example.com/?token=secret"}'])(
  'the log does not quote %s, which KV has in place of a target',
  async (text) => {
    const link = await seedLink(await seedTenant());
    await env.LINKS.put(`/${link.id}`, text);
    const lines = listen();
    expect((await openIsolate()(`/${link.id}`)).status).toBe(302);
    expect(lines().map((line) => JSON.parse(line)['event'])).toContain('kv_get_failed');
    expect(lines().join('\n')).not.toMatch(/secret|example\.com/);
  },
);

it('the log counts, for each isolate, the failures of KV and D1', async () => {
  const link = await seedLink(await seedTenant());
  const lines = listen();
  vi.useRealTimers();
  vi.spyOn(env.LINKS, 'get').mockRejectedValue(new Error('KV GET failed: 503'));
  const isolate = openIsolate({ MEMORY_SECONDS: '0' });
  await isolate(`/${link.id}`);
  failD1();
  expect((await isolate(`/${link.id}`)).status).toBe(503);
  expect((await isolate(`/${link.id}`)).status).toBe(503);
  const of = (name: string) => {
    const found = lines()
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === name);
    return found.map((line) => Number(line['of_this_isolate']));
  };
  const next = (counts: readonly number[]) => counts.map((count) => count - (counts[0] ?? 0));
  expect(next(of('kv_get_failed'))).toEqual([0, 1, 2]);
  expect(next(of('store_unavailable'))).toEqual([0, 1]);
});

it('the header of a redirect that failed has the number that the log has', async () => {
  const lines = listen();
  failD1();
  const response = await call('/nosuchid');
  expect(response.status).toBe(503);
  const logged = lines().map((line) => JSON.parse(line));
  expect(logged.map(({ event }) => event)).toEqual(['nearest_database_failed', 'store_unavailable']);
  expect(logged[1]['request_id']).toBe(response.headers.get('X-Request-Id'));
});

it('the header of a redirect that stopped at an error of the code has the number that the log has', async () => {
  const lines = listen();
  const response = await refuse(new Request('https://terse.test/sale'), new TypeError('x is not a function'), null);
  expect(response.status).toBe(500);
  const logged = lines().map((line) => JSON.parse(line));
  expect(logged).toMatchObject([{ event: 'internal_error', request_id: response.headers.get('X-Request-Id') }]);
});
