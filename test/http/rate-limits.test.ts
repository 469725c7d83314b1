import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createKey } from '../../src/accounts/operator.ts';
import { bearerOf, seedCaller } from '../support/forms.ts';
import { browse, form, openBrowser } from '../support/platform.ts';
import { db } from '../support/seed.ts';
import {
  countTo,
  createdRows,
  expectTooMany,
  fromHome,
  jsonBy,
  LINK,
  openIsolatePerTest,
  URL_OF_A_LINK,
  type Ask,
} from '../support/limits.ts';

const call = openIsolatePerTest();
const json = jsonBy(call);
afterEach(() => void vi.restoreAllMocks());

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
    const { cookie } = await openBrowser(caller);
    const { headers: own, ...rest } = init();
    const all = { ...Object.fromEntries(new Headers(own)), ...headers };
    return browse(cookie, call)(`/platform/c/${caller.clientId}/links/${path}`, { ...rest, headers: all });
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

describe.each([...BY_PROGRAM, ...BY_PAGE])('a create by %s', (_what, ask) => {
  it('a create beyond the limit of its credential gets 429 with Retry-After, and writes nothing', async () => {
    const caller = await seedCaller();
    vi.spyOn(env.CREATE_LIMIT, 'limit').mockResolvedValue({ success: false });
    const before = await createdRows();
    await expectTooMany(await ask(caller));
    expect(await createdRows()).toEqual(before);
  });

  it('a create beyond the limit of its address gets 429 with Retry-After, and writes nothing', async () => {
    const caller = await seedCaller();
    vi.spyOn(env.CREATE_ADDRESS_LIMIT, 'limit').mockResolvedValue({ success: false });
    expect((await ask(caller, fromHome(caller))).status).toBeLessThan(400);
    const before = await createdRows();
    await expectTooMany(await ask(caller, fromHome(caller)));
    expect(await createdRows()).toEqual(before);
  });

  it('a create is created while a limiter fails', async () => {
    const caller = await seedCaller();
    for (const name of [...LIMITS, 'WRITE_LIMIT', 'WRITE_ADDRESS_LIMIT'] as const)
      vi.spyOn(env[name], 'limit').mockRejectedValue(new Error('rate limiter unavailable'));
    expect((await ask(caller)).status).toBeLessThan(400);
  });

  it('a create counts for its credential and its address, not by a header that the caller chooses', async () => {
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

it.each(BY_PROGRAM)('a create by %s beyond the limit of its address makes no query', async (_what, ask) => {
  const caller = await seedCaller();
  vi.spyOn(env.CREATE_ADDRESS_LIMIT, 'limit').mockResolvedValue({ success: false });
  await ask(caller, fromHome(caller));
  const [prepare, batch] = [vi.spyOn(env.DB, 'prepare'), vi.spyOn(env.DB, 'batch')];
  expect((await ask(caller, fromHome(caller))).status).toBe(429);
  expect([prepare.mock.calls, batch.mock.calls]).toEqual([[], []]);
});

const create = json('/v1/links', LINK);

it('limits one credential, from any number of addresses', async () => {
  const caller = await seedCaller();
  countTo('CREATE_LIMIT', 3);
  const statuses = [];
  for (let i = 1; i <= 4; i++) statuses.push((await create(caller, { 'CF-Connecting-IP': `192.0.2.${i}` })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

it('limits one address, with any number of keys', async () => {
  const caller = await seedCaller();
  countTo('CREATE_ADDRESS_LIMIT', 1);
  const key = await createKey(db, caller.clientId, 'another');
  const from = (apiKey: string, address: string) =>
    create(caller, { 'X-API-Key': apiKey, 'CF-Connecting-IP': address }).then(({ status }) => status);
  const statuses = [
    await from(caller.apiKey, '2001:db8:1:2::1'),
    // The link that reaches the limit is made before it is counted.
    await from(key?.text ?? '', '2001:db8:1:2::2'),
    await from(key?.text ?? '', '2001:db8:1:2:ffff::3'),
    await from(caller.apiKey, '2001:db8:1:2::4'),
    await from(caller.apiKey, '2001:db8:1:3::1'),
  ];
  expect(statuses).toEqual([200, 200, 429, 429, 200]);
});

const madeUp = () => `tk_${nanoid(12).replace(/[_-]/g, 'x')}_${'b'.repeat(43)}`;

describe('credentials that are invented', () => {
  it('credentials that are invented are counted as refresh tokens too, and get 429 beyond the limit', async () => {
    const { address } = await seedCaller();
    const limit = vi.spyOn(env.BAD_CREDENTIAL_LIMIT, 'limit').mockResolvedValue({ success: false });
    const refresh = () =>
      call('/tokens/refresh_token', {
        headers: { 'CF-Connecting-IP': address },
        form: { refresh_token: 'a'.repeat(43) },
      });
    expect((await refresh()).status).toBe(401);
    expect(limit.mock.calls).toEqual([[{ key: address }]]);
    await expectTooMany(await refresh(), 'bad credentials too often');
  });

  it('credentials that are invented do not use up the limit of the address that good ones share', async () => {
    const caller = await seedCaller();
    countTo('CREATE_ADDRESS_LIMIT', 1);
    const [good, bad] = [vi.spyOn(env.CREATE_ADDRESS_LIMIT, 'limit'), vi.spyOn(env.BAD_CREDENTIAL_LIMIT, 'limit')];
    const headers = { 'CF-Connecting-IP': caller.address };
    for (let n = 0; n < 3; n++) expect((await create(caller, { ...headers, 'X-API-Key': madeUp() })).status).toBe(401);
    expect([good, bad].map((limit) => limit.mock.calls)).toEqual([
      [],
      Array.from({ length: 3 }, () => [{ key: caller.address }]),
    ]);
    expect((await create(caller, headers)).status).toBe(200);
  });

  it('credentials that are invented get 429 beyond their own limit, and do not block good ones', async () => {
    const [known, unknown] = [await seedCaller(), await seedCaller()];
    const headers = { 'CF-Connecting-IP': known.address };
    expect((await create(known, headers)).status).toBe(200);
    vi.spyOn(env.BAD_CREDENTIAL_LIMIT, 'limit').mockResolvedValue({ success: false });
    expect((await create(known, { ...headers, 'X-API-Key': madeUp() })).status).toBe(401);
    const before = await createdRows();
    const bad = madeUp();
    for (const _ of ['at first', 'and again'])
      await expectTooMany(await create(known, { ...headers, 'X-API-Key': bad }), 'bad credentials too often');
    expect(await createdRows()).toEqual(before);
    expect((await create(unknown, { ...headers, 'X-API-Key': unknown.apiKey })).status).toBe(200);
    const batch = vi.spyOn(env.DB, 'batch');
    const prepare = vi.spyOn(env.DB, 'prepare');
    expect((await create(known, headers)).status).toBe(200);
    const statements = batch.mock.calls.flatMap(([list]) => list).length;
    expect([batch.mock.calls.length, prepare.mock.calls.length]).toEqual([1, statements]);
  });
});
