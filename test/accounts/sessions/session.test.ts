import { createHash } from 'node:crypto';
import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { listAudit } from '../../../src/accounts/audit/list-audit.ts';
import { issueKey, newKeyFields } from '../../../src/accounts/keys/keys.ts';
import { addMember, changePassword, disableUser } from '../../../src/accounts/operator.ts';
import { setTimeZone } from '../../../src/accounts/users/own-account.ts';
import {
  endOtherSessions,
  endSession,
  findSession,
  listSessions,
  revokeSession,
  startSession,
  type Session,
} from '../../../src/accounts/sessions/session.ts';
import worker from '../../../src/index.ts';
import { readPage } from '../../../src/input/pagination.ts';
import { seedCaller } from '../../support/forms.ts';
import { db, rowsOf, seedTenant, signIn, type Tenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { FIREFOX, seedSession } from '../../support/sessions.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const setSeen = ({ credential }: Session, at: number) =>
  env.DB.prepare('UPDATE sessions SET seen_at = ? WHERE family_id = ?').bind(at, credential.familyId).run();

const seenAt = ({ credential }: Session) =>
  env.DB.prepare('SELECT seen_at FROM sessions WHERE family_id = ?').bind(credential.familyId).first<number>('seen_at');

const byCode = (code: string) => expect.objectContaining({ code });

describe('a session', () => {
  it('a session gives its user, with the clients in the order in which they were joined', async () => {
    const tenant = await seedCaller();
    await env.DB.prepare('UPDATE members SET created_at = 1 WHERE user_id = ?').bind(tenant.userId).run();
    await addMember(db, tenant.userName, `a-${tenant.clientId}`, 'member');
    const { session } = await seedSession(tenant);
    expect(session).toEqual({
      credential: { kind: 'token', use: 'session', familyId: expect.any(String), userId: tenant.userId },
      userId: tenant.userId,
      userName: tenant.userName,
      shownName: tenant.userName,
      given: null,
      limitedTo: null,
      timeZone: 'UTC',
      language: null,
      confirmedAt: expect.any(Number),
      hasFactor: false,
      manyWrongCodes: 0,
      clients: [
        {
          id: tenant.clientId,
          name: tenant.clientId,
          role: 'owner',
          hasFirstSteps: false,
          isRestoring: false,
          factorsFrom: null,
          meetsFactors: false,
          confirmUntil: null,
        },
        {
          id: `a-${tenant.clientId}`,
          name: `a-${tenant.clientId}`,
          role: 'member',
          hasFirstSteps: true,
          isRestoring: false,
          factorsFrom: null,
          meetsFactors: false,
          confirmUntil: null,
        },
      ],
      provider: null,
      closedClients: [],
      deletedClients: [],
      encodeCallers: [],
    });
  });

  it('a session is kept as the hash of 256 random bits, in a family of 30 days', async () => {
    const tenant = await seedCaller();
    const { value, session } = await seedSession(tenant);
    expect(Buffer.from(value, 'base64url')).toHaveLength(32);
    const row = (await rowsOf('sessions')).find((row) => row['family_id'] === session.credential.familyId);
    expect(row).toEqual({
      hash: createHash('sha256').update(value).digest('base64url'),
      family_id: session.credential.familyId,
      seen_at: expect.any(Number),
      browser: 'Firefox',
      os: 'Linux',
      country: null,
    });
    const family = (await rowsOf('token_families')).find((row) => row['id'] === session.credential.familyId);
    expect(Number(family?.['ends_at']) - Number(family?.['started_at'])).toBe(30 * 24 * HOUR);
  });

  it.each([
    ['11 hours 59 minutes', true, 12 * HOUR - MINUTE],
    ['12 hours', false, 12 * HOUR],
  ])('a session that was not seen for %s works: %s', async (_, works, idle) => {
    const { value, session } = await seedSession(await seedCaller());
    await setSeen(session, Date.now() - idle);
    expect((await findSession(db, value)) !== null).toBe(works);
  });

  it('a session ends after 30 days, however often it was seen', async () => {
    const { value, session } = await seedSession(await seedCaller());
    await env.DB.prepare('UPDATE token_families SET ends_at = ? WHERE id = ?')
      .bind(Date.now(), session.credential.familyId)
      .run();
    expect(await findSession(db, value)).toBeNull();
  });

  it('a session is noted as seen when the last note is five minutes old, and not before', async () => {
    const { value, session } = await seedSession(await seedCaller());
    const recent = Date.now() - 4 * MINUTE;
    await setSeen(session, recent);
    await findSession(db, value);
    expect(await seenAt(session)).toBe(recent);

    await setSeen(session, Date.now() - 6 * MINUTE);
    await findSession(db, value);
    expect(await seenAt(session)).toBeGreaterThan(Date.now() - MINUTE);
  });

  it('a session that has ended is not recorded as seen again', async () => {
    const { value, session } = await seedSession(await seedCaller());
    const long = Date.now() - 13 * HOUR;
    await setSeen(session, long);
    await findSession(db, value);
    expect(await seenAt(session)).toBe(long);
  });

  it.each([['a family id'], [''], ['x'.repeat(43)]])('a session is not opened by %s', async (value) => {
    expect(await findSession(db, value)).toBeNull();
  });

  it('a session does not begin for a user whose password was changed meanwhile', async () => {
    const tenant = await seedCaller();
    await expect(
      startSession(db, { id: tenant.userId, passwordHash: 'other', hasFactor: false }, FIREFOX),
    ).rejects.toEqual(byCode('invalid_credential'));
  });

  it.each<[string, (tenant: Tenant) => Promise<unknown>]>([
    ['the user is disabled', ({ userName }) => disableUser(db, userName)],
    ['the operator changes the password', ({ userName }) => changePassword(db, userName, 'another one')],
  ])('a session ends when %s', async (_, end) => {
    const tenant = await seedCaller();
    const { value } = await seedSession(tenant);
    await end(tenant);
    expect(await findSession(db, value)).toBeNull();
  });

  it('a session is removed with its family by the daily clean-up, and a living one stays', async () => {
    const tenant = await seedCaller();
    const [over, living] = [await seedSession(tenant), await seedSession(tenant)];
    await env.DB.prepare('UPDATE token_families SET ends_at = 1 WHERE id = ?')
      .bind(over.session.credential.familyId)
      .run();
    await worker.scheduled(createScheduledController({ scheduledTime: new Date(), cron: '17 4 * * *' }), env);
    const left = (await rowsOf('sessions')).map((row) => row['family_id']);
    expect(left).not.toContain(over.session.credential.familyId);
    expect(left).toContain(living.session.credential.familyId);
  });
});

describe('what a session does', () => {
  it('a request with a session has the permissions of the user’s own role, and is recorded as that of a session', async () => {
    const tenant = await seedCaller();
    const { session } = await seedSession(tenant);
    const actor = { credential: session.credential, clientId: tenant.clientId };
    await issueKey(db, actor, newKeyFields().parse({ name: 'by hand', scopes: ['links:read'] }));
    const { entries } = await listAudit(db, actor, readPage({}, { limit: 10 }));
    expect(entries).toMatchObject([
      { action: 'key.created', credential: { kind: 'session', id: session.credential.familyId } },
    ]);

    await env.DB.prepare(`UPDATE members SET role = 'member' WHERE user_id = ?`).bind(tenant.userId).run();
    await expect(listAudit(db, actor, readPage({}, { limit: 10 }))).rejects.toEqual(byCode('not_owner'));
  });

  it('a request with a session lists only the working sessions of its user, and begins with the current one', async () => {
    const tenant = await seedCaller();
    const [own, other, idle] = [await seedSession(tenant), await seedSession(tenant), await seedSession(tenant)];
    await seedSession(await seedCaller());
    await setSeen(own.session, Date.now() - HOUR);
    await setSeen(idle.session, Date.now() - 13 * HOUR);
    const listed = await listSessions(db, own.session);
    expect(listed).toEqual([
      {
        ...FIREFOX,
        id: own.session.credential.familyId,
        isCurrent: true,
        beganBy: 'password',
        startedAt: expect.any(Number),
        seenAt: expect.any(Number),
      },
      {
        ...FIREFOX,
        id: other.session.credential.familyId,
        isCurrent: false,
        beganBy: 'password',
        startedAt: expect.any(Number),
        seenAt: expect.any(Number),
      },
    ]);
  });

  it('a request with a session revokes another session of its user', async () => {
    const tenant = await seedCaller();
    const [own, other] = [await seedSession(tenant), await seedSession(tenant)];
    await revokeSession(db, own.session, other.session.credential.familyId);
    expect(await findSession(db, other.value)).toBeNull();
    expect(await findSession(db, own.value)).not.toBeNull();
  });

  it("a request with a session revokes neither another user's session nor a family of tokens", async () => {
    const tenant = await seedTenant();
    await signIn(tenant);
    const tokens = (await rowsOf('token_families')).find((row) => row['user_id'] === tenant.userId);
    const [own, stranger] = [await seedSession(tenant), await seedSession(await seedCaller())];
    await revokeSession(db, own.session, stranger.session.credential.familyId);
    await revokeSession(db, own.session, String(tokens?.['id']));
    expect(await findSession(db, stranger.value)).not.toBeNull();
    expect((await rowsOf('token_families')).find((row) => row['id'] === tokens?.['id'])).toEqual(tokens);
  });

  it('a request with a session does nothing once it has ended', async () => {
    const tenant = await seedCaller();
    const [own, other] = [await seedSession(tenant), await seedSession(tenant)];
    await endSession(db, own.session);
    expect(await findSession(db, own.value)).toBeNull();
    await revokeSession(db, own.session, other.session.credential.familyId);
    await endOtherSessions(db, own.session);
    await expect(setTimeZone(db, own.session, 'Europe/Paris')).rejects.toEqual(byCode('invalid_credential'));
    expect(await findSession(db, other.value)).toMatchObject({ timeZone: 'UTC' });
    expect(await listSessions(db, own.session)).toEqual([]);
  });

  it("a request with a session ends the user's other sessions, not its own, and no tokens", async () => {
    const tenant = await seedTenant();
    const tokens = await signIn(tenant);
    const [own, other] = [await seedSession(tenant), await seedSession(tenant)];
    await endOtherSessions(db, own.session);
    expect(await findSession(db, other.value)).toBeNull();
    expect(await findSession(db, own.value)).not.toBeNull();
    const refreshed = await call('/tokens/refresh_token', { form: { refresh_token: tokens.refresh_token } });
    expect(refreshed.status).toBe(201);
  });
});
