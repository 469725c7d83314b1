import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newFormNonce } from '../../src/accounts/spent-forms.ts';
import worker from '../../src/index.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { loggedIn, seedKey, seedMember, statusOf } from '../support/management.ts';
import { form, openBrowser, type Browse } from '../support/platform.ts';
import { rowsOf, seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const textOf = async (response: Promise<Response>) => (await response).text();
const secretIn = (page: string) => /value="(tk_\w{12}_\w{43})"/.exec(page)?.[1] ?? '';

async function openKeys(caller?: Caller) {
  const owner = caller ?? (await seedCaller());
  const { browse } = await openBrowser(owner);
  return { caller: owner, browse, keys: `/platform/c/${owner.clientId}/keys` };
}

const newKey = (fields: Record<string, string> = {}) =>
  form({ nonce: newFormNonce(), name: 'build server', scopes: 'links:write', expires_at: '', ...fields });

const create = (browse: Browse, keys: string, fields?: Record<string, string>) => browse(`${keys}/new`, newKey(fields));

const keysOf = async ({ clientId }: Caller) =>
  (await rowsOf('api_keys')).filter((row) => row['client_id'] === clientId);

describe('a new key', () => {
  it('is shown once, with a curl that works', async () => {
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

  it('is made once, however often its form is sent', async () => {
    const { caller, browse, keys } = await openKeys();
    const nonce = newFormNonce();
    const sent = await Promise.all([1, 2, 3].map(async () => create(browse, keys, { nonce })));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    const again = await textOf(create(browse, keys, { nonce, name: 'another' }));
    expect(again).toContain('<h1>Already made</h1>');
    expect(again).toContain('was shown once');
    expect(secretIn(again)).toBe('');
    const made = (await keysOf(caller)).filter(({ name }) => name === 'build server').map(({ id }) => String(id));
    expect(made).toHaveLength(1);
    expect(again).toContain(`href="${keys}/${made[0]}/roll"`);
    expect(again).toContain(`href="${keys}/${made[0]}/revoke"`);
    expect(await loggedIn(caller)).toEqual([['key.created', made[0]]]);
  });

  it('of another client may come by the same nonce', async () => {
    const [one, other] = [await openKeys(), await openKeys()];
    const nonce = newFormNonce();
    expect((await create(one.browse, one.keys, { nonce })).status).toBe(201);
    expect((await create(other.browse, other.keys, { nonce })).status).toBe(201);
  });

  it('expires by the clocks of the user’s zone', async () => {
    const { caller, browse, keys } = await openKeys();
    await env.DB.prepare(`UPDATE users SET time_zone = 'Asia/Kathmandu' WHERE id = ?`).bind(caller.userId).run();
    expect((await create(browse, keys, { expires_at: '2099-12-31T18:00' })).status).toBe(201);
    const made = (await keysOf(caller)).find(({ name }) => name === 'build server');
    expect(made).toMatchObject({ expires_at: Date.parse('2099-12-31T12:15:00Z'), scopes: 'links:write' });
    expect(await textOf(browse(keys))).toContain('31 Dec 2099, 18:00 GMT+5:45');
  });

  it.each<[field: string, sentence: string, fields: Record<string, string>]>([
    ['name', 'This is required.', { name: '' }],
    ['name', 'This must be 1 to 64 characters, and no spaces around it.', { name: 'x'.repeat(65) }],
    ['expires_at', 'This must be a day and a time, such as 2027-12-31T18:00.', { expires_at: 'soon' }],
    ['expires_at', 'This must not be in the past.', { expires_at: '2001-01-01T00:00' }],
    ['scopes', 'This must be links:read, links:write or stats:read.', { scopes: 'keys' }],
  ])('is refused beside %s: %s', async (field, sentence, fields) => {
    const { caller, browse, keys } = await openKeys();
    const response = await create(browse, keys, fields);
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain(`id="fault-${field}">${sentence}</p>`);
    for (const value of Object.values(fields)) if (field !== 'scopes') expect(page).toContain(`value="${value}"`);
    expect(await keysOf(caller)).toHaveLength(1);
    expect((await rowsOf('spent_forms')).filter((row) => row['client_id'] === caller.clientId)).toEqual([]);
  });

  it('has at least one scope, and its form is whole', async () => {
    const { browse, keys } = await openKeys();
    const none = await browse(`${keys}/new`, form({ nonce: newFormNonce(), name: 'build server' }));
    expect([none.status, await none.text()]).toEqual([
      400,
      expect.stringContaining('id="fault-scopes">This must name at least one of'),
    ]);
    const torn = await create(browse, keys, { nonce: '' });
    expect([torn.status, await torn.text()]).toEqual([400, expect.stringContaining('The form is not whole.')]);
  });
});

describe('the list', () => {
  it('says what the next step is while it is empty', async () => {
    const { caller, browse, keys } = await openKeys();
    await env.DB.prepare('DELETE FROM api_keys WHERE client_id = ?').bind(caller.clientId).run();
    const page = await textOf(browse(keys));
    expect(page).toContain('<h2>No API keys yet</h2>');
    expect(page).toContain(`href="${keys}/new"`);
  });

  it('goes on page by page', async () => {
    const { caller, browse, keys } = await openKeys();
    const insert = env.DB.prepare(
      `INSERT INTO api_keys (id, client_id, user_id, name, secret_hash, created_at) VALUES (?, ?, ?, ?, 'x', ?)`,
    );
    await env.DB.batch(
      Array.from({ length: 60 }, (_, n) =>
        insert.bind(`${caller.clientId}-${n}`, caller.clientId, caller.userId, `key ${n}`, n),
      ),
    );
    const first = await textOf(browse(keys));
    const next = /href="([^"]+)" rel="next"/.exec(first)?.[1] ?? '';
    expect(first).toContain('key 59<');
    expect(first).not.toContain('key 0<');
    const second = await textOf(browse(next));
    expect(second).toContain('key 0<');
    expect(second).toContain('Back to the newest');
    expect((await browse(`${keys}?cursor=x`)).status).toBe(400);
  });

  it('shows an owner all keys, and a member their own', async () => {
    const { caller, browse, keys } = await openKeys();
    const member = await seedMember(caller);
    const [theirs, ours] = [await seedKey(member, undefined, 'theirs'), await seedKey(caller, undefined, 'ours')];
    const own = await openKeys(member);
    expect(await textOf(browse(keys))).toContain(theirs.id);
    const page = await textOf(own.browse(keys));
    expect(page).toContain(theirs.id);
    expect(page).not.toContain(ours.id);
    expect((await own.browse(`${keys}/${ours.id}`)).status).toBe(404);
    expect((await own.browse(`${keys}/${ours.id}/revoke`, form({}))).status).toBe(404);
    expect(await statusOf(caller, ours.key)).toBe(200);
  });

  it('takes two trips, and a key’s page three', async () => {
    const { caller, browse, keys } = await openKeys();
    const { id } = await seedKey(caller);
    const trips = countTrips();
    await browse(keys);
    expect(trips().d1).toBe(2);
    await browse(`${keys}/${id}`);
    expect(trips().d1).toBe(5);
  });
});

describe('a key', () => {
  it('shows its facts and the links that it made', async () => {
    const { caller, browse, keys } = await openKeys();
    const link = await seedLink(caller, { url: `https://example.com/${'x'.repeat(1900)}` });
    const [key] = await keysOf(caller);
    const page = await textOf(browse(`${keys}/${String(key?.['id'])}`));
    // Their pages, as to follow one of them would count as a click.
    expect(page).toContain(`href="/platform/c/${caller.clientId}/links/${link.id}"`);
    expect(page).not.toContain(`href="${link.short_url}"`);
    expect(page).toContain('links:read, links:write, stats:read');
    expect(page).toMatch(/Last used<\/dt><dd><time/);
  });

  it('is renamed, and a bad name is told beside the field', async () => {
    const { caller, browse, keys } = await openKeys();
    const { id } = await seedKey(caller);
    const renamed = await browse(`${keys}/${id}`, form({ name: 'nightly' }));
    expect([renamed.status, renamed.headers.get('Location')]).toEqual([303, `${keys}/${id}`]);
    expect(await textOf(browse(keys))).toContain('>nightly</a>');
    const refused = await browse(`${keys}/${id}`, form({ name: ' nightly' }));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('value=" nightly"')]);
  });

  it('is rolled once by a form: the new secret is shown, and the old one works for a day', async () => {
    const { caller, browse, keys } = await openKeys();
    const { id, key } = await seedKey(caller);
    const asked = await textOf(browse(`${keys}/${id}/roll`));
    const nonce = /name="nonce" value="([\w-]{22})"/.exec(asked)?.[1] ?? '';
    expect(await loggedIn(caller)).toEqual([['key.created', id]]);
    const rolled = await browse(`${keys}/${id}/roll`, form({ nonce }));
    const secret = secretIn(await rolled.text());
    expect([rolled.status, secret.startsWith(`tk_${id}_`)]).toEqual([200, true]);
    expect(secret).not.toBe(key);
    const again = await textOf(browse(`${keys}/${id}/roll`, form({ nonce })));
    expect(again).toContain('<h1>Already made</h1>');
    expect([await statusOf(caller, secret), await statusOf(caller, key)]).toEqual([200, 200]);
    expect(await loggedIn(caller)).toEqual([
      ['key.created', id],
      ['key.rolled', id],
    ]);
    // The form that was sent before is as spent as ever after another roll.
    await browse(`${keys}/${id}/roll`, form({ nonce: newFormNonce() }));
    expect(await textOf(browse(`${keys}/${id}/roll`, form({ nonce })))).toContain('<h1>Already made</h1>');
    expect(await statusOf(caller, key)).toBe(401);
  });

  it('is revoked after asking once more, and cannot be rolled any more', async () => {
    const { caller, browse, keys } = await openKeys();
    const { id, key } = await seedKey(caller, undefined, 'doomed');
    expect(await textOf(browse(`${keys}/${id}/revoke`))).toContain('<h1>Revoke the key doomed?</h1>');
    expect(await statusOf(caller, key)).toBe(200);
    expect((await browse(`${keys}/${id}/revoke`, form({}))).status).toBe(303);
    expect(await statusOf(caller, key)).toBe(401);
    const page = await textOf(browse(`${keys}/${id}`));
    expect(page).toContain('>Revoked</span>');
    expect(page).not.toContain('/roll"');
    expect((await browse(`${keys}/${id}/roll`)).status).toBe(409);
    expect((await browse(`${keys}/${id}/roll`, form({ nonce: newFormNonce() }))).status).toBe(409);
  });

  it('of another client is not found, and not changed', async () => {
    const [{ browse, keys, caller }, stranger] = [await openKeys(), await seedCaller()];
    const { id, key } = await seedKey(stranger);
    const statuses = [
      await browse(`${keys}/${id}`),
      await browse(`${keys}/${id}`, form({ name: 'mine' })),
      await browse(`${keys}/${id}/roll`),
      await browse(`${keys}/${id}/roll`, form({ nonce: newFormNonce() })),
      await browse(`${keys}/${id}/revoke`),
      await browse(`${keys}/${id}/revoke`, form({})),
      await browse(`/platform/c/${stranger.clientId}/keys/${id}/revoke`, form({})),
    ].map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 404));
    expect(await statusOf(stranger, key)).toBe(200);
    expect(await keysOf(caller)).toHaveLength(1);
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

it('is asked for by who is signed in, from a page of ours', async () => {
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
