import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createKey } from '../../src/accounts/manage.ts';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { form, openBrowser } from '../support/platform.ts';
import { db, rowsOf } from '../support/seed.ts';
import { call } from '../support/service.ts';

afterEach(() => void vi.restoreAllMocks());

const URL_OF_A_LINK = 'https://example.com/';
const LINK = ({ clientId }: Caller) => ({ url: URL_OF_A_LINK, client_id: clientId });

type Ask = (caller: Caller, headers?: Record<string, string>) => Promise<Response>;

const json =
  (path: string, bodyOf: (caller: Caller) => object): Ask =>
  (caller, headers) =>
    call(path, {
      method: 'POST',
      headers: { 'X-API-Key': caller.apiKey, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(bodyOf(caller)),
    });

const FILE = 'url\nhttps://example.com/1\nhttps://example.com/2\n';

function importForm(): FormData {
  const body = new FormData();
  body.set('format', 'csv');
  body.set('content', btoa(FILE));
  return body;
}

const page =
  (path: string, init: () => RequestInit): Ask =>
  async (caller, headers) => {
    const { browse } = await openBrowser(caller);
    const { headers: own, ...rest } = init();
    const all = { ...Object.fromEntries(new Headers(own)), ...headers };
    return browse(`/platform/c/${caller.clientId}/links/${path}`, { ...rest, headers: all });
  };

const BY_PROGRAM: readonly (readonly [what: string, ask: Ask])[] = [
  [
    'a form',
    (caller, headers) => call('/v1/links', { headers: { 'X-API-Key': caller.apiKey, ...headers }, form: LINK(caller) }),
  ],
  [
    'a form with a token',
    (caller, headers) => call('/v1/links', { headers: { ...bearerOf(caller), ...headers }, form: LINK(caller) }),
  ],
  ['JSON', json('/v1/links', LINK)],
  [
    'JSON with an Idempotency-Key',
    (caller, headers) => json('/v1/links', LINK)(caller, { ...headers, 'Idempotency-Key': 'a' }),
  ],
  ['a batch', json('/v1/links/batch', (caller) => ({ links: [LINK(caller), LINK(caller)] }))],
  [
    'an import',
    (caller, headers) =>
      call('/v1/links/import', {
        method: 'POST',
        headers: { 'X-API-Key': caller.apiKey, 'Content-Type': 'text/csv', ...headers },
        body: FILE,
      }),
  ],
  [
    'the deprecated form',
    (caller, headers) =>
      call('/shortener/encode', { headers: { ...bearerOf(caller), ...headers }, form: LINK(caller) }),
  ],
];
const BY_PAGE: readonly (readonly [what: string, ask: Ask])[] = [
  ['the page that makes links', page('new', () => form({ url: URL_OF_A_LINK }))],
  ['the page that imports', page('import/run', () => ({ ...form({}), body: importForm() }))],
];
const LIMITS = ['CREATE_LIMIT', 'CREATE_ADDRESS_LIMIT'] as const;

const rows = async () => [
  await rowsOf('links'),
  await rowsOf('addresses'),
  await rowsOf('api_keys'),
  await rowsOf('encode_days'),
];

describe.each([...BY_PROGRAM, ...BY_PAGE])('a create by %s', (_what, ask) => {
  it.each(LIMITS)('beyond %s says when to come back, and writes nothing', async (name) => {
    const caller = await seedCaller();
    vi.spyOn(env[name], 'limit').mockResolvedValue({ success: false });
    const before = await rows();
    const response = await ask(caller);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(Number(response.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    expect(await response.text()).toContain('too quickly');
    expect(await rows()).toEqual(before);
  });

  it('counts for its credential and its address, by no header that a caller may choose', async () => {
    const caller = await seedCaller();
    const limits = LIMITS.map((name) => vi.spyOn(env[name], 'limit'));
    const headers = {
      'X-Forwarded-For': '192.0.2.9',
      'X-Real-IP': '192.0.2.9',
      'True-Client-IP': '192.0.2.9',
      Forwarded: 'for=192.0.2.9',
    };
    await ask(caller, { ...headers, 'CF-Connecting-IP': caller.address });
    const [credential, address] = limits.map((limit) => new Set(limit.mock.calls.map(([{ key }]) => key)));
    expect([credential?.size, address]).toEqual([1, new Set([caller.address])]);
  });
});

it.each(BY_PROGRAM)('a create by %s beyond the limit asks the database nothing', async (_what, ask) => {
  const caller = await seedCaller();
  vi.spyOn(env.CREATE_ADDRESS_LIMIT, 'limit').mockResolvedValue({ success: false });
  const [prepare, batch] = [vi.spyOn(env.DB, 'prepare'), vi.spyOn(env.DB, 'batch')];
  expect((await ask(caller)).status).toBe(429);
  expect([prepare.mock.calls, batch.mock.calls]).toEqual([[], []]);
});

/** A limiter that counts as the platform's does, to a smaller limit. */
function countTo(name: (typeof LIMITS)[number], limit: number): void {
  const counts = new Map<string, number>();
  vi.spyOn(env[name], 'limit').mockImplementation(async ({ key }) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { success: count <= limit };
  });
}

const create = json('/v1/links', LINK);

it('has one credential come to its limit from however many addresses', async () => {
  const caller = await seedCaller();
  countTo('CREATE_LIMIT', 3);
  const statuses = [];
  for (let i = 1; i <= 4; i++) statuses.push((await create(caller, { 'CF-Connecting-IP': `192.0.2.${i}` })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

it('has one address come to its limit with however many keys, real and made up', async () => {
  const caller = await seedCaller();
  countTo('CREATE_ADDRESS_LIMIT', 3);
  const key = await createKey(db, caller.clientId, 'another');
  const from = (apiKey: string, address: string) =>
    create(caller, { 'X-API-Key': apiKey, 'CF-Connecting-IP': address }).then(({ status }) => status);
  const madeUp = `tk_${'a'.repeat(12)}_${'b'.repeat(43)}`;
  const statuses = [
    await from(caller.apiKey, '2001:db8:1:2::1'),
    await from(key?.text ?? '', '2001:db8:1:2::2'),
    await from(madeUp, '2001:db8:1:2:ffff::3'),
    await from(caller.apiKey, '2001:db8:1:2::4'),
    await from(caller.apiKey, '2001:db8:1:3::1'),
  ];
  expect(statuses).toEqual([200, 200, 401, 429, 200]);
});

it('has whoever comes with no address share one limit', async () => {
  const caller = await seedCaller();
  countTo('CREATE_ADDRESS_LIMIT', 1);
  const other = await seedCaller();
  expect([(await create(caller)).status, (await create(other)).status]).toEqual([200, 429]);
});

it('makes nothing of a batch that comes to the limit half-way', async () => {
  const caller = await seedCaller();
  countTo('CREATE_LIMIT', 3);
  const links = Array.from({ length: 4 }, () => LINK(caller));
  const before = await rows();
  expect((await json('/v1/links/batch', () => ({ links }))(caller)).status).toBe(429);
  expect(await rows()).toEqual(before);
});
