import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember, changePassword, disableUser } from '../../../src/accounts/operator.ts';
import { createResetLinkByName } from '../../../src/accounts/users/resets.ts';
import worker from '../../../src/index.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { seedKey, seedMember, statusOf } from '../../support/management.ts';
import { form, openBrowser, signInBy, textOf } from '../../support/platform.ts';
import { newAddress } from '../../support/address.ts';
import { seedIdentity, seedProvider } from '../../support/providers.ts';
import { db, rowsOf, seedTenant, signIn } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

const DAY_MS = 24 * 3600 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

/** The path of the operator's link for a user. */
async function linkFor(userName: string): Promise<string> {
  const made = await createResetLinkByName(db, userName);
  if (typeof made === 'string') throw new Error(made);
  return `/platform/reset/${made.token}`;
}

/** The path of an owner's link for a member. */
async function linkBy(owner: Caller, { userId }: Caller): Promise<string> {
  const { browse } = await openBrowser(owner);
  const page = await textOf(browse(`/platform/c/${owner.clientId}/members/${userId}/reset`, form({})));
  return /value="https:\/\/terse\.test(\/platform\/reset\/\w{43})"/.exec(page)?.[1] ?? '';
}

const chosen = (password = 'correct horse', again = password) =>
  form({ new_password: password, new_password_again: again }, { 'CF-Connecting-IP': newAddress() });

describe('a reset link', () => {
  it('a reset link is not used up when it is opened, and sets a password that signs in', async () => {
    const tenant = await seedTenant();
    const path = await linkFor(tenant.userName);
    for (const method of ['GET', 'HEAD', 'GET']) expect((await call(path, { method })).status).toBe(200);
    expect(await textOf(call(path))).toContain(`For the user <bdi>${tenant.userName}</bdi>.`);
    const set = await call(path, chosen());
    expect([set.status, set.headers.get('Location')]).toEqual([303, '/platform/sign-in']);
    expect((await signInBy(tenant, 'correct horse')).headers.get('Location')).toBe('/platform');
    expect((await signInBy(tenant, tenant.password)).status).toBe(401);
  });

  it('a reset link ends every session and family of the user, no key, and nothing of others', async () => {
    const [tenant, other] = [await seedTenant(), await seedTenant()];
    const { access_token } = await signIn(tenant);
    const [session, others] = [await openBrowser(tenant), await openBrowser(other)];
    expect((await call(await linkFor(tenant.userName), chosen())).status).toBe(303);
    expect((await session.browse('/platform/account')).status).toBe(303);
    expect((await others.browse('/platform/account')).status).toBe(200);
    const keys = await call('/v1/keys', { headers: { Authorization: `Bearer ${access_token}` } });
    expect(keys.status).toBe(401);
    expect((await call('/v1/links', { headers: { 'X-API-Key': tenant.apiKey } })).status).toBe(200);
  });

  it('a reset link works once, also of many attempts at once', async () => {
    const tenant = await seedTenant();
    const path = await linkFor(tenant.userName);
    const statuses = await Promise.all(
      ['correct horse 1', 'correct horse 2', 'correct horse 3'].map(
        async (text) => (await call(path, chosen(text))).status,
      ),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 410, 410]);
    const again = await call(path);
    expect([again.status, await again.text()]).toEqual([410, expect.stringContaining('This link no longer works')]);
  });

  it('a reset link is the newest of its user alone', async () => {
    const tenant = await seedTenant();
    const [former, newest] = [await linkFor(tenant.userName), await linkFor(tenant.userName)];
    expect((await call(former)).status).toBe(410);
    expect((await call(former, chosen())).status).toBe(410);
    expect((await call(newest, chosen())).status).toBe(303);
  });

  it.each<[field: string, sentence: string, password: string, again: string]>([
    ['new_password', 'This must be at least 8 characters long.', 'short', 'short'],
    ['new_password_again', 'This must be the same as the new password.', 'correct horse', 'correct house'],
  ])('a reset link says beside %s: %s', async (field, sentence, password, again) => {
    const tenant = await seedTenant();
    const path = await linkFor(tenant.userName);
    const refused = await call(path, chosen(password, again));
    const page = await refused.text();
    expect([refused.status, page]).toEqual([400, expect.stringContaining(`id="fault-${field}">${sentence}</p>`)]);
    expect(page).not.toContain(`value="${password}"`);
    expect((await signInBy(tenant, tenant.password)).status).toBe(303);
    expect((await call(path, form({}))).status).toBe(400);
    expect((await call(path, chosen())).status).toBe(303);
  });

  it.each<[what: string, end: (userName: string) => Promise<unknown>]>([
    ['24 hours have passed', async () => vi.setSystemTime(Date.now() + DAY_MS)],
    ['the password is changed by the operator', (name) => changePassword(db, name, 'another password')],
    ['the user is disabled', (name) => disableUser(db, name)],
  ])('a reset link no longer works once %s', async (_, end) => {
    const tenant = await seedTenant();
    const path = await linkFor(tenant.userName);
    await end(tenant.userName);
    expect((await call(path)).status).toBe(410);
    expect((await call(path, chosen())).status).toBe(410);
  });

  it('a reset link no longer works once the user has changed the password themselves', async () => {
    const tenant = await seedTenant();
    const path = await linkFor(tenant.userName);
    const { browse } = await openBrowser(tenant);
    const change = {
      current_password: tenant.password,
      new_password: 'another one',
      new_password_again: 'another one',
    };
    const sent = await browse('/platform/account/password', form(change, { 'CF-Connecting-IP': tenant.address }));
    expect(sent.status).toBe(303);
    expect((await call(path)).status).toBe(410);
  });

  it('a reset link that was never created is not found', async () => {
    const path = `/platform/reset/${'x'.repeat(43)}`;
    expect([(await call(path)).status, (await call(path, chosen())).status]).toEqual([404, 404]);
  });

  it('a reset link takes no form of another site', async () => {
    const tenant = await seedTenant();
    const path = await linkFor(tenant.userName);
    expect((await call(path, { ...chosen(), headers: { Origin: 'https://other.example' } })).status).toBe(403);
    expect((await call(path)).status).toBe(200);
  });
});

