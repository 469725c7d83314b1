import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember, disableUser } from '../../src/accounts/operator.ts';
import { expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { answer, ask, INSTANT, loggedIn, seedKey, seedMember, statusOf } from '../support/management.ts';
import { db, rowsOf } from '../support/seed.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => void vi.restoreAllMocks());

const LAST_OWNER = 'last_owner: At least one owner must remain. Give another member the owner role first.';
const NO_MEMBER = 'not_found: There is no member with this local_id.';

const recordOf = ({ userId, userName }: Caller, role: string) => ({
  local_id: userId,
  name: userName,
  role,
  joined_at: INSTANT,
  disabled_at: null,
  suspended_at: null,
});

interface List {
  readonly members: readonly Record<string, unknown>[];
  readonly cursor: string | null;
}

describe('the list of members', () => {
  it('the list of members shows who belongs to the client, and in which role', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const disabled = await seedMember(owner, 'owner');
    await disableUser(db, disabled.userName);
    const list = await answer<List>(await ask(owner, 'GET', '/v1/members'));
    expect(list).toEqual({ members: expect.any(Array), cursor: null });
    expect(list.members).toHaveLength(3);
    expect(list.members).toEqual(
      expect.arrayContaining([
        recordOf(owner, 'owner'),
        recordOf(member, 'member'),
        { ...recordOf(disabled, 'owner'), disabled_at: INSTANT },
      ]),
    );
  });

  it('the list of members goes page by page, and shows each once', async () => {
    const owner = await seedCaller();
    for (let count = 0; count < 4; count++) await seedMember(owner);
    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: List = await answer<List>(await ask(owner, 'GET', `/v1/members?limit=2&cursor=${cursor}`));
      seen.push(...page.members.map((member) => member['local_id']));
      cursor = page.cursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([5, 5]);
  });
});

