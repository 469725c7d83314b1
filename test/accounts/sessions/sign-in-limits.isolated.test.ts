import { scryptSync } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signInBy } from '../../support/platform.ts';
import { seedTenant } from '../../support/seed.ts';
import { openIsolate } from '../../support/service.ts';
import {
  attempt,
  attemptRight,
  newIpv4,
  newIpv6Network,
  newName,
  statusesOf,
  times,
  withinOneWindow,
} from '../../support/sign-in.ts';
import { familiesOf } from '../../support/tokens.ts';

await vi.hoisted(() => import('../../support/module-mocks.ts'));
vi.mock('node:crypto', { spy: true });

const scrypt = vi.mocked(scryptSync);

afterEach(() => {
  scrypt.mockReset();
});

const TOO_MANY = {
  result: 'Failed',
  error: 'too_many_requests: Too many sign-in attempts. Wait a minute, then try again.',
};

/** Makes hashing cheap, for tests that only count attempts of unknown users. */
function refuseQuickly(): void {
  scrypt.mockImplementation((_password, _salt, length) => Buffer.alloc(length));
}

describe('wrong passwords', () => {
  it.each<[who: string, nameOf: () => Promise<string>]>([
    ['a user', async () => (await seedTenant()).userName],
    ['nobody', async () => newName()],
  ])('wrong passwords are limited to 10 a minute for the name of %s and one address', async (_who, nameOf) => {
    const statuses = await withinOneWindow(async () => {
      const [name, address] = [await nameOf(), newIpv4()];
      return statusesOf(12, (index) => attempt(name, `guess ${index}`, address));
    });
    expect(statuses).toEqual([...times(10, 401), 429, 429]);
  });

  it('wrong passwords are limited to 60 a minute for one address, for any names', async () => {
    refuseQuickly();
    const [here, elsewhere] = await withinOneWindow(async () => {
      const address = newIpv4();
      const guesses = await statusesOf(62, () => attempt(newName(), 'guess', address));
      return [guesses, (await attempt(newName(), 'guess', newIpv4())).status];
    });
    expect(here).toEqual([...times(60, 401), 429, 429]);
    expect(elsewhere).toBe(401);
  });

  it('wrong passwords prevent the right one from being found: over the limit it is refused too, unread', async () => {
    const { response, tenant, paid } = await withinOneWindow(async () => {
      const [tenant, address] = [await seedTenant(), newIpv4()];
      await statusesOf(10, (index) => attempt(tenant.userName, `guess ${index}`, address));
      scrypt.mockClear();
      const response = await attemptRight(tenant, address);
      return { response, tenant, paid: scrypt.mock.calls.length };
    });
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual(TOO_MANY);
    expect(paid).toBe(0);
    expect(await familiesOf(tenant)).toEqual([]);
  });

  it('wrong passwords beyond the limit get in Retry-After how long this minute still lasts', async () => {
    refuseQuickly();
    const left = () => 60 - (Math.floor(Date.now() / 1000) % 60);
    const { response, before, after } = await withinOneWindow(async () => {
      const [name, address] = [newName(), newIpv4()];
      await statusesOf(10, () => attempt(name, 'guess', address));
      const before = left();
      const response = await attempt(name, 'guess', address);
      return { response, before, after: left() };
    });
    expect(response.status).toBe(429);
    const retryAfter = response.headers.get('Retry-After') ?? '';
    expect(retryAfter).toMatch(/^[1-9]\d?$/);
    expect(Number(retryAfter)).toBeLessThanOrEqual(before);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(after);
  });

  it('wrong passwords count by the /64 of an IPv6 address, however it is written', async () => {
    refuseQuickly();
    const [same, other] = await withinOneWindow(async () => {
      const [name, network] = [newName(), newIpv6Network()];
      const hosts = ['::1', '::2:1', ':a:b:c:d', ':0:0:0:1', '::ffff', ':FFFF:0:0:1'];
      const written = (index: number) => {
        const address = `${network}${hosts[index % hosts.length]}`;
        return index % 2 === 0 ? address : address.toUpperCase().replace('2001:DB8', '2001:0DB8');
      };
      return [
        await statusesOf(12, (index) => attempt(name, 'guess', written(index))),
        (await attempt(name, 'guess', `${newIpv6Network()}::1`)).status,
      ];
    });
    expect(same).toEqual([...times(10, 401), 429, 429]);
    expect(other).toBe(401);
  });

  it('wrong passwords count by the IPv4 address where it is mapped into IPv6', async () => {
    refuseQuickly();
    const statuses = await withinOneWindow(async () => {
      const [name, address] = [newName(), newIpv4()];
      return [
        ...(await statusesOf(10, () => attempt(name, 'guess', `::ffff:${address}`))),
        (await attempt(name, 'guess', address)).status,
        (await attempt(name, 'guess', `::ffff:${newIpv4()}`)).status,
      ];
    });
    expect(statuses).toEqual([...times(10, 401), 429, 401]);
  });
});

describe('a right password', () => {
  it('a right password works from its own address all through a burst of wrong ones from elsewhere', async () => {
    const [right, wrong] = await withinOneWindow(async () => {
      const [tenant, own, elsewhere] = [await seedTenant(), newIpv4(), newIpv4()];
      const [right, wrong]: [number[], number[]] = [[], []];
      for (let round = 0; round < 20; round += 1) {
        const answers = await Promise.all([
          attempt(tenant.userName, `guess ${round}`, elsewhere),
          attemptRight(tenant, own),
          attempt(tenant.userName, `another ${round}`, elsewhere),
        ]);
        right.push(answers[1].status);
        wrong.push(answers[0].status, answers[2].status);
      }
      return [right, wrong.toSorted((a, b) => a - b)];
    });
    expect(right).toEqual(times(20, 201));
    expect(wrong).toEqual([...times(10, 401), ...times(30, 429)]);
  });

  it('a right password works from its own address after 300 wrong ones from 30 others', async () => {
    const [tenant, isolate] = [await seedTenant(), openIsolate()];
    const real = scrypt.getMockImplementation();
    refuseQuickly();
    const wrong: number[] = [];
    for (let stranger = 0; stranger < 30; stranger += 1) {
      const address = newIpv4();
      wrong.push(...(await statusesOf(10, (index) => attempt(tenant.userName, `guess ${index}`, address))));
    }
    if (real) scrypt.mockImplementation(real);
    else scrypt.mockReset();
    expect(wrong).toEqual(times(300, 401));
    const own = { ...tenant, address: newIpv4() };
    expect((await attemptRight(own, own.address)).status).toBe(201);
    expect((await attemptRight(own, newIpv4(), isolate)).status).toBe(201);
    const page = await signInBy(own, own.password);
    expect([page.status, page.headers.get('Location')]).toEqual([303, '/platform']);
  });

  it('a right password works in an isolate that has not seen it, in the midst of such a burst', async () => {
    const statuses = await withinOneWindow(async () => {
      const [tenant, elsewhere] = [await seedTenant(), newIpv4()];
      const burst = Array.from({ length: 12 }, (_, index) => attempt(tenant.userName, `guess ${index}`, elsewhere));
      const right = attemptRight(tenant, newIpv4(), openIsolate());
      const statuses = (await Promise.all(burst)).map(({ status }) => status);
      return [(await right).status, ...statuses.toSorted((a, b) => a - b)];
    });
    expect(statuses).toEqual([201, ...times(10, 401), 429, 429]);
  });
});
