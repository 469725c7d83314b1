import { env } from 'cloudflare:workers';
import { exportJWK, generateKeyPair, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  APPLICATION,
  begin,
  comeBack,
  joinAs,
  openProviderScene,
  providerCookieOf,
  returnAs,
  type ScriptedIssuer,
  seedProvider,
  type Deviation,
} from '../../support/issuers.ts';
import { rowsWhere } from '../../support/oauth.ts';
import { cookiesOf, form, openBrowser } from '../../support/platform.ts';
import { giveFactor, openSession } from '../../support/providers.ts';
import { seedCaller } from '../../support/forms.ts';
import { shareOf } from '../../support/share.ts';

const EVE = { sub: 'eve', name: 'Eve Adams', email: 'eve@acme.example' };
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('a sign-in at the provider of a workspace', () => {
  it('a sign-in at a provider sends the browser there with PKCE, a state and a nonce', async () => {
    const scene = await openProviderScene({ scope: 'openid email groups' });
    const { url, cookie } = await begin(scene);
    const { state, nonce, code_challenge: challenge, ...others } = Object.fromEntries(url.searchParams);
    expect(url.href.startsWith(`${scene.issuer.issuer}/authorize?`)).toBe(true);
    expect(others).toEqual({
      response_type: 'code',
      client_id: APPLICATION,
      redirect_uri: `https://terse.test/platform/sso/${scene.owner.clientId}/callback`,
      scope: 'openid email groups',
      code_challenge_method: 'S256',
    });
    for (const random of [state, nonce, challenge]) expect(random).toMatch(/^[\w-]{43}$/);
    expect(cookie).toMatch(/^__Host-terse-provider=./);
  });

  it('a person who signs in for the first time joins as a new user of the workspace', async () => {
    const scene = await openProviderScene();
    const { browse, userId, familyId } = await joinAs(scene, EVE);
    expect(await rowsWhere('SELECT client_id, role, role_by_claims FROM members WHERE user_id = ?', userId)).toEqual([
      { client_id: scene.owner.clientId, role: 'member', role_by_claims: 0 },
    ]);
    const [family] = await rowsWhere('SELECT * FROM token_families WHERE id = ?', familyId);
    expect(family).toEqual(
      expect.objectContaining({
        began_by: 'provider',
        begun_with: scene.provider,
        provider_id: scene.provider,
        client_id: scene.owner.clientId,
        ends_at: Number(family!['started_at']) + 8 * 3600 * 1000,
      }),
    );
    expect((await rowsWhere('SELECT name FROM users WHERE id = ?', userId))[0]).toEqual({ name: userId });
    const overview = await browse(`/platform/c/${scene.owner.clientId}/links`);
    expect(overview.status).toBe(200);
    expect(await overview.text()).toContain('Eve Adams');
    // Owners find them by the name that the provider gives; the page of the member has both names.
    const owner = await openBrowser(scene.owner);
    const members = `/platform/c/${scene.owner.clientId}/members`;
    for (const path of [members, `${members}?q=adams`]) {
      const list = await (await owner.browse(path)).text();
      expect(list).toContain(`href="${members}/${userId}"><bdi>Eve Adams</bdi></a>`);
      expect(list).not.toContain(`${userId}</bdi>`);
    }
    const member = await (await owner.browse(`${members}/${userId}`)).text();
    expect(member).toContain('<h1>Eve Adams</h1>');
    expect(member).toContain(`<bdi dir="ltr">${userId}</bdi>`);
  });

  it('a person who has signed in before is the same user, by the name that the provider gives now', async () => {
    const scene = await openProviderScene();
    const { userId } = await joinAs(scene, EVE);
    const again = await returnAs(scene, { ...EVE, name: 'Eve Baker' });
    expect([again.status, again.headers.get('Location')]).toEqual([303, `/platform/c/${scene.owner.clientId}`]);
    expect(await rowsWhere('SELECT user_id, name FROM identities WHERE provider_id = ?', scene.provider)).toEqual([
      { user_id: userId, name: 'Eve Baker' },
    ]);
  });

  it('a session of a provider replaces an earlier one of the browser', async () => {
    const scene = await openProviderScene();
    const first = await joinAs(scene, EVE);
    const begun = await begin(scene, { cookie: first.cookie });
    await scene.issuer.confirm(begun, EVE);
    await comeBack(scene, begun);
    expect((await first.browse('/platform')).headers.get('Location')).toBe('/platform/sign-in');
  });
});