describe('changing a role', () => {
  it('changing a role counts from the next request on, both ways', async () => {
    const owner = await seedCaller();
    const other = await seedMember(owner);
    const path = `/v1/members/${other.userId}`;
    expect((await ask(other, 'GET', '/v1/members')).status).toBe(403);
    expect(await answer(await ask(owner, 'PATCH', path, { role: 'owner' }))).toEqual(recordOf(other, 'owner'));
    expect((await ask(other, 'GET', '/v1/members')).status).toBe(200);
    expect(await answer(await ask(owner, 'PATCH', path, { role: 'member' }))).toEqual(recordOf(other, 'member'));
    expect((await ask(other, 'GET', '/v1/members')).status).toBe(403);
  });

  it('changing a role lets an owner step down while there is another, and says that they did', async () => {
    const owner = await seedCaller();
    await seedMember(owner, 'owner');
    const stepped = await answer(await ask(owner, 'PATCH', `/v1/members/${owner.userId}`, { role: 'member' }));
    expect(stepped).toEqual(recordOf(owner, 'member'));
    expect((await ask(owner, 'GET', '/v1/members')).status).toBe(403);
  });

  it('changing a role keeps the last owner who can sign in', async () => {
    const owner = await seedCaller();
    await seedMember(owner);
    await disableUser(db, (await seedMember(owner, 'owner')).userName);
    const before = [await rowsOf('members'), await rowsOf('audit_entries')];
    const path = `/v1/members/${owner.userId}`;
    await expectFailure(await ask(owner, 'PATCH', path, { role: 'member' }), 409, LAST_OWNER);
    await expectFailure(await ask(owner, 'DELETE', `${path}?keys=revoke`), 409, LAST_OWNER);
    expect([await rowsOf('members'), await rowsOf('audit_entries')]).toEqual(before);
  });

  it('changing a role leaves one owner, where both would step down at once', async () => {
    const owner = await seedCaller();
    const other = await seedMember(owner, 'owner');
    const responses = await Promise.all(
      [owner, other].map((caller) => ask(caller, 'PATCH', `/v1/members/${caller.userId}`, { role: 'member' })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('changing a role changes and logs nothing where the role is the same', async () => {
    const owner = await seedCaller();
    const path = `/v1/members/${owner.userId}`;
    expect(await answer(await ask(owner, 'PATCH', path, { role: 'owner' }))).toEqual(recordOf(owner, 'owner'));
    expect(await loggedIn(owner)).toEqual([]);
  });

  it.each<[what: string, body: object, error: string]>([
    ['no role', {}, 'missing_field: role is required, and must be owner or member.'],
    ['a role there is not', { role: 'admin' }, 'invalid_role: role must be owner or member.'],
    ['a role that is no text', { role: 1 }, 'invalid_role: role must be owner or member.'],
    ['another field', { role: 'owner', name: 'x' }, 'unknown_field: There is no field "name" here. Leave it out.'],
  ])('changing a role refuses %s', async (_what, body, error) => {
    const owner = await seedCaller();
    await expectFailure(await ask(owner, 'PATCH', `/v1/members/${owner.userId}`, body), 400, error);
  });
});

describe('removing a member', () => {
  it('removing a member ends their keys with keys=revoke, and their access', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const { key } = await seedKey(member);
    const response = await ask(owner, 'DELETE', `/v1/members/${member.userId}?keys=revoke`);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await statusOf(owner, key)).toBe(401);
    expect((await ask(member, 'GET', '/v1/keys')).status).toBe(403);
    // The keys stay ended when their maker comes back.
    await addMember(db, member.userName, owner.clientId, 'member');
    expect(await statusOf(owner, key)).toBe(401);
  });

  it('removing a member gives their working keys to the owner with keys=adopt', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const [kept, ended] = [await seedKey(member), await seedKey(member)];
    await ask(member, 'DELETE', `/v1/keys/${ended.id}`);
    expect((await ask(owner, 'DELETE', `/v1/members/${member.userId}?keys=adopt`)).status).toBe(204);
    expect([await statusOf(owner, kept.key), await statusOf(owner, ended.key)]).toEqual([200, 401]);
    const { keys } = await answer<{ keys: Record<string, unknown>[] }>(await ask(owner, 'GET', '/v1/keys'));
    const holderOf = (id: string) => keys.find((key) => key['id'] === id)?.['created_by'];
    expect([holderOf(kept.id), holderOf(ended.id)]).toEqual([owner.userName, member.userName]);
  });

  it('removing a member marks the keys that the removed member still knows, until each is rolled and its former secret ended', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const [own, first, second] = [await seedKey(owner), await seedKey(member), await seedKey(member)];
    expect((await ask(owner, 'DELETE', `/v1/members/${member.userId}?keys=adopt`)).status).toBe(204);
    const adopted = async () => {
      const { keys } = await answer<{ keys: { id: string; adopted_at: string | null }[] }>(
        await ask(owner, 'GET', '/v1/keys'),
      );
      return [own, first, second].map(({ id }) => keys.find((key) => key.id === id)?.adopted_at);
    };
    const instant = expect.stringMatching(/^20\d\d-.*Z$/);
    expect(await adopted()).toEqual([null, instant, instant]);
    const roll = (id: string, query: string) => ask(owner, 'POST', `/v1/keys/${id}/roll${query}`);
    const ended = await answer<{ key: string; former_secret_ends_at: null }>(
      await roll(first.id, '?former_secret=end'),
    );
    expect(ended).toMatchObject({ former_secret_ends_at: null, adopted_at: null });
    expect([await statusOf(owner, first.key), await statusOf(owner, ended.key)]).toEqual([401, 200]);
    expect(await adopted()).toEqual([null, null, instant]);
    expect(await answer(await roll(second.id, ''))).toMatchObject({ former_secret_ends_at: instant, adopted_at: null });
    expect(await statusOf(owner, second.key)).toBe(200);
    await expectFailure(
      await roll(second.id, '?former_secret=now'),
      400,
      'invalid_former_secret: former_secret must be keep, which lets the former secret work for 24 hours, or end.',
    );
  });

  it('removing a member leaves their keys for other clients as they are', async () => {
    const [owner, member] = [await seedCaller(), await seedCaller()];
    await addMember(db, member.userName, owner.clientId, 'member');
    for (const keys of ['revoke', 'adopt']) {
      await ask(owner, 'DELETE', `/v1/members/${member.userId}?keys=${keys}`);
      expect(await statusOf(member, member.apiKey)).toBe(200);
    }
  });

  it('removing a member asks what is to become of their keys', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const says = "must be revoke, which revokes the member's keys, or adopt, which transfers them to you.";
    const path = `/v1/members/${member.userId}`;
    await expectFailure(await ask(owner, 'DELETE', path), 400, `missing_field: keys is required, and ${says}`);
    await expectFailure(await ask(owner, 'DELETE', `${path}?keys=keep`), 400, `invalid_keys: keys ${says}`);
    expect((await ask(member, 'GET', '/v1/keys')).status).toBe(200);
  });

  it('removing a member lets an owner leave while there is another, without adopting their own keys', async () => {
    const owner = await seedCaller();
    const other = await seedMember(owner, 'owner');
    const path = `/v1/members/${owner.userId}`;
    const error =
      'invalid_keys: keys must be revoke when you remove yourself. To keep the keys, ask another owner to remove you.';
    await expectFailure(await ask(owner, 'DELETE', `${path}?keys=adopt`), 400, error);
    expect(await statusOf(owner, owner.apiKey)).toBe(200);
    expect((await ask(owner, 'DELETE', `${path}?keys=revoke`)).status).toBe(204);
    expect(await statusOf(other, owner.apiKey)).toBe(401);
    const list = await answer<List>(await ask(other, 'GET', '/v1/members'));
    expect(list.members).toEqual([recordOf(other, 'owner')]);
  });

  it('removing a member leaves one owner, where both would leave at once', async () => {
    const owner = await seedCaller();
    const other = await seedMember(owner, 'owner');
    const responses = await Promise.all(
      [owner, other].map((caller) => ask(caller, 'DELETE', `/v1/members/${caller.userId}?keys=revoke`)),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
  });
});

