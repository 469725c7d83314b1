import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { endOtherSessions, findSession, listSessions } from '../../../src/accounts/sessions/session.ts';
import { listSignIns } from '../../../src/accounts/sessions/sign-in-history.ts';
import { readPage } from '../../../src/input/pagination.ts';
import { setTimeZone } from '../../../src/accounts/users/own-account.ts';
import { exportOwnData } from '../../../src/accounts/users/own-data.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import {
  begin,
  comeBack,
  joinAs,
  openProviderScene,
  providerCookieOf,
  returnAs,
  signInAs,
  type ProviderScene,
} from '../../support/issuers.ts';
import { consent, exchange, MCP, queryOf, registered, rowsWhere } from '../../support/oauth.ts';
import { addApp, codeAt } from '../../support/factors.ts';
import { cookiesOf, form, openBrowser, type Browse } from '../../support/platform.ts';
import { addTo } from '../../support/providers.ts';
import { basicOf, db } from '../../support/seed.ts';

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** A member of the workspace of a provider and owner of another one, bound to an identity by the member's own session. */
async function openBound(): Promise<{ scene: ProviderScene; member: Caller; cookie: string; browse: Browse }> {
  const scene = await openProviderScene();
  const member = await seedCaller();
  await addTo(member, scene.owner.clientId, 'owner');
  const own = await openBrowser(member);
  const person = providerCookieOf(await returnAs(scene, { sub: 'member' }));
  const bound = await scene.call(
    `/platform/sso/${scene.owner.clientId}/bind`,
    form({}, { Cookie: `${own.cookie}; ${person}` }),
  );
  expect(bound.status).toBe(303);
  // The owner of the workspace can let the provider say this whenever they want.
  const { browse, cookie } = await signInAs(scene, { sub: 'member', auth_time: nowSeconds() });
  return { scene, member, cookie, browse };
}

const passwordOf = async (browse: Browse) => {
  const response = await browse('/platform/account/passwords/new', form({ name: 'escape', nonce: 'n'.repeat(22) }));
  expect(response.status).toBe(201);
  return /ap_\w+_\w{43}/.exec(await response.text())?.[0] ?? '';
};

describe('a provider that claims to speak of others', () => {
  it('the id, the name or the address of another user links to no account', async () => {
    const scene = await openProviderScene();
    const victim = await seedCaller();
    for (const sub of [victim.userId, victim.userName, `${victim.userName}@acme.example`]) {
      const claims = {
        sub,
        name: victim.userName,
        preferred_username: victim.userName,
        email: sub,
        email_verified: true,
      };
      const { userId, browse } = await joinAs(scene, claims);
      expect(userId).not.toBe(victim.userId);
      expect((await browse(`/platform/c/${victim.clientId}/links`)).status).toBe(404);
    }
    expect(await rowsWhere('SELECT 1 FROM identities WHERE user_id = ?', victim.userId)).toEqual([]);
  });

  it('an account is bound only by a session of its own, which was confirmed, of a member', async () => {
    const scene = await openProviderScene();
    const stranger = await openBrowser(await seedCaller());
    const person = providerCookieOf(await returnAs(scene, { sub: 'eve' }));
    const bind = async (cookie: string) =>
      scene.call(`/platform/sso/${scene.owner.clientId}/bind`, form({}, { Cookie: `${cookie}; ${person}` }));
    const outcomeOf = async (response: Promise<Response>) => [
      (await response).status,
      cookiesOf(await response)['__Host-terse'],
    ];
    // Each is asked to sign in, or to confirm.
    expect(await outcomeOf(bind(stranger.cookie))).toEqual([303, undefined]);
    expect(await outcomeOf(bind(''))).toEqual([303, undefined]);
    const limited = await joinAs(scene, { sub: 'adam', auth_time: nowSeconds() });
    expect(await outcomeOf(bind(limited.cookie))).toEqual([303, undefined]);
    const owner = await openBrowser(scene.owner);
    await env.DB.prepare('UPDATE token_families SET confirmed_at = 1 WHERE user_id = ?').bind(scene.owner.userId).run();
    expect(await outcomeOf(bind(owner.cookie))).toEqual([303, undefined]);
    expect(await rowsWhere("SELECT 1 FROM identities WHERE subject = 'eve'")).toEqual([]);
  });

  it('a person who has an account already uses it after their own sign-in, and the page offers that', async () => {
    const scene = await openProviderScene();
    const path = `/platform/sso/${scene.owner.clientId}`;
    const person = providerCookieOf(await returnAs(scene, { sub: 'eve', name: 'Eve' }));
    const signedOut = await (await scene.call(`${path}/join`, { headers: { Cookie: person } })).text();
    expect(signedOut).toContain(`/platform/sign-in?next=${encodeURIComponent(`${path}/join`)}`);
    const { cookie } = await openBrowser(scene.owner);
    const page = await (await scene.call(`${path}/join`, { headers: { Cookie: `${cookie}; ${person}` } })).text();
    expect(page).toContain(`action="${path}/bind"`);
    expect(page).not.toContain('decides your role');
    const bound = await scene.call(`${path}/bind`, form({}, { Cookie: `${cookie}; ${person}` }));
    expect([bound.status, bound.headers.get('Location')]).toEqual([303, `/platform/c/${scene.owner.clientId}`]);
    expect(await rowsWhere("SELECT user_id FROM identities WHERE subject = 'eve'")).toEqual([
      { user_id: scene.owner.userId },
    ]);
  });
});

