import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { seedApplicationPassword, tokensBy } from '../../support/application-passwords.ts';
import { form, openBrowser, signInBy, textOf } from '../../support/platform.ts';
import { rowsOf, seedTenant, signIn, type Tenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const HISTORY = '/platform/account/history';
const DAY_MS = 24 * 3600 * 1000;
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const signInsOf = async ({ userId }: Pick<Tenant, 'userId'>) =>
  (await rowsOf('sign_ins')).filter((row) => row['user_id'] === userId);

/** Signs in with the form of the page, from a country. */
function signInFrom(tenant: Tenant, country: string, password = tenant.password) {
  const headers = { 'CF-Connecting-IP': tenant.address, 'User-Agent': CHROME };
  return call('/platform/sign-in', {
    ...form({ name: tenant.userName, password }, headers),
    cf: { country },
  });
}

const insert = (tenant: Tenant, id: string, at: number, more: Readonly<Record<string, string>> = {}) => {
  const row = { user_id: tenant.userId, at, id, way: 'password', outcome: 'success', ...more };
  const names = Object.keys(row);
  return env.DB.prepare(
    `INSERT INTO sign_ins (${names.join(', ')}) VALUES (${names.map((_, index) => `?${index + 1}`).join(', ')})`,
  ).bind(...Object.values(row));
};

const cellsOf = (page: string) =>
  [...page.matchAll(/<tr role="row"><th scope="row".*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]+>/g, '')),
  );

