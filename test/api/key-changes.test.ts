import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectFailure, seedCaller } from '../support/forms.ts';
import { answer, ask, INSTANT, loggedIn, SCOPES, seedKey, statusOf, type KeyList } from '../support/management.ts';
import { rowsOf } from '../support/seed.ts';

const HOUR_MS = 3600 * 1000;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('renaming a key', () => {
  it('renaming a key returns it under its new name', async () => {
    const caller = await seedCaller();
    const { key, ...record } = await seedKey(caller);
    const renamed = await answer(await ask(caller, 'PATCH', `/v1/keys/${record.id}`, { name: 'laptop' }));
    expect(renamed).toEqual({ ...record, name: 'laptop' });
    expect(await statusOf(caller, key)).toBe(200);
  });

  it('renaming a key is not logged where the name stays', async () => {
    const caller = await seedCaller();
    const { id } = await seedKey(caller, SCOPES, 'same');
    await answer(await ask(caller, 'PATCH', `/v1/keys/${id}`, { name: 'same' }));
    expect(await loggedIn(caller)).toEqual([['key.created', id]]);
  });

  it('renaming a key takes a name and nothing else', async () => {
    const caller = await seedCaller();
    const { id } = await seedKey(caller);
    const error = 'unknown_field: There is no field "scopes" here. Leave it out.';
    await expectFailure(await ask(caller, 'PATCH', `/v1/keys/${id}`, { name: 'x', scopes: SCOPES }), 400, error);
    await expectFailure(await ask(caller, 'PATCH', `/v1/keys/${id}`, {}), 400, 'missing_field: name is required.');
  });
});

describe('rolling a key', () => {
  it('rolling a key gives a new secret under the same id, and lets the former one work for 24 hours', async () => {
    const caller = await seedCaller();
    const made = await seedKey(caller, ['links:write']);
    const rolled = await answer<Record<string, string>>(await ask(caller, 'POST', `/v1/keys/${made.id}/roll`));
    const endsAt = rolled['former_secret_ends_at'] ?? '';
    const { key: text } = rolled;
    expect(rolled).toEqual({ ...made, key: expect.stringContaining(`tk_${made.id}_`), former_secret_ends_at: INSTANT });
    expect(text).not.toBe(made.key);
    expect(Date.parse(endsAt) - Date.now()).toBeGreaterThan(23.9 * HOUR_MS);
    expect([await statusOf(caller, made.key), await statusOf(caller, text ?? '')]).toEqual([200, 200]);
    expect(JSON.stringify(await rowsOf('api_keys'))).not.toContain(String(text).slice(16));

    vi.setSystemTime(Date.parse(endsAt) - 1);
    expect(await statusOf(caller, made.key)).toBe(200);
    vi.setSystemTime(Date.parse(endsAt));
    expect([await statusOf(caller, made.key), await statusOf(caller, text ?? '')]).toEqual([401, 200]);
  });

  it('rolling a key ends the secret before the former one at once', async () => {
    const caller = await seedCaller();
    const made = await seedKey(caller);
    const roll = async () => (await answer<{ key: string }>(await ask(caller, 'POST', `/v1/keys/${made.id}/roll`))).key;
    const [second, third] = [await roll(), await roll()];
    const statuses = [await statusOf(caller, made.key), await statusOf(caller, second), await statusOf(caller, third)];
    expect(statuses).toEqual([401, 200, 200]);
  });

  it('rolling a key says no once the key is revoked or has expired', async () => {
    const caller = await seedCaller();
    const revoked = await seedKey(caller);
    await ask(caller, 'DELETE', `/v1/keys/${revoked.id}`);
    const expired = await seedKey(caller);
    await env.DB.prepare('UPDATE api_keys SET expires_at = 1 WHERE id = ?').bind(expired.id).run();
    const before = [await rowsOf('api_keys'), await rowsOf('audit_entries')];
    for (const { id } of [revoked, expired]) {
      const error = 'key_ended: The key is revoked or has expired. Create a new one.';
      await expectFailure(await ask(caller, 'POST', `/v1/keys/${id}/roll`), 409, error);
    }
    expect([await rowsOf('api_keys'), await rowsOf('audit_entries')]).toEqual(before);
  });
});

describe('revoking a key', () => {
  it('revoking a key ends it, its former secret too, with the next request, and shows it as revoked', async () => {
    const caller = await seedCaller();
    const { id, key: former } = await seedKey(caller);
    const { key } = await answer<{ key: string }>(await ask(caller, 'POST', `/v1/keys/${id}/roll`));
    const response = await ask(caller, 'DELETE', `/v1/keys/${id}`);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect([await statusOf(caller, key), await statusOf(caller, former)]).toEqual([401, 401]);
    const { keys } = await answer<KeyList>(await ask(caller, 'GET', '/v1/keys'));
    expect(keys.find((record) => record['id'] === id)).toMatchObject({ revoked_at: INSTANT });
  });

  it('revoking a key changes nothing the second time, and logs nothing', async () => {
    const caller = await seedCaller();
    const { id } = await seedKey(caller);
    expect((await ask(caller, 'DELETE', `/v1/keys/${id}`)).status).toBe(204);
    const before = [await rowsOf('api_keys'), await rowsOf('audit_entries')];
    expect((await ask(caller, 'DELETE', `/v1/keys/${id}`)).status).toBe(204);
    expect([await rowsOf('api_keys'), await rowsOf('audit_entries')]).toEqual(before);
  });
});
