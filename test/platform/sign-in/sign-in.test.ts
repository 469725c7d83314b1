import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { disableUser } from '../../../src/accounts/operator.ts';
import { newAddress } from '../../support/address.ts';
import { db, rowsOf, seedTenant } from '../../support/seed.ts';
import { call, openIsolate } from '../../support/service.ts';
import { withinOneWindow } from '../../support/sign-in.ts';
import { browse, cookiesOf, form, openBrowser, signInBy } from '../../support/platform.ts';
import { seedCaller } from '../../support/forms.ts';

const SESSION = /^[\w-]{43}$/;

describe('signing in', () => {
  it('signing in begins a session, whose cookie is for this host alone, and leads to the platform', async () => {
    const tenant = await seedTenant();
    const response = await signInBy(tenant, tenant.password);
    expect(response.status).toBe(303);
    expect(response.headers.get('Location')).toBe('/platform');
    expect(cookiesOf(response)).toEqual({
      '__Host-terse': [
        expect.stringMatching(SESSION),
        'HttpOnly',
        'Max-Age=2592000',
        'Path=/',
        'SameSite=Lax',
        'Secure',
      ],
    });
    const value = cookiesOf(response)['__Host-terse']?.[0] ?? '';
    const home = await browse(`__Host-terse=${value}`)('/platform');
    expect(home.headers.get('Location')).toBe(`/platform/c/${tenant.clientId}`);
    expect(JSON.stringify(await rowsOf('sessions'))).not.toContain(value);
  });

  it('signing in on plain http of a loopback name gives a cookie without Secure, of another name', async () => {
    const tenant = await seedTenant();
    const origin = 'http://localhost:8787';
    const init = form(
      { name: tenant.userName, password: tenant.password },
      { Origin: origin, 'CF-Connecting-IP': tenant.address },
    );
    const response = await call(`${origin}/platform/sign-in`, init);
    expect(cookiesOf(response)).toEqual({
      'terse-session': [expect.stringMatching(SESSION), 'HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'],
    });
    const plain = `terse-session=${cookiesOf(response)['terse-session']?.[0]}`;
    expect((await browse(plain)(`${origin}/platform/account`)).status).toBe(200);
    expect((await browse(plain)('/platform/account')).status).toBe(303);
  });

  it('signing in with a wrong password says so beside the field, and keeps the name alone', async () => {
    const tenant = await seedTenant();
    const response = await signInBy(tenant, 'a-wrong-guess');
    expect(response.status).toBe(401);
    expect(cookiesOf(response)).toEqual({});
    const page = await response.text();
    expect(page).toContain(`value="${tenant.userName}"`);
    expect(page).toContain('id="fault-password">The user name or the password is wrong.</p>');
    expect(page).toContain('aria-describedby="fault-password"');
    expect(page).not.toContain('a-wrong-guess');
  });

  it('signing in gives an unknown name, a disabled user and a wrong password the same response', async () => {
    const [tenant, disabled] = [await seedTenant(), await seedTenant()];
    await disableUser(db, disabled.userName);
    const pages = await Promise.all(
      [
        signInBy(tenant, 'wrong'),
        signInBy(disabled, disabled.password),
        signInBy({ userName: 'nobody-at-all', address: newAddress() }, 'wrong'),
      ].map(async (response) => [(await response).status, await (await response).text()] as const),
    );
    const alike = pages.map(([status, page]) => [status, page.replace(/value="[^"]*"/g, '')]);
    expect(new Set(alike.map((page) => JSON.stringify(page))).size).toBe(1);
    expect(alike[0]?.[0]).toBe(401);
  });

  it('signing in asks for what is missing beside its field', async () => {
    const response = await call('/platform/sign-in', form({ name: '', password: '' }));
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain('id="fault-name">This is required.</p>');
    expect(page).toContain('id="fault-password">This is required.</p>');
  });

  it('signing in is limited with Basic, and over the limit gives the form the time after which it can be sent again', async () => {
    const [response, retryAfter] = await withinOneWindow(async () => {
      const tenant = await seedTenant();
      for (let tries = 0; tries < 10; tries += 1) await signInBy(tenant, `guess ${tries}`);
      const { userName: name, password, address } = tenant;
      const headers = { 'CF-Connecting-IP': address, Referer: 'https://terse.test/platform/sign-in?next=%2Fplatform' };
      const response = await call('/platform/sign-in', form({ name, password }, headers));
      return [response, Number(response.headers.get('Retry-After'))] as const;
    });
    expect(response.status).toBe(429);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    const page = await response.text();
    expect(page).toContain('role="alert">Too many sign-in attempts. Wait a minute, then try again.</div>');
    expect(page).toMatch(/name="name"[^>]* value="user-/);
  });

  it('signing in never continues a session that was there before', async () => {
    const tenant = await seedTenant();
    const former = await openBrowser(tenant);
    const planted = 'a'.repeat(43);
    const response = await signInBy(tenant, tenant.password, { cookie: former.cookie });
    const value = cookiesOf(response)['__Host-terse']?.[0];
    expect(value).not.toBe(former.value);
    expect((await former.browse('/platform/account')).status).toBe(303);

    const fixed = await signInBy(tenant, tenant.password, { cookie: `__Host-terse=${planted}` });
    expect(cookiesOf(fixed)['__Host-terse']?.[0]).not.toBe(planted);
    expect((await browse(`__Host-terse=${planted}`)('/platform/account')).status).toBe(303);
  });

  it.each([
    ['/platform/account', '/platform/account'],
    ['/platform/c/acme/links?q=a%20b', '/platform/c/acme/links?q=a%20b'],
    ['/platform', '/platform'],
    ['https://evil.example/platform', '/platform'],
    ['//evil.example/platform', '/platform'],
    ['/\\evil.example/platform', '/platform'],
    ['/platform/../v1/links', '/platform'],
    ['/platform/..%2f..', '/platform/..%2f..'],
    ['/platformer', '/platform'],
    ['/some-slug', '/platform'],
    ['javascript:alert(1)', '/platform'],
    ['platform/account', '/platform'],
    ['', '/platform'],
  ])('signing in leads from next=%s to %s', async (next, path) => {
    const tenant = await seedTenant();
    const response = await signInBy(tenant, tenant.password, { next });
    expect(response.headers.get('Location')).toBe(path);
    const { browse } = await openBrowser(tenant);
    const already = await browse(`/platform/sign-in${next === '' ? '' : `?next=${encodeURIComponent(next)}`}`);
    expect([already.status, already.headers.get('Location')]).toEqual([303, path]);
  });

  it('signing in is where a page leads that asks for it, and leads back', async () => {
    const response = await call('/platform/account?x=1');
    expect(response.status).toBe(303);
    expect(response.headers.get('Location')).toBe('/platform/sign-in?next=%2Fplatform%2Faccount%3Fx%3D1');
    expect((await call('/platform')).headers.get('Location')).toBe('/platform/sign-in');
  });

  it('signing in is possible for a user of no client, and says what to do', async () => {
    const caller = await seedCaller();
    await env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(caller.userId).run();
    const { browse } = await openBrowser(caller);
    const response = await browse('/platform');
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain('You are not a member of a workspace yet');
    expect(page).toContain(`open it in this browser to join as <bdi>${caller.userName}</bdi>.`);
  });
});

describe('signing out', () => {
  it('signing out ends the session and clears the cookie', async () => {
    const { browse } = await openBrowser(await seedCaller());
    const response = await browse('/platform/sign-out', form({}));
    expect(response.status).toBe(303);
    expect(response.headers.get('Location')).toBe('/platform/sign-in');
    expect(cookiesOf(response)['__Host-terse']).toEqual([
      '',
      'HttpOnly',
      'Max-Age=0',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    expect((await browse('/platform/account')).status).toBe(303);
  });

  it('signing out without a session leads to the same place', async () => {
    const response = await call('/platform/sign-out', form({}));
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/platform/sign-in']);
  });
});

describe('a session', () => {
  it.each(['/v1/links', '/v1/keys', '/v1/domains', '/v1/audit', '/v1/stats'])(
    'a session opens nothing at %s',
    async (path) => {
      const { browse } = await openBrowser(await seedCaller());
      expect((await browse(path)).status).toBe(401);
    },
  );

  it('a session is no token either', async () => {
    const { value } = await openBrowser(await seedCaller());
    const asBearer = await call('/v1/links', { headers: { Authorization: `Bearer ${value}` } });
    const asKey = await call('/v1/links', { headers: { 'X-API-Key': value } });
    expect([asBearer.status, asKey.status]).toEqual([401, 401]);
  });

  it('a session ends when the user is disabled, in every isolate', async () => {
    const caller = await seedCaller();
    const { cookie } = await openBrowser(caller);
    const elsewhere = browse(cookie, openIsolate());
    expect((await elsewhere('/platform/account')).status).toBe(200);
    await disableUser(db, caller.userName);
    expect((await elsewhere('/platform/account')).status).toBe(303);
  });
});
