import { describe, expect, it } from 'vitest';
import { newAddress } from '../../support/address.ts';
import { seedCaller } from '../../support/forms.ts';
import { answer, ask } from '../../support/management.ts';
import { form, openBrowser, textOf } from '../../support/platform.ts';
import { rowsOf, seedTenant, type Tenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

const signIn = ({ userName: name, password, address }: Tenant, fields: Readonly<Record<string, string>>) =>
  call('/platform/sign-in', form({ name, password, ...fields }, { 'CF-Connecting-IP': address }));

const zoneOf = async ({ userId }: Pick<Tenant, 'userId'>) =>
  (await rowsOf('users')).find(({ id }) => id === userId)?.['time_zone'];

describe('the time zone of a browser', () => {
  it.each([
    ['Europe/Vienna', 'Europe/Vienna'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['', 'UTC'],
    ['Mars/Olympus', 'UTC'],
    ['+05:30', 'UTC'],
    [`Europe/${'x'.repeat(10_000)}`, 'UTC'],
  ])('the time zone of a browser is that of an account at its first sign-in: %.20s is %s', async (tz, zone) => {
    const [tenant, other] = [await seedTenant(), await seedTenant()];
    expect((await signIn(tenant, { tz })).status).toBe(303);
    expect([await zoneOf(tenant), await zoneOf(other)]).toEqual([zone, 'UTC']);
  });

  it('the time zone of a browser stays out of an account that has one, also if that is UTC', async () => {
    const tenant = await seedTenant();
    await signIn(tenant, {});
    await signIn(tenant, { tz: 'Europe/Vienna' });
    expect(await zoneOf(tenant)).toBe('UTC');
    const { browse } = await openBrowser(tenant);
    await browse('/platform/account/time-zone', form({ tz: 'Asia/Tokyo' }));
    await signIn(tenant, { tz: 'Europe/Vienna' });
    expect(await zoneOf(tenant)).toBe('Asia/Tokyo');
  });

  it('the time zone of a browser is not stored by a wrong password', async () => {
    const tenant = await seedTenant();
    expect((await signIn({ ...tenant, password: 'a-wrong-guess' }, { tz: 'Europe/Vienna' })).status).toBe(401);
    expect(await zoneOf(tenant)).toBe('UTC');
  });

  it('the time zone of a browser is that of an account that joins by an invite', async () => {
    const owner = await seedCaller();
    const { url } = await answer<{ url: string }>(await ask(owner, 'POST', '/v1/invites', { role: 'member' }), 201);
    const { pathname } = new URL(url);
    expect(await textOf(call(pathname))).toContain('<input type="hidden" name="tz" value="" data-zone=""/>');
    const name = `new-${crypto.randomUUID()}`;
    const fields = { name, password: 'correct horse', tz: 'Europe/Vienna' };
    expect((await call(pathname, form(fields, { 'CF-Connecting-IP': newAddress() }))).status).toBe(303);
    const user = (await rowsOf('users')).find((row) => row['name'] === name);
    expect([user?.['time_zone'], await zoneOf(owner)]).toEqual(['Europe/Vienna', 'UTC']);
  });
});
