import { describe, expect, it } from 'vitest';
import type { Deviation, RequestOptions, SoftwarePasskey } from '../../support/authenticator.ts';
import { FORMER_RP, seedPasskey } from '../../support/passkeys.ts';
import { browse, cookiesOf, form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { rowsOf } from '../../support/seed.ts';
import { call, ORIGIN } from '../../support/service.ts';

const SIGN_IN = '/platform/sign-in';

async function optionsOf(query = ''): Promise<RequestOptions[]> {
  const response = await call(`${SIGN_IN}/passkey${query}`);
  expect(response.status).toBe(200);
  return [await response.json<RequestOptions | RequestOptions[]>()].flat();
}

const signInBy = (sent: string, fields: Record<string, string> = {}, cookie = '') =>
  browse(cookie)(SIGN_IN, form({ name: '', password: '', by: 'passkey', passkey_response: sent, ...fields }));

/** What a passkey signs for the form to sign in. */
async function signedBy(passkey: SoftwarePasskey, deviation: Deviation = {}): Promise<string> {
  const [options] = await optionsOf();
  return passkey.get(options!, ORIGIN, deviation);
}

describe('the form to sign in', () => {
  it('the form to sign in offers passkeys beside the password, in the field of the name too', async () => {
    const page = await textOf(call(SIGN_IN));
    const [field = ''] = /<input [^>]*name="name"[^>]*>/.exec(page) ?? [];
    for (const part of ['autocomplete="username webauthn"', 'spellcheck="false"', ' autofocus'])
      expect(field).toContain(part);
    expect(page).toMatch(
      /<button type="submit" class="button quiet" name="by" value="passkey"[^>]*>Sign in with a passkey/,
    );
    expect(page).toMatch(/src="\/assets\/passkeys\.\w+\.js"/);
    // Enter in a field presses the first button.
    expect(page.indexOf('>Sign in</button>')).toBeLessThan(page.indexOf('value="passkey"'));
  });

  it('the options of the form are new each time, and store nothing', async () => {
    const before = await rowsOf('spent_challenges');
    const [[first], [second]] = [await optionsOf(), await optionsOf()];
    expect(first).toEqual({ rpId: 'terse.test', challenge: expect.any(String), userVerification: 'required' });
    expect(second?.challenge).not.toBe(first?.challenge);
    expect(await rowsOf('spent_challenges')).toEqual(before);
    const { headers } = await call(`${SIGN_IN}/passkey`);
    expect([headers.get('Cache-Control'), headers.get('Access-Control-Allow-Origin')]).toEqual(['no-store', null]);
  });

  it('a passkey signs its user in without a name, and leads to where they wanted to go', async () => {
    const { user, passkey } = await seedPasskey();
    const response = await signInBy(await signedBy(passkey), { next: '/platform/account' });
    expect(placeOf(response)).toEqual([303, '/platform/account']);
    const [value, ...attributes] = cookiesOf(response)['__Host-terse'] ?? [];
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']);
    const page = await textOf(browse(`__Host-terse=${value}`)('/platform/account'));
    expect(page).toContain(`<bdi>${user.userName}</bdi>`);
  });

  it('a passkey leads nowhere outside of the service', async () => {
    const { passkey } = await seedPasskey();
    const response = await signInBy(await signedBy(passkey), { next: 'https://evil.example/' });
    expect(placeOf(response)).toEqual([303, '/platform']);
  });

  it('a sign-in by a passkey ends the session that the browser had before', async () => {
    const { user, passkey } = await seedPasskey();
    const { cookie, browse: former } = await openBrowser(user);
    expect((await signInBy(await signedBy(passkey), {}, cookie)).status).toBe(303);
    expect((await former('/platform/account')).status).toBe(303);
  });

  it.each<[string, Deviation]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['without a verification of its user', { isVerified: false }],
    ['with a forged signature', { forged: true }],
  ])('a passkey %s is refused, and the form is there again', async (_name, deviation) => {
    const { passkey } = await seedPasskey();
    const response = await signInBy(await signedBy(passkey, deviation), { name: 'ann' });
    const page = await response.text();
    expect([response.status, cookiesOf(response)['__Host-terse']]).toEqual([401, undefined]);
    expect(page).toContain('This passkey is not valid here.');
    expect(page).toContain('value="ann"');
    expect(page).toContain('name="passkey_response" value=""');
  });

  it('what a passkey has signed signs in once', async () => {
    const { passkey } = await seedPasskey({ counts: false });
    const sent = await signedBy(passkey);
    expect((await signInBy(sent)).status).toBe(303);
    const again = await signInBy(sent);
    expect([again.status, await again.text()]).toEqual([
      401,
      expect.stringContaining('This passkey is not valid here.'),
    ]);
  });

  it('the button without scripts says what is missing', async () => {
    const response = await signInBy('');
    expect([response.status, await response.text()]).toEqual([
      401,
      expect.stringContaining('The browser has sent no passkey. Scripts have to run for that.'),
    ]);
  });

  it('a passkey of a former host signs in, and its user is asked to add a new one', async () => {
    const { user, passkey } = await seedPasskey({ rp: FORMER_RP });
    const former = (await optionsOf('?former=1')).find(({ rpId }) => rpId === 'former.test');
    const response = await signInBy(await passkey.get(former!, ORIGIN), { next: '/platform/account' });
    expect(placeOf(response)).toEqual([303, '/platform/account/passkeys']);
    const cookies = Object.entries(cookiesOf(response)).map(([name, [value]]) => `${name}=${value}`);
    const page = await textOf(browse(cookies.join('; '))('/platform/account/passkeys'));
    expect(page).toContain('This passkey belongs to a host at which this service was before.');
    expect(page).toContain('href="/platform/account/passkeys/new"');
    expect((await rowsOf('passkeys')).find(({ user_id: id }) => id === user.userId)?.['last_used_at']).not.toBeNull();
  });

  it('a passkey signs in where a form was sent after the session had ended, and the form is shown again', async () => {
    const { user, passkey } = await seedPasskey();
    const typed = form({ tz: 'Asia/Kathmandu', typed_by: user.userId });
    const asked = await call('/platform/account/time-zone', typed);
    const page = await asked.text();
    expect(asked.status).toBe(401);
    expect(page).toContain('Sign in with a passkey');
    const carried = /name="typed" value="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? '';
    const body = new FormData();
    for (const [name, value] of Object.entries({
      typed: carried,
      name: '',
      password: '',
      by: 'passkey',
      passkey_response: await signedBy(passkey),
    }))
      body.set(name, value);
    const action = /action="(\/platform\/account\/time-zone\?[^"]*)"/.exec(page)?.[1] ?? '';
    const again = await call(action, { method: 'POST', body, headers: { Origin: ORIGIN } });
    expect([again.status, await again.text()]).toEqual([200, expect.stringContaining('You are signed in again.')]);
  });
});
