import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { disableUser } from '../../src/accounts/operator.ts';
import { expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { answer, ask, INSTANT, loggedIn, seedMember, send } from '../support/management.ts';
import { newAddress } from '../support/address.ts';
import { basicOf, db, rowsOf } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';
import { accept, acceptAsNew, invite } from '../support/invites.ts';

const HOUR_MS = 3600 * 1000;
const UNKNOWN = 'not_found: Invite not found. Check that you opened the complete link.';
const GONE = 'gone: The invite has been used or revoked, or has expired. Ask for a new one.';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const openInvites = async (owner: Caller) =>
  (await answer<{ invites: { id: string }[] }>(await ask(owner, 'GET', '/v1/invites'))).invites;
const left = async () => [await rowsOf('users'), await rowsOf('members'), await rowsOf('audit_entries')];

describe('an invite', () => {
  it('an invite is a link that is shown once, valid for 72 hours, and listed without its token', async () => {
    const owner = await seedCaller();
    const { token, url, mailed, ...record } = await invite(owner, { role: 'owner' });
    expect(mailed).toBe(false);
    expect(url).toMatch(/^https:\/\/terse\.test\/platform\/invite\/[0-9A-Za-z]{43}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
      role: 'owner',
      created_at: INSTANT,
      created_by: owner.userName,
      expires_at: INSTANT,
    });
    expect(Date.parse(record.expires_at) - Date.now()).toBeGreaterThan(71.9 * HOUR_MS);
    expect(await answer(await ask(owner, 'GET', '/v1/invites'))).toEqual({ invites: [record], cursor: null });
    expect(JSON.stringify([await rowsOf('invites'), await rowsOf('audit_entries')])).not.toContain(token);
  });

  it('an invite is for a member, if no role is named', async () => {
    const owner = await seedCaller();
    expect(await invite(owner)).toMatchObject({ role: 'member' });
    const error = 'invalid_role: role must be owner or member.';
    await expectFailure(await ask(owner, 'POST', '/v1/invites', { role: 'guest' }), 400, error);
  });

  it.each(['owner', 'member'])('an invite adds a user as %s, once', async (role) => {
    const [owner, guest, late] = [await seedCaller(), await seedCaller(), await seedCaller()];
    const { id, token } = await invite(owner, { role });
    expect(await answer(await accept(guest, token), 201)).toEqual({
      client_id: owner.clientId,
      local_id: guest.userId,
      name: guest.userName,
      role,
      joined_at: INSTANT,
    });
    const asOwner = await ask(guest, 'GET', `/v1/members?client_id=${owner.clientId}`);
    expect(asOwner.status).toBe(role === 'owner' ? 200 : 403);
    expect((await ask(guest, 'GET', `/v1/keys?client_id=${owner.clientId}`)).status).toBe(200);
    expect(await openInvites(owner)).toEqual([]);
    await expectFailure(await accept(late, token), 410, GONE);
    await expectFailure(await acceptAsNew(token), 410, GONE);
    await expectFailure(await ask(owner, 'DELETE', `/v1/invites/${id}`), 404, expect.any(String));
  });

  it('an invite creates an account, which can sign in, for a person without one', async () => {
    const owner = await seedCaller();
    const { token } = await invite(owner);
    const [name, password] = [`Zoë ${nanoid(6)}`, 'pass: wörd'];
    const joined = await answer(await acceptAsNew(token, { name: name.normalize('NFD'), password }), 201);
    expect(joined).toEqual({
      client_id: owner.clientId,
      local_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: name.normalize('NFC'),
      role: 'member',
      joined_at: INSTANT,
    });
    const headers = { Authorization: basicOf(name, password), 'CF-Connecting-IP': newAddress() };
    const tokens = await answer(await call('/tokens/create_token', { headers }), 201);
    expect(tokens).toMatchObject({ local_id: joined['local_id'] });
    const bearer = { Authorization: `Bearer ${String(tokens['access_token'])}` };
    expect((await send(bearer, 'GET', '/v1/keys')).status).toBe(200);
    expect((await send(bearer, 'GET', '/v1/members')).status).toBe(403);
  });

  it('an invite is used by one of several people at once', async () => {
    const owner = await seedCaller();
    const guests = [await seedCaller(), await seedCaller(), await seedCaller()];
    const { token } = await invite(owner);
    const responses = await Promise.all([...guests.map((guest) => accept(guest, token)), acceptAsNew(token)]);
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 410, 410, 410]);
    const members = (await rowsOf('members')).filter((row) => row['client_id'] === owner.clientId);
    expect(members).toHaveLength(2);
    expect(await loggedIn(owner)).toHaveLength(2);
  });

  it('an invite ends after 72 hours', async () => {
    const [owner, guest] = [await seedCaller(), await seedCaller()];
    const { token, expires_at } = await invite(owner);
    const { token: used } = await invite(owner);
    vi.setSystemTime(Date.parse(expires_at) - 1);
    const fresh = await seedCaller(); // The other's sign-in is as old as the invite.
    expect((await accept(fresh, used)).status).toBe(201);
    vi.setSystemTime(Date.parse(expires_at));
    const before = await left();
    await expectFailure(await accept(fresh, token), 410, GONE);
    await expectFailure(await acceptAsNew(token), 410, GONE);
    expect(await left()).toEqual(before);
    expect(guest.clientId).not.toBe(owner.clientId);
  });

  it('an invite ends when it is revoked', async () => {
    const [owner, guest] = [await seedCaller(), await seedCaller()];
    const { id, token } = await invite(owner);
    const response = await ask(owner, 'DELETE', `/v1/invites/${id}`);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await openInvites(owner)).toEqual([]);
    const before = await left();
    await expectFailure(await accept(guest, token), 410, GONE);
    const error = 'not_found: There is no open invite with this id.';
    await expectFailure(await ask(owner, 'DELETE', `/v1/invites/${id}`), 404, error);
    expect(await left()).toEqual(before);
  });

  it.each<[what: string, happen: (maker: Caller, owner: Caller) => Promise<unknown>]>([
    ['is a mere member', (maker, owner) => ask(owner, 'PATCH', `/v1/members/${maker.userId}`, { role: 'member' })],
    ['has been removed', (maker, owner) => ask(owner, 'DELETE', `/v1/members/${maker.userId}?keys=revoke`)],
    ['is disabled', ({ userName }) => disableUser(db, userName)],
  ])('an invite is not valid while its creator %s', async (_what, happen) => {
    const [owner, guest] = [await seedCaller(), await seedCaller()];
    const maker = await seedMember(owner, 'owner');
    const { id, token } = await invite(maker, { role: 'owner' });
    await happen(maker, owner);
    expect(await openInvites(owner)).toEqual([]);
    await expectFailure(await accept(guest, token), 410, GONE);
    await expectFailure(await ask(owner, 'DELETE', `/v1/invites/${id}`), 404, expect.any(String));
  });

  it('an invite is found without reading the expired ones', async () => {
    const owner = await seedCaller();
    const { id } = await invite(owner);
    await env.DB.prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 500)
       INSERT INTO invites (id, client_id, user_id, token_hash, role, created_at, expires_at, accepted_at, revoked_at)
       SELECT ?1 || n, ?1, ?2, ?1 || n, 'member', ?3, ?3, CASE WHEN n % 2 THEN ?3 END, CASE WHEN n % 2 = 0 THEN ?3 END FROM n`,
    )
      .bind(owner.clientId, owner.userId, Date.now() + HOUR_MS)
      .run();
    const batch = vi.spyOn(env.DB, 'batch');
    expect((await openInvites(owner)).map((found) => found.id)).toEqual([id]);
    const results = (await batch.mock.results[0]?.value) as readonly D1Result[];
    expect(Math.max(...results.map(({ meta }) => meta.rows_read))).toBeLessThan(50);
  });

  it('an invite stays open where it was of no use', async () => {
    const [owner, guest] = [await seedCaller(), await seedCaller()];
    const { token } = await invite(owner, { role: 'owner' });
    const before = await left();
    const already = 'already_member: You are already a member. Another person can still use the invite.';
    await expectFailure(await accept(owner, token), 409, already);
    const taken =
      'name_taken: This user name is already in use. Choose another one, or sign in and accept the invite as that user.';
    await expectFailure(await acceptAsNew(token, { name: guest.userName }), 409, taken);
    expect(await left()).toEqual(before);
    expect((await accept(guest, token)).status).toBe(201);
  });

  it('an invite is not found by another token, with any credential', async () => {
    const [owner, guest] = [await seedCaller(), await seedCaller()];
    const { token } = await invite(owner);
    const before = await left();
    for (const wrong of [`${token}x`, token.slice(1), token.toLowerCase(), 'x']) {
      await expectFailure(await accept(guest, wrong), 404, UNKNOWN);
      await expectFailure(await acceptAsNew(wrong), 404, UNKNOWN);
    }
    expect(await left()).toEqual(before);
  });
});

it('each request about invites asks the database once, and once more before a password is hashed', async () => {
  const [owner, guest] = [await seedCaller(), await seedCaller()];
  const [first, second, third] = [await invite(owner), await invite(owner), await invite(owner)];
  for (const [what, request] of Object.entries({
    list: () => ask(owner, 'GET', '/v1/invites'),
    create: () => ask(owner, 'POST', '/v1/invites', {}),
    accept: () => accept(guest, first.token),
    acceptAsNew: () => acceptAsNew(second.token),
    revoke: () => ask(owner, 'DELETE', `/v1/invites/${third.id}`),
  })) {
    const trips = await countTrips();
    expect((await request()).ok).toBe(true);
    expect([what, trips()]).toEqual([what, { d1: what === 'acceptAsNew' ? 2 : 1, kvReads: 0, kvWrites: 0 }]);
    vi.restoreAllMocks();
  }
});
