import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { bearerOf, expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { answer, ask, seedMember } from '../support/management.ts';
import { db } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

const KEY_SCOPES = ['links:read', 'links:write', 'stats:read'];
const OF_A_MEMBER = [...KEY_SCOPES, 'keys', 'domains:read'];
const OF_AN_OWNER = [...OF_A_MEMBER, 'domains:write', 'members', 'webhooks', 'audit'];
const LIMITS = { creates_per_minute: 3000, creates_per_minute_and_address: 6000, links_per_batch: 100 };

const me = async (headers: Record<string, string>) => {
  const response = await call('/v1/me', { headers });
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
};
const userOf = ({ userId, userName }: Caller) => ({ local_id: userId, name: userName });

describe('GET /v1/me', () => {
  it('GET /v1/me describes the user of an access token, with role and scopes for each client', async () => {
    const [caller, second] = [await seedCaller(), await seedCaller()];
    await addMember(db, caller.userName, second.clientId);
    await env.DB.prepare(`UPDATE members SET role = 'member' WHERE user_id = ? AND client_id = ?`)
      .bind(caller.userId, second.clientId)
      .run();
    const clients = [
      { client_id: caller.clientId, role: 'owner', scopes: OF_AN_OWNER },
      { client_id: second.clientId, role: 'member', scopes: OF_A_MEMBER },
    ].toSorted((a, b) => (a.client_id < b.client_id ? -1 : 1));
    expect(await me(bearerOf(caller))).toEqual({
      status: 200,
      body: { kind: 'access_token', user: userOf(caller), key: null, clients, limits: LIMITS },
    });
  });

  it('GET /v1/me gives an api_token the scopes of a key', async () => {
    const caller = await seedCaller();
    const clients = [{ client_id: caller.clientId, role: 'owner', scopes: KEY_SCOPES }];
    expect(await me({ 'X-API-Key': caller.apiToken })).toEqual({
      status: 200,
      body: { kind: 'api_token', user: userOf(caller), key: null, clients, limits: LIMITS },
    });
  });

  it('GET /v1/me describes an API key with its one client, scopes and expiry, without its user', async () => {
    const [caller, second] = [await seedCaller(), await seedCaller()];
    const member = await seedMember(caller);
    await addMember(db, member.userName, second.clientId);
    const fields = { name: 'reader', scopes: ['stats:read'], expires_at: '2100-01-01T00:00:00Z' };
    const made = await answer(await ask(member, 'POST', `/v1/keys?client_id=${caller.clientId}`, fields), 201);
    expect(await me({ 'X-API-Key': String(made['key']) })).toEqual({
      status: 200,
      body: {
        kind: 'api_key',
        user: null,
        key: { id: made['id'], name: 'reader', expires_at: '2100-01-01T00:00:00.000Z' },
        clients: [{ client_id: caller.clientId, role: 'member', scopes: ['stats:read'] }],
        limits: LIMITS,
      },
    });
    expect((await me({ 'X-API-Key': caller.apiKey })).body).toMatchObject({ key: { name: 'seed', expires_at: null } });
  });

  it('GET /v1/me has an empty list for a user without clients', async () => {
    const caller = await seedCaller();
    await env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(caller.userId).run();
    expect(await me(bearerOf(caller))).toMatchObject({ status: 200, body: { user: userOf(caller), clients: [] } });
    expect(await me({ 'X-API-Key': caller.apiKey })).toMatchObject({ status: 401 });
  });

  it('GET /v1/me has null for limits that are off', async () => {
    const caller = await seedCaller();
    const response = await openIsolate({ CREATE_LIMITING: 'off' })('/v1/me', { headers: bearerOf(caller) });
    expect(await response.json()).toMatchObject({
      limits: { creates_per_minute: null, creates_per_minute_and_address: null, links_per_batch: 100 },
    });
  });

  it('GET /v1/me is refused without a credential, with a bad one, and with an ended one', async () => {
    const caller = await seedCaller();
    await expectFailure(await call('/v1/me'), 401, expect.stringMatching(/^missing_credential: /));
    await env.DB.prepare('UPDATE token_families SET ended_at = 1 WHERE user_id = ?').bind(caller.userId).run();
    await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE user_id = ?').bind(caller.userId).run();
    const bad = [
      { 'X-API-Key': 'nonsense' },
      { 'X-API-Key': caller.apiKey },
      { 'X-API-Key': caller.apiToken },
      bearerOf(caller),
    ];
    for (const headers of bad) expect(await me(headers)).toMatchObject({ status: 401 });
    const response = await call('/v1/me?client_id=x', { headers: bearerOf(caller) });
    await expectFailure(response, 400, expect.stringMatching(/^unknown_field: /));
  });
});