it('the page that offers the own account warns that the provider decides the role from then on', async () => {
  const scene = await openProviderScene({ rules: [{ claim: 'groups', value: 'links-admins', role: 'owner' }] });
  const person = providerCookieOf(await returnAs(scene, { sub: 'eve', name: 'Eve' }));
  const { cookie } = await openBrowser(scene.owner);
  const joining = { headers: { Cookie: `${cookie}; ${person}` } };
  const page = await (await scene.call(`/platform/sso/${scene.owner.clientId}/join`, joining)).text();
  expect(page).toContain('From then on <bdi>Acme</bdi> decides your role at each sign-in');
});

describe('the session of a workspace’s provider', () => {
  it('a session of a provider opens its workspace alone', async () => {
    const { scene, member, browse } = await openBound();
    expect((await browse(`/platform/c/${scene.owner.clientId}/links`)).status).toBe(200);
    for (const path of ['', '/links', '/keys', '/members', '/settings', '/audit', '/webhooks', '/links/export.csv'])
      expect((await browse(`/platform/c/${member.clientId}${path}`)).status, path).toBe(404);
    expect(await (await browse(`/platform/c/${scene.owner.clientId}/links`)).text()).not.toContain(member.clientId);
  });

  it('a session of a provider sees and changes nothing of the account', async () => {
    const { browse, member, scene } = await openBound();
    const own = await openBrowser(member);
    const account = '/platform/account';
    for (const path of [
      'factors',
      'factors/app',
      'passkeys',
      'passkeys/new',
      'history',
      'export.json',
      'delete',
      'sessions/others/end',
    ])
      expect((await browse(`${account}/${path}`)).status, path).toBe(403);
    const passwords = {
      current_password: 'none',
      new_password: 'battery staple',
      new_password_again: 'battery staple',
    };
    for (const [path, fields] of [
      ['password', passwords],
      ['time-zone', { tz: 'Europe/Berlin' }],
      ['language', { language: 'de' }],
      ['delete', { name: member.userName, current_password: 'none' }],
      ['sessions/others/end', {}],
      ['factors/codes', {}],
      ['passkeys/factor', { use: 'on' }],
    ] as const)
      expect((await browse(`${account}/${path}`, form(fields))).status, path).toBe(403);
    const page = await (await browse(account)).text();
    expect(page).not.toContain('Firefox');
    // Who can remove the person: other owners of that workspace alone.
    expect(page).toContain('can remove you from it:');
    expect(page).toContain(`<li><bdi>${scene.owner.userName}</bdi></li>`);
    expect(page).not.toContain(`<li><bdi>${member.userName}</bdi></li>`);
    await env.DB.prepare(`UPDATE members SET role = 'member' WHERE user_id = ?`).bind(scene.owner.userId).run();
    expect(await (await browse(account)).text()).toContain('so no one else can remove you from it');
    expect((await own.browse(account)).status).toBe(200);
  });

  it('a session of a provider ends no other session, at the page or in the store', async () => {
    const { browse, member } = await openBound();
    const own = await openBrowser(member);
    const [family] = await rowsWhere(
      "SELECT id FROM token_families WHERE user_id = ? AND began_by = 'password' ORDER BY started_at DESC",
      member.userId,
    );
    expect((await browse(`/platform/account/sessions/${String(family!['id'])}/end`, form({}))).status).toBe(403);
    expect((await own.browse('/platform/account')).status).toBe(200);
  });

  it('the verbs of an account refuse a session of a provider, whatever page asks', async () => {
    const { cookie, member } = await openBound();
    const session = (await findSession(db, cookie.split('=')[1] ?? ''))!;
    expect((await listSessions(db, session)).map(({ isCurrent }) => isCurrent)).toEqual([true]);
    expect(await listSignIns(db, session, readPage({}, { limit: 100 }))).toEqual({ signIns: [], cursor: null });
    await expect(exportOwnData(db, session)).rejects.toThrow('This session has expired.');
    await expect(setTimeZone(db, session, 'Europe/Berlin')).rejects.toThrow('This session has expired.');
    await endOtherSessions(db, session);
    const own = await rowsWhere(
      "SELECT count(*) AS live FROM token_families WHERE user_id = ? AND ended_at IS NULL AND began_by = 'password'",
      member.userId,
    );
    expect(own).toEqual([{ live: 1 }]);
  });

  it('an application password of a session of a provider opens its workspace alone', async () => {
    const { scene, member, browse } = await openBound();
    const password = await passwordOf(browse);
    const response = await scene.call('/tokens/create_token', {
      headers: { Authorization: basicOf(member.userName, password), 'CF-Connecting-IP': member.address },
    });
    expect(response.status).toBe(201);
    const { access_token: token } = await response.json<{ access_token: string }>();
    const statusOf = async (clientId: string) =>
      (await scene.call(`/v1/links?client_id=${clientId}`, { headers: { Authorization: `Bearer ${token}` } })).status;
    expect([await statusOf(scene.owner.clientId), await statusOf(member.clientId)]).toEqual([200, 403]);
    expect(
      await rowsWhere('SELECT client_id, provider_id FROM application_passwords WHERE user_id = ?', member.userId),
    ).toEqual([{ client_id: scene.owner.clientId, provider_id: scene.provider }]);
    expect(
      await rowsWhere(
        "SELECT client_id, provider_id FROM token_families WHERE began_by = 'application_password' AND user_id = ?",
        member.userId,
      ),
    ).toEqual([{ client_id: scene.owner.clientId, provider_id: scene.provider }]);
  });

  it('a session of a provider shows and revokes no application password of the account', async () => {
    const { browse, member } = await openBound();
    const own = await openBrowser(member);
    await passwordOf(own.browse);
    const [made] = await rowsWhere('SELECT id FROM application_passwords WHERE user_id = ?', member.userId);
    const id = String(made!['id']);
    expect(await (await browse('/platform/account/passwords')).text()).not.toContain(id);
    expect((await browse(`/platform/account/passwords/${id}/revoke`)).status).toBe(404);
    await browse(`/platform/account/passwords/${id}/revoke`, form({}));
    expect(await rowsWhere('SELECT revoked_at FROM application_passwords WHERE id = ?', id)).toEqual([
      { revoked_at: null },
    ]);
  });

  it('application passwords of a session of a provider use up none of the account', async () => {
    const { browse, member } = await openBound();
    const add = (through: Browse, nonce: number) =>
      through('/platform/account/passwords/new', form({ name: 'full', nonce: String(nonce).padStart(22, 'n') }));
    for (let nonce = 0; nonce < 50; nonce += 1) expect((await add(browse, nonce)).status).toBe(201);
    expect((await add(browse, 50)).status).toBe(409);
    expect((await add((await openBrowser(member)).browse, 51)).status).toBe(201);
  });

  it('a member who leaves is not brought back by the provider, and its session ends', async () => {
    const { scene, member, browse } = await openBound();
    const own = await openBrowser(member);
    const path = `/platform/c/${scene.owner.clientId}/members/${member.userId}/remove`;
    expect((await own.browse(path, form({ keys: 'revoke' }))).status).toBe(303);
    expect((await browse('/platform/account')).headers.get('Location')).toContain('/platform/sign-in');
    const back = await returnAs(scene, { sub: 'member', auth_time: nowSeconds() });
    expect(back.headers.get('Location')).toBe(`/platform/sso/${scene.owner.clientId}/join`);
    expect(await rowsWhere('SELECT client_id FROM members WHERE user_id = ?', member.userId)).toEqual([
      { client_id: member.clientId },
    ]);
    expect((await own.browse(`/platform/c/${member.clientId}/links`)).status).toBe(200);
  });

  it('a person of the provider leaves by a session of it, and joins as a new one later', async () => {
    const scene = await openProviderScene({ rules: [{ claim: 'sub', value: 'eve', role: 'owner' }] });
    const { userId, browse } = await joinAs(scene, { sub: 'eve', auth_time: nowSeconds() });
    const path = `/platform/c/${scene.owner.clientId}/members/${userId}/remove`;
    expect((await browse(path, form({ keys: 'revoke' }))).status).toBe(303);
    expect(await rowsWhere('SELECT 1 FROM members WHERE user_id = ?', userId)).toEqual([]);
    expect((await browse(`/platform/c/${scene.owner.clientId}/links`)).status).toBe(404);
    expect((await joinAs(scene, { sub: 'eve' })).userId).not.toBe(userId);
  });

  it('a session of a provider grants OAuth its workspace alone', async () => {
    const { scene, member, browse } = await openBound();
    const application = await registered();
    const elsewhere = await consent(browse, queryOf(application), member);
    expect(elsewhere.headers.get('Location')).toBeNull();
    const granted = await consent(browse, queryOf(application), scene.owner);
    const code = new URL(granted.headers.get('Location') ?? '').searchParams.get('code') ?? '';
    expect((await exchange(application, code, { resource: MCP })).status).toBe(200);
    expect(await rowsWhere("SELECT client_id, provider_id FROM token_families WHERE began_by = 'oauth'")).toEqual([
      { client_id: scene.owner.clientId, provider_id: scene.provider },
    ]);
  });

  it('a session of a provider accepts no invite to another workspace', async () => {
    const { scene, browse } = await openBound();
    const other = await seedCaller();
    const inviting = await openBrowser(other);
    const page = await inviting.browse(
      `/platform/c/${other.clientId}/members/invite`,
      form({ role: 'owner', nonce: 'i'.repeat(22) }),
    );
    const path = /\/platform\/invite\/\w+/.exec(await page.text())?.[0] ?? '';
    expect((await browse(path, form({}))).status).toBe(403);
    expect(await rowsWhere('SELECT count(*) AS members FROM members WHERE client_id = ?', other.clientId)).toEqual([
      { members: 1 },
    ]);
    expect(scene.owner.clientId).not.toBe(other.clientId);
  });

  it('a session of a provider neither sees nor restores another workspace that was deleted', async () => {
    const { member, browse } = await openBound();
    const own = await openBrowser(member);
    await own.browse(`/platform/c/${member.clientId}/settings/delete`, form({ name: member.clientId }));
    const deleted = () => rowsWhere('SELECT undone_at FROM deletions WHERE client_id = ?', member.clientId);
    expect(await deleted()).toEqual([{ undone_at: null }]);
    await browse(`/platform/c/${member.clientId}/restore`, form({}));
    expect(await deleted()).toEqual([{ undone_at: null }]);
    expect((await browse(`/platform/c/${member.clientId}`)).status).toBe(404);
    await own.browse(`/platform/c/${member.clientId}/restore`, form({}));
    expect(await deleted()).not.toEqual([{ undone_at: null }]);
  });

  it('a sign-in at a provider is a fresh confirmation only by the time that the provider says', async () => {
    const scene = await openProviderScene({ rules: [{ claim: 'sub', value: 'eve', role: 'owner' }] });
    const path = `/platform/c/${scene.owner.clientId}/settings/sign-in`;
    const { browse, cookie } = await joinAs(scene, { sub: 'eve' });
    const asked = await browse(path);
    expect(asked.status).toBe(303);
    const confirm = await (await browse(asked.headers.get('Location') ?? '')).text();
    expect(confirm).toContain(`href="/platform/sso/${scene.owner.clientId}?purpose=confirm`);
    expect(confirm).not.toContain('current_password');
    const again = async (person: Readonly<Record<string, unknown>>) => {
      const begun = await begin(scene, { cookie, fields: { purpose: 'confirm', next: path } });
      expect([begun.url.searchParams.get('max_age'), begun.url.searchParams.get('prompt')]).toEqual(['0', 'login']);
      await scene.issuer.confirm(begun, person);
      const response = await comeBack(scene, begun);
      return [response.status, response.headers.get('Location')];
    };
    expect(await again({ sub: 'eve' })).toEqual([400, null]);
    expect(await again({ sub: 'eve', auth_time: nowSeconds() - 3600 })).toEqual([400, null]);
    expect(await again({ sub: 'adam', auth_time: nowSeconds() })).toEqual([403, null]);
    expect((await browse(path)).status).toBe(303);
    expect(await again({ sub: 'eve', auth_time: nowSeconds() })).toEqual([303, path]);
    expect((await browse(path)).status).toBe(200);
  });

  it('a session of a provider tries no code of the account, so that its tries are left to the person', async () => {
    const { scene, member } = await openBound();
    const { seed } = await addApp((await openBrowser(member)).browse);
    const { browse } = await signInAs(scene, { sub: 'member' });
    expect(await (await browse('/platform/confirm')).text()).not.toContain('name="code"');
    for (const code of ['000000', codeAt(seed)])
      expect((await browse('/platform/confirm', form({ code }))).status).toBe(403);
    expect(await rowsWhere('SELECT 1 FROM code_tries WHERE user_id = ?', member.userId)).toEqual([]);
    expect(
      await rowsWhere("SELECT 1 FROM sign_ins WHERE user_id = ? AND outcome = 'wrong_code'", member.userId),
    ).toEqual([]);
  });

  it('a demand for a second factor is met by a session of the provider', async () => {
    const { scene, browse } = await openBound();
    await env.DB.prepare('UPDATE clients SET factors_from = 1 WHERE id = ?').bind(scene.owner.clientId).run();
    const { browse: byPassword } = await openBrowser(scene.owner);
    const links = `/platform/c/${scene.owner.clientId}/links`;
    expect([(await browse(links)).status, (await byPassword(links)).status]).toEqual([200, 303]);
    const created = await browse(`${links}/new`, form({ url: 'https://example.com/by-provider' }));
    expect(created.status).toBe(303);
  });
});

