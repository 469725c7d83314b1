import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { bearerOf, expectFailure, seedCaller, storedLinks, type Caller } from '../support/forms.ts';
import { db, seedDomain } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

/** A create in JSON without client_id. */

afterEach(() => vi.restoreAllMocks());

const MISSING =
  'missing_field: client_id is required, since the user of this credential belongs to several clients. GET /v1/me lists them.';

const credentialsOf = (caller: Caller): Record<string, string>[] => [
  { 'X-API-Key': caller.apiKey },
  { 'X-API-Key': caller.apiToken },
  bearerOf(caller),
];

const post = (path: string, headers: Record<string, string>, body: object) =>
  call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** A caller whose user belongs to two clients, with a key for the first. */
async function seedOfTwo(): Promise<{ caller: Caller; second: Caller }> {
  const [caller, second] = [await seedCaller(), await seedCaller()];
  await addMember(db, caller.userName, second.clientId);
  return { caller, second };
}

describe('a create by JSON without client_id', () => {
  it('a create by JSON without client_id is for the one client of the credential, in one trip', async () => {
    const caller = await seedCaller();
    for (const headers of credentialsOf(caller)) {
      const trips = await countTrips();
      const response = await post('/v1/links', headers, { url: 'https://example.com/' });
      expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
      vi.restoreAllMocks();
      const { result } = await response.json<{ result: string }>();
      const record = JSON.parse(result);
      expect([response.status, record.client_id]).toEqual([200, caller.clientId]);
      const row = await env.DB.prepare('SELECT client_id, user_id FROM links WHERE id = ?').bind(record.id).first();
      expect(row).toEqual({ client_id: caller.clientId, user_id: caller.userId });
    }
  });

  it('a create by JSON without client_id is for the client of the key, even if its creator has several', async () => {
    const { caller } = await seedOfTwo();
    const response = await post('/v1/links', { 'X-API-Key': caller.apiKey }, { url: 'https://example.com/' });
    const { result } = await response.json<{ result: string }>();
    expect(JSON.parse(result)).toMatchObject({ client_id: caller.clientId });
  });

  it('a create by JSON without client_id is refused to a user of several clients, and to one of none', async () => {
    const { caller } = await seedOfTwo();
    const loner = await seedCaller();
    await env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(loner.userId).run();
    const before = await storedLinks();
    for (const headers of credentialsOf(caller).slice(1)) {
      const response = await post('/v1/links', headers, { url: 'https://example.com/' });
      await expectFailure(response, 400, MISSING);
    }
    await expectFailure(
      await post('/v1/links', bearerOf(loner), { url: 'https://example.com/' }),
      403,
      'wrong_client: The user of this credential does not belong to any client. Ask an owner for an invite.',
    );
    expect(await storedLinks()).toEqual(before);
  });

  it('a create by JSON without client_id reports an invalid credential before the missing client', async () => {
    const caller = await seedCaller();
    // Longer than any key, since another last character would be the right one once in 64 runs.
    const response = await post('/v1/links', { 'X-API-Key': `${caller.apiKey}x` }, { url: 'https://a.example/' });
    await expectFailure(response, 401, expect.stringMatching(/^invalid_credential: /));
  });

  it('a create by JSON without client_id takes only the domains of that client', async () => {
    const [caller, stranger] = [await seedCaller(), await seedCaller()];
    const [own, other] = [await seedDomain(caller), await seedDomain(stranger)];
    const on = (custom_domain: string) =>
      post('/v1/links', { 'X-API-Key': caller.apiKey }, { url: 'https://example.com/', custom_domain });
    const { result } = await (await on(own)).json<{ result: string }>();
    expect(JSON.parse(result)).toMatchObject({ client_id: caller.clientId, custom_domain: own });
    await expectFailure(await on(other), 400, expect.stringMatching(/^unknown_domain: /));
  });

  it('a create by JSON without client_id is known again by its Idempotency-Key, with the client that it was for', async () => {
    const caller = await seedCaller();
    const headers = { 'X-API-Key': caller.apiKey, 'Idempotency-Key': 'k' };
    const [first, second] = [
      await post('/v1/links', headers, { url: 'https://example.com/', metadata: '{"ü":"\\u00e4 \\"q\\""}' }),
      await post('/v1/links', headers, { url: 'https://example.com/', metadata: '{"ü":"\\u00e4 \\"q\\""}' }),
    ];
    const text = await first.text();
    expect(await second.text()).toBe(text);
    expect(JSON.parse(JSON.parse(text).result)).toMatchObject({ client_id: caller.clientId });
  });
});

describe('a batch', () => {
  it('a batch of links may leave out client_id in some of its links', async () => {
    const { caller, second } = await seedOfTwo();
    const links = [
      { url: 'https://example.com/a' },
      { url: 'https://example.com/b', client_id: caller.clientId },
      { url: 'https://example.com/c', client_id: second.clientId },
    ];
    const byKey = await post('/v1/links/batch', { 'X-API-Key': caller.apiKey }, { links });
    expect(await byKey.json()).toMatchObject({
      results: [
        { status: 201, link: { client_id: caller.clientId } },
        { status: 201, link: { client_id: caller.clientId } },
        { status: 403, error: expect.stringMatching(/^wrong_client: /) },
      ],
    });
    const byToken = await post('/v1/links/batch', bearerOf(caller), { links });
    expect(await byToken.json()).toMatchObject({
      results: [
        { status: 400, error: MISSING },
        { status: 201, link: { client_id: caller.clientId } },
        { status: 201, link: { client_id: second.clientId } },
      ],
    });
  });
});

describe('a form', () => {
  it('a form must have client_id, as published', async () => {
    const caller = await seedCaller();
    for (const path of ['/v1/links', '/shortener/encode']) {
      const headers = path === '/v1/links' ? { 'X-API-Key': caller.apiKey } : bearerOf(caller);
      const response = await call(path, { headers, form: { url: 'https://example.com/' } });
      await expectFailure(response, 400, 'missing_field: client_id is required.');
    }
  });
});
