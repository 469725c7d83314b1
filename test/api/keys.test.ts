import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { expectFailure, seedCaller } from '../support/forms.ts';
import {
  answer,
  ask,
  INSTANT,
  loggedIn,
  SCOPES,
  seedKey,
  seedMember,
  statusOf,
  type KeyList,
} from '../support/management.ts';
import { db, rowsOf } from '../support/seed.ts';
import { countTrips } from '../support/trips.ts';

const HOUR_MS = 3600 * 1000;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('creating a key', () => {
  it('creating a key returns it whole with its secret, which is stored as a hash and never shown again', async () => {
    const caller = await seedCaller();
    const expires_at = new Date(Date.now() + HOUR_MS).toISOString();
    const body = { name: 'build server', scopes: ['stats:read', 'links:read', 'stats:read'], expires_at };
    const { key, ...record } = await answer(await ask(caller, 'POST', '/v1/keys', body), 201);
    expect(key).toMatch(/^tk_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
    expect(record).toEqual({
      id: String(key).slice(3, 15),
      name: 'build server',
      scopes: ['links:read', 'stats:read'],
      created_at: INSTANT,
      created_by: caller.userName,
      expires_at,
      last_used_at: null,
      revoked_at: null,
      former_secret_ends_at: null,
      adopted_at: null,
    });
    const list = await answer<KeyList>(await ask(caller, 'GET', '/v1/keys'));
    expect(list.keys[0]).toEqual(record);
    expect(JSON.stringify(await rowsOf('api_keys'))).not.toContain(String(key).slice(16));
  });

  it('creating a key takes an instant of any offset, and no expiry as null', async () => {
    const caller = await seedCaller();
    const make = async (expires_at: unknown) =>
      answer(await ask(caller, 'POST', '/v1/keys', { name: 'x', scopes: SCOPES, expires_at }), 201);
    expect(await make('2099-01-01T01:00:00+02:00')).toMatchObject({ expires_at: '2098-12-31T23:00:00.000Z' });
    expect(await make(null)).toMatchObject({ expires_at: null });
  });

  it.each<[what: string, change: object, error: string]>([
    ['no name', { name: undefined }, 'missing_field: name is required.'],
    ['an empty name', { name: '' }, 'missing_field: name is required.'],
    [
      'spaces around the name',
      { name: ' x' },
      'invalid_name: name must be 1 to 64 characters, without spaces at the start or end.',
    ],
    ['a name that is no text', { name: 5 }, 'invalid_name: name must be a string.'],
    ['no scopes', { scopes: undefined }, 'missing_field: scopes is required.'],
    ['scopes as a text', { scopes: 'links:read' }, 'invalid_scopes: scopes must be an array.'],
    [
      'an empty list of scopes',
      { scopes: [] },
      'invalid_scopes: scopes must contain at least one of links:read, links:write and stats:read.',
    ],
    [
      'a scope for people alone',
      { scopes: ['links:read', 'members'] },
      'invalid_scopes: scopes.1 must be links:read, links:write or stats:read.',
    ],
    [
      'a scope that is no text',
      { scopes: [null] },
      'invalid_scopes: scopes.0 must be links:read, links:write or stats:read.',
    ],
    [
      'an expiry in the past',
      { expires_at: '2020-01-01T00:00:00Z' },
      'invalid_expires_at: expires_at must not be in the past.',
    ],
    [
      'an expiry without an offset',
      { expires_at: '2099-01-01T00:00:00' },
      'invalid_expires_at: expires_at must be an ISO 8601 instant such as 2027-01-01T00:00:00Z.',
    ],
    ['a field it does not know', { role: 'x' }, 'unknown_field: There is no field "role" here. Leave it out.'],
  ])('creating a key refuses %s, and creates nothing', async (_what, change, error) => {
    const caller = await seedCaller();
    const before = await rowsOf('api_keys');
    const body = { name: 'x', scopes: SCOPES, ...change };
    await expectFailure(await ask(caller, 'POST', '/v1/keys', body), 400, error);
    expect(await rowsOf('api_keys')).toEqual(before);
    expect(await loggedIn(caller)).toEqual([]);
  });

  it('creating a key gives one that works at once, and ends when it expires', async () => {
    const caller = await seedCaller();
    const expires_at = new Date(Date.now() + HOUR_MS).toISOString();
    const body = { name: 'x', scopes: SCOPES, expires_at };
    const { key } = await answer<{ key: string }>(await ask(caller, 'POST', '/v1/keys', body), 201);
    expect(await statusOf(caller, key)).toBe(200);
    vi.setSystemTime(Date.now() + HOUR_MS);
    expect(await statusOf(caller, key)).toBe(401);
  });
});

describe('the list of keys', () => {
  it('the list of keys goes from the newest to the oldest, a page at a time', async () => {
    const caller = await seedCaller();
    const ids: unknown[] = [];
    for (let count = 0; count < 3; count++) ids.unshift((await seedKey(caller)).id);
    const first = await answer<KeyList>(await ask(caller, 'GET', '/v1/keys?limit=2'));
    expect(first.keys).toHaveLength(2);
    const second = await answer<KeyList>(await ask(caller, 'GET', `/v1/keys?limit=2&cursor=${first.cursor}`));
    expect(second.cursor).toBeNull();
    const all = [...first.keys, ...second.keys];
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    // One more was there from the seed.
    expect(all).toHaveLength(4);
    const times = all.map(({ created_at: at }) => String(at));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('the list of keys shows an owner the keys of all, and lets a member see and manage their own alone', async () => {
    const owner = await seedCaller();
    const [member, other] = [await seedMember(owner), await seedMember(owner)];
    const [theirs, others] = [await seedKey(member), await seedKey(other)];
    const idsFor = async (caller: typeof owner) =>
      (await answer<KeyList>(await ask(caller, 'GET', '/v1/keys'))).keys.map(({ id }) => id);
    expect(await idsFor(owner)).toEqual(expect.arrayContaining([theirs.id, others.id]));
    expect(await idsFor(member)).toEqual([theirs.id]);
    for (const [method, path, body] of [
      ['PATCH', `/v1/keys/${others.id}`, { name: 'mine' }],
      ['POST', `/v1/keys/${others.id}/roll`, undefined],
      ['DELETE', `/v1/keys/${others.id}`, undefined],
      ['GET', `/v1/keys/${others.id}/links`, undefined],
    ] as const) {
      const error = 'not_found: There is no key with this id that you can manage.';
      await expectFailure(await ask(member, method, path, body), 404, error);
      expect([method, (await ask(owner, method, path, body)).status]).toEqual([
        method,
        method === 'DELETE' ? 204 : 200,
      ]);
    }
    expect(await statusOf(owner, theirs.key)).toBe(200);
  });

  it.each<[what: string, query: string, error: string]>([
    ['a limit of none', 'limit=0', 'invalid_limit: limit must be a whole number from 1 to 100.'],
    ['a limit over 100', 'limit=101', 'invalid_limit: limit must be a whole number from 1 to 100.'],
    ['a limit that is no number', 'limit=1e1', 'invalid_limit: limit must be a whole number from 1 to 100.'],
    ['a parameter it does not know', 'page=2', 'unknown_field: There is no field "page" here. Leave it out.'],
    ['a parameter twice', 'limit=1&limit=2', 'repeated_field: The parameter "limit" is given more than once.'],
  ])('the list of keys refuses %s', async (_what, query, error) => {
    await expectFailure(await ask(await seedCaller(), 'GET', `/v1/keys?${query}`), 400, error);
  });

  it('the list of keys reads no more for a member where others have many keys', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    await env.DB.prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 400)
       INSERT INTO api_keys (id, client_id, user_id, name, secret_hash, created_at)
       SELECT ?1 || n, ?1, ?2, 'x', '', ?3 FROM n`,
    )
      .bind(owner.clientId, owner.userId, Date.now() + HOUR_MS)
      .run();
    const { id } = await seedKey(member);
    const batch = vi.spyOn(env.DB, 'batch');
    const { keys } = await answer<KeyList>(await ask(member, 'GET', '/v1/keys'));
    expect(keys.map((key) => key['id'])).toEqual([id]);
    const results = (await batch.mock.results[0]?.value) as readonly D1Result[];
    expect(Math.max(...results.map(({ meta }) => meta.rows_read))).toBeLessThan(50);
    expect((await answer<KeyList>(await ask(owner, 'GET', '/v1/keys?limit=100'))).keys).toHaveLength(100);
  });

  it('the list of keys refuses a cursor that is none, of another list or of another client', async () => {
    const caller = await seedCaller();
    await seedKey(caller);
    const { cursor } = await answer<KeyList>(await ask(caller, 'GET', '/v1/keys?limit=1'));
    for (const path of [
      '/v1/keys?cursor=nonsense',
      `/v1/members?cursor=${cursor}`,
      `/v1/keys?client_id=${caller.clientId}&cursor=${cursor}`,
    ]) {
      await expectFailure(await ask(caller, 'GET', path), 400, expect.stringMatching(/^invalid_cursor: /));
    }
  });
});

it('each request about keys asks the database once', async () => {
  const caller = await seedCaller();
  const { id } = await seedKey(caller);
  for (const [method, path, body] of [
    ['GET', '/v1/keys', undefined],
    ['POST', '/v1/keys', { name: 'x', scopes: SCOPES }],
    ['PATCH', `/v1/keys/${id}`, { name: 'y' }],
    ['POST', `/v1/keys/${id}/roll`, undefined],
    ['GET', `/v1/keys/${id}/links`, undefined],
    ['DELETE', `/v1/keys/${id}`, undefined],
  ] as const) {
    const trips = await countTrips();
    expect((await ask(caller, method, path, body)).ok).toBe(true);
    expect([method, path, trips()]).toEqual([method, path, { d1: 1, kvReads: 0, kvWrites: 0 }]);
    vi.restoreAllMocks();
  }
});

it('POST /v1/keys works in the client that a user of several names, and asks for its name', async () => {
  const [caller, second] = [await seedCaller(), await seedCaller()];
  await addMember(db, caller.userName, second.clientId, 'member');
  const error =
    'missing_field: client_id is required, since the user belongs to several clients: send one in the query.';
  const body = { name: 'x', scopes: SCOPES };
  await expectFailure(await ask(caller, 'POST', '/v1/keys', body), 400, error);
  const { key } = await answer<{ key: string }>(
    await ask(caller, 'POST', `/v1/keys?client_id=${second.clientId}`, body),
    201,
  );
  expect(await statusOf(second, key)).toBe(200);
  expect(await statusOf(caller, key)).toBe(403);
});