describe('an owner’s link', () => {
  it('an owner’s link sets the password of a member, which is noted, and their keys keep working', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const { key } = await seedKey(member);
    expect((await call(await linkBy(owner, member), chosen())).status).toBe(303);
    expect((await signInBy(member, 'correct horse')).status).toBe(303);
    expect(await statusOf(owner, key)).toBe(200);
    const noted = (await rowsOf('audit_entries')).filter(({ action }) => action === 'member.password_reset');
    const entry = { subject_id: member.userId, user_id: member.userId, credential_kind: 'reset' };
    expect(noted.filter((row) => row['client_id'] === owner.clientId)).toEqual([expect.objectContaining(entry)]);
    const { browse } = await openBrowser(owner);
    expect(await textOf(browse(`/platform/c/${owner.clientId}/audit`))).toContain(
      `${member.userName} chose a new password with a reset link.`,
    );
  });

  it.each<[what: string, happen: (owner: Caller, member: Caller) => Promise<unknown>]>([
    [
      'the user has left the client',
      (_, member) => env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(member.userId).run(),
    ],
    [
      'its maker is no owner any more',
      (owner) => env.DB.prepare(`UPDATE members SET role = 'member' WHERE user_id = ?`).bind(owner.userId).run(),
    ],
    ['its maker is disabled', (owner) => disableUser(db, owner.userName)],
  ])('an owner’s link is no longer valid once %s', async (_, happen) => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const path = await linkBy(owner, member);
    expect((await call(path)).status).toBe(200);
    await happen(owner, member);
    expect((await call(path)).status).toBe(410);
    expect((await call(path, chosen())).status).toBe(410);
    const user = (await rowsOf('users')).find(({ id }) => id === member.userId);
    expect(user).toMatchObject({ password_hash: 'none' });
  });

  it('an owner’s link sets no password once the user has joined another client, and does again once they have left it', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const path = await linkBy(owner, member);
    const { clientId } = await seedCaller();
    await addMember(db, member.userName, clientId);
    expect([(await call(path)).status, (await call(path, chosen())).status]).toEqual([200, 410]);
    expect((await rowsOf('users')).find(({ id }) => id === member.userId)).toMatchObject({ password_hash: 'none' });
    await env.DB.prepare('DELETE FROM members WHERE client_id = ? AND user_id = ?').bind(clientId, member.userId).run();
    expect((await call(path, chosen())).status).toBe(303);
  });

  it.each(['openid', 'access'] as const)(
    'an owner’s link sets no password of a person of the service’s own way to sign in (%s), who would not notice it',
    async (kind) => {
      const owner = await seedCaller();
      const member = await seedMember(owner);
      await seedIdentity(await seedProvider(null, { kind }), member);
      expect((await call(await linkBy(owner, member), chosen())).status).toBe(410);
      expect((await rowsOf('users')).find(({ id }) => id === member.userId)).toMatchObject({ password_hash: 'none' });
      expect((await call(await linkFor(member.userName), chosen())).status).toBe(303);
    },
  );

  it('an owner’s link sets the password of a person of the workspace’s provider', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    await seedIdentity(await seedProvider(owner.clientId), member);
    expect((await call(await linkBy(owner, member), chosen())).status).toBe(303);
  });

  it('an owner’s link and the operator’s replace each other', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const first = await linkFor(member.userName);
    const second = await linkBy(owner, member);
    expect([(await call(first)).status, (await call(second)).status]).toEqual([410, 200]);
    const third = await linkFor(member.userName);
    expect([(await call(second)).status, (await call(third)).status]).toEqual([410, 200]);
  });
});

it('a reset link is forgotten a month after its end', async () => {
  const tenant = await seedTenant();
  await linkFor(tenant.userName);
  const ours = async () => (await rowsOf('password_resets')).filter((row) => row['user_id'] === tenant.userId);
  vi.setSystemTime(Date.now() + 31 * DAY_MS - 60_000);
  await worker.scheduled(createScheduledController(), env);
  expect(await ours()).toHaveLength(1);
  vi.setSystemTime(Date.now() + DAY_MS);
  await worker.scheduled(createScheduledController(), env);
  expect(await ours()).toEqual([]);
});