const WRONG: Readonly<Record<string, (issuer: ScriptedIssuer) => Deviation | Promise<Deviation>>> = {
  'another nonce': () => ({ claims: { nonce: 'another' } }),
  'no nonce': () => ({ claims: { nonce: undefined } }),
  'another issuer': () => ({ claims: { iss: 'https://accounts.google.com' } }),
  'the issuer with a slash': ({ issuer }) => ({ claims: { iss: `${issuer}/` } }),
  'another audience': () => ({ claims: { aud: 'another' } }),
  'several audiences without azp': () => ({ claims: { aud: [APPLICATION, 'another'] } }),
  'another azp': () => ({ claims: { azp: 'another' } }),
  'no subject': () => ({ claims: { sub: undefined } }),
  'an empty subject': () => ({ claims: { sub: '' } }),
  'a subject that is a number': () => ({ claims: { sub: 7 } }),
  'a subject with a control character': () => ({ claims: { sub: 'eve\u0000' } }),
  'a subject with half a character': () => ({ claims: { sub: 'eve\uD800' } }),
  'no expiry': () => ({ claims: { exp: undefined } }),
  'an expiry three minutes ago': () => ({ claims: { iat: nowSeconds() - 300, exp: nowSeconds() - 180 } }),
  'an issue in three minutes': () => ({ claims: { iat: nowSeconds() + 180, exp: nowSeconds() + 400 } }),
  'an issue an hour ago': () => ({ claims: { iat: nowSeconds() - 3600 } }),
  'no signature': () => ({
    token: new UnsecuredJWT({ ...EVE, aud: APPLICATION, iat: nowSeconds(), exp: nowSeconds() + 60 }).encode(),
  }),
  'a signature by the client secret': () => ({
    header: { alg: 'HS256', kid: undefined },
    key: new TextEncoder().encode('a secret'.repeat(8)),
  }),
  'a signature by another key': async () => ({ key: (await generateKeyPair('RS256')).privateKey }),
  'a signature by an unknown key': async () => ({
    key: (await generateKeyPair('RS256')).privateKey,
    header: { kid: 'unknown' },
  }),
  'no token at all': () => ({ token: 'x' }),
};