it('a change of members does not find users of other clients, or users who have left', async () => {
  const [owner, stranger] = [await seedCaller(), await seedCaller()];
  const member = await seedMember(owner);
  await ask(owner, 'DELETE', `/v1/members/${member.userId}?keys=revoke`);
  const before = [await rowsOf('members'), await rowsOf('audit_entries'), await rowsOf('api_keys')];
  for (const id of [stranger.userId, member.userId, 'nobody', '%00']) {
    await expectFailure(await ask(owner, 'PATCH', `/v1/members/${id}`, { role: 'owner' }), 404, NO_MEMBER);
    for (const keys of ['revoke', 'adopt']) {
      await expectFailure(await ask(owner, 'DELETE', `/v1/members/${id}?keys=${keys}`), 404, NO_MEMBER);
    }
  }
  expect([await rowsOf('members'), await rowsOf('audit_entries'), await rowsOf('api_keys')]).toEqual(before);
});

it('each request about members asks the database once', async () => {
  const owner = await seedCaller();
  const member = await seedMember(owner);
  for (const [method, path, body] of [
    ['GET', '/v1/members', undefined],
    ['PATCH', `/v1/members/${member.userId}`, { role: 'owner' }],
    ['DELETE', `/v1/members/${member.userId}?keys=adopt`, undefined],
  ] as const) {
    const trips = await countTrips();
    expect((await ask(owner, method, path, body)).ok).toBe(true);
    expect([method, trips()]).toEqual([method, { d1: 1, kvReads: 0, kvWrites: 0 }]);
    vi.restoreAllMocks();
  }
});
