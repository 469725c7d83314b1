import { scryptSync } from 'node:crypto';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changePassword, disableUser } from '../../../src/accounts/operator.ts';
import { hashPassword } from '../../../src/accounts/users/password.ts';
import { waitReally } from '../../support/deferred.ts';
import { demandFactor, seedApplicationPassword } from '../../support/application-passwords.ts';
import { signInBy } from '../../support/platform.ts';
import { db, seedTenant, type Tenant } from '../../support/seed.ts';
import { attempt, attemptRight, newIpv4, newName, statusesOf, times } from '../../support/sign-in.ts';
import { CREATION_REFUSAL, familiesOf, refusalOf } from '../../support/tokens.ts';

await vi.hoisted(() => import('../../support/module-mocks.ts'));
vi.mock('node:crypto', { spy: true });

const scrypt = vi.mocked(scryptSync);

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  scrypt.mockReset();
});

const MINUTE_MS = 60_000;

describe('a right password', () => {
  it('a right password is served 200 times in a row, for the work of one verification', async () => {
    // However slow they are, all are within the minute in which the password is remembered.
    vi.setSystemTime(Date.now());
    const [tenant, address] = [await seedTenant(), newIpv4()];
    scrypt.mockClear();
    expect(await statusesOf(200, () => attemptRight(tenant, address))).toEqual(times(200, 201));
    expect(scrypt).toHaveBeenCalledTimes(1);
  });

  it.each([30, 100])(
    'a right password is served %i times at once to a program that has just started',
    async (count) => {
      const [tenant, address] = [await seedTenant(), newIpv4()];
      scrypt.mockClear();
      const answers = await Promise.all(Array.from({ length: count }, () => attemptRight(tenant, address)));
      expect(answers.map(({ status }) => status)).toEqual(times(count, 201));
      expect(scrypt).toHaveBeenCalledTimes(1);
    },
  );

  it('a right password is served also where the limiter refuses a later call before it allows the first', async () => {
    const [tenant, address] = [await seedTenant(), newIpv4()];
    vi.spyOn(env.SIGN_IN_PAIR_LIMIT, 'limit')
      .mockImplementationOnce(async () => {
        await waitReally(200);
        return { success: true };
      })
      .mockResolvedValue({ success: false });
    const answers = await Promise.all([attemptRight(tenant, address), attemptRight(tenant, address)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('a right password is verified anew after a minute', async () => {
    const [tenant, address] = [await seedTenant(), newIpv4()];
    const verifiedAt = Date.now();
    vi.setSystemTime(verifiedAt);
    scrypt.mockClear();
    const paidAfter = async (ms: number) => {
      vi.setSystemTime(verifiedAt + ms);
      expect((await attemptRight(tenant, address)).status).toBe(201);
      return scrypt.mock.calls.length;
    };
    expect([await paidAfter(0), await paidAfter(MINUTE_MS - 1), await paidAfter(MINUTE_MS)]).toEqual([1, 1, 2]);
  });

  it('a right password is forgotten at once when it is changed', async () => {
    const [tenant, address] = [await seedTenant(), newIpv4()];
    expect((await attemptRight(tenant, address)).status).toBe(201);
    await changePassword(db, tenant.userName, 'a new one');
    expect((await attemptRight(tenant, address)).status).toBe(401);
    expect((await attempt(tenant.userName, 'a new one', address)).status).toBe(201);
  });

  it('a right password is refused at once when the account is disabled', async () => {
    const [tenant, address] = [await seedTenant(), newIpv4()];
    expect((await attemptRight(tenant, address)).status).toBe(201);
    await disableUser(db, tenant.userName);
    expect((await attemptRight(tenant, address)).status).toBe(401);
  });

  it.each<[what: string, change: (tenant: Tenant) => Promise<unknown>]>([
    ['is changed', ({ userName }) => changePassword(db, userName, 'a new one')],
    ['belongs to an account that is disabled', ({ userName }) => disableUser(db, userName)],
  ])('a right password begins no family where it %s while it is verified', async (_what, change) => {
    const tenant = await seedTenant();
    vi.spyOn(env.SIGN_IN_PAIR_LIMIT, 'limit').mockImplementation(async () => {
      await change(tenant);
      return { success: true };
    });
    expect(await refusalOf(await attemptRight(tenant, newIpv4()))).toEqual(CREATION_REFUSAL);
    expect(await familiesOf(tenant)).toEqual([]);
  });
});

describe('a refusal', () => {
  it('a refusal is the same for an unknown name, a wrong password, an account that is disabled, without a password or with a second factor, and costs the same', async () => {
    const hash = async (password: string) => hashPassword(password);
    const [tenant, disabled, secured, bare] = await Promise.all([1, 2, 3, 4].map(async () => seedTenant({ hash })));
    if (!tenant || !disabled || !secured || !bare) throw new Error('the seed did not take');
    await disableUser(db, disabled.userName);
    await demandFactor(secured);
    await env.DB.prepare(`UPDATE users SET password_hash = '!' WHERE id = ?`).bind(bare.userId).run();
    const tries: [name: string, password: string][] = [
      [tenant.userName, 'wrong'],
      [newName(), 'wrong'],
      [disabled.userName, 'wrong'],
      [disabled.userName, disabled.password],
      [secured.userName, 'wrong'],
      [secured.userName, secured.password],
      [bare.userName, bare.password],
      [bare.userName, '!'],
    ];
    const outcomes = [];
    for (const [name, password] of tries) {
      scrypt.mockClear();
      const response = await attempt(name, password, newIpv4());
      const headers = [...response.headers].filter(([header]) => header !== 'x-request-id');
      const work = scrypt.mock.calls.map(([, , length, options]) => [length, options]);
      outcomes.push({ refusal: await refusalOf(response), headers, work });
    }
    expect(outcomes[0]?.refusal).toEqual(CREATION_REFUSAL);
    expect(outcomes[0]?.work).toEqual([[32, expect.objectContaining({ N: 2 ** 14, r: 8, p: 5 })]]);
    for (const each of outcomes) expect(each).toEqual(outcomes[0]);
  });

  it('a refusal of the password of a user with a second factor is remembered nowhere: each costs a verification', async () => {
    const tenant = await seedTenant();
    await demandFactor(tenant);
    // A browser signs in with it meanwhile, and is asked for the second factor.
    expect((await signInBy(tenant, tenant.password)).status).not.toBe(429);
    scrypt.mockClear();
    for (const count of [1, 2, 3]) {
      expect(await refusalOf(await attemptRight(tenant, newIpv4()))).toEqual(CREATION_REFUSAL);
      expect(scrypt).toHaveBeenCalledTimes(count);
    }
    expect(await familiesOf(tenant)).toEqual([]);
  });

  it('an application password costs no scrypt, right or wrong', async () => {
    const tenant = await seedTenant();
    const { text } = await seedApplicationPassword(tenant);
    scrypt.mockClear();
    expect((await attempt(tenant.userName, text, newIpv4())).status).toBe(201);
    expect((await attempt(newName(), text, newIpv4())).status).toBe(401);
    expect(scrypt).not.toHaveBeenCalled();
  });

  it.each(['SIGN_IN_PAIR_LIMIT', 'SIGN_IN_ADDRESS_LIMIT'] as const)(
    'a refusal is 503 with Retry-After while %s fails, with any password',
    async (limiter) => {
      const tenant = await seedTenant();
      vi.spyOn(env[limiter], 'limit').mockRejectedValue(new Error('rate limiter unavailable'));
      for (const password of [tenant.password, 'wrong']) {
        const response = await attempt(tenant.userName, password, newIpv4());
        expect([response.status, response.headers.get('Retry-After'), await response.json()]).toEqual([
          503,
          '5',
          {
            result: 'Failed',
            error: 'store_unavailable: Sign-in is temporarily unavailable. Try again in a few seconds.',
          },
        ]);
      }
      expect(await familiesOf(tenant)).toEqual([]);
    },
  );

  it('a refusal leaves no password in the logs', async () => {
    const logs = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
    const tenant = await seedTenant();
    await attemptRight(tenant, newIpv4());
    await attempt(tenant.userName, 'my wrong password', newIpv4());
    vi.spyOn(env.SIGN_IN_PAIR_LIMIT, 'limit').mockRejectedValue(new Error('rate limiter unavailable'));
    await attempt(tenant.userName, 'my wrong password', newIpv4());
    const logged = JSON.stringify(logs.map((spy) => spy.mock.calls));
    expect(logged).toContain('rate limiter unavailable');
    for (const secret of [tenant.password, tenant.basic, 'my wrong password']) expect(logged).not.toContain(secret);
  });
});
