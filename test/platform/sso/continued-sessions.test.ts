import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { unseal } from '../../../src/secrets/sealing.ts';
import {
  begin,
  comeBack,
  joinAs,
  openProviderScene,
  providerCookieOf,
  signInAs,
  type ProviderScene,
} from '../../support/issuers.ts';
import { rowsWhere } from '../../support/oauth.ts';
import { browse as browserOf, cookiesOf, form, placeOf } from '../../support/platform.ts';
import { openWebhookIsolate, WEBHOOK_KEYS } from '../../support/webhook-owners.ts';

const HOUR_MS = 3600 * 1000;

/** A person in a session of the provider that began eight hours ago. */
async function openEnded({ refreshToken }: { readonly refreshToken?: string } = {}) {
  const scene = await openProviderScene();
  await joinAs(scene, { sub: 'eve' });
  const begun = await begin(scene);
  await scene.issuer.confirm(begun, { sub: 'eve' }, refreshToken === undefined ? {} : { refreshToken });
  const value = cookiesOf(await comeBack(scene, begun))['__Host-terse']?.[0] ?? '';
  const cookie = `__Host-terse=${value}`;
  const browse = browserOf(cookie, scene.call);
  const families = await rowsWhere(
    'SELECT f.id, f.user_id FROM token_families f JOIN identities i ON i.user_id = f.user_id WHERE i.provider_id = ? ORDER BY f.started_at DESC, f.id',
    scene.provider,
  );
  for (const { id } of families) await endAt(String(id), Date.now() - 1000);
  await env.DB.prepare('UPDATE identities SET asked_at = 1, confirmed_at = 1 WHERE provider_id = ?')
    .bind(scene.provider)
    .run();
  const path = `/platform/c/${scene.owner.clientId}`;
  return { scene, browse, cookie, path, userId: String(families[0]!['user_id']) };
}

const endAt = (familyId: string, at: number) =>
  env.DB.prepare('UPDATE token_families SET started_at = ?2 - 28800000, ends_at = ?2 WHERE id = ?1')
    .bind(familyId, at)
    .run();

const takeToken = ({ issuer }: ProviderScene, next = 'the next one') =>
  issuer.script('/token', { body: JSON.stringify({ access_token: 'a', refresh_token: next }) });

const endsOf = async (userId: string) =>
  (await rowsWhere('SELECT max(ends_at) AS at FROM token_families WHERE user_id = ?', userId))[0]!['at'] as number;