describe('a response of a provider that does not hold', () => {
  it.each(shareOf(Object.entries(WRONG)))('an ID token with %s signs no one in', async (_, deviationOf) => {
    const scene = await openProviderScene();
    const response = await returnAs(scene, EVE, await deviationOf(scene.issuer));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('The response of the identity provider is not valid');
    expect(cookiesOf(response)['__Host-terse']).toBeUndefined();
    expect(await rowsWhere('SELECT 1 FROM identities WHERE provider_id = ?', scene.provider)).toEqual([]);
  });

  it.each([
    ['whose modulus is a number', { n: 5 }],
    ['that is too short', { n: 'AAAA' }],
    ['without an exponent', { e: '' }],
  ])('a key %s signs no one in', async (_, changes) => {
    const scene = await openProviderScene();
    const jwk = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey);
    await scene.issuer.script('/keys', { body: JSON.stringify({ keys: [{ ...jwk, ...changes }] }) });
    const response = await returnAs(scene, EVE, { header: { kid: undefined } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('The response of the identity provider is not valid');
  });

  it('the clock of a provider may differ by a minute, to either side', async () => {
    const scene = await openProviderScene();
    const late = { claims: { iat: nowSeconds() - 400, exp: nowSeconds() - 60 } };
    const early = { claims: { iat: nowSeconds() + 60, exp: nowSeconds() + 400 } };
    for (const deviation of [late, early]) expect((await returnAs(scene, EVE, deviation)).status).toBe(303);
  });

  it('a key that the provider has published since the last sign-in is read, but keys are not read for each unknown one', async () => {
    const scene = await openProviderScene();
    expect((await returnAs(scene, EVE)).status).toBe(303);
    await scene.issuer.rotate();
    expect((await returnAs(scene, EVE)).status).toBe(303);
    // The keys were read for an unknown one a moment ago.
    await scene.issuer.rotate();
    expect((await returnAs(scene, EVE)).status).toBe(400);
    expect(await scene.issuer.requestsTo('/keys')).toBe(2);
  });

  it('a state works once, in the browser that was sent, and for the provider to which it was sent', async () => {
    const scene = await openProviderScene();
    const begun = await begin(scene);
    await scene.issuer.confirm(begun, EVE);
    const stale = async (response: Promise<Response>) => [
      (await response).status,
      (await (await response).clone().text()).includes('This sign-in is over'),
    ];
    const other = await begin(scene);
    expect(await stale(comeBack(scene, { ...begun, cookie: '' }))).toEqual([400, true]);
    expect(await stale(comeBack(scene, { ...begun, cookie: other.cookie }))).toEqual([400, true]);
    expect(await stale(comeBack(scene, { ...begun, cookie: `${begun.cookie}x` }))).toEqual([400, true]);
    expect(await stale(comeBack(scene, begun, { state: 'another' }))).toEqual([400, true]);
    expect((await comeBack(scene, begun)).status).toBe(303);
    expect(await stale(comeBack(scene, begun))).toEqual([400, true]);
  });

  it('a person joins once by one response of the provider, which later may no longer hold', async () => {
    const scene = await openProviderScene();
    const cookie = providerCookieOf(await returnAs(scene, EVE));
    const join = async () =>
      (await scene.call(`/platform/sso/${scene.owner.clientId}/join`, form({}, { Cookie: cookie }))).status;
    expect(await join()).toBe(303);
    await env.DB.prepare("UPDATE identities SET refused_at = 5, confirmed_at = 1 WHERE subject = 'eve'").run();
    expect(await join()).toBe(400);
    expect(await rowsWhere('SELECT confirmed_at FROM identities WHERE provider_id = ?', scene.provider)).toEqual([
      { confirmed_at: 1 },
    ]);
  });

  it('a response comes by the query alone', async () => {
    const scene = await openProviderScene();
    const response = await scene.call(`/platform/sso/${scene.owner.clientId}/callback`, {
      method: 'POST',
      headers: { Origin: 'https://terse.test' },
    });
    expect(response.status).toBe(405);
  });

  it('the response of one issuer is none of another: neither by its path nor by its iss', async () => {
    const [honest, attacker] = await Promise.all([openProviderScene(), openProviderScene()]);
    const begun = await begin(attacker);
    // The honest provider sends the browser to its own redirect URI.
    expect((await comeBack({ ...honest, call: attacker.call }, begun)).status).toBe(400);
    const again = await begin(attacker);
    await attacker.issuer.confirm(again, EVE);
    expect((await comeBack(attacker, again, { iss: honest.issuer.issuer })).status).toBe(400);
    expect(await attacker.issuer.requestsTo('/token')).toBe(0);
  });

  it('a provider that promises to name itself in responses has to', async () => {
    const scene = await openProviderScene();
    await scene.issuer.describe({ authorization_response_iss_parameter_supported: true });
    const begun = await begin(scene);
    await scene.issuer.confirm(begun, EVE);
    expect((await comeBack(scene, begun)).status).toBe(400);
    const again = await begin(scene);
    await scene.issuer.confirm(again, EVE);
    expect((await comeBack(scene, again, { iss: scene.issuer.issuer })).status).toBe(303);
  });

  it('two workspaces at one issuer have identities of their own', async () => {
    const scene = await openProviderScene();
    const owner = await seedCaller();
    const provider = await seedProvider(owner, scene.issuer.issuer, { application: 'terse-elsewhere' });
    const other = { ...scene, owner, provider };
    const [one, two] = [await joinAs(scene, EVE), await joinAs(other, EVE)];
    expect(one.userId).not.toBe(two.userId);
    expect((await one.browse(`/platform/c/${owner.clientId}/links`)).status).toBe(404);
    // A token for the application of the other one.
    expect((await returnAs(other, EVE, { claims: { aud: APPLICATION } })).status).toBe(400);
  });
});

describe('several sign-ins of one browser', () => {
  const cookieOf = (response: Response) => `__Host-terse-provider=${cookiesOf(response)['__Host-terse-provider']?.[0]}`;

  it('sign-ins in two tabs both come back, whichever is first', async () => {
    const scene = await openProviderScene();
    await joinAs(scene, EVE);
    const first = await begin(scene);
    const second = await begin(scene, { cookie: first.cookie });
    const cookie = second.cookie.split('; ').at(-1) ?? '';
    await scene.issuer.confirm(first, EVE);
    const one = await comeBack(scene, { ...first, cookie });
    expect([one.status, one.headers.get('Location')]).toEqual([303, `/platform/c/${scene.owner.clientId}`]);
    await scene.issuer.confirm(second, EVE);
    expect((await comeBack(scene, { ...second, cookie: cookieOf(one) })).status).toBe(303);
    // Each is taken out of the cookie as it comes back.
    await scene.issuer.confirm(first, EVE);
    expect((await comeBack(scene, { ...first, cookie: cookieOf(one) })).status).toBe(400);
  });

  it('a response that belongs to no attempt leaves the others, and the cookie keeps the three newest', async () => {
    const scene = await openProviderScene();
    const all = [];
    let cookie = '';
    for (let tab = 0; tab < 4; tab += 1) {
      const begun = await begin(scene, { cookie });
      cookie = begun.cookie.split('; ').at(-1) ?? '';
      all.push(begun);
    }
    expect(cookie.length).toBeLessThan(4000);
    const [oldest, , , newest] = all;
    const stale = await comeBack(scene, { ...oldest!, cookie });
    expect([stale.status, await stale.text()]).toEqual([
      400,
      expect.stringContaining(`href="/platform/sso/${scene.owner.clientId}"`),
    ]);
    await scene.issuer.confirm(newest!, EVE);
    expect((await comeBack(scene, { ...newest!, cookie: cookieOf(stale) })).status).toBe(303);
  });

  it('a person who waits to join is kept while another tab begins a sign-in', async () => {
    const scene = await openProviderScene();
    const person = providerCookieOf(await returnAs(scene, EVE));
    const { cookie } = await begin(scene, { cookie: person });
    const at = `/platform/sso/${scene.owner.clientId}/join`;
    const joined = await scene.call(at, form({}, { Cookie: `${person}; ${cookie.split('; ').at(-1)}` }));
    expect(joined.headers.get('Location')).toBe(`/platform/c/${scene.owner.clientId}`);
    expect(cookiesOf(joined)['__Host-terse-person']?.[0]).toBe('');
    expect(cookiesOf(joined)['__Host-terse-provider']).toBeUndefined();
  });
});

describe('a provider that fails', () => {
  const FAILING: Readonly<Record<string, (issuer: ScriptedIssuer) => Promise<void>>> = {
    'its description is missing': (issuer) => issuer.script('/.well-known/openid-configuration', { status: 404 }),
    'its description is garbage': (issuer) => issuer.script('/.well-known/openid-configuration', { body: '<html>' }),
    'its description is too long': (issuer) =>
      issuer.script('/.well-known/openid-configuration', { body: JSON.stringify({ a: 'x'.repeat(300_000) }) }),
    'it has an error': (issuer) => issuer.script('/.well-known/openid-configuration', { status: 500, body: '{}' }),
    'it redirects': (issuer) =>
      issuer.script('/.well-known/openid-configuration', { status: 302, headers: { Location: '/' }, body: '{}' }),
    'it hangs': (issuer) => issuer.script('/.well-known/openid-configuration', { hangs: true }),
    'it names another issuer': (issuer) => issuer.describe({ issuer: 'https://accounts.google.com' }),
    'it is for all tenants': (issuer) =>
      issuer.describe({ issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }),
    'an endpoint is on an inner host': (issuer) => issuer.describe({ token_endpoint: 'https://10.0.0.1/token' }),
    'an endpoint runs a script': (issuer) => issuer.describe({ authorization_endpoint: 'javascript:alert(1)' }),
  };

  it.each(Object.entries(FAILING))('a provider is unavailable, and other ways in are open: %s', async (_, failing) => {
    const scene = await openProviderScene();
    await failing(scene.issuer);
    await expect(begin(scene)).rejects.toThrow(/begin answered 503.*href="\/platform\/sign-in"/s);
  });

  it.each([
    ['500', { status: 500, body: '{}' }, 503],
    ['garbage', { body: 'x' }, 503],
    ['a wrong client secret', { status: 401, body: '{"error":"invalid_client"}' }, 503],
    ['a code that it does not know', { status: 400, body: '{"error":"invalid_grant"}' }, 400],
  ])('a token endpoint that answers %s signs no one in', async (_, response, status) => {
    const scene = await openProviderScene();
    const begun = await begin(scene);
    await scene.issuer.script('/token', response);
    expect((await comeBack(scene, begun)).status).toBe(status);
  });

  it('a wrong client secret of a provider that alone opens the workspace leaves the way of the emergency owner', async () => {
    const scene = await openProviderScene();
    const { owner, provider } = scene;
    await giveFactor(owner);
    await env.DB.prepare(
      'UPDATE clients SET required_provider = ?, break_glass_id = ?, required_since = 1 WHERE id = ?',
    )
      .bind(provider, owner.userId, owner.clientId)
      .run();
    const begun = await begin(scene);
    await scene.issuer.script('/token', { status: 401, body: '{"error":"invalid_client"}' });
    expect((await comeBack(scene, begun)).status).toBe(503);
    const path = `/platform/c/${owner.clientId}`;
    expect((await (await openSession(owner, { beganBy: 'password' })).browse(path)).status).toBe(403);
    expect((await (await openSession(owner, { beganBy: 'app' })).browse(path)).status).toBe(200);
  });

  it('a person who stops at the provider, or has no access there, can sign in another way', async () => {
    const scene = await openProviderScene();
    const next = `/platform/c/${scene.owner.clientId}/links`;
    const response = await comeBack(scene, await begin(scene, { fields: { next } }), { error: 'access_denied' });
    expect(response.status).toBe(403);
    const page = await response.text();
    expect(page).toContain('href="/platform/sign-in"');
    expect(page).toContain(`href="/platform/sso/${scene.owner.clientId}?next=${encodeURIComponent(next)}"`);
  });

  it('the page before a sign-in is the same whether a workspace has a provider, none, or does not exist', async () => {
    const scene = await openProviderScene();
    const without = await seedCaller();
    const pageOf = async (id: string) =>
      (await (await scene.call(`/platform/sso/${id}`)).text()).replaceAll(id, 'ID').replaceAll(/\?v=\w+/g, '');
    expect(await pageOf('nowhere')).toBe(await pageOf(scene.owner.clientId));
    for (const id of ['nowhere', without.clientId])
      expect((await scene.call(`/platform/sso/${id}`, form({}))).status).toBe(404);
    expect(providerCookieOf(await scene.call('/platform/sso/nowhere', form({})))).toBe('__Host-terse-provider=');
  });
});
