import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findSession } from '../../../src/accounts/sessions/session.ts';
import { deleteUser } from '../../../src/accounts/users/delete-account-store.ts';
import { LISTS, NOT_EXPORTED } from '../../../src/accounts/users/own-data.ts';
import { addMember } from '../../../src/accounts/operator.ts';
import worker from '../../../src/index.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { readAllTables, rowsWith } from '../../support/all-rows.ts';
import { prepareWith } from '../../support/full-client.ts';
import { invite } from '../../support/invites.ts';
import { form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { bearerOf, seedCaller, type Caller } from '../../support/forms.ts';
import { db, rowsOf, seedLink, seedTenant, signIn, type Tenant } from '../../support/seed.ts';
import { openSession, seedIdentity, seedProvider } from '../../support/providers.ts';
import { call } from '../../support/service.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ACCOUNT = '/platform/account';

/** A user with a password, in a workspace of another owner, with rows in all tables that name a user. */
async function seedUser(): Promise<{ user: Tenant; owner: Caller }> {
  const [user, owner] = [await seedTenant(), await seedCaller()];
  await addMember(db, user.userName, owner.clientId, 'owner');
  await signIn(user);
  const { browse } = await openBrowser(user);
  await browse(`/platform/c/${owner.clientId}/members/invite`, form({ role: 'member', nonce: 'n'.repeat(22) }));
  await seedLink(user, { slug: `own-${user.clientId}` });
  const link = (await rowsOf('links')).find((row) => row['client_id'] === user.clientId);
  await env.DB.batch(
    [
      `INSERT INTO link_history (link_id, n, at, user_id, action, url, changes, edit_id) VALUES (?1, 1, 1, ?2, 'edited', 'x', '{}', '')`,
      `INSERT INTO password_resets (id, token_hash, user_id, made_by, created_at, expires_at)
        VALUES ('r' || ?1, 't' || ?1, ?2, ?2, 1, ${Date.now() + 10 * DAY_MS})`,
      `INSERT INTO totp_seeds (user_id, seed, created_at) VALUES (?2, 'sealed' || ?1 || ?3, 1)`,
      `INSERT INTO token_families (id, user_id, started_at, ends_at, began_by, begun_with, client_id, scopes)
        VALUES ('granted' || ?1 || ?2, ?2, 1, 8e15, 'oauth', 'a', ?3, 'links:read')`,
      `INSERT INTO oauth_grants (family_id, application, name, host, resource, used_at)
        VALUES ('granted' || ?1 || ?2, 'a', 'n', 'h', 'r', 1)`,
      `INSERT INTO oauth_codes (hash, user_id, session_id, client_id, scopes, application, name, host, redirect_uri,
        resource, challenge, expires_at) VALUES ('code' || ?1 || ?2, ?2, 's', ?3, 'links:read', 'a', 'n', 'h', 'u', 'r', 'c', 1)`,
      `INSERT INTO recovery_codes (user_id, hash) VALUES (?2, 'hash' || ?1 || ?3)`,
      `INSERT INTO application_passwords (id, user_id, name, secret_hash, nonce, created_at)
        VALUES ('ap' || ?1, ?2, 'laptop', 'hash of ap ' || ?1, 'n' || ?3, 1)`,
      `INSERT INTO code_tries (user_id, tried_at, id, address) VALUES (?2, 1, ?1, 'address' || ?3)`,
      `INSERT INTO providers (id, kind, client_id, issuer, application, name, created_at, updated_at)
        VALUES ('provider' || ?1, 'openid', ?3, 'i', 'a', 'Example ID', 1, 1)`,
      `INSERT INTO identities (provider_id, subject, user_id, refresh_token, created_at, confirmed_at)
        VALUES ('provider' || ?1, 'subject' || ?3, ?2, 'sealed', 1, 1)`,
      `INSERT INTO passkeys (id, user_id, name, public_key, counter, rp_id, transports, created_at)
        VALUES ('passkey' || ?1, ?2, 'phone' || ?3, 'key', 0, 'terse.test', '["internal"]', 1)`,
      `INSERT INTO mail_addresses (user_id, address, confirmed_at, pending_hash) VALUES (?2, 'ann@mail.example', 1, 'hash of mail' || ?1 || ?3)`,
      `INSERT INTO mails (id, kind, user_id, client_id, token_hash, created_at, expires_at, next_try_at, sent_at)
        VALUES ('mail' || ?1, 'reset', ?2, ?3, 'hash of link', 1, 2, 3, 4)`,
      `INSERT INTO encode_days (client_id, day, user_id, made, refused) VALUES (?3, '2099-01-01', ?2, 3, 0)`,
      `INSERT INTO idempotency_keys (client_id, key, fingerprint, answer, created_at) VALUES (?3, 'links ' || ?2 || ' k', ?1, '', ${Date.now()})`,
      `INSERT INTO audit_entries (client_id, created_at, id, action, subject_id, subject_name, details, user_id, credential_kind, credential_id)
        VALUES (?3, 1, ?1, 'member.joined', ?2, '${user.userName}', '{"role":"owner"}', ?2, 'invite', 'i'),
          (?3, ${Date.now()}, ?1, 'key.revoked', 'k', 'key', '{"former_holder":"${user.userName}"}', ?2, 'session', 's')`,
      `UPDATE invites SET accepted_by = ?2, accepted_at = 2 WHERE client_id = ?3 AND ?1 = ?1`,
    ].map((sql) => prepareWith(sql, [link?.['id'], user.userId, owner.clientId])),
  );
  return { user, owner };
}

const remove = async (user: Tenant, fields: Record<string, string> = {}) => {
  const { browse } = await openBrowser(user);
  const headers = { 'CF-Connecting-IP': user.address };
  return browse(
    `${ACCOUNT}/delete`,
    form({ name: user.userName, current_password: user.password, ...fields }, headers),
  );
};

/** Deletes the workspace whose only member is the user. */
async function deleteWorkspace(user: Tenant): Promise<void> {
  const { browse } = await openBrowser(user);
  const sent = await browse(`/platform/c/${user.clientId}/settings/delete`, form({ name: user.clientId }));
  expect(sent.status).toBe(303);
}

/** A member of a workspace of another owner, who has no password. */
async function seedWithoutPassword(): Promise<Tenant> {
  const [user, owner] = [await seedTenant(), await seedCaller()];
  await env.DB.batch([
    env.DB.prepare(`UPDATE users SET password_hash = '!' WHERE id = ?`).bind(user.userId),
    env.DB.prepare('UPDATE members SET client_id = ? WHERE user_id = ?').bind(owner.clientId, user.userId),
    env.DB.prepare('DELETE FROM api_keys WHERE user_id = ?').bind(user.userId),
  ]);
  await env.DB.prepare(`UPDATE members SET role = 'member' WHERE user_id = ?`).bind(user.userId).run();
  return user;
}

const setStale = (familyId: string) =>
  env.DB.prepare('UPDATE token_families SET started_at = started_at - 601000 WHERE id = ?').bind(familyId).run();

it('every column that names a user is exported, or not for a reason', async () => {
  const columns = await env.DB.prepare(
    `SELECT m.name || '.' || p.name AS name FROM sqlite_master m, pragma_table_info(m.name) p
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE '_cf_%' AND (
        p.name IN ('user_id', 'local_id', 'made_by', 'accepted_by') OR m.name || '.' || p.name = 'users.id' OR EXISTS (
          SELECT 1 FROM pragma_foreign_key_list(m.name) f WHERE f."table" = 'users' AND f."from" = p.name))`,
  ).all<{ readonly name: string }>();
  const known = [...Object.values(LISTS).flatMap(({ covers }) => covers), ...Object.keys(NOT_EXPORTED)];
  expect(known.toSorted()).toEqual([...columns.results.map(({ name }) => name), 'audit_entries.subject_id'].toSorted());
});

describe('the export of an account', () => {
  it('the export of an account has all that is kept about the user, no secret, and nothing of others', async () => {
    const [{ user, owner }, stranger] = [await seedUser(), await seedTenant()];
    await invite(owner);
    const { browse, value } = await openBrowser(user);
    const file = await browse(`${ACCOUNT}/export.json`);
    expect([file.status, file.headers.get('Content-Type'), file.headers.get('Content-Disposition')]).toEqual([
      200,
      'application/json',
      'attachment; filename="terse-account.json"',
    ]);
    const text = await file.text();
    const data: Record<string, Record<string, unknown>[]> = JSON.parse(text);
    expect(Object.keys(data)).toEqual(Object.keys(LISTS));
    expect(data['account']).toEqual({
      local_id: user.userId,
      name: user.userName,
      time_zone: 'UTC',
      language: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      disabled_at: null,
      password_used_by_program_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const lists = Object.entries(data).filter(
      ([name]) => !['account', 'deleted_workspaces', 'suspended_in'].includes(name),
    );
    expect(lists.filter(([, rows]) => rows.length === 0)).toEqual([]);
    expect(data['workspaces']?.map(({ client_id: id, role }) => [id, role])).toEqual([
      [user.clientId, 'owner'],
      [owner.clientId, 'owner'],
    ]);
    expect(data['invites']).toHaveLength(1);
    const hashes = [...(await readAllTables())].flatMap(([, rows]) =>
      rows.flatMap((row) =>
        Object.entries(row).flatMap(([name, hash]) =>
          name.endsWith('hash') && typeof hash === 'string' ? [hash] : [],
        ),
      ),
    );
    for (const secret of [
      ...hashes.filter((hash) => hash.length > 8),
      value,
      stranger.userId,
      stranger.userName,
      owner.userName,
    ])
      expect(text).not.toContain(secret);
  });

  it('the export of an account is for signed-in users', async () => {
    expect(placeOf(await call(`${ACCOUNT}/export.json`))[0]).toBe(303);
  });
});

describe('the deletion of an account', () => {
  it('the deletion of an account is refused with a list while the user is the last owner of workspaces', async () => {
    const { user, owner } = await seedUser();
    const page = await textOf((await openBrowser(user)).browse(`${ACCOUNT}/delete`));
    expect(page).toContain(`<bdi>${user.clientId}</bdi>: <a href="/platform/c/${user.clientId}/settings">`);
    expect(page).not.toContain(`<bdi>${owner.clientId}</bdi>: `);
    expect(page).not.toContain('give another member');
    const before = await readAllTables();
    const refused = await remove(user);
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('need an owner')]);
    expect(rowsWith(await readAllTables(), [user.userId])['members']).toEqual(
      rowsWith(before, [user.userId])['members'],
    );
  });

  it.each([
    [{ name: 'other' }, 'This must be your user name.'],
    [{ current_password: 'wrong password' }, 'This is not your current password.'],
  ])('the deletion of an account is refused with %j', async (fields, sentence) => {
    const { user } = await seedUser();
    await deleteWorkspace(user);
    const refused = await remove(user, fields);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(sentence)]);
    expect((await rowsOf('users')).map(({ id }) => id)).toContain(user.userId);
  });

  it('the deletion of an account takes a name with blanks around it, of up to 1,024 characters', async () => {
    const { user } = await seedUser();
    await deleteWorkspace(user);
    const refused = await remove(user, { name: user.userName.padEnd(1025) });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('This must be your user name.'),
    ]);
    expect((await rowsOf('users')).map(({ id }) => id)).toContain(user.userId);
    expect((await remove(user, { name: user.userName.padEnd(1024) })).status).toBe(303);
    expect((await rowsOf('users')).map(({ id }) => id)).not.toContain(user.userId);
  });

  it('an account without a password is deleted by a session that was confirmed within ten minutes', async () => {
    const user = await seedWithoutPassword();
    const { browse, familyId } = await openSession(user, { beganBy: 'passkey' });
    const page = await textOf(browse(`${ACCOUNT}/delete`));
    expect([page.includes('name="name"'), page.includes('current_password')]).toEqual([true, false]);
    await setStale(familyId);
    expect(placeOf(await browse(`${ACCOUNT}/delete`))).toEqual([
      303,
      '/platform/confirm?next=%2Fplatform%2Faccount%2Fdelete',
    ]);
    const typed = form({ typed_by: user.userId, name: user.userName });
    const asked = await browse(`${ACCOUNT}/delete`, typed);
    expect([asked.status, await asked.text()]).toEqual([403, expect.stringContaining('Confirm that it is you')]);
    expect((await rowsOf('users')).map(({ id }) => id)).toContain(user.userId);
    await env.DB.prepare('UPDATE token_families SET confirmed_at = ? WHERE id = ?').bind(Date.now(), familyId).run();
    expect(placeOf(await browse(`${ACCOUNT}/delete`, typed))).toEqual([303, '/platform/sign-in']);
    const left = rowsWith(await readAllTables(), [user.userId]);
    expect(Object.keys(left)).toEqual(['audit_entries']);
  });

  it('an account without a password is deleted under the name that the identity provider gives', async () => {
    const user = await seedWithoutPassword();
    const provider = await seedProvider(null);
    await seedIdentity(provider, user);
    await env.DB.batch([
      env.DB.prepare('UPDATE identities SET name = ? WHERE user_id = ?').bind('Ann Other', user.userId),
      env.DB.prepare('UPDATE users SET name = id WHERE id = ?').bind(user.userId),
    ]);
    const { browse } = await openSession(user, { provider });
    expect(await textOf(browse(`${ACCOUNT}/delete`))).toContain('<bdi class="whole">Ann Other</bdi>');
    expect((await browse(`${ACCOUNT}/delete`, form({ name: user.userName }))).status).toBe(400);
    expect(placeOf(await browse(`${ACCOUNT}/delete`, form({ name: 'Ann Other' })))).toEqual([303, '/platform/sign-in']);
    expect((await rowsOf('users')).map(({ id }) => id)).not.toContain(user.userId);
  });

  it('a session of Access, which confirms nothing, deletes no account, and the page says what to do', async () => {
    const user = await seedWithoutPassword();
    const { browse, familyId } = await openSession(user, { provider: await seedProvider(null, { kind: 'access' }) });
    await env.DB.prepare('UPDATE token_families SET confirmed_at = 0 WHERE id = ?').bind(familyId).run();
    const asked = await browse(`${ACCOUNT}/delete`, form({ typed_by: user.userId, name: user.userName }));
    expect([asked.status, await asked.text()]).toEqual([
      403,
      expect.stringContaining('href="/platform/account/passkeys/new"'),
    ]);
    expect((await rowsOf('users')).map(({ id }) => id)).toContain(user.userId);
  });

  it('an account with a password is not deleted by a confirmed session without it', async () => {
    const { user } = await seedUser();
    await deleteWorkspace(user);
    const { browse } = await openBrowser(user);
    const refused = await browse(`${ACCOUNT}/delete`, form({ name: user.userName }));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('This is required.')]);
    const session = await findSession(db, (await openBrowser(user)).value);
    const [marked] = await db.batch<[unknown]>([deleteUser(session!.credential, null, Date.now())[0]!]);
    expect(marked).toEqual([]);
    expect((await rowsOf('users')).map(({ id }) => id)).toContain(user.userId);
  });

  it('the deletion of an account leaves no name in any table, and an id only where it names no one', async () => {
    const { user, owner } = await seedUser();
    const tokens = await signIn(user);
    const bearer = { Authorization: `Bearer ${tokens.access_token}`, 'Content-Type': 'application/json' };
    const send = async (method: string, path: string, body: object) =>
      (
        await call(`${path}?client_id=${owner.clientId}`, { method, headers: bearer, body: JSON.stringify(body) })
      ).json<{ id: string }>();
    const key = await send('POST', '/v1/keys', { name: 'first-of-theirs', scopes: ['links:read'] });
    await send('PATCH', `/v1/keys/${key.id}`, { name: 'laptop-of-theirs' });
    const named = ['first-of-theirs', 'laptop-of-theirs'];
    expect(Object.keys(rowsWith(await readAllTables(), named)).toSorted()).toEqual(['api_keys', 'audit_entries']);
    await deleteWorkspace(user);
    const others = await openBrowser(user);
    const done = await remove(user);
    expect(placeOf(done)).toEqual([303, '/platform/sign-in']);
    expect(done.headers.getSetCookie().some((cookie) => cookie.startsWith('__Host-terse=;'))).toBe(true);

    // Signed out everywhere.
    expect(placeOf(await others.browse(ACCOUNT))[0]).toBe(303);
    for (const headers of [{ 'X-API-Key': user.apiKey }, { Authorization: `Bearer ${tokens.access_token}` }])
      expect((await call('/v1/links', { headers })).status).toBe(401);
    expect((await call('/tokens/create_token', { headers: { Authorization: user.basic } })).status).toBe(401);

    // Kept answers expire within a day.
    vi.setSystemTime(Date.now() + DAY_MS + 1);
    await worker.scheduled(createScheduledController(), env);
    vi.useRealTimers();
    const all = await readAllTables();
    expect(rowsWith(all, [user.userName, ...named])).toEqual({});
    expect(rowsWith(all, [key.id])['audit_entries']?.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['key.created', 'key.renamed', 'key.revoked']),
    );
    expect(Object.keys(rowsWith(all, [user.userId])).toSorted()).toEqual(['audit_entries', 'link_history', 'links']);
    // What stays with the other workspace says that it was a former user.
    const log = await textOf((await openBrowser(owner)).browse(`/platform/c/${owner.clientId}/audit`));
    expect(log).toContain('A former user removed a former user.');
    const response = await call('/v1/audit', { headers: bearerOf(owner) });
    const { entries } = await response.json<{ entries: { action: string }[] }>();
    // Others may have been written in the same millisecond.
    const removed = entries.filter(({ action }) => action === 'member.removed');
    expect(removed).toEqual([
      expect.objectContaining({ by: expect.objectContaining({ local_id: user.userId, name: null }) }),
    ]);
    expect((await rowsOf('members')).filter((row) => row['client_id'] === owner.clientId)).toHaveLength(1);
  });
});
