import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { resetFactors } from '../../../src/accounts/operator.ts';
import { createResetLinkByName } from '../../../src/accounts/users/resets.ts';
import { newAddress } from '../../support/address.ts';
import { addApp, codeAt, knownOf, offerOf, stepOf } from '../../support/factors.ts';
import {
  browse as browserWith,
  cookiesOf,
  form,
  openBrowser,
  placeOf,
  signInBy,
  textOf,
} from '../../support/platform.ts';
import { basicOf, db, rowsOf, seedTenant, type Tenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { statusesOf, times } from '../../support/sign-in.ts';

const FACTORS = '/platform/account/factors';
const SIGN_IN = '/platform/sign-in';

/** A user with an app, who is signed in. */
async function openWithApp() {
  const tenant = await seedTenant();
  const { browse, value } = await openBrowser(tenant);
  return { tenant, browse, value, ...(await addApp(browse)) };
}

/** The second step, from a new address by default. */
const enter = (step: string, code: string, { address = newAddress(), cookie = '' } = {}) =>
  call(SIGN_IN, form({ step, code }, { 'CF-Connecting-IP': address, ...(cookie && { Cookie: cookie }) }));

const firstStep = async (tenant: Tenant) =>
  stepOf(await signInBy({ ...tenant, address: newAddress() }, tenant.password));

describe('setting up an authenticator app', () => {
  it('setting up shows a code and its key, asks for a code of the app, and gives ten recovery codes once', async () => {
    const tenant = await seedTenant();
    const { browse } = await openBrowser(tenant);
    const { seed, sealed } = await offerOf(browse);
    expect(seed).toMatch(/^[A-Z2-7]{32}$/);
    // A phone cannot scan its own screen.
    const offered = await (await browse(`${FACTORS}/app`)).text();
    expect(offered).toMatch(/<a href="otpauth:\/\/totp\/[^"]+secret=[A-Z2-7]{32}[^"]*">open it<\/a>/);
    const wrong = await browse(`${FACTORS}/app`, form({ sealed, code: '000000' }));
    const page = await wrong.text();
    expect([wrong.status, page.includes('This is not the code that your app shows now.'), page.includes(seed)]).toEqual(
      [400, true, true],
    );
    expect(await rowsOf('totp_seeds').then((rows) => rows.filter((row) => row['user_id'] === tenant.userId))).toEqual(
      [],
    );
    const right = await browse(`${FACTORS}/app`, form({ sealed, code: codeAt(seed) }));
    const codes = (await right.text()).match(/[0-9a-z]{4}(?:-[0-9a-z]{4}){3}/g) ?? [];
    expect([right.status, codes.length, new Set(codes).size]).toEqual([200, 10, 10]);
    const stored = JSON.stringify([await rowsOf('totp_seeds'), await rowsOf('recovery_codes')]);
    for (const secret of [seed, ...codes]) expect(stored).not.toContain(secret);
    // A reload sends the form again.
    expect(placeOf(await browse(`${FACTORS}/app`, form({ sealed, code: codeAt(seed) })))).toEqual([303, FACTORS]);
  });

  it('setting up signs out the other browsers, and leaves the tokens of programs', async () => {
    const tenant = await seedTenant();
    const headers = { Authorization: basicOf(tenant.userName, tenant.password), 'CF-Connecting-IP': tenant.address };
    const tokens: Record<string, string> = await (await call('/tokens/create_token', { headers })).json();
    const other = await openBrowser(tenant);
    await addApp((await openBrowser(tenant)).browse);
    expect(placeOf(await other.browse('/platform/account'))[0]).toBe(303);
    const info = await call('/tokens/token_info', { headers: { Authorization: `Bearer ${tokens['access_token']}` } });
    expect(info.status).toBe(200);
  });

  it('a token of before setting up does from then on what an API key can, and nothing for which a person must confirm', async () => {
    const tenant = await seedTenant();
    const init = { Authorization: basicOf(tenant.userName, tenant.password), 'CF-Connecting-IP': tenant.address };
    const tokens: Record<string, string> = await (await call('/tokens/create_token', { headers: init })).json();
    const headers = { Authorization: `Bearer ${tokens['access_token']}` };
    expect((await call('/v1/members', { headers })).status).toBe(200);
    await addApp((await openBrowser(tenant)).browse);
    const refused = await call('/v1/members', { headers });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      {
        result: 'Failed',
        error: expect.stringMatching(/^step_up_required: A person must confirm this on the platform/),
      },
    ]);
    expect((await call('/v1/links', { headers })).status).toBe(200);
  });

  it('setting up says when a program last used the password, also if that was before it was noted', async () => {
    const tenant = await seedTenant();
    const { browse } = await openBrowser(tenant);
    const notice = 'Last time a program got tokens with your own password';
    expect(await textOf(browse(`${FACTORS}/app`))).not.toContain(notice);
    await env.DB.prepare(`INSERT INTO token_families (id, user_id, started_at, ends_at) VALUES (?, ?, ?, 9e15)`)
      .bind(crypto.randomUUID(), tenant.userId, Date.now() - 1000)
      .run();
    expect(await textOf(browse(`${FACTORS}/app`))).toContain(notice);
  });

  it('the seed that another user was offered is not taken', async () => {
    const [ours, theirs] = [await openBrowser(await seedTenant()), await openBrowser(await seedTenant())];
    const { seed, sealed } = await offerOf(theirs.browse);
    expect((await ours.browse(`${FACTORS}/app`, form({ sealed, code: codeAt(seed) }))).status).toBe(400);
  });
});

