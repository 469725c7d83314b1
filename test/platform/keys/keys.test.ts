import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newNonce } from '../../../src/secrets/random-secrets.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { loggedIn, seedKey, seedMember, statusOf } from '../../support/management.ts';
import { form, openKeys, textOf } from '../../support/platform.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const secretIn = (page: string) => /value="(tk_\w{12}_\w{43})"/.exec(page)?.[1] ?? '';

const keysOf = async ({ clientId }: Caller) =>
  (await rowsOf('api_keys')).filter((row) => row['client_id'] === clientId);

describe('the list of keys', () => {
  it('the list of keys says what the next step is while it is empty', async () => {
    const { caller, browse, keys } = await openKeys();
    await env.DB.prepare('DELETE FROM api_keys WHERE client_id = ?').bind(caller.clientId).run();
    const page = await textOf(browse(keys));
    expect(page).toContain('<h2>No API keys yet</h2>');
    expect(page).toContain(`href="${keys}/new"`);
  });

  it('the list of keys continues page by page', async () => {
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
    expect(second).toContain('Back to the first page');
    expect((await browse(`${keys}?cursor=x`)).status).toBe(400);
  });

  it('the page of a key has twenty of its links, and leads to the others', async () => {
    const { caller, browse, keys } = await openKeys();
    const { id, key } = await seedKey(caller);
    const links: string[] = [];
    for (let n = 0; n < 21; n += 1) links.push((await seedLink({ ...caller, apiKey: key })).id);
    const shown = (page: string) => links.filter((link) => page.includes(`/links/${link}"`));
    const first = await textOf(browse(`${keys}/${id}`));
    expect(shown(first)).toEqual(links.slice(1));
    const next = /href="([^"]+)" rel="next"/.exec(first)?.[1] ?? '';
    expect(shown(await textOf(browse(next)))).toEqual(links.slice(0, 1));
  });

  it('the list of keys shows an owner all keys, and a member their own', async () => {
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

  it('the list of keys takes two trips, and a key’s page three', async () => {
    const { caller, browse, keys } = await openKeys();
    const { id } = await seedKey(caller);
    const trips = await countTrips();
    await browse(keys);
    expect(trips().d1).toBe(2);
    await browse(`${keys}/${id}`);
    expect(trips().d1).toBe(5);
  });
});

describe('a key', () => {
  it('an API key shows its facts and the links that were created with it', async () => {
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

  it('an API key is renamed, and shows an error beside the field for a bad name', async () => {
    const { caller, browse, keys } = await openKeys();
    const { id } = await seedKey(caller);
    const renamed = await browse(`${keys}/${id}`, form({ name: 'nightly' }));
    expect([renamed.status, renamed.headers.get('Location')]).toEqual([303, `${keys}/${id}`]);
    expect(await textOf(browse(keys))).toContain('><bdi>nightly</bdi></a>');
    const refused = await browse(`${keys}/${id}`, form({ name: ' nightly' }));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('value=" nightly"')]);
  });

  it('an API key is rolled once by a form: the new secret is shown, and the old one works for a day', async () => {
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
    expect(again).toContain('<h1>Already sent</h1>');
    expect([await statusOf(caller, secret), await statusOf(caller, key)]).toEqual([200, 200]);
    expect(await loggedIn(caller)).toEqual([
      ['key.created', id],
      ['key.rolled', id],
    ]);
    // The form that was sent before is as spent as ever after another roll.
    await browse(`${keys}/${id}/roll`, form({ nonce: newNonce() }));
    expect(await textOf(browse(`${keys}/${id}/roll`, form({ nonce })))).toContain('<h1>Already sent</h1>');
    expect(await statusOf(caller, key)).toBe(401);
  });

  it('an API key is revoked after a confirmation, and can no longer be rolled', async () => {
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
    expect((await browse(`${keys}/${id}/roll`, form({ nonce: newNonce() }))).status).toBe(409);
  });

  it('an API key of another client is not found, and not changed', async () => {
    const [{ browse, keys, caller }, stranger] = [await openKeys(), await seedCaller()];
    const { id, key } = await seedKey(stranger);
    const statuses = [
      await browse(`${keys}/${id}`),
      await browse(`${keys}/${id}`, form({ name: 'mine' })),
      await browse(`${keys}/${id}/roll`),
      await browse(`${keys}/${id}/roll`, form({ nonce: newNonce() })),
      await browse(`${keys}/${id}/revoke`),
      await browse(`${keys}/${id}/revoke`, form({})),
      await browse(`/platform/c/${stranger.clientId}/keys/${id}/revoke`, form({})),
    ].map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 404));
    expect(await statusOf(stranger, key)).toBe(200);
    expect(await keysOf(caller)).toHaveLength(1);
  });
});