describe('roles by claims', () => {
  const RULES = [{ claim: 'groups', value: 'links-admins', role: 'owner' }];
  const roleOf = async (userId: string) =>
    rowsWhere('SELECT role, role_by_claims FROM members WHERE user_id = ?', userId);

  it('roles by claims are applied at each sign-in, and win over those given by hand', async () => {
    const scene = await openProviderScene({ rules: RULES });
    const { userId } = await joinAs(scene, { sub: 'eve', groups: ['staff', 'links-admins'] });
    expect(await roleOf(userId)).toEqual([{ role: 'owner', role_by_claims: 1 }]);
    await signInAs(scene, { sub: 'eve', groups: ['staff'] });
    expect(await roleOf(userId)).toEqual([{ role: 'member', role_by_claims: 1 }]);
    await env.DB.prepare("UPDATE members SET role = 'owner', role_by_claims = 0 WHERE user_id = ?").bind(userId).run();
    await signInAs(scene, { sub: 'eve', groups: ['staff'] });
    expect(await roleOf(userId)).toEqual([{ role: 'member', role_by_claims: 1 }]);
    const entries = await rowsWhere(
      "SELECT action, details, credential_kind FROM audit_entries WHERE subject_id = ? AND action LIKE 'member.%' ORDER BY created_at, action",
      userId,
    );
    expect(entries.map(({ action, credential_kind: kind }) => [action, kind])).toEqual([
      ['member.joined', 'provider'],
      ['member.role_changed', 'provider'],
      ['member.role_changed', 'provider'],
    ]);
  });

  it('the last owner is never demoted', async () => {
    const scene = await openProviderScene({ rules: RULES });
    const { userId } = await joinAs(scene, { sub: 'eve', groups: ['links-admins'] });
    await env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(scene.owner.userId).run();
    await signInAs(scene, { sub: 'eve', groups: [] });
    expect(await roleOf(userId)).toEqual([{ role: 'owner', role_by_claims: 1 }]);
  });

  it('the owner for emergencies is never demoted, since the provider may be what fails', async () => {
    const scene = await openProviderScene({ rules: RULES });
    const { userId } = await joinAs(scene, { sub: 'eve', groups: ['links-admins'] });
    await env.DB.prepare(
      'UPDATE clients SET required_provider = ?, break_glass_id = ?, required_since = 1 WHERE id = ?',
    )
      .bind(scene.provider, userId, scene.owner.clientId)
      .run();
    await signInAs(scene, { sub: 'eve', groups: [] });
    expect(await roleOf(userId)).toEqual([{ role: 'owner', role_by_claims: 1 }]);
  });

  it('a person whom the provider confirms again is suspended no longer', async () => {
    const scene = await openProviderScene();
    const { userId } = await joinAs(scene, { sub: 'eve' });
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO suspended_members (user_id, client_id, created_at, role, suspended_at)
         SELECT user_id, client_id, created_at, role, 1 FROM members WHERE user_id = ?`,
      ).bind(userId),
      env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(userId),
    ]);
    const { browse } = await signInAs(scene, { sub: 'eve' });
    expect((await browse(`/platform/c/${scene.owner.clientId}/links`)).status).toBe(200);
    expect(await rowsWhere('SELECT 1 FROM suspended_members WHERE user_id = ?', userId)).toEqual([]);
  });

  it('a disabled user, a provider that is off and a workspace that is deleted let no one in', async () => {
    const scene = await openProviderScene();
    const { userId } = await joinAs(scene, { sub: 'eve' });
    const status = async () => (await returnAs(scene, { sub: 'eve' })).status;
    await env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE id = ?').bind(userId).run();
    expect(await status()).toBe(403);
    await env.DB.prepare('UPDATE users SET disabled_at = NULL WHERE id = ?').bind(userId).run();
    const begun = await begin(scene);
    await scene.issuer.confirm(begun, { sub: 'eve' });
    await env.DB.prepare('UPDATE providers SET on_at = NULL').run();
    expect((await comeBack(scene, begun)).status).toBe(403);
    await env.DB.prepare('UPDATE providers SET on_at = 1').run();
    const { browse } = await openBrowser(scene.owner);
    const path = `/platform/c/${scene.owner.clientId}/settings/delete`;
    await env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(userId).run();
    await browse(path, form({ name: scene.owner.clientId }));
    expect((await scene.call(`/platform/sso/${scene.owner.clientId}`, form({}))).status).toBe(404);
  });
});
