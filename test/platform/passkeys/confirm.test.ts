import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { removeApp } from '../../../src/accounts/factors/factors.ts';
import { usePasskeysAsFactor } from '../../../src/accounts/passkeys/passkey-factor.ts';
import type { RequestOptions } from '../../support/authenticator.ts';
import { seedCaller } from '../../support/forms.ts';
import { seedPasskey, signedBy } from '../../support/passkeys.ts';
import { form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { db, rowsOf, type Tenant } from '../../support/seed.ts';
import { call, ORIGIN } from '../../support/service.ts';

const FACTORS = '/platform/account/factors';
const PASSKEYS = '/platform/account/passkeys';

const ofUser = async (table: string, { userId }: Pick<Tenant, 'userId'>) =>
  (await rowsOf(table)).filter((row) => row['user_id'] === userId);

const valueOf = (page: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]?.replaceAll('&quot;', '"') ?? '';

/** Lets ten minutes pass since the user confirmed who they are. */
const age = ({ userId }: Pick<Tenant, 'userId'>) =>
  env.DB.prepare('UPDATE token_families SET started_at = ?, confirmed_at = NULL WHERE user_id = ?')
    .bind(Date.now() - 11 * 60_000, userId)
    .run();

describe('a passkey as a fresh proof', () => {
  it('a passkey confirms on the page that asks for it, which then leads back', async () => {
    const { user, passkey } = await seedPasskey();
    const { browse: open } = await openBrowser(user);
    await age(user);
    const [status, place] = placeOf(await open(`${PASSKEYS}/new`));
    expect(status).toBe(303);
    expect(await textOf(open(place ?? ''))).toContain(
      'data-passkey="{&quot;from&quot;:&quot;/platform/confirm/passkey',
    );
    const options = await (await open('/platform/confirm/passkey')).json<RequestOptions>();
    const wrong = await passkey.get(options, 'https://evil.example');
    const refused = await open(place ?? '', form({ by: 'passkey', passkey_response: wrong }));
    const said = 'This passkey is not valid here.';
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(said)]);
    const sent = await passkey.get(options, ORIGIN);
    const confirmed = await open(place ?? '', form({ by: 'passkey', passkey_response: sent }));
    expect(placeOf(confirmed)).toEqual([303, `${PASSKEYS}/new`]);
    expect((await open(`${PASSKEYS}/new`)).status).toBe(200);
  });

  it('a passkey confirms a form, which is then done', async () => {
    const { user, passkey } = await seedPasskey();
    const { browse: open } = await openBrowser(user);
    await age(user);
    const asked = await open(`${PASSKEYS}/${passkey.id}/remove`, form({ typed_by: user.userId }));
    const page = await asked.text();
    expect([asked.status, page]).toEqual([403, expect.stringContaining('Use a passkey')]);
    expect(await ofUser('passkeys', user)).toHaveLength(1);
    const options = await (await open('/platform/confirm/passkey')).json<RequestOptions>();
    const body = new FormData();
    body.set('typed', valueOf(page, 'typed'));
    body.set('by', 'passkey');
    body.set('passkey_response', await passkey.get(options, ORIGIN));
    const [, action = ''] = /action="([^"]*\/remove\?[^"]*)"/.exec(page) ?? [];
    const done = await open(action, { method: 'POST', body, headers: { Origin: ORIGIN } });
    expect(placeOf(done)).toEqual([303, PASSKEYS]);
    expect(await ofUser('passkeys', user)).toEqual([]);
  });

  it('the options of a fresh proof are not found for a user without a passkey', async () => {
    const { browse: open } = await openBrowser(await seedCaller());
    expect((await open('/platform/confirm/passkey')).status).toBe(404);
  });
});

describe('a passkey beside other factors', () => {
  it('a passkey signs in at the second step in place of a code, and one that is refused leaves the step as it is', async () => {
    const { user, session, passkey } = await seedPasskey();
    await usePasskeysAsFactor(db, session);
    const step = { step: 'of a password that was right', code: '', by: 'passkey' };
    const forged = await signedBy(passkey, { forged: true });
    const refused = await call('/platform/sign-in', form({ ...step, passkey_response: forged }));
    const page = await refused.text();
    expect([refused.status, valueOf(page, 'step')]).toEqual([401, step.step]);
    expect(page).toContain('This passkey is not valid here.');
    expect(page).toContain('Sign in with a passkey');
    const sent = await call('/platform/sign-in', form({ ...step, passkey_response: await signedBy(passkey) }));
    expect(placeOf(sent)).toEqual([303, '/platform']);
    expect((await ofUser('sign_ins', user)).map(({ way }) => way)).toContain('passkey');
  });

  it('passkeys stay a second factor, with the recovery codes, when the authenticator app is removed', async () => {
    const { user, session } = await seedPasskey();
    await usePasskeysAsFactor(db, session);
    await env.DB.prepare(`INSERT INTO totp_seeds (user_id, seed, created_at) VALUES (?, 'seed', 1)`)
      .bind(user.userId)
      .run();
    await removeApp({ db, keys: [], secrets: [], address: '', limit: async () => true }, session);
    expect(await ofUser('totp_seeds', user)).toEqual([]);
    const find = env.DB.prepare('SELECT passkeys_are_factor, factor_since FROM users WHERE id = ?').bind(user.userId);
    expect(await find.first()).toEqual({ passkeys_are_factor: 1, factor_since: expect.any(Number) });
    expect(await ofUser('recovery_codes', user)).toHaveLength(10);
  });
  it('who is left with passkeys alone, and without recovery codes, gets ten when the authenticator app is removed', async () => {
    const { user } = await seedPasskey();
    const { browse: open } = await openBrowser(user);
    await open(`${PASSKEYS}/factor`, form({ use: 'on' }));
    expect(placeOf(await open(`${FACTORS}/app/remove`, form({})))).toEqual([303, FACTORS]);
    await env.DB.prepare('UPDATE recovery_codes SET spent_at = 1 WHERE user_id = ?').bind(user.userId).run();
    const page = await textOf(open(`${FACTORS}/app/remove`, form({})));
    expect(new Set(page.match(/[0-9a-z]{4}(?:-[0-9a-z]{4}){3}/g)).size).toBe(10);
  });
});
