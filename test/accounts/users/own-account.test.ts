import { describe, expect, it } from 'vitest';
import { changeOwnPassword } from '../../../src/accounts/users/own-account.ts';
import { RecentSignIns } from '../../../src/accounts/sessions/recent-sign-ins.ts';
import { endSession, findSession } from '../../../src/accounts/sessions/session.ts';
import { WorkQueue } from '../../../src/isolate/work-queue.ts';
import { db, seedTenant, signIn, type Tenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { FIREFOX, passwordHashOf, seedSession } from '../../support/sessions.ts';

const byCode = (code: string) => expect.objectContaining({ code });

describe('a change of password', () => {
  const guard = (tenant: Tenant) => ({
    limits: { pair: async () => true, address: async () => true },
    recent: new RecentSignIns(),
    hashing: new WorkQueue(1),
    address: tenant.address,
  });

  it('a change of password ends all sessions and tokens of the user, and begins a session', async () => {
    const tenant = await seedTenant();
    const tokens = await signIn(tenant);
    const [own, other] = [await seedSession(tenant), await seedSession(tenant)];
    const passwords = { current: tenant.password, next: 'a new password' };
    const value = await changeOwnPassword(db, guard(tenant), own.session, passwords, FIREFOX);
    expect(await findSession(db, value)).toMatchObject({ userId: tenant.userId });
    expect(await findSession(db, own.value)).toBeNull();
    expect(await findSession(db, other.value)).toBeNull();
    const refreshed = await call('/tokens/refresh_token', { form: { refresh_token: tokens.refresh_token } });
    expect(refreshed.status).toBe(401);
  });

  it('a change of password with a wrong current password changes nothing', async () => {
    const tenant = await seedTenant();
    const { value, session } = await seedSession(tenant);
    const passwords = { current: 'a guess', next: 'a new password' };
    const before = await passwordHashOf(tenant);
    await expect(changeOwnPassword(db, guard(tenant), session, passwords, FIREFOX)).rejects.toMatchObject({
      code: 'invalid_password',
      faults: [{ field: 'current_password', sentence: 'This is not your current password.' }],
    });
    expect(await findSession(db, value)).not.toBeNull();
    expect(await passwordHashOf(tenant)).toBe(before);
  });

  it('a change of password by a session that has ended changes nothing', async () => {
    const tenant = await seedTenant();
    const { session } = await seedSession(tenant);
    const before = await passwordHashOf(tenant);
    const other = await seedSession(tenant);
    await endSession(db, session);
    const passwords = { current: tenant.password, next: 'a new password' };
    await expect(changeOwnPassword(db, guard(tenant), session, passwords, FIREFOX)).rejects.toEqual(
      byCode('invalid_credential'),
    );
    expect(await passwordHashOf(tenant)).toBe(before);
    expect(await findSession(db, other.value)).not.toBeNull();
  });
});
