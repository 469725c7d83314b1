import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { answer, ask, INSTANT, seedKey, seedMember } from '../support/management.ts';
import { rowsOf } from '../support/seed.ts';
import { countTrips } from '../support/trips.ts';

const DAY_MS = 24 * 3600 * 1000;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string | null };
  readonly details: unknown;
}

interface Log {
  readonly entries: readonly Entry[];
  readonly cursor: string | null;
}

const logOf = async (owner: Caller, query = '') => answer<Log>(await ask(owner, 'GET', `/v1/audit${query}`));

/** The entries of the log for the last change or changes, without the order of those at one instant. */
async function lastOf(owner: Caller, count = 1): Promise<unknown[]> {
  const { entries } = await logOf(owner, `?limit=${count}`);
  return entries
    .map(({ action, subject, details }) => [action, subject.id, subject.name, details] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

describe('the audit log', () => {
  it('the audit log says who changed what, when, and by which sign-in', async () => {
    const owner = await seedCaller();
    const { id } = await seedKey(owner, ['stats:read'], 'build server');
    expect(await logOf(owner)).toEqual({
      entries: [
        {
          id: expect.stringMatching(/^[0-9a-f]{16}$/),
          at: INSTANT,
          action: 'key.created',
          subject: { kind: 'key', id, name: 'build server' },
          details: { scopes: ['stats:read'], expires_at: null },
          by: { local_id: owner.userId, name: owner.userName },
          credential: { kind: 'access_token', id: decodeJwt(owner.accessToken)['sid'] },
        },
      ],
      cursor: null,
    });
  });

  it('the audit log has an entry for every change of keys, members and invites', async () => {
    const owner = await seedCaller();
    const key = await seedKey(owner, ['links:read'], 'first');
    await ask(owner, 'PATCH', `/v1/keys/${key.id}`, { name: 'second' });
    expect(await lastOf(owner)).toEqual([['key.renamed', key.id, 'second', { former_name: 'first' }]]);
    await ask(owner, 'POST', `/v1/keys/${key.id}/roll`);
    expect(await lastOf(owner)).toEqual([['key.rolled', key.id, 'second', null]]);
    await ask(owner, 'DELETE', `/v1/keys/${key.id}`);
    expect(await lastOf(owner)).toEqual([['key.revoked', key.id, 'second', null]]);

    const revoked = await answer(await ask(owner, 'POST', '/v1/invites', { role: 'owner' }), 201);
    expect(await lastOf(owner)).toEqual([['invite.created', revoked['id'], null, { role: 'owner' }]]);
    await ask(owner, 'DELETE', `/v1/invites/${String(revoked['id'])}`);
    expect(await lastOf(owner)).toEqual([['invite.revoked', revoked['id'], null, { role: 'owner' }]]);

    const guest = await seedCaller();
    const { id, url } = await answer(await ask(owner, 'POST', '/v1/invites', {}), 201);
    await ask(guest, 'POST', '/v1/invites/accept', { token: String(url).split('/').at(-1) });
    const { entries } = await logOf(owner, '?limit=1');
    expect(entries).toEqual([
      {
        id: expect.any(String),
        at: INSTANT,
        action: 'member.joined',
        subject: { kind: 'member', id: guest.userId, name: guest.userName },
        details: { role: 'member' },
        by: { local_id: guest.userId, name: guest.userName },
        credential: { kind: 'invite', id },
      },
    ]);
    await ask(owner, 'PATCH', `/v1/members/${guest.userId}`, { role: 'owner' });
    const change = { role: 'owner', former_role: 'member' };
    expect(await lastOf(owner)).toEqual([['member.role_changed', guest.userId, guest.userName, change]]);
  });

  it.each([
    ['revoke', 'key.revoked'],
    ['adopt', 'key.adopted'],
  ])('the audit log has entries for a removed member and for each of their keys: %s', async (keys, action) => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const [one, ended] = [await seedKey(member, undefined, 'one'), await seedKey(member, undefined, 'ended')];
    await ask(member, 'DELETE', `/v1/keys/${ended.id}`);
    await ask(owner, 'DELETE', `/v1/members/${member.userId}?keys=${keys}`);
    expect(await lastOf(owner, 2)).toEqual([
      [action, one.id, 'one', { former_holder: member.userName }],
      ['member.removed', member.userId, member.userName, { role: 'member', keys }],
    ]);
  });

  it('the audit log still names what was deleted, and who did it', async () => {
    const owner = await seedCaller();
    const other = await seedMember(owner, 'owner');
    await ask(other, 'DELETE', `/v1/members/${owner.userId}?keys=revoke`);
    expect((await logOf(other)).entries).toContainEqual(
      expect.objectContaining({
        action: 'member.removed',
        subject: { kind: 'member', id: owner.userId, name: owner.userName },
      }),
    );
  });

  it('the audit log goes from the newest to the oldest, a page at a time, each entry once', async () => {
    const owner = await seedCaller();
    const { id } = await seedKey(owner, undefined, 'name 0');
    for (let count = 1; count < 5; count++) {
      vi.setSystemTime(Date.now() + 1);
      await ask(owner, 'PATCH', `/v1/keys/${id}`, { name: `name ${count}` });
    }
    const names: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await logOf(owner, `?limit=2&cursor=${cursor}`);
      names.push(...page.entries.map(({ subject }) => subject.name));
      cursor = page.cursor;
    }
    expect(names).toEqual(['name 4', 'name 3', 'name 2', 'name 1', 'name 0']);
  });

  it('the audit log says nothing of what did not take place', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const { id } = await seedKey(owner);
    const before = await rowsOf('audit_entries');
    for (const [method, path, body] of [
      ['PATCH', `/v1/keys/${id}`, { name: 'mine' }],
      ['POST', `/v1/keys/${id}/roll`, undefined],
      ['DELETE', `/v1/keys/${id}`, undefined],
      ['PATCH', `/v1/members/${owner.userId}`, { role: 'member' }],
      ['DELETE', `/v1/members/${owner.userId}?keys=adopt`, undefined],
      ['POST', '/v1/invites', {}],
    ] as const) {
      expect((await ask(member, method, path, body)).ok).toBe(false);
    }
    expect(await rowsOf('audit_entries')).toEqual(before);
  });

  it('the audit log takes no filters', async () => {
    const error = 'unknown_field: There is no field "action" here. Leave it out.';
    await expectFailure(await ask(await seedCaller(), 'GET', '/v1/audit?action=x'), 400, error);
  });

  it('the audit log is read in one trip to the database', async () => {
    const owner = await seedCaller();
    const trips = await countTrips();
    await logOf(owner);
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
  });
});

