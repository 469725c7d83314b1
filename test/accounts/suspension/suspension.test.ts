import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/accounts/operator.ts';
import { confirm, suspendRefused } from '../../../src/accounts/suspension/suspension-store.ts';
import { seedApplicationPassword, outcomeOf, tokensBy } from '../../support/application-passwords.ts';
import { invite } from '../../support/invites.ts';
import { API, connect, registered, statusAtApi } from '../../support/oauth.ts';
import { form, openBrowser, placeOf } from '../../support/platform.ts';
import { addTo, giveFactor, openSession, seedIdentity, seedProvider } from '../../support/providers.ts';
import { db, rowsOf, seedTenant, signIn, type Tenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

/** An owner of a workspace with a provider, and a member who has an identity there. */
async function openScene(role: 'owner' | 'member' = 'member') {
  const owner = await seedTenant();
  const { clientId } = owner;
  const member = await seedTenant();
  await addTo(member, clientId, role);
  const provider = await seedProvider(clientId);
  const subject = await seedIdentity(provider, member);
  return { owner, clientId, member, provider, subject };
}

/** A refusal by the provider, and a confirmation, as the daily pass and sign-ins store them. */
const refuse = (providerId: string, subject: string, token: string | null = null) =>
  db.batch(suspendRefused({ providerId, subject }, Date.now(), token));
const confirmAgain = (providerId: string, subject: string) => db.batch(confirm({ providerId, subject }, Date.now()));

const rolesIn = async (table: 'members' | 'suspended_members', { userId }: Tenant) =>
  Object.fromEntries(
    (await rowsOf(table)).filter((row) => row['user_id'] === userId).map((row) => [row['client_id'], row['role']]),
  );
const auditOf = async (clientId: string) =>
  (await rowsOf('audit_entries'))
    .filter((row) => row['client_id'] === clientId && /suspended|confirmed/.test(String(row['action'])))
    .map((row) => [row['action'], row['details'], row['credential_kind']]);

describe('a member whom the provider refuses', () => {
  it('keys, application passwords, grants and sessions stop for the workspace of the provider alone, until it confirms', async () => {
    const { clientId, member, provider, subject } = await openScene();
    const { browse } = await openBrowser(member);
    await env.DB.prepare('UPDATE api_keys SET client_id = ?, scopes = ? WHERE user_id = ?')
      .bind(clientId, 'links:read', member.userId)
      .run();
    const programs = await tokensBy(member, (await seedApplicationPassword(member)).text);
    const grant = await connect(
      { caller: { ...member, clientId, accessToken: '', apiToken: '' }, browse, application: await registered() },
      API,
    );
    const statuses = async () => [
      (await call('/v1/links', { headers: { 'X-API-Key': member.apiKey } })).status,
      (await outcomeOf(programs.access_token, 'GET', `/v1/links?client_id=${clientId}`))[0],
      await statusAtApi(grant),
      (await browse(`/platform/c/${clientId}`)).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200, 200]);

    await refuse(provider.id, subject);
    expect(await statuses()).toEqual([401, 403, 403, 403]);
    expect(await rolesIn('members', member)).toEqual({ [member.clientId]: 'owner' });
    expect(await rolesIn('suspended_members', member)).toEqual({ [clientId]: 'member' });
    expect((await browse(`/platform/c/${member.clientId}`)).status).toBe(200);
    const page = await (await browse(`/platform/c/${clientId}`)).text();
    expect(page).toContain(`Your access to ${clientId} is suspended`);
    expect(page).toContain(`href="/platform/sso/${clientId}"`);

    await confirmAgain(provider.id, subject);
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect(await rolesIn('suspended_members', member)).toEqual({});
    expect(await auditOf(clientId)).toEqual([
      ['member.suspended', '{"provider":"Example ID","reason":"refused"}', 'service'],
      ['member.confirmed', '{"provider":"Example ID"}', 'service'],
    ]);
  });

  it('the last owner stays, and one of two owners does not', async () => {
    const { owner, clientId, member, provider, subject } = await openScene('owner');
    const ownerSubject = await seedIdentity(provider, owner);
    await refuse(provider.id, subject);
    await refuse(provider.id, ownerSubject);
    expect(await rolesIn('members', owner)).toEqual({ [clientId]: 'owner' });
    expect(await rolesIn('suspended_members', member)).toEqual({ [clientId]: 'owner' });
  });

  it('a refusal of the provider of the service suspends the person everywhere except at a provider of the workspace', async () => {
    const { clientId, member } = await openScene();
    const service = await seedProvider(null);
    const subject = await seedIdentity(service, member);
    const other = await seedTenant();
    await addTo(member, other.clientId);
    await refuse(service.id, subject);
    // Each workspace has an owner left, and the member is the last one of their own.
    expect(await rolesIn('members', member)).toEqual({ [clientId]: 'member', [member.clientId]: 'owner' });
    expect(await rolesIn('suspended_members', member)).toEqual({ [other.clientId]: 'member' });
  });

  it('a refusal of an older refresh token changes nothing', async () => {
    const { clientId, member, provider, subject } = await openScene();
    await env.DB.prepare(`UPDATE identities SET refresh_token = 'new' WHERE subject = ?`).bind(subject).run();
    await refuse(provider.id, subject, 'old');
    expect(await rolesIn('members', member)).toMatchObject({ [clientId]: 'member' });
  });

  it('no invite and no work of the operator restores the membership', async () => {
    const { owner, clientId, member, provider, subject } = await openScene();
    const { browse } = await openBrowser(member);
    const tokens = await signIn(owner);
    const { token } = await invite({ ...owner, accessToken: tokens.access_token, apiToken: tokens.api_token });
    await refuse(provider.id, subject);
    await addMember(db, member.userName, clientId, 'member');
    const refused = await (await browse(`/platform/invite/${token}`)).text();
    expect(refused).toContain('already');
    await browse(`/platform/invite/${token}`, form({}));
    expect(await rolesIn('members', member)).toEqual({ [member.clientId]: 'owner' });
  });

  it('restoring a deleted workspace does not end the suspension, also one of meanwhile', async () => {
    const { owner, clientId, member, provider, subject } = await openScene();
    const later = await seedTenant();
    await addTo(later, clientId);
    const laterSubject = await seedIdentity(provider, later);
    await refuse(provider.id, subject);
    const { browse } = await openBrowser(owner);
    await browse(`/platform/c/${clientId}/settings/delete`, form({ name: clientId }));
    expect(await rolesIn('members', owner)).toEqual({});
    await refuse(provider.id, laterSubject);
    expect(placeOf(await browse(`/platform/c/${clientId}/restore`, form({})))[0]).toBe(303);
    expect(await rolesIn('members', owner)).toEqual({ [clientId]: 'owner' });
    expect([await rolesIn('suspended_members', member), await rolesIn('suspended_members', later)]).toEqual([
      { [clientId]: 'member' },
      { [clientId]: 'member' },
    ]);
    await confirmAgain(provider.id, laterSubject);
    expect(await rolesIn('members', later)).toMatchObject({ [clientId]: 'member' });
  });

  it('a suspended owner cannot restore the workspace', async () => {
    const { owner, clientId, member, provider, subject } = await openScene('owner');
    await refuse(provider.id, subject);
    await (await openBrowser(owner)).browse(`/platform/c/${clientId}/settings/delete`, form({ name: clientId }));
    const { browse } = await openBrowser(member);
    expect((await browse(`/platform/c/${clientId}/restore`, form({}))).status).toBe(404);
  });

  it('owners see who is suspended, remove the member, and lift it only once the provider is removed', async () => {
    const { owner, clientId, member, provider, subject } = await openScene();
    await refuse(provider.id, subject);
    const { browse } = await openBrowser(owner);
    const members = `/platform/c/${clientId}/members`;
    const list = await (await browse(members)).text();
    expect(list).toContain('<span class="badge danger">Suspended</span>');
    expect(list).toContain('Password and Example ID');
    const one = `${members}/${member.userId}`;
    expect(await (await browse(one)).text()).not.toContain('Lift the suspension');
    expect((await browse(`${one}/lift`, form({}))).status).toBe(409);
    await env.DB.prepare('UPDATE providers SET ended_at = 1 WHERE id = ?').bind(provider.id).run();
    expect(await (await browse(one)).text()).toContain('Lift the suspension');
    expect(placeOf(await browse(`${one}/lift`, form({})))).toEqual([303, one]);
    expect(await rolesIn('members', member)).toMatchObject({ [clientId]: 'member' });

    await env.DB.prepare('UPDATE providers SET ended_at = NULL WHERE id = ?').bind(provider.id).run();
    await refuse(provider.id, subject);
    expect(placeOf(await browse(`${one}/remove`, form({ keys: 'revoke' })))).toEqual([303, members]);
    expect([await rolesIn('members', member), await rolesIn('suspended_members', member)]).toEqual([
      { [member.clientId]: 'owner' },
      {},
    ]);
  });

  it('the emergency owner keeps the role and the membership while the provider is demanded', async () => {
    const { owner, clientId, member, provider } = await openScene('owner');
    await giveFactor(member);
    const { browse } = await openSession(owner, { provider });
    await browse(`/platform/c/${clientId}/settings/provider`, form({ emergency_owner: member.userId }));
    const one = `/platform/c/${clientId}/members/${member.userId}`;
    expect((await browse(one, form({ role: 'member' }))).status).toBe(409);
    expect((await browse(`${one}/remove`, form({ keys: 'revoke' }))).status).toBe(409);
    const own = await openSession(member, { beganBy: 'app' });
    const refusal = await (await own.browse('/platform/account/delete')).text();
    expect(refusal).toContain('You keep these workspaces open as their emergency owner.');
    expect(await rolesIn('members', member)).toMatchObject({ [clientId]: 'owner' });
  });

  it('a role that the provider gives cannot be changed by hand, until the provider is removed', async () => {
    const { owner, clientId, member, provider } = await openScene();
    await env.DB.prepare('UPDATE members SET role_by_claims = 1 WHERE user_id = ? AND client_id = ?')
      .bind(member.userId, clientId)
      .run();
    const { browse } = await openBrowser(owner);
    const one = `/platform/c/${clientId}/members/${member.userId}`;
    expect(await (await browse(one)).text()).toContain('The provider gives this role at each sign-in.');
    expect((await browse(one, form({ role: 'owner' }))).status).toBe(409);
    await env.DB.prepare('UPDATE providers SET ended_at = 1 WHERE id = ?').bind(provider.id).run();
    expect((await browse(one, form({ role: 'owner' }))).status).toBe(303);
    expect(await rolesIn('members', member)).toMatchObject({ [clientId]: 'owner' });
  });
});
