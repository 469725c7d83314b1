import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { newNonce } from '../../../src/secrets/random-secrets.ts';
import worker from '../../../src/index.ts';
import { type Caller } from '../../support/forms.ts';
import { loggedIn, statusOf } from '../../support/management.ts';
import { type Browse, form, openBrowser, openKeys, textOf } from '../../support/platform.ts';
import { rowsOf } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

const secretIn = (page: string) => /value="(tk_\w{12}_\w{43})"/.exec(page)?.[1] ?? '';

const newKey = (fields: Record<string, string> = {}) =>
  form({ nonce: newNonce(), name: 'build server', scopes: 'links:write', expires_at: '', ...fields });

const create = (browse: Browse, keys: string, fields?: Record<string, string>) => browse(`${keys}/new`, newKey(fields));

const keysOf = async ({ clientId }: Caller) =>
  (await rowsOf('api_keys')).filter((row) => row['client_id'] === clientId);

describe('a new key', () => {
  it('a new key is shown once, with a curl that works', async () => {
    const { caller, browse, keys } = await openKeys();
    const page = await textOf(browse(`${keys}/new`));
    const nonce = /name="nonce" value="([\w-]{22})"/.exec(page)?.[1] ?? '';
    expect(page).toContain('name="scopes" value="links:write" checked=""');
    const made = await create(browse, keys, { nonce });
    expect(made.status).toBe(201);
    const answer = await made.text();
    const secret = secretIn(answer);
    expect(answer).toContain(`curl https://terse.test/v1/links \\\n  -H &#39;X-API-Key: ${secret}&#39; \\\n`);
    expect(answer).toContain(`-F client_id=${caller.clientId} `);
    expect(await statusOf(caller, secret)).toBe(200);
    expect(await textOf(browse(keys))).not.toContain(secret);
    expect(await textOf(browse(`${keys}/${secret.split('_')[1]}`))).not.toContain(secret);
  });

  it('a new key is created once, however often its form is sent', async () => {
    const { caller, browse, keys } = await openKeys();
    const nonce = newNonce();
    const sent = await Promise.all([1, 2, 3].map(async () => create(browse, keys, { nonce })));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    const again = await textOf(create(browse, keys, { nonce, name: 'another' }));
    expect(again).toContain('<h1>Already sent</h1>');
    expect(again).toContain('was shown only once');
    expect(secretIn(again)).toBe('');
    const made = (await keysOf(caller)).filter(({ name }) => name === 'build server').map(({ id }) => String(id));
    expect(made).toHaveLength(1);
    expect(again).toContain(`href="${keys}/${made[0]}/roll"`);
    expect(again).toContain(`href="${keys}/${made[0]}/revoke"`);
    expect(await loggedIn(caller)).toEqual([['key.created', made[0]]]);
  });

  it('a new key of another client may come by the same nonce', async () => {
    const [one, other] = [await openKeys(), await openKeys()];
    const nonce = newNonce();
    expect((await create(one.browse, one.keys, { nonce })).status).toBe(201);
    expect((await create(other.browse, other.keys, { nonce })).status).toBe(201);
  });

  it('a new key expires by the clocks of the user’s zone', async () => {
    const { caller, browse, keys } = await openKeys();
    await env.DB.prepare(`UPDATE users SET time_zone = 'Asia/Kathmandu' WHERE id = ?`).bind(caller.userId).run();
    expect((await create(browse, keys, { expires_at: '2099-12-31T18:00' })).status).toBe(201);
    const made = (await keysOf(caller)).find(({ name }) => name === 'build server');
    expect(made).toMatchObject({ expires_at: Date.parse('2099-12-31T12:15:00Z'), scopes: 'links:write' });
    expect(await textOf(browse(keys))).toContain('31 Dec 2099, 18:00 GMT+5:45');
  });

  it.each<[field: string, sentence: string, fields: Record<string, string>]>([
    ['name', 'This is required.', { name: '' }],
    ['name', 'This must be 1 to 64 characters, without spaces at the start or end.', { name: 'x'.repeat(65) }],
    ['expires_at', 'This must be a day and a time, such as 2027-12-31T18:00.', { expires_at: 'soon' }],
    ['expires_at', 'This must not be in the past.', { expires_at: '2001-01-01T00:00' }],
    ['scopes', 'This must be links:read, links:write or stats:read.', { scopes: 'keys' }],
  ])('a new key is refused beside %s: %s', async (field, sentence, fields) => {
    const { caller, browse, keys } = await openKeys();
    const response = await create(browse, keys, fields);
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain(`id="fault-${field}">${sentence}</p>`);
    for (const value of Object.values(fields)) if (field !== 'scopes') expect(page).toContain(`value="${value}"`);
    expect(await keysOf(caller)).toHaveLength(1);
    expect((await rowsOf('spent_forms')).filter((row) => row['client_id'] === caller.clientId)).toEqual([]);
  });

  it('a new key has at least one scope, and its form is whole', async () => {
    const { browse, keys } = await openKeys();
    const none = await browse(`${keys}/new`, form({ nonce: newNonce(), name: 'build server' }));
    expect([none.status, await none.text()]).toEqual([
      400,
      expect.stringContaining('id="fault-scopes">This must contain at least one of'),
    ]);
    const torn = await create(browse, keys, { nonce: '' });
    expect([torn.status, await torn.text()]).toEqual([400, expect.stringContaining('The form is incomplete.')]);
  });
});

it('forgets spent forms after a year', async () => {
  const { caller, browse, keys } = await openKeys();
  await create(browse, keys);
  await create(browse, keys);
  const ours = async () => (await rowsOf('spent_forms')).filter((row) => row['client_id'] === caller.clientId);
  const [old] = await ours();
  await env.DB.prepare('UPDATE spent_forms SET created_at = ? WHERE nonce = ?')
    .bind(Date.now() - 367 * 24 * 3600 * 1000, old?.['nonce'])
    .run();
  await worker.scheduled(createScheduledController(), env);
  expect((await ours()).map(({ nonce }) => nonce)).toEqual([expect.not.stringMatching(String(old?.['nonce']))]);
});

it('a new key can be requested by a signed-in user, from one of our pages', async () => {
  const { caller, keys } = await openKeys();
  expect((await call(keys)).headers.get('Location')).toContain('/platform/sign-in');
  const { browse } = await openBrowser(caller);
  const foreign = await browse(`${keys}/new`, {
    ...newKey(),
    headers: { Origin: 'https://other.example' },
  });
  expect(foreign.status).toBe(403);
  expect(await keysOf(caller)).toHaveLength(1);
});