describe('the daily clean-up', () => {
  const cleanUp = () => worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);

  it('the daily clean-up removes what the audit log says of more than a year ago, and nothing younger', async () => {
    const owner = await seedCaller();
    await seedKey(owner);
    const entry = (await rowsOf('audit_entries')).find((row) => row['client_id'] === owner.clientId);
    vi.setSystemTime(Date.now() + 365 * DAY_MS);
    await cleanUp();
    expect(await rowsOf('audit_entries')).toContainEqual(entry);
    vi.setSystemTime(Date.now() + 1.1 * DAY_MS);
    await cleanUp();
    expect((await rowsOf('audit_entries')).filter((row) => row['client_id'] === owner.clientId)).toEqual([]);
  });

  it('the daily clean-up removes invites a month after their end', async () => {
    const owner = await seedCaller();
    await answer(await ask(owner, 'POST', '/v1/invites', {}), 201);
    const invites = async () => (await rowsOf('invites')).filter((row) => row['client_id'] === owner.clientId).length;
    vi.setSystemTime(Date.now() + 33 * DAY_MS - 60_000);
    await cleanUp();
    expect(await invites()).toBe(1);
    vi.setSystemTime(Date.now() + 120_000);
    await cleanUp();
    expect(await invites()).toBe(0);
  });
});
