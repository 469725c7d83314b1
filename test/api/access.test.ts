import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { addMember, disableUser } from '../../src/accounts/operator.ts';
import { KEY_SCOPES, MEMBER_LIST } from '../../src/accounts/scopes.ts';
import { emptyTables } from '../support/all-rows.ts';
import { OPERATIONS } from '../support/documented.ts';
import { ENDPOINTS, methodOf } from '../support/endpoints.ts';
import { bytesOf } from '../support/event-streams.ts';
import { bearerOf, expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { ask, seedKey, seedMember, send } from '../support/management.ts';
import { contentOfTables, db } from '../support/seed.ts';
import { shareOf } from '../support/share.ts';

/** The permissions of callers: every endpoint that takes any credential, by all that can be wrong with one. */

type Headers = Record<string, string>;
const keyHeader = (key: string): Headers => ({ 'X-API-Key': key });

const failing = (code: string) => expect.stringMatching(new RegExp(`^${code}: .+\\.$`));

it('every endpoint with a credential is in this table, except those that do not select a client by the query', () => {
  const withoutSelection = new Set([
    'POST /v1/links',
    'POST /v1/links/batch',
    'POST /v1/links/lookup',
    'POST /v1/invites/accept',
    'GET /v1/me',
  ]);
  const isNoSelection = (name: string) => withoutSelection.has(name);
  const withCredential = OPERATIONS.filter(({ name, operation }) => {
    return / \/v1\//.test(name) && operation.security.some((scheme) => 'bearer' in scheme);
  });
  const names = withCredential.map(({ name }) => name).filter((name) => !isNoSelection(name));
  expect([...new Set(ENDPOINTS.map(({ name }) => name.replace(/\?.*/, '')))].toSorted()).toEqual(names.toSorted());
});

const run = (sql: string, id: string) => env.DB.prepare(sql).bind(id).run();

/** What makes credentials invalid, in this order for one owner, who has none that works in the end. */
const INVALID: readonly { readonly what: string; readonly happen: (owner: Caller) => Promise<readonly Headers[]> }[] = [
  { what: 'an access token as a key', happen: async (owner) => [keyHeader(owner.accessToken)] },
  {
    what: 'a revoked key',
    happen: async (owner) => {
      const { id, key } = await seedKey(owner);
      await ask(owner, 'DELETE', `/v1/keys/${id}`);
      return [keyHeader(key)];
    },
  },
  {
    what: 'an expired key',
    happen: async (owner) => {
      const { id, key } = await seedKey(owner);
      await run('UPDATE api_keys SET expires_at = 1 WHERE id = ?', id);
      return [keyHeader(key)];
    },
  },
  {
    what: 'the token and the api_token of an ended sign-in',
    happen: async (owner) => {
      await run('UPDATE token_families SET ended_at = 1 WHERE user_id = ?', owner.userId);
      return [bearerOf(owner), keyHeader(owner.apiToken)];
    },
  },
  {
    what: 'the token of a disabled user',
    happen: async (owner) => {
      await run('UPDATE token_families SET ended_at = NULL WHERE user_id = ?', owner.userId);
      await run('UPDATE users SET disabled_at = 1 WHERE id = ?', owner.userId);
      return [bearerOf(owner)];
    },
  },
  {
    what: 'the key of a disabled user',
    happen: async (owner) => {
      await run('UPDATE users SET disabled_at = NULL WHERE id = ?', owner.userId);
      await disableUser(db, owner.userName);
      return [keyHeader(owner.apiKey)];
    },
  },
];

describe.each(shareOf(ENDPOINTS))('$name', (endpoint) => {
  const { prepare, needs, status, ofOne } = endpoint;
  // Each refusal reads all rows twice, which would be those of all endpoints before.
  beforeAll(async () => void (await env.DB.batch([await emptyTables()])));
  const request = (headers: Headers, path: string, body?: object | string) =>
    send(headers, methodOf(endpoint), path, body, endpoint.through);
  const isForKeys = (KEY_SCOPES as readonly string[]).includes(needs);
  const isForMembers = MEMBER_LIST.split(' ').includes(needs);

  /** Asks for a thing of the owner's, with headers that may not have it, and expects that nothing comes of it. */
  async function expectRefusal(owner: Caller, headersOf: () => Promise<Headers>, code: string, clientId?: string) {
    const { path, body } = await prepare(owner);
    const query = clientId === undefined ? '' : `${path.includes('?') ? '&' : '?'}client_id=${clientId}`;
    await expectRefused(path + query, body, await headersOf(), code);
  }

  /** @param what is wrong with the credential, for the message of a failure */
  async function expectRefused(
    path: string,
    body: object | string | undefined,
    headers: Headers,
    code: string,
    what = '',
  ) {
    const before = await contentOfTables();
    const response = await request(headers, path, body);
    const expected =
      { missing_credential: 401, invalid_credential: 401, not_found: 404, missing_field: 400 }[code] ?? 403;
    expect([what, response.status, response.headers.get('WWW-Authenticate')]).toEqual([
      what,
      expected,
      expected === 401 ? expect.stringMatching(isForKeys ? /, ApiKey / : /^Bearer (?!.*ApiKey)/) : null,
    ]);
    await expectFailure(response, expected, failing(code));
    expect(await contentOfTables()).toEqual(before);
  }

  it('responds to an owner', async () => {
    const owner = await seedCaller();
    const { path, body } = await prepare(owner);
    expect((await request(bearerOf(owner), path, body)).status).toBe(status);
  });

  it(`${isForMembers ? 'responds to' : 'refuses'} a member`, async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    if (!isForMembers) return expectRefusal(owner, async () => bearerOf(member), 'not_owner');
    const { path, body } = await prepare(ofOne && needs === 'keys' ? member : owner);
    expect((await request(bearerOf(member), path, body)).status).toBe(status);
  });

  it(`${isForKeys ? 'responds to' : 'refuses'} an api_token`, async () => {
    const owner = await seedCaller();
    if (!isForKeys) return expectRefusal(owner, async () => keyHeader(owner.apiToken), 'insufficient_scope');
    const { path, body } = await prepare(owner);
    expect((await request(keyHeader(owner.apiToken), path, body)).status).toBe(status);
  });

  it('responds to a key that has the scope for the endpoint alone, and to no other key', async () => {
    const owner = await seedCaller();
    const others = KEY_SCOPES.filter((scope) => scope !== needs);
    const { key } = await seedKey(owner, others);
    await expectRefusal(owner, async () => keyHeader(key), 'insufficient_scope');
    if (!isForKeys) return;
    const { key: fitting } = await seedKey(owner, [needs]);
    const { path, body } = await prepare(owner);
    expect((await request(keyHeader(fitting), path, body)).status).toBe(status);
  });

  it('refuses a caller without a credential, and each that is no longer valid', async () => {
    const owner = await seedCaller();
    const { path, body } = await prepare(owner);
    await expectRefused(path, body, {}, 'missing_credential');
    for (const { what, happen } of INVALID)
      for (const headers of await happen(owner)) await expectRefused(path, body, headers, 'invalid_credential', what);
  });

  it('refuses an owner of another client who names this one', async () => {
    const [owner, stranger] = [await seedCaller(), await seedCaller()];
    const code = endpoint.toStrangers ?? 'wrong_client';
    await expectRefusal(owner, async () => bearerOf(stranger), code, owner.clientId);
  });

  it('shows an owner of another client nothing of this one', async () => {
    const [owner, stranger] = [await seedCaller(), await seedCaller()];
    if (ofOne) return expectRefusal(owner, async () => bearerOf(stranger), 'not_found');
    const { path, body } = await prepare(owner);
    const response = await request(bearerOf(stranger), path, body);
    expect(response.status).toBe(status);
    const text = new TextDecoder().decode(await bytesOf(response));
    for (const secret of [owner.clientId, owner.userId, owner.userName, owner.apiKey.slice(3, 15)]) {
      expect(text).not.toContain(secret);
    }
  });

  it('refuses a user who left the client, even if their sign-in is still valid', async () => {
    const owner = await seedCaller();
    const left = await seedMember(owner, 'owner');
    await ask(owner, 'DELETE', `/v1/members/${left.userId}?keys=revoke`);
    await expectRefusal(owner, async () => bearerOf(left), endpoint.toStrangers ?? 'wrong_client');
  });

  it(`asks a user of several clients which one is meant${endpoint.saysClient ? ', unless the thing says it' : ''}`, async () => {
    const [owner, second] = [await seedCaller(), await seedCaller()];
    const { path, body } = await prepare(owner);
    await addMember(db, owner.userName, second.clientId);
    const before = await contentOfTables();
    const response = await request(bearerOf(owner), path, body);
    if (endpoint.saysClient) return expect(response.status).toBe(status);
    await expectFailure(response, 400, failing('missing_field'));
    expect(await contentOfTables()).toEqual(before);
    const named = `${path}${path.includes('?') ? '&' : '?'}client_id=${owner.clientId}`;
    expect((await request(bearerOf(owner), named, body)).status).toBe(status);
  });
});