describe('the history of sign-ins', () => {
  it('the history of sign-ins has those of browsers and programs, newest first', async () => {
    const tenant = await seedTenant();
    expect((await signInFrom(tenant, 'JP')).status).toBe(303);
    await signIn(tenant);
    await tokensBy(tenant, (await seedApplicationPassword(tenant, 'nightly <b>')).text);
    const { browse } = await openBrowser(tenant);
    await env.DB.batch([
      env.DB.prepare(`UPDATE sign_ins SET at = at - 5000 WHERE user_id = ? AND country = 'JP'`).bind(tenant.userId),
      env.DB.prepare(`UPDATE sign_ins SET at = at - 4000 WHERE user_id = ? AND way = 'basic'`).bind(tenant.userId),
      env.DB.prepare(`UPDATE sign_ins SET at = at - 3000 WHERE user_id = ? AND begun_with IS NOT NULL`).bind(
        tenant.userId,
      ),
      env.DB.prepare(`DELETE FROM sign_ins WHERE user_id = ? AND browser = 'Firefox'`).bind(tenant.userId),
      insert(tenant, 'w', Date.now(), { way: 'app', outcome: 'wrong_code', browser: 'Safari', os: 'macOS' }),
    ]);
    const page = await textOf(browse(HISTORY));
    expect(cellsOf(page).map(([, ...cells]) => cells)).toEqual([
      ['Safari on macOS', 'Unknown', 'Password and authenticator app', 'Wrong code'],
      ['Program', 'Unknown', 'Application password “nightly &lt;b&gt;”', 'Signed in'],
      ['Program', 'Unknown', 'Password, by a program', 'Signed in'],
      ['Chrome on Windows', 'Japan', 'Password', 'Signed in'],
    ]);
  });

  it('the history of sign-ins is recorded without a further trip', async () => {
    const tenant = await seedTenant();
    const trips = await countTrips();
    expect((await signInBy(tenant, tenant.password)).status).toBe(303);
    expect(trips().d1).toBe(2);
    expect(await signInsOf(tenant)).toHaveLength(1);
  });

  it('the history of sign-ins has no wrong password, and no change of the password', async () => {
    const tenant = await seedTenant();
    expect((await signInFrom(tenant, 'JP', 'wrong')).status).toBe(401);
    expect(await signInsOf(tenant)).toEqual([]);
    const { browse } = await openBrowser(tenant);
    const next = { new_password: 'correct horse', new_password_again: 'correct horse' };
    const headers = { 'CF-Connecting-IP': tenant.address };
    const changed = await browse(
      '/platform/account/password',
      form({ current_password: tenant.password, ...next }, headers),
    );
    expect(changed.status).toBe(303);
    expect(await signInsOf(tenant)).toMatchObject([{ browser: 'Firefox', way: 'password', outcome: 'success' }]);
  });

  it('the history of sign-ins says so if it is empty, and has nothing of another user', async () => {
    const [tenant, other] = [await seedTenant(), await seedTenant()];
    await signInFrom(other, 'JP');
    const { browse } = await openBrowser(tenant);
    await env.DB.prepare('DELETE FROM sign_ins WHERE user_id = ?').bind(tenant.userId).run();
    const page = await textOf(browse(HISTORY));
    expect(page).toContain('<h2>No sign-ins yet</h2>');
    expect(page).not.toContain('Japan');
  });

  it('the history of sign-ins has 100 on a page, and leads to the older ones', async () => {
    const tenant = await seedTenant();
    const { browse } = await openBrowser(tenant);
    const now = Date.now();
    const seeded = Array.from({ length: 250 }, (_, index) =>
      insert(tenant, `s${index}`, now - 1000 - index, { country: index === 249 ? 'JP' : 'FR' }),
    );
    await env.DB.batch(seeded);
    const counts: number[] = [];
    let path: string | undefined = HISTORY;
    let last = '';
    while (path !== undefined) {
      last = await textOf(browse(path));
      counts.push(cellsOf(last).length);
      path = /<a[^>]* href="([^"]*cursor=[^"]+)"[^>]* rel="next"/.exec(last)?.[1];
    }
    // The last one began with the session that reads it.
    expect(counts).toEqual([100, 100, 51]);
    expect(last).toContain('Japan');
    expect((await browse(`${HISTORY}?cursor=none`)).status).toBe(400);
    const other = await openBrowser(await seedTenant());
    const next = /href="([^"]*cursor=[^"]+)"/.exec(await textOf(browse(HISTORY)))?.[1] ?? '';
    expect((await other.browse(next)).status).toBe(400);
  });

  it('the history of sign-ins is kept for 90 days, and 2,500 of a user of each kind', async () => {
    const [tenant, other] = [await seedTenant(), await seedTenant()];
    const now = Date.now();
    const rows = (kind: string, count: number, more: Readonly<Record<string, string>>) =>
      Array.from({ length: count }, (_, index) => insert(tenant, `${kind}${index}`, now - index * 1000, more));
    await env.DB.batch([
      insert(other, 'old', now - 91 * DAY_MS),
      insert(other, 'recent', now - 89 * DAY_MS),
      insert(tenant, 'browser', now - 80 * DAY_MS),
      ...rows('program', 2503, { way: 'application_password' }),
      ...rows('wrong', 3, { way: 'app', outcome: 'wrong_code' }),
    ]);
    await worker.scheduled(createScheduledController(), env);
    expect((await signInsOf(other)).map(({ id }) => id)).toEqual(['recent']);
    const kept = await signInsOf(tenant);
    const programs = kept.filter(({ way }) => way === 'application_password').map(({ at }) => Number(at));
    expect([programs.length, Math.min(...programs)]).toEqual([2500, now - 2_499_000]);
    // They push out neither the sign-ins of browsers nor wrong codes.
    expect(kept.filter(({ way }) => way !== 'application_password').map(({ id }) => id)).toEqual(
      expect.arrayContaining(['browser', 'wrong0', 'wrong1', 'wrong2']),
    );
  });
});

it('a session is listed with its country, and with what it began', async () => {
  const tenant = await seedTenant();
  await signInFrom(tenant, 'JP');
  await env.DB.prepare(`UPDATE token_families SET began_by = 'app' WHERE user_id = ?`).bind(tenant.userId).run();
  const { browse } = await openBrowser(tenant);
  await env.DB.prepare(`UPDATE token_families SET began_by = NULL WHERE user_id = ? AND began_by = 'password'`)
    .bind(tenant.userId)
    .run();
  const page = await textOf(browse('/platform/account'));
  expect(page).toContain(`href="${HISTORY}"`);
  expect(
    cellsOf(page)
      .map(([browser = '']) => browser.replaceAll(/\s+/g, ' '))
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['Chrome on Windows Japan · Password and authenticator app', 'Firefox on Linux This browserPassword']);
});