describe('a session of a provider after its eight hours', () => {
  it('a session whose provider gave a refresh token continues at the page that is asked for, for eight hours more', async () => {
    const { scene, browse, path, userId } = await openEnded({ refreshToken: 'a refresh token' });
    await takeToken(scene);
    const before = await scene.issuer.requestsTo('/token');
    expect((await browse(path)).status).toBe(200);
    const ends = await endsOf(userId);
    expect(Math.abs(ends - Date.now() - 8 * HOUR_MS)).toBeLessThan(60_000);
    const [identity] = await rowsWhere('SELECT * FROM identities WHERE provider_id = ?', scene.provider);
    expect(await unseal(WEBHOOK_KEYS, scene.provider, String(identity!['refresh_token']))).toBe('the next one');
    expect(identity!['confirmed_at']).toBeGreaterThan(Date.now() - 60_000);
    expect((await browse(path)).status).toBe(200);
    expect(await scene.issuer.requestsTo('/token')).toBe(before + 1);
  });

  it('a form that was sent after eight hours is done, if the provider confirms its person by the refresh token', async () => {
    const { scene, browse, path } = await openEnded({ refreshToken: 'a refresh token' });
    await takeToken(scene);
    const created = await browse(`${path}/links/new`, form({ url: 'https://example.com/typed', slug: 'typed-late' }));
    expect(created.status).toBe(303);
    expect(await rowsWhere('SELECT url FROM links WHERE client_id = ?', scene.owner.clientId)).toEqual([
      { url: 'https://example.com/typed' },
    ]);
  });

  it('requests at once ask the provider once', async () => {
    const { scene, browse, path } = await openEnded({ refreshToken: 'a refresh token' });
    await takeToken(scene);
    const before = await scene.issuer.requestsTo('/token');
    const pages = await Promise.all([browse(path), browse(`${path}/links`), browse('/platform/account')]);
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await scene.issuer.requestsTo('/token')).toBe(before + 1);
  });

  it('a refusal of the refresh token ends the session and suspends the person', async () => {
    const { scene, browse, path, userId } = await openEnded({ refreshToken: 'a refresh token' });
    await scene.issuer.script('/token', { status: 400, body: '{"error":"invalid_grant"}' });
    expect(placeOf(await browse(path))[0]).toBe(303);
    expect(await rowsWhere('SELECT client_id FROM members WHERE user_id = ?', userId)).toEqual([]);
    expect(await rowsWhere('SELECT client_id FROM suspended_members WHERE user_id = ?', userId)).toEqual([
      { client_id: scene.owner.clientId },
    ]);
  });

  it('an outage of the provider ends the session, suspends no one, and leads to the sign-in', async () => {
    const { scene, browse, path, userId } = await openEnded({ refreshToken: 'a refresh token' });
    await scene.issuer.script('/token', { status: 503, body: '{}' });
    expect(placeOf(await browse(path))).toEqual([303, `/platform/sign-in?next=${encodeURIComponent(path)}`]);
    expect(await rowsWhere('SELECT client_id FROM members WHERE user_id = ?', userId)).toHaveLength(1);
  });

  it.each<[string, string]>([
    ['was ended by its user', 'UPDATE token_families SET ended_at = 1 WHERE user_id = ?'],
    [
      'was not used for twelve hours',
      `UPDATE sessions SET seen_at = ${Date.now() - 13 * HOUR_MS}
       WHERE family_id IN (SELECT id FROM token_families WHERE user_id = ?)`,
    ],
    [
      'began thirty days ago',
      `UPDATE token_families SET started_at = ${Date.now() - 31 * 24 * HOUR_MS} WHERE user_id = ?`,
    ],
    ['is of a disabled user', 'UPDATE users SET disabled_at = 1 WHERE id = ?'],
    [
      'is of a provider that is off',
      'UPDATE providers SET on_at = NULL WHERE id = (SELECT provider_id FROM identities WHERE user_id = ?)',
    ],
  ])('a session that %s does not continue', async (_, sql) => {
    const { scene, browse, path, userId } = await openEnded({ refreshToken: 'a refresh token' });
    await takeToken(scene);
    const before = await scene.issuer.requestsTo('/token');
    await env.DB.prepare(sql).bind(userId).run();
    expect(placeOf(await browse(path))[0]).toBe(303);
    expect(await scene.issuer.requestsTo('/token')).toBe(before);
  });

  it('a page is asked for again after the provider has confirmed the person, which shows nothing', async () => {
    const { scene, cookie, path } = await openEnded();
    const led = await openPage(scene, `${path}/links?q=a`, cookie);
    const url = new URL(led.headers.get('Location') ?? '');
    expect([led.status, url.href.split('?')[0], url.searchParams.get('prompt')]).toEqual([
      303,
      `${scene.issuer.issuer}/authorize`,
      'none',
    ]);
    const begun = { url, cookie: `${cookie}; ${providerCookieOf(led)}` };
    await scene.issuer.confirm(begun, { sub: 'eve' });
    const back = await comeBack(scene, begun);
    expect(placeOf(back)).toEqual([303, `${path}/links?q=a`]);
    const renewed = browserOf(`__Host-terse=${cookiesOf(back)['__Host-terse']?.[0]}`, scene.call);
    expect((await renewed(path)).status).toBe(200);
  });

  it('a provider that would have to ask its person leads to the sign-in, which says so and links to the provider', async () => {
    const { scene, cookie, path } = await openEnded();
    const led = await openPage(scene, path, cookie);
    const begun = { url: new URL(led.headers.get('Location') ?? ''), cookie: `${cookie}; ${providerCookieOf(led)}` };
    const refuse = () => {
      const query = new URLSearchParams({ state: begun.url.searchParams.get('state') ?? '', error: 'login_required' });
      return scene.call(`/platform/sso/${scene.owner.clientId}/callback?${query.toString()}`, {
        headers: { Cookie: begun.cookie },
      });
    };
    const back = await refuse();
    const next = encodeURIComponent(path);
    expect(placeOf(back)).toEqual([303, `/platform/sign-in?next=${next}&company=${scene.owner.clientId}`]);
    const page = await (await scene.call(placeOf(back)[1] ?? '')).text();
    expect(page).toContain('Your company’s identity provider asks you to sign in again.');
    expect(page).toContain(`href="/platform/sso/${scene.owner.clientId}?next=${next}"`);
    expect(page).toContain('name="password"');
    // A second time with the response is refused as always.
    expect((await refuse()).status).toBe(400);
  });

  it('a provider that is down leads to the sign-in', async () => {
    const { scene, cookie, path } = await openEnded();
    await scene.issuer.script('/.well-known/openid-configuration', { status: 503, body: '{}' });
    const fresh = { ...scene, call: openWebhookIsolate() };
    expect(placeOf(await openPage(fresh, path, cookie))).toEqual([
      303,
      `/platform/sign-in?next=${encodeURIComponent(path)}`,
    ]);
  });

  it('neither a script nor a form is led to the provider', async () => {
    const { browse, path } = await openEnded();
    const signIn = `/platform/sign-in?next=${encodeURIComponent(path)}`;
    expect(placeOf(await browse(path))).toEqual([303, signIn]);
    expect(placeOf(await browse(path, { headers: { 'Sec-Fetch-Dest': 'empty' } }))).toEqual([303, signIn]);
    const sent = form({ name: 'x' }, { 'Sec-Fetch-Dest': 'document' });
    expect(placeOf(await browse(`${path}/settings/name`, sent))[1]).toMatch(/^\/platform\/sign-in/);
  });

  it('a form that was sent after eight hours is shown again with all that was typed, after a sign-in in another tab', async () => {
    const { scene, browse, path, userId } = await openEnded();
    const typed = { typed_by: userId, url: 'https://example.com/typed', slug: 'kept-late', comments: 'two words' };
    const asked = await browse(`${path}/links/new`, form(typed));
    const page = await asked.text();
    expect([asked.status, page.includes('Nothing has been saved yet.')]).toEqual([401, true]);
    expect(page).toContain(`<a href="/platform/sso/${scene.owner.clientId}" target="_blank">`);
    expect(page).toContain(`action="${path}/links/new?again"`);
    const carried = /\?again".*?name="typed" value="([^"]*)"/s.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? '';
    const { browse: renewed } = await signInAs(scene, { sub: 'eve' });
    const body = new FormData();
    body.set('typed', carried);
    const { Origin = '' } = form({}).headers as Record<string, string>;
    const shown = await renewed(`${path}/links/new?again`, { method: 'POST', body, headers: { Origin } });
    const again = await shown.text();
    expect(shown.status).toBe(200);
    for (const text of ['https://example.com/typed', 'kept-late', 'two words']) expect(again).toContain(text);
    expect(await rowsWhere('SELECT id FROM links WHERE client_id = ?', scene.owner.clientId)).toEqual([]);
  });
});

/** A browser opens a page by its address or a link. */
const openPage = ({ call }: Pick<ProviderScene, 'call'>, path: string, cookie: string) =>
  call(path, { headers: { Cookie: cookie, 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' } });
