import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { addApp, codeAt, stepOf } from '../../support/factors.ts';
import { seedCaller } from '../../support/forms.ts';
import {
  joinAs,
  providerCookieOf,
  returnAs,
  ScriptedIssuer,
  seedProvider,
  signInAs,
  type ProviderScene,
} from '../../support/issuers.ts';
import { rowsWhere } from '../../support/oauth.ts';
import { cookiesOf, form, openBrowser } from '../../support/platform.ts';
import { giveFactor } from '../../support/providers.ts';
import { openIsolate } from '../../support/service.ts';
import { openWebhookIsolate } from '../../support/webhook-owners.ts';

const AT = '/platform/sign-in/provider';
const EVE = { sub: 'eve', name: 'Eve', email: 'eve@acme.example', email_verified: true };

/** The service with a provider of its own. */
async function openService({ joins = '', tenants = '' } = {}): Promise<ProviderScene> {
  const [owner, issuer] = await Promise.all([seedCaller(), ScriptedIssuer.open()]);
  const call = openIsolate({
    OIDC_ISSUER: issuer.issuer,
    OIDC_CLIENT_ID: 'the-service',
    OIDC_CLIENT_SECRET: 'a secret of the operator',
    OIDC_TENANTS: tenants,
    SIGN_IN_JOINS: joins === '' ? '' : `${owner.clientId}:${joins}`,
  });
  return { owner, issuer, call, provider: '', at: AT };
}

describe('the provider of the service', () => {
  it('the sign-in page offers the provider of the service, and none without one', async () => {
    const { call } = await openService();
    const page = await (await call('/platform/sign-in')).text();
    expect(page).toContain(`href="${AT}?next=%2Fplatform"`);
    expect(await (await openIsolate()('/platform/sign-in')).text()).not.toContain(AT);
    expect((await openIsolate()(AT, form({}))).status).toBe(404);
  });

  it('a person with a verified address joins the workspace of SIGN_IN_JOINS, in a session without a limit', async () => {
    const scene = await openService({ joins: 'member' });
    const { browse, userId, familyId } = await joinAs(scene, EVE);
    expect(await rowsWhere('SELECT client_id, role FROM members WHERE user_id = ?', userId)).toEqual([
      { client_id: scene.owner.clientId, role: 'member' },
    ]);
    expect(await rowsWhere('SELECT client_id, began_by FROM token_families WHERE id = ?', familyId)).toEqual([
      { client_id: null, began_by: 'provider' },
    ]);
    const { browse: owner } = await openBrowser(scene.owner);
    const member = await (await owner(`/platform/c/${scene.owner.clientId}/members/${userId}`)).text();
    expect(member).toContain('Signs in with');
    expect(member).not.toContain('Password and ');
    expect((await browse('/platform/account')).status).toBe(200);
    expect((await browse('/platform/account/history')).status).toBe(200);
    expect((await signInAs(scene, EVE)).userId).toBe(userId);
  });

  it('no new person joins without SIGN_IN_JOINS, and an account is bound by its own session', async () => {
    const scene = await openService();
    const person = providerCookieOf(await returnAs(scene, EVE));
    const page = await (await scene.call(`${AT}/join`, { headers: { Cookie: person } })).text();
    expect(page).not.toContain(`action="${AT}/join"`);
    expect((await scene.call(`${AT}/join`, form({}, { Cookie: person }))).status).toBe(403);
    const { cookie } = await openBrowser(scene.owner);
    const bound = await scene.call(`${AT}/bind`, form({}, { Cookie: `${cookie}; ${person}` }));
    expect(bound.status).toBe(303);
    expect((await signInAs(scene, EVE)).userId).toBe(scene.owner.userId);
  });

  it.each([
    ['no claim about the address', { ...EVE, email_verified: undefined }, 403],
    ['an address that is not verified', { ...EVE, email_verified: false }, 403],
    ['a claim that is a text', { ...EVE, email_verified: 'true' }, 403],
    ['no address', { sub: 'eve', email_verified: true }, 403],
    [
      'an address of another tenant of Entra ID',
      { ...EVE, email_verified: undefined, xms_edov: true, tid: 'other' },
      403,
    ],
    ['an address of the tenant without the claim', { ...EVE, email_verified: undefined, tid: 'tenant-1' }, 403],
    [
      'an address of the tenant, as Entra ID says it',
      { ...EVE, email_verified: undefined, xms_edov: '1', tid: 'tenant-1' },
      303,
    ],
  ])('a first sign-in with %s is answered by its address', async (_, person, status) => {
    const scene = await openService({ joins: 'member', tenants: 'tenant-1, tenant-2' });
    expect((await returnAs(scene, person)).status).toBe(status);
  });

  it('a second factor of the account is asked for after the provider', async () => {
    const scene = await openService({ joins: 'member' });
    const { userId } = await joinAs(scene, EVE);
    await giveFactor({ userId });
    const response = await returnAs(scene, EVE);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('name="code"');
    expect(cookiesOf(response)['__Host-terse']).toBeUndefined();
  });

  it('the session after the second step is one of the provider, which has confirmed the person', async () => {
    const scene = await openService({ joins: 'member' });
    const { userId, browse } = await joinAs(scene, { ...EVE, auth_time: Math.floor(Date.now() / 1000) });
    const { seed } = await addApp(browse);
    await env.DB.batch([
      env.DB.prepare('UPDATE identities SET confirmed_at = 1, warned_at = 2 WHERE user_id = ?').bind(userId),
      env.DB.prepare(
        'INSERT INTO suspended_members SELECT *, 1 FROM (SELECT user_id, client_id, created_at, role, role_by_claims FROM members WHERE user_id = ?)',
      ).bind(userId),
      env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(userId),
    ]);
    const step = await stepOf(await returnAs(scene, EVE));
    const [identity] = await rowsWhere('SELECT confirmed_at, warned_at FROM identities WHERE user_id = ?', userId);
    expect(identity).toEqual({ confirmed_at: expect.closeTo(Date.now(), -5), warned_at: null });
    expect(await rowsWhere('SELECT client_id FROM members WHERE user_id = ?', userId)).toHaveLength(1);
    const signedIn = await scene.call('/platform/sign-in', form({ step, code: codeAt(seed) }));
    expect(signedIn.status).toBe(303);
    expect(
      await rowsWhere(
        `SELECT p.issuer, f.ends_at - f.started_at AS lasts FROM token_families f JOIN providers p ON p.id = f.provider_id
         WHERE f.user_id = ? AND f.began_by = 'app'`,
        userId,
      ),
    ).toEqual([{ issuer: scene.issuer.issuer, lasts: 8 * 3600 * 1000 }]);
  });

  it('the provider of a workspace signs in no person of the service’s provider, at the same issuer', async () => {
    const scene = await openService({ joins: 'owner' });
    const { userId } = await joinAs(scene, EVE);
    const other = await seedCaller();
    const provider = await seedProvider(other, scene.issuer.issuer);
    const elsewhere = { owner: other, issuer: scene.issuer, provider, call: openWebhookIsolate() };
    expect((await joinAs(elsewhere, EVE)).userId).not.toBe(userId);
  });
});
