import { describe, expect, it } from 'vitest';
import { INSTANT, seedMember, ask as send, answer } from '../support/management.ts';
import { request, seedProved, serveHosts, setDns } from '../support/domains.ts';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { call } from '../support/service.ts';
import { addWebhook, eventsOf, typesOf } from '../support/webhooks.ts';

async function callerWithHook(): Promise<Caller> {
  const caller = await seedCaller();
  await addWebhook(caller.clientId);
  return caller;
}

describe('keys', () => {
  it('API keys have events when they are created, rolled and revoked, without their text', async () => {
    const caller = await callerWithHook();
    const made = await answer<{ id: string; key: string }>(
      await send(caller, 'POST', '/v1/keys', { name: 'Site', scopes: ['links:read', 'stats:read'] }),
      201,
    );
    const rolled = await answer<{ key: string }>(await send(caller, 'POST', `/v1/keys/${made.id}/roll`));
    expect((await send(caller, 'DELETE', `/v1/keys/${made.id}`)).status).toBe(204);
    expect((await send(caller, 'DELETE', `/v1/keys/${made.id}`)).status).toBe(204);
    const key = {
      id: made.id,
      name: 'Site',
      scopes: ['links:read', 'stats:read'],
      created_at: INSTANT,
      expires_at: null,
    };
    const events = await eventsOf(caller.clientId);
    expect(events).toEqual([
      { type: 'key.created', data: { ...key, reason: 'created' } },
      { type: 'key.revoked', data: { ...key, reason: 'rolled' } },
      { type: 'key.revoked', data: { ...key, reason: 'revoked' } },
    ]);
    const text = JSON.stringify(events);
    for (const secret of [made.key, rolled.key]) expect(text).not.toContain(secret.split('_').at(-1));
  });

  it('API keys of a member who is removed have an event each, but not if they are adopted', async () => {
    const caller = await callerWithHook();
    const [first, second] = [await seedMember(caller), await seedMember(caller)];
    for (const member of [first, second])
      await answer(await send(member, 'POST', '/v1/keys', { name: 'Own', scopes: ['links:read'] }), 201);
    expect((await send(caller, 'DELETE', `/v1/members/${first.userId}?keys=revoke`)).status).toBe(204);
    expect((await send(caller, 'DELETE', `/v1/members/${second.userId}?keys=adopt`)).status).toBe(204);
    expect(await typesOf(caller.clientId)).toEqual(['key.created', 'key.created', 'key.revoked']);
  });

  it('API keys have no events if the request is refused', async () => {
    const caller = await callerWithHook();
    const other = await seedCaller();
    const { id } = await answer<{ id: string }>(
      await send(other, 'POST', '/v1/keys', { name: 'Other', scopes: ['links:read'] }),
      201,
    );
    const response = await call(`/v1/keys/${id}`, { method: 'DELETE', headers: bearerOf(caller) });
    expect(response.status).toBe(404);
    expect(await typesOf(caller.clientId)).toEqual([]);
    expect(await typesOf(other.clientId)).toEqual([]);
  });
});

describe('domains', () => {
  it('custom domains have events when they are verified and when another client takes them over', async () => {
    serveHosts();
    const [first, second] = [await callerWithHook(), await callerWithHook()];
    const domain = await seedProved(first);
    expect(await eventsOf(first.clientId)).toEqual([
      { type: 'domain.verified', data: { id: domain.id, host: domain.host, reason: 'verified', status: 'active' } },
    ]);
    // Verifying again changes nothing.
    expect((await request(first, `/v1/domains/${domain.id}/verify`, { method: 'POST' })).status).toBe(200);
    expect(await typesOf(first.clientId)).toEqual(['domain.verified']);
    const claim = await answer<{ id: string; dns: { txt: { name: string; value: string } } }>(
      await request(second, '/v1/domains', { body: { host: domain.host } }),
      201,
    );
    await setDns(claim.dns.txt.name, { txt: [claim.dns.txt.value] });
    expect((await request(second, `/v1/domains/${claim.id}/verify`, { method: 'POST' })).status).toBe(200);
    expect((await eventsOf(first.clientId)).map(({ type, data }) => [type, data])).toEqual([
      ['domain.verified', expect.anything()],
      ['domain.lost', { id: domain.id, host: domain.host, reason: 'taken_over', status: 'pending' }],
    ]);
    expect(await eventsOf(second.clientId)).toEqual([
      { type: 'domain.verified', data: { id: claim.id, host: domain.host, reason: 'verified', status: 'active' } },
    ]);
  });
});
