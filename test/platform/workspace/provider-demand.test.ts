import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { outcomeOf, seedApplicationPassword, tokensBy } from '../../support/application-passwords.ts';
import { addApp, codeAt, stepOf } from '../../support/factors.ts';
import { API, connect, registered, statusAtApi } from '../../support/oauth.ts';
import {
  browse as browserWith,
  cookiesOf,
  form,
  openBrowser,
  placeOf,
  signInBy,
  type Browse,
} from '../../support/platform.ts';
import { addTo, giveFactor, openSession, seedIdentity, seedProvider } from '../../support/providers.ts';
import { rowsOf, seedTenant, signIn, type Tenant } from '../../support/seed.ts';
import { makeStale } from '../../support/sessions.ts';
import { call } from '../../support/service.ts';

/** A workspace with a provider, its owner in a session of that, and an owner with a second factor. */
async function openDemand() {
  const owner = await seedTenant();
  const { clientId } = owner;
  const emergency = await seedTenant();
  await addTo(emergency, clientId, 'owner');
  await giveFactor(emergency);
  const provider = await seedProvider(clientId);
  await seedIdentity(provider, owner);
  const { browse } = await openSession(owner, { provider });
  const page = `/platform/c/${clientId}/settings/provider`;
  const demand = () => browse(page, form({ emergency_owner: emergency.userId }));
  return { owner, clientId, emergency, provider, browse, page, demand, overview: `/platform/c/${clientId}` };
}

const clientOf = async (clientId: string) => (await rowsOf('clients')).find(({ id }) => id === clientId);
const auditOf = async (clientId: string) =>
  (await rowsOf('audit_entries')).filter((row) => row['client_id'] === clientId).map((row) => row['action']);

/** The status of the API for an access token, and the code of its error. */
const apiOf = (token: string, { clientId }: { clientId: string }) =>
  outcomeOf(token, 'GET', `/v1/links?client_id=${clientId}`);

/** Connects an application for the API. */
const grantTo = async (browse: Browse, tenant: Tenant) =>
  connect({ caller: { ...tenant, accessToken: '', apiToken: '' }, browse, application: await registered() }, API);

