import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { unseal } from '../../../src/secrets/sealing.ts';
import { seedCaller } from '../../support/forms.ts';
import { begin, comeBack, joinAs, openProviderScene, providerCookieOf, ScriptedIssuer } from '../../support/issuers.ts';
import { rowsWhere } from '../../support/oauth.ts';
import { browse as browseWith, form, openBrowser, type Browse } from '../../support/platform.ts';
import { addTo } from '../../support/providers.ts';
import { openWebhookIsolate, WEBHOOK_KEYS } from '../../support/webhook-owners.ts';

const SECRET = 'a client secret of the provider';
const FIELDS = {
  name: 'Acme',
  issuer: 'https://id.acme.example',
  client_id: 'terse',
  secret: SECRET,
  scope: 'openid email',
};

async function openSettings() {
  const owner = await seedCaller();
  const { cookie } = await openBrowser(owner);
  const call = openWebhookIsolate();
  return {
    owner,
    call,
    cookie,
    browse: browseWith(cookie, call),
    path: `/platform/c/${owner.clientId}/settings/sign-in`,
  };
}

const send = async (browse: Browse, path: string, fields: Readonly<Record<string, string>>) =>
  browse(path, form(fields));

describe('the settings of a workspace’s provider', () => {
  it('an owner sets up a provider, whose secret is sealed and never shown', async () => {
    const { owner, browse, path } = await openSettings();
    const empty = await (await browse(path)).text();
    expect(empty).toContain(`https://terse.test/platform/sso/${owner.clientId}/callback`);
    expect(
      (await send(browse, path, { ...FIELDS, roles: 'groups=links-admins → owner\nteam=Go -> member' })).status,
    ).toBe(303);
    const [row] = await rowsWhere('SELECT * FROM providers WHERE client_id = ?', owner.clientId);
    expect(row).toEqual(
      expect.objectContaining({
        issuer: FIELDS.issuer,
        application: 'terse',
        scope: 'openid email',
        on_at: null,
        roles: JSON.stringify([
          { claim: 'groups', value: 'links-admins', role: 'owner' },
          { claim: 'team', value: 'Go', role: 'member' },
        ]),
      }),
    );
    expect(await unseal(WEBHOOK_KEYS, String(row!['id']), String(row!['secret']))).toBe(SECRET);
    const page = await (await browse(path)).text();
    expect(page).toContain('groups=links-admins → owner');
    expect(page).not.toContain(SECRET);
    const audit = JSON.stringify(await rowsWhere('SELECT * FROM audit_entries WHERE client_id = ?', owner.clientId));
    expect(audit).toContain('provider.added');
    expect(audit).not.toContain(SECRET);
  });

  it.each([
    ['issuer', 'http://id.acme.example', 'must be a URL that begins with https://'],
    ['issuer', 'https://login.microsoftonline.com/{tenantid}/v2.0', 'must name one tenant'],
    ['issuer', 'https://login.microsoftonline.com/%7Btenantid%7D/v2.0', 'must name one tenant'],
    ['issuer', 'https://id.acme.example/?tenant=1', 'without a user, a query and a fragment'],
    ['scope', 'email', 'must be openid'],
    ['roles', 'groups', 'Each line must be a claim'],
    ['roles', 'groups=a → operator', 'Each line must be a claim'],
    ['secret', '', 'This is required.'],
    ['client_id', 'x'.repeat(501), 'must be at most 500 characters long'],
  ])('the field %s is refused as %s', async (field, value, sentence) => {
    const { browse, path } = await openSettings();
    const response = await send(browse, path, { ...FIELDS, roles: '', [field]: value });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(sentence);
  });

  it('a change keeps the secret and the identities, and another issuer is another provider', async () => {
    const { owner, browse, path } = await openSettings();
    await send(browse, path, { ...FIELDS, roles: '' });
    const rows = () =>
      rowsWhere(
        'SELECT id, secret, name, ended_at IS NOT NULL AS ended FROM providers WHERE client_id = ? ORDER BY created_at',
        owner.clientId,
      );
    const [first] = await rows();
    expect((await send(browse, path, { ...FIELDS, name: 'Acme Inc.', secret: '', roles: '' })).status).toBe(303);
    expect(await rows()).toEqual([{ ...first, name: 'Acme Inc.' }]);
    expect(
      (await send(browse, path, { ...FIELDS, issuer: 'https://new.acme.example', secret: '', roles: '' })).status,
    ).toBe(400);
    expect((await send(browse, path, { ...FIELDS, issuer: 'https://new.acme.example', roles: '' })).status).toBe(303);
    const ended = (await rows()).map(({ id, ended: isEnded, secret }) => [
      id === first!['id'],
      isEnded,
      secret === null,
    ]);
    expect(ended.toSorted(([, one], [, other]) => Number(one) - Number(other))).toEqual([
      [false, 0, false],
      [true, 1, true],
    ]);
  });

  it('a sign-in is tested before it is on, and shows the claims that came', async () => {
    const { owner, call, cookie, browse, path } = await openSettings();
    const issuer = await ScriptedIssuer.open();
    await send(browse, path, {
      ...FIELDS,
      issuer: issuer.issuer,
      scope: 'openid',
      roles: 'realm_access.roles=admin → owner',
    });
    const question = await browse(`${path}/test`);
    expect(question.headers.get('Content-Security-Policy')).toContain("form-action 'self' https:");
    const sent = await send(browse, `${path}/test`, {});
    expect(sent.status).toBe(303);
    const begun = { url: new URL(sent.headers.get('Location') ?? ''), cookie: `${cookie}; ${providerCookieOf(sent)}` };
    await issuer.confirm(begun, { sub: 'k-1', preferred_username: 'ann', realm_access: { roles: ['admin'] } });
    const page = await comeBack({ owner, call }, begun);
    expect(page.status).toBe(200);
    const text = await page.text();
    for (const shown of ['The sign-in works', 'realm_access', '&quot;admin&quot;', 'Owner', 'k-1'])
      expect(text).toContain(shown);
    expect(await rowsWhere('SELECT 1 FROM identities')).toEqual([]);
    // It opens no session, and nothing else begins while the provider is off.
    expect((await call(`/platform/sso/${owner.clientId}`, form({}))).status).toBe(404);
    expect((await send(browse, `${path}/on`, {})).status).toBe(303);
    expect((await call(`/platform/sso/${owner.clientId}`, form({}))).status).toBe(303);
  });

  it('a test that fails leads its owner back to the settings, within the pages of the workspace', async () => {
    const { owner, call, cookie, browse, path } = await openSettings();
    const issuer = await ScriptedIssuer.open();
    await send(browse, path, { ...FIELDS, issuer: issuer.issuer, roles: '' });
    const sent = await send(browse, `${path}/test`, {});
    const begun = { url: new URL(sent.headers.get('Location') ?? ''), cookie: `${cookie}; ${providerCookieOf(sent)}` };
    await issuer.script('/token', { status: 401, body: '{"error":"invalid_client"}' });
    const late = await comeBack({ owner, call }, begun);
    await send(browse, path, { ...FIELDS, issuer: `${issuer.issuer}/nowhere`, roles: '' });
    const early = await send(browse, `${path}/test`, {});
    for (const [failed, reason] of [
      [late, 'invalid_client'],
      [early, 'responded with status 404'],
    ] as const) {
      expect(failed.status).toBe(503);
      const page = await failed.text();
      for (const shown of [
        'The identity provider does not work with this service',
        reason,
        `href="${path}"`,
        `href="${path}/test"`,
        'you stay signed in',
        'Audit log',
      ])
        expect(page).toContain(shown);
      expect(page).not.toContain('Sign in another way');
    }
  });

  it('the page of the workspace says whether a provider is set up', async () => {
    const { owner, browse, call, cookie, path } = await openSettings();
    const settings = async () => (await browse(`/platform/c/${owner.clientId}/settings`)).text();
    expect(await settings()).toContain('Set up an identity provider');
    await send(browse, path, { ...FIELDS, roles: '' });
    await send(browse, `${path}/on`, {});
    expect(await settings()).toContain('Change the identity provider');
    const changed = await send(browse, path, { ...FIELDS, name: 'Acme Inc.', secret: '', roles: '' });
    const flash = changed.headers.get('Set-Cookie')?.split(';')[0] ?? '';
    const page = await (await call(path, { headers: { Cookie: `${cookie}; ${flash}` } })).text();
    // It is on already.
    expect(page).toContain('The identity provider is saved. Test the sign-in before members use it.');
  });

  it('a provider that is turned off or removed ends the sessions that began there, and others work on', async () => {
    for (const way of ['off', 'remove']) {
      const scene = await openProviderScene();
      const owner = await openBrowser(scene.owner);
      const { browse } = await joinAs(scene, { sub: 'eve' });
      const path = `/platform/c/${scene.owner.clientId}`;
      expect((await browse(`${path}/links`)).status).toBe(200);
      expect((await owner.browse(`${path}/settings/sign-in/${way}`, form({}))).status).toBe(303);
      expect((await browse(`${path}/links`)).headers.get('Location')).toContain('/platform/sign-in');
      expect((await owner.browse(`${path}/links`)).status).toBe(200);
      await expect(begin(scene)).rejects.toThrow('begin answered 404');
    }
  });

  it('a provider that alone opens the workspace is neither turned off, removed nor replaced', async () => {
    const scene = await openProviderScene();
    const { browse, cookie } = await joinAs(scene, { sub: 'eve', auth_time: Math.floor(Date.now() / 1000) });
    await env.DB.batch([
      env.DB.prepare("UPDATE members SET role = 'owner' WHERE client_id = ?").bind(scene.owner.clientId),
      env.DB.prepare('UPDATE clients SET required_provider = ? WHERE id = ?').bind(
        scene.provider,
        scene.owner.clientId,
      ),
    ]);
    expect(cookie).not.toBe('');
    const path = `/platform/c/${scene.owner.clientId}/settings/sign-in`;
    for (const [way, fields] of [
      ['/off', {}],
      ['/remove', {}],
      ['', { ...FIELDS, roles: '' }],
    ] as const)
      expect((await send(browse, `${path}${way}`, fields)).status, way).toBe(409);
    expect(await rowsWhere('SELECT on_at, ended_at FROM providers WHERE id = ?', scene.provider)).toEqual([
      { on_at: 1, ended_at: null },
    ]);
  });

  it('the settings are for owners who confirmed lately', async () => {
    const { owner, browse, call, path } = await openSettings();
    const member = await seedCaller();
    await addTo(member, owner.clientId);
    expect((await (await openBrowser(member)).browse(path)).status).toBe(403);
    await env.DB.prepare('UPDATE token_families SET confirmed_at = 1 WHERE user_id = ?').bind(owner.userId).run();
    expect((await browse(path)).headers.get('Location')).toContain('/platform/confirm');
    // A page that asks carries no secret.
    const typed = {
      typed_by: owner.userId,
      name: 'Keycloak',
      issuer: 'https://id.example',
      secret: 'not to be echoed',
    };
    const asked = await browse(path, form(typed));
    expect([asked.status, await asked.text()]).toEqual([303, '']);
    const signedOut = await browseWith('__Host-terse=none', call)(path, form(typed));
    const page = await signedOut.text();
    expect([signedOut.status, page.includes('https://id.example'), page.includes('not to be echoed')]).toEqual([
      401,
      true,
      false,
    ]);
    await send(browse, path, { ...FIELDS, roles: '' });
    expect(await rowsWhere('SELECT 1 FROM providers WHERE client_id = ?', owner.clientId)).toEqual([]);
  });
});
