import { beforeAll, describe, expect, inject, it } from 'vitest';
import { begin, comeBack, providerCookieOf, seedProvider, type Begun } from '../../support/issuers.ts';
import { seedCaller } from '../../support/forms.ts';
import { rowsWhere } from '../../support/oauth.ts';
import { cookiesOf, form } from '../../support/platform.ts';
import { REAL_APPLICATIONS, REAL_SECRET } from '../../support/provider-settings.ts';
import { openWebhookIsolate } from '../../support/webhook-owners.ts';

/** A browser at the real provider, with its cookies and its forms. */
async function signInThere({ url }: Begun, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = url;
  let init: RequestInit = {};
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { ...init, headers: { Cookie: cookie }, redirect: 'manual' });
    for (const [name, [value = '']] of Object.entries(cookiesOf(response)).map(([n, v]) => [n, v ?? []] as const))
      cookies.set(name, value);
    const location = response.headers.get('Location');
    init = {};
    if (location !== null) {
      at = new URL(location, at);
      if (at.host === 'terse.test') return at;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (prompt === undefined) throw new Error(`the provider answered ${response.status}: ${page.slice(-400)}`);
    at = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', at);
    init = { method: 'POST', body: new URLSearchParams({ prompt, login, password: 'any' }) };
  }
  throw new Error('the provider leads nowhere');
}

/** The query with which the provider sends a browser back. */
const queryOf = async (begun: Begun, login: string) =>
  Object.fromEntries((await signInThere(begun, login)).searchParams);

async function openReal(index: 0 | 1 | 2 | 3, setting: Parameters<typeof seedProvider>[2] = {}) {
  const { application, workspace } = REAL_APPLICATIONS[index];
  const owner = await seedCaller(workspace);
  const provider = await seedProvider(owner, inject('realIssuer'), {
    application,
    secret: REAL_SECRET,
    scope: 'openid email profile groups',
    rules: [{ claim: 'groups', value: 'links-admins', role: 'owner' }],
    ...setting,
  });
  return { owner, provider, call: openWebhookIsolate() };
}

// The provider is loaded by its first request, which on a busy machine takes longer than the service waits for it.
beforeAll(async () => {
  const response = await fetch(`${inject('realIssuer')}/.well-known/openid-configuration`);
  expect([response.status, await response.json()]).toEqual([
    200,
    expect.objectContaining({ issuer: inject('realIssuer') }),
  ]);
}, 120_000);

describe('a real provider of OpenID Connect', () => {
  it('people of two workspaces sign in at one issuer, each as a user of one of them', async () => {
    const users = new Set<string>();
    for (const index of [0, 1] as const) {
      const scene = await openReal(index);
      const path = `/platform/sso/${scene.owner.clientId}`;
      const begun = await begin(scene);
      const back = await signInThere(begun, 'ann');
      expect(back.searchParams.get('iss')).toBe(inject('realIssuer'));
      const first = await comeBack(scene, begun, Object.fromEntries(back.searchParams));
      expect([first.status, first.headers.get('Location')]).toEqual([303, `${path}/join`]);
      const cookie = providerCookieOf(first);
      const page = await (await scene.call(`${path}/join`, { headers: { Cookie: cookie } })).text();
      expect(page).toContain('ann of the real provider');
      const joined = await scene.call(`${path}/join`, form({ tz: 'Europe/Vienna' }, { Cookie: cookie }));
      expect(joined.headers.get('Location')).toBe(`/platform/c/${scene.owner.clientId}`);
      const [row] = await rowsWhere(
        `SELECT i.subject, i.name, i.email, m.role, m.role_by_claims, u.id, u.time_zone FROM identities i
         JOIN users u ON u.id = i.user_id JOIN members m ON m.user_id = u.id WHERE i.provider_id = ?`,
        scene.provider,
      );
      expect(row).toEqual({
        subject: 'ann',
        name: 'ann of the real provider',
        email: 'ann@example.com',
        role: 'owner',
        role_by_claims: 1,
        id: row!['id'],
        time_zone: 'Europe/Vienna',
      });
      users.add(String(row!['id']));
      const again = await begin(scene);
      const second = await comeBack(scene, again, await queryOf(again, 'ann'));
      expect(second.headers.get('Location')).toBe(`/platform/c/${scene.owner.clientId}`);
      // The code was spent with the state.
      expect((await comeBack(scene, again, Object.fromEntries(back.searchParams))).status).toBe(400);
    }
    expect(users.size).toBe(2);
  });

  it('a wrong client secret is named as such, and signs no one in', async () => {
    const scene = await openReal(2, { secret: 'wrong' });
    const begun = await begin(scene);
    const response = await comeBack(scene, begun, await queryOf(begun, 'eve'));
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('invalid_client');
  });

  it('a fresh confirmation asks the person again, and takes the time from the provider', async () => {
    const scene = await openReal(3);
    const path = '/platform/c/real-four/settings/sign-in';
    const begun = await begin(scene);
    const person = providerCookieOf(await comeBack(scene, begun, await queryOf(begun, 'ann')));
    const joined = await scene.call('/platform/sso/real-four/join', form({}, { Cookie: person }));
    const cookie = `__Host-terse=${cookiesOf(joined)['__Host-terse']?.[0] ?? ''}`;
    const settings = async () => (await scene.call(path, { headers: { Cookie: cookie } })).status;
    expect(await settings()).toBe(303);
    const again = await begin(scene, { cookie, fields: { purpose: 'confirm', next: path } });
    const back = await comeBack(scene, again, await queryOf(again, 'ann'));
    expect([back.status, back.headers.get('Location')]).toEqual([303, path]);
    expect(await settings()).toBe(200);
  });
});