describe('the demand of a provider', () => {
  it('an id that is no owner’s, of any length, is refused with the form, and changes nothing', async () => {
    const { clientId, browse, page } = await openDemand();
    for (const id of ['x', 'a'.repeat(3000)]) {
      const response = await browse(page, form({ emergency_owner: id }));
      expect([id.length, [400, 409].includes(response.status)]).toEqual([id.length, true]);
      expect(await response.text()).toContain('role="alert"');
    }
    expect((await clientOf(clientId))?.['required_provider']).toBeNull();
  });

  it('only an owner in a session of the provider can turn it on, and the page lists what stops', async () => {
    const { owner, clientId, provider, browse, page, demand, emergency } = await openDemand();
    const byPassword = await openBrowser(owner);
    expect(placeOf(await byPassword.browse(page))[0]).toBe(303);
    const refused = await byPassword.browse(page, form({ emergency_owner: emergency.userId }));
    expect([refused.status, (await clientOf(clientId))?.['required_provider']]).toEqual([303, null]);
    await seedApplicationPassword(owner);
    await signIn(owner);
    const shown = await (await browse(page)).text();
    expect(shown).toContain('1 application password');
    expect(shown).toContain('1 program with the user’s own password');
    expect(shown).toContain(`cannot sign in with ${provider.name} yet`);
    expect(placeOf(await demand())).toEqual([303, `/platform/c/${clientId}/settings`]);
    expect(await clientOf(clientId)).toMatchObject({
      required_provider: provider.id,
      break_glass_id: emergency.userId,
      required_since: expect.any(Number),
    });
    expect(await auditOf(clientId)).toContain('client.provider_required');
  });

  it.each([
    [
      'has no second factor',
      async (tenant: Tenant) =>
        env.DB.prepare('UPDATE users SET factor_since = NULL WHERE id = ?').bind(tenant.userId).run(),
    ],
    [
      'is no owner',
      async (tenant: Tenant) =>
        env.DB.prepare(`UPDATE members SET role = 'member' WHERE user_id = ?`).bind(tenant.userId).run(),
    ],
    [
      'has no password',
      async (tenant: Tenant) =>
        env.DB.prepare(`UPDATE users SET password_hash = '!' WHERE id = ?`).bind(tenant.userId).run(),
    ],
  ])('an emergency owner who %s is refused', async (_, change) => {
    const { clientId, emergency, demand } = await openDemand();
    await change(emergency);
    expect((await demand()).status).toBe(409);
    expect((await clientOf(clientId))?.['required_provider']).toBeNull();
  });

  it('needs a fresh confirmation, also to turn it off', async () => {
    const { owner, clientId, page, demand, browse } = await openDemand();
    await makeStale(owner);
    expect((await demand()).headers.get('Location')).toMatch(/^\/platform\/confirm/);
    expect((await clientOf(clientId))?.['required_provider']).toBeNull();
    await env.DB.prepare('UPDATE token_families SET started_at = ? WHERE user_id = ?')
      .bind(Date.now(), owner.userId)
      .run();
    expect((await demand()).status).toBe(303);
    await makeStale(owner);
    expect((await browse(`${page}/end`, form({}))).headers.get('Location')).toMatch(/^\/platform\/confirm/);
    expect((await clientOf(clientId))?.['required_provider']).not.toBeNull();
  });

  it('a session, tokens, application passwords and grants of another way no longer open the workspace', async () => {
    const { owner, clientId, provider, demand, overview } = await openDemand();
    const byPassword = await openBrowser(owner);
    const tokens = await signIn(owner);
    const password = await seedApplicationPassword(owner);
    const programs = await tokensBy(owner, password.text);
    const grant = await grantTo(byPassword.browse, owner);
    expect([await apiOf(tokens.access_token, owner), await apiOf(programs.access_token, owner)]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    await demand();
    const closed = await byPassword.browse(overview);
    const shown = await closed.text();
    expect(closed.status).toBe(403);
    expect(shown).toContain(`${clientId} is opened by ${provider.name} alone`);
    expect(shown).toContain(`href="/platform/sso/${clientId}"`);
    expect(placeOf(await byPassword.browse('/platform'))).toEqual([303, overview]);
    for (const token of [tokens.access_token, programs.access_token, (await signIn(owner)).access_token])
      expect(await apiOf(token, owner)).toEqual([403, 'provider_required']);
    expect(await statusAtApi(grant)).toBe(403);
    // Keys stay.
    const byKey = await call(`/v1/links?client_id=${clientId}`, { headers: { 'X-API-Key': owner.apiKey } });
    expect(byKey.status).toBe(200);
  });

  it('an application password of a session of the provider keeps working, and another provider opens nothing', async () => {
    const { owner, clientId, provider, browse, demand, overview } = await openDemand();
    await demand();
    expect((await browse(overview)).status).toBe(200);
    const other = await openSession(owner, { provider: await seedProvider(null, { name: 'Other' }) });
    expect((await other.browse(overview)).status).toBe(403);
    const password = await newPassword(browse);
    const programs = await tokensBy(owner, password);
    expect(await apiOf(programs.access_token, owner)).toEqual([200, undefined]);
    const rows = (await rowsOf('application_passwords')).filter((row) => row['user_id'] === owner.userId);
    expect(rows).toMatchObject([{ provider_id: provider.id, client_id: clientId }]);
    expect(await statusAtApi(await grantTo(browse, owner))).toBe(200);
    const families = (await rowsOf('token_families')).filter((row) => row['user_id'] === owner.userId);
    expect(families.filter((row) => row['began_by'] === 'oauth')).toMatchObject([{ provider_id: provider.id }]);
  });

  it('the emergency owner opens it with the second step, each time in the audit log, and with nothing else', async () => {
    const { clientId, emergency, demand, overview } = await openDemand();
    const before = await openSession(emergency, { beganBy: 'app' });
    await env.DB.prepare('UPDATE token_families SET started_at = started_at - 1000 WHERE id = ?')
      .bind(before.familyId)
      .run();
    await demand();
    // It began before, so the log says nothing about it.
    expect((await before.browse(overview)).status).toBe(403);
    expect((await (await openSession(emergency, { beganBy: 'password' })).browse(overview)).status).toBe(403);
    const { browse } = await openSession(emergency, { beganBy: 'app' });
    expect((await browse(overview)).status).toBe(200);
    expect((await (await openSession(emergency, { beganBy: 'recovery_code' })).browse(overview)).status).toBe(200);
    const password = await newPassword(browse);
    const programs = await tokensBy(emergency, password);
    expect(await apiOf(programs.access_token, { clientId })).toEqual([403, 'provider_required']);
  });

  it('the emergency owner opens it neither with a passkey alone, nor with another provider and a code', async () => {
    const { clientId, emergency, demand, overview, page, provider } = await openDemand();
    await demand();
    const byPasskey = await openSession(emergency, { beganBy: 'passkey' });
    const closed = await byPasskey.browse(overview);
    expect([closed.status, await closed.text()]).toEqual([
      403,
      expect.stringContaining(`${clientId} is opened by ${provider.name} alone`),
    ]);
    expect((await byPasskey.browse(`${page}/end`, form({}))).status).toBe(403);
    expect((await clientOf(clientId))?.['required_provider']).toBe(provider.id);
    const { id } = await seedProvider(null, { name: 'Other' });
    const byOther = await openSession(emergency, { beganBy: 'app' });
    await env.DB.prepare('UPDATE token_families SET provider_id = ? WHERE id = ?').bind(id, byOther.familyId).run();
    expect((await byOther.browse(overview)).status).toBe(403);
  });

  it('each sign-in of the emergency owner is in the audit log', async () => {
    const { clientId, emergency, demand, overview } = await openDemand();
    const { seed } = await addApp((await openSession(emergency, { beganBy: 'app' })).browse);
    await demand();
    const step = await stepOf(await signInBy(emergency, emergency.password));
    const response = await call('/platform/sign-in', form({ step, code: codeAt(seed) }));
    const cookie = `__Host-terse=${cookiesOf(response)['__Host-terse']?.[0]}`;
    expect((await browserWith(cookie)(overview)).status).toBe(200);
    const entries = (await rowsOf('audit_entries')).filter((row) => row['action'] === 'member.emergency_sign_in');
    expect(entries).toMatchObject([
      { client_id: clientId, subject_id: emergency.userId, details: '{"way":"app"}', credential_kind: 'session' },
    ]);
    const log = await (await browserWith(cookie)(`${overview}/audit`)).text();
    expect(log).toContain(`${emergency.userName} signed in as emergency owner, without the provider.`);
  });

  it('an owner in any session that opens the workspace turns it off', async () => {
    const { owner, clientId, emergency, demand, page, overview } = await openDemand();
    await demand();
    const byPassword = await openBrowser(owner);
    expect((await byPassword.browse(`${page}/end`, form({}))).status).toBe(403);
    const { browse } = await openSession(emergency, { beganBy: 'app' });
    expect(placeOf(await browse(`${page}/end`, form({})))).toEqual([303, `/platform/c/${clientId}/settings`]);
    expect((await byPassword.browse(overview)).status).toBe(200);
    expect(await auditOf(clientId)).toContain('client.provider_not_required');
  });

  it('a workspace that demands a second factor takes the provider’s word for it', async () => {
    const { owner, clientId, browse, overview } = await openDemand();
    await env.DB.prepare('UPDATE clients SET factors_from = 1 WHERE id = ?').bind(clientId).run();
    expect((await browse(overview)).status).toBe(200);
    expect(placeOf(await (await openBrowser(owner)).browse(overview))).toEqual([303, '/platform/account/factors']);
  });

  it('a workspace that demands a second factor takes no word of a provider for all workspaces, nor its grants', async () => {
    const owner = await seedTenant();
    for (const kind of ['openid', 'access'] as const) {
      const { browse } = await openSession(owner, { provider: await seedProvider(null, { kind }) });
      const grant = await grantTo(browse, owner);
      expect(await statusAtApi(grant)).toBe(200);
      await env.DB.prepare('UPDATE clients SET factors_from = 1 WHERE id = ?').bind(owner.clientId).run();
      expect(placeOf(await browse(`/platform/c/${owner.clientId}`))).toEqual([303, '/platform/account/factors']);
      expect(await statusAtApi(grant)).toBe(403);
      await env.DB.prepare('UPDATE clients SET factors_from = NULL WHERE id = ?').bind(owner.clientId).run();
    }
  });

  it('a session that is limited to one workspace restores no other one', async () => {
    const { browse, owner } = await openDemand();
    const other = await seedTenant();
    await env.DB.prepare('DELETE FROM members WHERE client_id = ?').bind(other.clientId).run();
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO suspended_members (user_id, client_id, created_at, role) VALUES (?, ?, 1, 'owner')`,
      ).bind(owner.userId, other.clientId),
      env.DB.prepare('INSERT INTO deletions (client_id, user_id, requested_at, ends_at) VALUES (?, ?, 1, 9e15)').bind(
        other.clientId,
        owner.userId,
      ),
    ]);
    expect((await browse(`/platform/c/${other.clientId}/restore`, form({}))).status).toBe(404);
    expect((await (await openBrowser(owner)).browse(`/platform/c/${other.clientId}/restore`, form({}))).status).toBe(
      303,
    );
  });
});

/** Creates an application password on the pages, and returns it. */
async function newPassword(browse: Browse): Promise<string> {
  const path = '/platform/account/passwords/new';
  const nonce = /name="nonce" value="([^"]*)"/.exec(await (await browse(path)).text())?.[1] ?? '';
  const page = await (await browse(path, form({ nonce, name: 'a program' }))).text();
  return /ap_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}/.exec(page)?.[0] ?? '';
}
