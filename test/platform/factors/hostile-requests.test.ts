import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newSeed } from '../../../src/accounts/factors/app-codes.ts';
import { seedOwner } from '../../../src/accounts/factors/codes.ts';
import { beginSecondStep } from '../../../src/accounts/factors/second-step.ts';
import { usePasskeysAsFactor } from '../../../src/accounts/passkeys/passkey-factor.ts';
import { parseConfig } from '../../../src/config/config.ts';
import { seal } from '../../../src/secrets/sealing.ts';
import { newAddress } from '../../support/address.ts';
import { addApp, codeAt, knownOf, offerOf, stepOf } from '../../support/factors.ts';
import { browse as browserWith, cookiesOf, form, openBrowser, signInBy } from '../../support/platform.ts';
import { db, rowsOf, seedTenant, type Tenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { seedPasskey, signedBy } from '../../support/passkeys.ts';
import { makeStale, passwordHashOf } from '../../support/sessions.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const { tokenKeys, webhookKeys } = parseConfig({ ...env });
const secrets = tokenKeys.map(({ d }) => d);

const FACTORS = '/platform/account/factors';
const PASSKEYS = '/platform/account/passkeys';
const CODES = /[0-9a-z]{4}(?:-[0-9a-z]{4}){3}/g;
const STEP_MS = 30_000;

const enter = (step: string, code: string, { address = newAddress(), cookie = '' } = {}) =>
  call('/platform/sign-in', form({ step, code }, { 'CF-Connecting-IP': address, ...(cookie && { Cookie: cookie }) }));

const firstStep = async (tenant: Tenant) =>
  stepOf(await signInBy({ ...tenant, address: newAddress() }, tenant.password));

async function openWithApp() {
  const tenant = await seedTenant();
  const { browse, value } = await openBrowser(tenant);
  return { tenant, browse, value, ...(await addApp(browse)) };
}

const codesOf = async ({ userId }: Tenant) =>
  (await rowsOf('recovery_codes')).filter((row) => row['user_id'] === userId);

describe('codes that are shown once', () => {
  it('recovery codes that work are those of the one form that has set up an app, of several at the same moment', async () => {
    const tenant = await seedTenant();
    const { browse } = await openBrowser(tenant);
    const offers = [await offerOf(browse), await offerOf(browse), await offerOf(browse), await offerOf(browse)];
    const answers = await Promise.all(
      offers.map(({ seed, sealed }) => browse(`${FACTORS}/app`, form({ sealed, code: codeAt(seed) }))),
    );
    const pages = await Promise.all(answers.map((answer) => answer.text()));
    const shown = pages.map((page) => page.match(CODES) ?? []).filter((codes) => codes.length > 0);
    expect(shown).toHaveLength(1);
    expect((await enter(await firstStep(tenant), shown[0]?.[0] ?? '')).status).toBe(303);
  });

  it.each([
    ['without a passkey', async () => {}],
    ['in a session that was confirmed long ago', makeStale],
  ])('passkeys that become no second factor, %s, leave no codes that were not shown', async (_, prepare) => {
    const { tenant, browse } = await openWithApp();
    await env.DB.prepare('UPDATE recovery_codes SET spent_at = 1 WHERE user_id = ?').bind(tenant.userId).run();
    await prepare(tenant);
    await browse(`${PASSKEYS}/factor`, form({ use: 'on' }));
    expect((await codesOf(tenant)).filter((row) => row['spent_at'] === null)).toEqual([]);
  });
});

describe('recovery codes of which none is left', () => {
  it('recovery codes of which none is left are missed on the page, and new ones can be created', async () => {
    const { tenant, browse } = await openWithApp();
    const page = async () => (await (await browse(FACTORS)).text()).includes('No recovery code is left.');
    expect(await page()).toBe(false);
    await env.DB.prepare('UPDATE recovery_codes SET spent_at = 1 WHERE user_id = ?').bind(tenant.userId).run();
    expect(await page()).toBe(true);
    await browse(`${FACTORS}/codes`, form({}));
    expect(await page()).toBe(false);
  });
});

describe('codes of an app', () => {
  it('the code of the step before and of the one after are right, and those further away are wrong', async () => {
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [1, 303],
    ] as const) {
      const { tenant, seed } = await openWithApp();
      const step = await firstStep(tenant);
      expect((await enter(step, codeAt(seed, Date.now() + steps * STEP_MS))).status).toBe(status);
    }
  });

  it('a code from before the one that was used last is used too', async () => {
    const { tenant, seed } = await openWithApp();
    const step = await firstStep(tenant);
    expect((await enter(step, codeAt(seed, Date.now() + STEP_MS))).status).toBe(303);
    const older = await enter(step, codeAt(seed));
    expect([older.status, await older.text()]).toEqual([
      401,
      expect.stringContaining('This code has been used already.'),
    ]);
  });

  it('a limiter that fails lets no code be tried, and says when to try again', async () => {
    const { tenant, seed } = await openWithApp();
    const step = await firstStep(tenant);
    vi.spyOn(env.SIGN_IN_ADDRESS_LIMIT, 'limit').mockRejectedValue(new Error('out of order'));
    const refused = await enter(step, codeAt(seed));
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await refused.text()).toContain('name="step"');
  });

  it('a disabled user does not sign in by a code', async () => {
    const { tenant, seed, codes } = await openWithApp();
    const step = await firstStep(tenant);
    await env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE id = ?').bind(tenant.userId).run();
    for (const code of [codeAt(seed), codes[0]!]) {
      const refused = await enter(step, code);
      expect([refused.status, cookiesOf(refused)]).toEqual([401, {}]);
    }
  });
});