describe('signing in with a second step', () => {
  it('the password alone begins no session, and the code of the app does', async () => {
    const { tenant, seed } = await openWithApp();
    const first = await signInBy({ ...tenant, address: newAddress() }, tenant.password);
    expect([first.status, cookiesOf(first)]).toEqual([200, {}]);
    const step = await stepOf(first);
    const second = await enter(step, codeAt(seed));
    expect(placeOf(second)).toEqual([303, '/platform']);
    expect(Object.keys(cookiesOf(second)).toSorted()).toEqual(['__Host-terse', '__Host-terse-known']);
    expect(cookiesOf(second)['__Host-terse-known']?.slice(1)).toEqual([
      'HttpOnly',
      'Max-Age=31536000',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    expect(
      (await rowsOf('token_families')).some((row) => row['user_id'] === tenant.userId && row['began_by'] === 'app'),
    ).toBe(true);
  });

  it('a wrong code is refused beside the field with 401, and leaves the form of the second step', async () => {
    const { tenant } = await openWithApp();
    const refused = await enter(await firstStep(tenant), '123456');
    const page = await refused.text();
    expect([refused.status, cookiesOf(refused)]).toEqual([401, {}]);
    expect(page).toContain('id="fault-code">This code is not right.');
    expect(page).toContain('name="step"');
    expect(page).not.toContain('123456');
  });

  it('a code works once, also for two requests at the same moment', async () => {
    const { tenant, seed } = await openWithApp();
    const step = await firstStep(tenant);
    const code = codeAt(seed);
    const both = await Promise.all([enter(step, code), enter(step, code)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401]);
    expect((await enter(step, code)).status).toBe(401);
  });

  it('a recovery code works once, however it is typed', async () => {
    const { tenant, codes } = await openWithApp();
    const step = await firstStep(tenant);
    const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ')} `;
    expect(
      await Promise.all([enter(step, typed), enter(step, typed)]).then((all) =>
        all.map(({ status }) => status).toSorted((a, b) => a - b),
      ),
    ).toEqual([303, 401]);
    expect((await enter(step, codes[1]!)).status).toBe(303);
    const stranger = await openWithApp();
    expect((await enter(await firstStep(stranger.tenant), codes[2]!)).status).toBe(401);
  });

  it('a first step that was changed, or of a password that was changed since, begins anew', async () => {
    const { tenant, seed } = await openWithApp();
    const step = await firstStep(tenant);
    const tampered = await enter(`1${step}`, codeAt(seed));
    expect([tampered.status, await tampered.text()]).toEqual([401, expect.stringContaining('name="password"')]);
    await env.DB.prepare(`UPDATE users SET password_hash = 'other' WHERE id = ?`).bind(tenant.userId).run();
    const late = await enter(step, codeAt(seed));
    expect([late.status, await late.text()]).toEqual([401, expect.stringContaining('The sign-in took too long')]);
  });

  it('create_token with the right password is refused as documented, as with a wrong one', async () => {
    const { tenant } = await openWithApp();
    const ask = (password: string) =>
      call('/tokens/create_token', {
        headers: { Authorization: basicOf(tenant.userName, password), 'CF-Connecting-IP': newAddress() },
      });
    const [right, wrong] = [await ask(tenant.password), await ask('wrong-password')];
    const expected = { access_token: 'NONE', detail: 'Check your credentials', result: 'Authentication Failed' };
    expect([right.status, await right.json()]).toEqual([401, expected]);
    expect([wrong.status, await wrong.json()]).toEqual([401, expected]);
  });
});

describe('wrong codes', () => {
  it('eleven tries from one address are too many for an hour, and another address is let in', async () => {
    const { tenant, seed } = await openWithApp();
    const [step, address] = [await firstStep(tenant), newAddress()];
    expect(await statusesOf(11, () => enter(step, '000000', { address }))).toEqual([...times(10, 401), 429]);
    expect((await enter(step, codeAt(seed), { address })).status).toBe(429);
    expect((await enter(step, codeAt(seed))).status).toBe(303);
  });

  it('fifty from many addresses are too many for a day, but for recovery codes and browsers that are known', async () => {
    const { tenant, seed, codes } = await openWithApp();
    const step = await firstStep(tenant);
    const known = knownOf(await enter(step, codes[0]!));
    const tries = Array.from({ length: 60 }, () => enter(step, '000000'));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 401).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([50, 10]);
    expect((await enter(step, codeAt(seed))).status).toBe(429);
    expect((await enter(step, codes[1]!)).status).toBe(303);
    expect((await enter(step, codeAt(seed), { cookie: known })).status).toBe(303);
    // A browser is known to its own user alone.
    const other = await openWithApp();
    await Promise.all(Array.from({ length: 50 }, async () => enter(await firstStep(other.tenant), '000000')));
    expect((await enter(await firstStep(other.tenant), codeAt(other.seed), { cookie: known })).status).toBe(429);
  }, 120_000);

  it('a browser is no longer known once all other sessions were ended', async () => {
    const { tenant, seed, codes } = await openWithApp();
    const step = await firstStep(tenant);
    const signedIn = await enter(step, codes[0]!);
    const known = knownOf(signedIn);
    await browserWith(`__Host-terse=${cookiesOf(signedIn)['__Host-terse']?.[0]}`)(
      '/platform/account/sessions/others/end',
      form({}),
    );
    await Promise.all(Array.from({ length: 50 }, () => enter(step, '000000')));
    expect((await enter(step, codeAt(seed), { cookie: known })).status).toBe(429);
  });

  it('the page of the factors says how many wrong codes there were', async () => {
    const { tenant, browse } = await openWithApp();
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const headers = { 'CF-Connecting-IP': newAddress(), 'User-Agent': agent };
    const typed = form({ step: await firstStep(tenant), code: '000000' }, headers);
    await call(SIGN_IN, { ...typed, cf: { country: 'JP' } });
    expect(await (await browse(FACTORS)).text()).toContain('A wrong code was entered for your account');
    // The history says where.
    const row = (await rowsOf('sign_ins')).find(
      (each) => each['user_id'] === tenant.userId && each['outcome'] === 'wrong_code',
    );
    expect([row?.['browser'], row?.['os'], row?.['country']]).toEqual(['Firefox', 'Windows', 'JP']);
  });
});

describe('ending a second factor', () => {
  it('a reset of the password removes no second factor', async () => {
    const { tenant, seed } = await openWithApp();
    const link = await createResetLinkByName(db, tenant.userName);
    if (typeof link === 'string') throw new Error(link);
    const fields = { new_password: 'battery staple horse', new_password_again: 'battery staple horse' };
    const headers = { 'CF-Connecting-IP': newAddress() };
    expect(placeOf(await call(`/platform/reset/${link.token}`, form(fields, headers)))[0]).toBe(303);
    const first = await signInBy({ ...tenant, address: newAddress() }, fields.new_password);
    expect([first.status, cookiesOf(first)]).toEqual([200, {}]);
    expect((await enter(await stepOf(first), codeAt(seed))).status).toBe(303);
  });

  it('after the app was removed, the password alone signs in again, and no recovery code is left', async () => {
    const { tenant, browse } = await openWithApp();
    expect(placeOf(await browse(`${FACTORS}/app/remove`, form({})))).toEqual([303, FACTORS]);
    expect((await rowsOf('recovery_codes')).filter((row) => row['user_id'] === tenant.userId)).toEqual([]);
    expect(placeOf(await signInBy({ ...tenant, address: newAddress() }, tenant.password))).toEqual([303, '/platform']);
  });

  it('new recovery codes end the former ones', async () => {
    const { tenant, browse, codes } = await openWithApp();
    const page = await (await browse(`${FACTORS}/codes`, form({}))).text();
    const renewed = page.match(/[0-9a-z]{4}(?:-[0-9a-z]{4}){3}/g) ?? [];
    expect(renewed).toHaveLength(10);
    expect(page).toContain('The codes that you had before no longer work.');
    expect(page).not.toContain('browsers were signed out');
    expect(page).toMatch(/data-print="" hidden[^>]*>\s*Print/);
    const step = await firstStep(tenant);
    expect((await enter(step, codes[0]!)).status).toBe(401);
    expect((await enter(step, renewed[0]!)).status).toBe(303);
  });

  it('a reset by the operator signs out, and the user and the owners see it', async () => {
    const { tenant, value } = await openWithApp();
    expect(await resetFactors(db, tenant.userName)).toBe(true);
    expect(await resetFactors(db, 'no such user')).toBe(false);
    expect(placeOf(await browserWith(`__Host-terse=${value}`)('/platform/account'))[0]).toBe(303);
    expect(placeOf(await signInBy({ ...tenant, address: newAddress() }, tenant.password))).toEqual([303, '/platform']);
    const { browse } = await openBrowser(tenant);
    expect(await (await browse(FACTORS)).text()).toContain(
      'The operator of this service removed your second factor on',
    );
    expect(await (await browse(`/platform/c/${tenant.clientId}/audit`)).text()).toContain(
      'removed the second factor of',
    );
  });
});
