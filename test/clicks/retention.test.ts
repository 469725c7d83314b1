import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { clicksOf, deliver, follow, holdQueue, packOf } from '../support/clicks.ts';
import { rowsOf, seedLink, seedTenant, signIn } from '../support/seed.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../src/time/day.ts';
import { call } from '../support/service.ts';
import { foldClicks, rowsOfObject } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T04:17:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const cleanUp = () => worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const daysOf = async (table: string) => (await rowsOf(table)).map(({ day }) => String(day)).toSorted();

/** A marked click of the link on the day that it is now, and its salt. */
async function visitToday(link: Awaited<ReturnType<typeof seedLink>>) {
  const held = holdQueue();
  await follow(link, { 'CF-Connecting-IP': '198.51.100.7' });
  await deliver(held);
}

describe('the daily clean-up', () => {
  it('the daily clean-up removes marks and salts that are older than two days, and keeps the younger ones', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    await env.DB.prepare('DELETE FROM visitor_salts').run();
    for (let day = 0; day < 4; day++) {
      await visitToday(link);
      if (day < 3) later(DAY_MS);
    }
    const all = ['2026-05-20', '2026-05-21', '2026-05-22', '2026-05-23'];
    const daysOfMarks = async () => {
      await foldClicks(link.client_id);
      const rows = await rowsOfObject(link.client_id, 'SELECT hour FROM visitor_marks ORDER BY hour');
      return rows.map(({ hour }) => dayOf(Number(hour) * HOUR_MS));
    };
    expect(await daysOf('visitor_salts')).toEqual(all);
    await cleanUp();
    const kept = all.slice(1);
    expect([await daysOf('visitor_salts'), await daysOfMarks()]).toEqual([kept, kept]);
    expect(await clicksOf(tenant, link)).toMatchObject({ total: 4, visitors_today: 1 });
    // Two days after a day has ended, nothing of its visitors is left.
    later(3 * DAY_MS);
    await cleanUp();
    expect([await daysOf('visitor_salts'), await daysOfMarks()]).toEqual([[], []]);
  });

  it('the daily clean-up leaves the counts of every day as they were', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const ages = [0, 1, 40, 400, 4000];
    await deliver([
      packOf(
        link,
        ages.map((days) => ({ at: Date.now() - days * DAY_MS })),
      ),
    ]);
    await cleanUp();
    await foldClicks(link.client_id);
    expect(await clicksOf(tenant, link)).toMatchObject({ total: ages.length });
  });

  it('the daily clean-up forgets the packs it has seen after 30 days, and none that could still be counted', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    const [old, young] = [packOf(link, 2), packOf(link, 3, { at: Date.now() + 2 * DAY_MS })];
    await deliver([old, young]);
    await foldClicks(link.client_id);
    later(32 * DAY_MS);
    await foldClicks(link.client_id);
    const hours = await rowsOfObject(link.client_id, 'SELECT hour FROM seen_packs');
    expect(hours).toEqual([{ hour: Math.floor(young.at / HOUR_MS) }]);
    // Neither the one that is forgotten nor the one that is known counts again.
    await deliver([old, young]);
    expect((await clicksOf(tenant, link)).total).toBe(5);
  });

  it('the daily clean-up removes sign-ins past their end with all their refresh tokens, and no others', async () => {
    const tenant = await seedTenant();
    const ended = await signIn(tenant);
    const refresh = (token: string) => call('/tokens/refresh_token', { form: { refresh_token: token } });
    expect((await refresh(ended.refresh_token)).status).toBe(201);
    later(DAY_MS);
    const living = await signIn(tenant);
    later(29 * DAY_MS);
    const familiesOf = async () => (await rowsOf('token_families')).filter((row) => row['user_id'] === tenant.userId);
    const [first, second] = (await familiesOf()).toSorted((a, b) => Number(a['ends_at']) - Number(b['ends_at']));
    expect([first?.['ends_at'], Number(second?.['ends_at']) > Date.now()]).toEqual([Date.now(), true]);
    await cleanUp();
    expect(await familiesOf()).toEqual([second]);
    const tokens = await rowsOf('refresh_tokens');
    const tokensOf = (family: unknown) => tokens.filter((row) => row['family_id'] === family).length;
    expect([tokensOf(first?.['id']), tokensOf(second?.['id'])]).toEqual([0, 1]);
    expect((await refresh(ended.refresh_token)).status).toBe(401);
    expect((await refresh(living.refresh_token)).status).toBe(201);
  });

  it('the daily clean-up keeps a sign-in that was ended early until its day, so that its tokens are still refused as ours', async () => {
    const tenant = await seedTenant();
    const { refresh_token } = await signIn(tenant);
    await call('/tokens/revoke_token', { form: { token: refresh_token } });
    await cleanUp();
    const families = (await rowsOf('token_families')).filter((row) => row['user_id'] === tenant.userId);
    expect(families).toMatchObject([{ ended_at: Date.now() }]);
  });

  it('the daily clean-up leaves accounts, links and keys alone', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    later(400 * DAY_MS);
    await cleanUp();
    expect((await call(`/${link.id}`)).status).toBe(302);
    expect((await seedLink(tenant)).client_id).toBe(tenant.clientId);
    await signIn(tenant);
  });

  it('the daily clean-up fails if the database does not respond, so that Cloudflare shows it', async () => {
    vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1_ERROR: Network connection lost.'));
    await expect(cleanUp()).rejects.toThrow('Network connection lost');
  });
});