describe('a browser that is known', () => {
  it('a browser is not known by a cookie that was changed, nor once the app was set up anew', async () => {
    const { tenant, browse, seed, codes } = await openWithApp();
    const step = await firstStep(tenant);
    const known = knownOf(await enter(step, codes[0]!));
    const forged = known.replace(/=(\d+)/, (_, end: string) => `=${Number(end) + 1}`);
    await Promise.all(Array.from({ length: 50 }, () => enter(step, '000000')));
    expect((await enter(step, codeAt(seed), { cookie: forged })).status).toBe(429);
    await browse(`${FACTORS}/app/remove`, form({}));
    const { seed: next } = await addApp(browse);
    expect((await enter(await firstStep(tenant), codeAt(next), { cookie: known })).status).toBe(429);
  });
});

describe('a browser that has signed in by a passkey', () => {
  it('a browser that has signed in by a passkey may try a code too, when too many wrong ones came from elsewhere', async () => {
    const { user, session, passkey } = await seedPasskey();
    await usePasskeysAsFactor(db, session);
    const sent = { by: 'passkey', name: '', password: '', passkey_response: await signedBy(passkey) };
    const known = knownOf(await call('/platform/sign-in', form(sent)));
    // No password of this user has to be hashed for the first step.
    const passwordHash = await passwordHashOf(user);
    const step = beginSecondStep(secrets, { id: user.userId, passwordHash, hasFactor: true });
    const seed = newSeed();
    await env.DB.prepare('INSERT INTO totp_seeds (user_id, seed, created_at) VALUES (?, ?, 1)')
      .bind(user.userId, await seal(webhookKeys, seedOwner(user.userId), seed))
      .run();
    await Promise.all(Array.from({ length: 50 }, () => enter(step, '000000')));
    expect((await enter(step, codeAt(seed))).status).toBe(429);
    expect((await enter(step, codeAt(seed), { cookie: known })).status).toBe(303);
  });
});

describe('the cookie of a session', () => {
  it('a confirmation of one session is none of another one of the same user', async () => {
    const tenant = await seedTenant();
    const [ours, theirs] = [await openBrowser(tenant), await openBrowser(tenant)];
    await makeStale(tenant);
    const confirm = new FormData();
    confirm.set('current_password', tenant.password);
    const init = { method: 'POST', body: confirm, headers: { Origin: 'https://terse.test' } };
    expect((await ours.browse('/platform/confirm?next=%2Fplatform', init)).status).toBe(303);
    expect((await ours.browse(`${FACTORS}/app`)).status).toBe(200);
    expect((await theirs.browse(`${FACTORS}/app`)).status).toBe(303);
  });

  it('a confirmation is not sent from another website', async () => {
    const tenant = await seedTenant();
    const { browse } = await openBrowser(tenant);
    await makeStale(tenant);
    const body = new FormData();
    body.set('current_password', tenant.password);
    const init = { method: 'POST', body, headers: { Origin: 'https://evil.example' } };
    expect((await browse('/platform/confirm?next=%2Fplatform', init)).status).toBe(403);
    expect((await browse(`${FACTORS}/app`)).status).toBe(303);
  });

  it.each([
    'c/{client}/keys/new',
    'c/{client}/keys/{any}/roll',
    'c/{client}/keys/{any}/revoke',
    'c/{client}/members/invite',
    'c/{client}/members/invites/{any}/revoke',
    'c/{client}/members/{any}',
    'c/{client}/members/{any}/remove',
    'c/{client}/members/{any}/reset',
    'c/{client}/domains/new',
    'c/{client}/domains/{any}',
    'c/{client}/domains/{any}/slugs',
    'c/{client}/domains/{any}/app-links',
    'c/{client}/domains/{any}/remove',
    'c/{client}/settings/factors',
    'c/{client}/settings/delete',
    'account/factors/app',
    'account/factors/app/remove',
    'account/factors/codes',
    'account/passkeys/factor',
    'account/passkeys/{any}/remove',
    'account/passwords/new',
    'account/passwords/{any}/revoke',
  ])('a form sent to %s with the cookie alone asks who it is', async (path) => {
    const tenant = await seedTenant();
    const { browse } = await openBrowser(tenant);
    await makeStale(tenant);
    const of = `/platform/${path.replace('{client}', tenant.clientId).replace('{any}', 'any')}`;
    const more = path.endsWith('settings/factors') ? { factors: 'off' } : { use: 'off' };
    const asked = await browse(of, form({ typed_by: tenant.userId, ...more }));
    expect([asked.status, (await asked.text()).includes('Confirm that it is you')]).toEqual([403, true]);
  });
});

describe('many wrong codes', () => {
  it('many wrong codes are on each page once ten wrong codes were entered, and not before', async () => {
    const { tenant, value } = await openWithApp();
    const browse = browserWith(`__Host-terse=${value}`);
    const [step, told] = [await firstStep(tenant), '10 wrong codes were entered for your account'];
    const pages = [`/platform/c/${tenant.clientId}`, '/platform/account'];
    for (let tries = 0; tries < 9; tries++) await enter(step, '000000');
    const tells = () => Promise.all(pages.map(async (path) => (await (await browse(path)).text()).includes(told)));
    expect(await tells()).toEqual([false, false]);
    await enter(step, '000000');
    expect(await tells()).toEqual([true, true]);
  });
});
