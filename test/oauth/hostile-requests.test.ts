import { describe, expect, it } from 'vitest';
import { form, openBrowser, placeOf, textOf } from '../support/platform.ts';
import { seedCaller } from '../support/forms.ts';
import { call, ORIGIN } from '../support/service.ts';
import {
  codeOf,
  connect,
  consent,
  errorOf,
  exchange,
  openScene,
  queryOf,
  REDIRECT,
  register,
  registered,
  rowsWhere,
  STATE,
} from '../support/oauth.ts';

/** Requests for a code that a hostile program or page sends (RFC 9700). */

describe('open redirectors', () => {
  it.each([
    ['an unknown application', 'unknown', {}],
    ['no application', null, { client_id: undefined }],
    ['no URI', null, { redirect_uri: undefined }],
    ['another host', null, { redirect_uri: 'https://evil.example/callback' }],
    ['another path', null, { redirect_uri: 'https://assistant.example/callback/' }],
    ['a path below', null, { redirect_uri: 'https://assistant.example/callback/../evil' }],
    ['a further parameter', null, { redirect_uri: 'https://assistant.example/callback?to=evil.example' }],
    ['another port', null, { redirect_uri: 'https://assistant.example:8443/callback' }],
    ['another case', null, { redirect_uri: 'https://ASSISTANT.example/callback' }],
    ['a user', null, { redirect_uri: 'https://assistant.example@evil.example/callback' }],
    ['a subdomain', null, { redirect_uri: 'https://assistant.example.evil.example/callback' }],
    ['http', null, { redirect_uri: 'http://assistant.example/callback' }],
    ['a script', null, { redirect_uri: 'javascript:alert(1)' }],
  ])('a request with %s stays here, and leads nowhere', async (_what, id, changes) => {
    const { browse, application, caller } = await openScene();
    const request = queryOf(id ?? application, changes);
    for (const response of [
      await browse(`/oauth/authorize?${request}`),
      await consent(browse, request, caller, { decision: 'refuse' }),
      await consent(browse, request, caller),
    ]) {
      expect(placeOf(response)).toEqual([400, null]);
      const html = await response.text();
      expect(html).toContain('The application is not known');
      expect(html).not.toContain('evil.example');
      expect(html).not.toContain('javascript:');
    }
  });

  it.each([
    ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['another response_mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['PKCE without its method, which would be plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['PKCE in plain text', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge of another length', { code_challenge: 'short' }, 'invalid_request'],
    ['unknown scopes alone', { scope: 'openid admin' }, 'invalid_scope'],
    ['a resource of another service', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['a resource below', { resource: `${ORIGIN}/mcp/other` }, 'invalid_target'],
  ])('a request with %s leads back only by a click of the user', async (_what, changes, error) => {
    const { browse, application, caller } = await openScene();
    const request = queryOf(application, changes);
    for (const response of [await browse(`/oauth/authorize?${request}`), await consent(browse, request, caller)]) {
      expect(placeOf(response)).toEqual([400, null]);
      const html = await response.text();
      expect(html).toContain(`<code>${error}</code>`);
      const back = new URL(/href="(https:\/\/assistant[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '');
      expect(Object.fromEntries(back.searchParams)).toEqual({ error, state: STATE, iss: ORIGIN });
    }
    expect(await rowsWhere('SELECT 1 FROM oauth_codes WHERE user_id = ?', caller.userId)).toEqual([]);
  });

  it('a request with a repeated parameter is refused', async () => {
    const { browse, application } = await openScene();
    const twice = await browse(`/oauth/authorize?${queryOf(application)}&scope=stats%3Aread`);
    expect([twice.status, await twice.text()]).toEqual([400, expect.stringContaining('<code>invalid_request</code>')]);
    const other = await browse(`/oauth/authorize?${queryOf(application)}&redirect_uri=https%3A%2F%2Fevil.example%2F`);
    expect([other.status, await other.text()]).toEqual([400, expect.stringContaining('The application is not known')]);
  });
});

describe('URIs of a registration', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://assistant.example/1',
    'about:blank',
    'view-source:https://assistant.example/',
    'intent://x#Intent;end',
    'ms-msdt:/id',
    'mailto:a@b.example',
    'ws://127.0.0.1/',
    'http://assistant.example/callback',
    'http://127.0.0.1.evil.example/',
    'http://10.0.0.1/',
    'https://assistant.example/callback#fragment',
    'https://user@assistant.example/',
    'https:assistant.example',
    String.raw`https:\\assistant.example`,
    'https://assistant.example/ space',
    '/callback',
    '',
    `https://assistant.example/${'x'.repeat(1024)}`,
  ])('a program cannot register %j', async (uri) => {
    expect(await errorOf(await register({ redirect_uris: [uri] }))).toEqual([400, 'invalid_redirect_uri']);
    expect(await errorOf(await register({ redirect_uris: [REDIRECT, uri] }))).toEqual([400, 'invalid_redirect_uri']);
  });

  it.each([
    ['https://assistant.example/callback?from=terse', 'assistant.example'],
    ['https://assistant.example:8443/callback', 'assistant.example:8443'],
    ['http://127.0.0.1:4711/callback', '127.0.0.1'],
    ['http://localhost/callback', 'localhost'],
    ['http://[::1]:1/', '[::1]'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:'],
    ['com.example.app:/callback', 'com.example.app:'],
  ])('a program can register %s, is shown as %s, and is sent there', async (uri, shown) => {
    const scene = { ...(await openScene()), application: await registered([uri]) };
    const request = queryOf(scene.application, { redirect_uri: uri });
    const page = await scene.browse(`/oauth/authorize?${request}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`Assistant (${shown})`)]);
    expect(page.headers.get('Content-Security-Policy')).toContain(` ${new URL(uri).protocol}`);
    const [status, location] = placeOf(await consent(scene.browse, request, scene.caller));
    expect([status, location?.startsWith(`${uri}${uri.includes('?') ? '&' : '?'}code=`)]).toEqual([303, true]);
  });
});

describe('confused deputies', () => {
  it('a user is asked each time, and nothing is granted by opening the page', async () => {
    const scene = await openScene();
    await connect(scene);
    const page = await scene.browse(`/oauth/authorize?${queryOf(scene.application)}&prompt=none`);
    expect(placeOf(page)).toEqual([200, null]);
    const html = await page.text();
    expect(html).toContain('Give access');
    // Who has two accounts sees in which one.
    expect(html).toContain(`<dt>User name</dt><dd><bdi>${scene.caller.userName}</bdi></dd>`);
    expect(await rowsWhere('SELECT 1 FROM oauth_codes WHERE user_id = ?', scene.caller.userId)).toHaveLength(1);
  });

  it('a form of another website grants nothing, nor does one without a session', async () => {
    const { browse, caller, application } = await openScene();
    const fields = {
      request: queryOf(application),
      client_id: caller.clientId,
      scopes: 'links:read',
      decision: 'allow',
    };
    const foreign = await browse('/oauth/authorize', form(fields, { Origin: 'https://evil.example' }));
    expect(placeOf(foreign)).toEqual([403, null]);
    const signedOut = await call('/oauth/authorize', form(fields));
    expect([signedOut.status, signedOut.headers.get('Location')]).toEqual([303, expect.stringMatching(/^\/platform/)]);
    expect(await rowsWhere('SELECT 1 FROM oauth_codes WHERE user_id = ?', caller.userId)).toEqual([]);
  });

  it('the page cannot be shown in a frame', async () => {
    const { browse, application } = await openScene();
    const { headers } = await browse(`/oauth/authorize?${queryOf(application)}`);
    expect(headers.get('X-Frame-Options')).toBe('DENY');
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  });

  it('a workspace of others is not granted, and a scope that was not asked for is not either', async () => {
    const { browse, caller, application } = await openScene();
    const other = await seedCaller();
    const refused = await consent(browse, queryOf(application), other);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('does not belong to this')]);
    const asked = queryOf(application, { scope: 'links:read' });
    const more = await consent(browse, asked, caller, { scopes: ['links:read', 'links:write', 'stats:read'] });
    expect(more.status).toBe(303);
    expect(await rowsWhere('SELECT client_id, scopes FROM oauth_codes WHERE application = ?', application)).toEqual([
      { client_id: caller.clientId, scopes: 'links:read' },
    ]);
  });

  it('a session that opens one workspace grants that one alone', async () => {
    const scene = await openScene();
    const other = await seedCaller();
    await rowsWhere(
      'INSERT INTO members (user_id, client_id, created_at) VALUES (?, ?, 1)',
      scene.caller.userId,
      other.clientId,
    );
    await rowsWhere('UPDATE token_families SET client_id = ? WHERE user_id = ?', other.clientId, scene.caller.userId);
    expect((await consent(scene.browse, queryOf(scene.application), scene.caller)).status).toBe(403);
    expect((await consent(scene.browse, queryOf(scene.application), other)).status).toBe(303);
    const page = await textOf(scene.browse(`/oauth/authorize?${queryOf(scene.application)}`));
    expect([page.includes(other.clientId), page.includes(`value="${scene.caller.clientId}"`)]).toEqual([true, false]);
  });

  it('a name that a program chose is one line, and is never shown without its host', async () => {
    const { browse } = await openScene();
    const name = '<b>Bank</b>\u202e\nof\u0000 you (bank.example)';
    const application = await registered([REDIRECT], name);
    const html = await textOf(browse(`/oauth/authorize?${queryOf(application)}`));
    expect(html).toContain('&lt;b&gt;Bank&lt;/b&gt; of you bank.example (assistant.example)');
    const unnamed = await registered([REDIRECT], '\u202e');
    expect(await textOf(browse(`/oauth/authorize?${queryOf(unnamed)}`))).toContain('Application at assistant.example');
  });

  it('a code that was given in a session is worth nothing once the session has ended', async () => {
    const scene = await openScene();
    const code = await codeOf(scene);
    await scene.browse('/platform/sign-out', form({}));
    expect(await errorOf(await exchange(scene.application, code))).toEqual([400, 'invalid_grant']);
  });

  it('the sign-in comes back to the request, and to no other place', async () => {
    const { browse } = await openBrowser(await seedCaller());
    const leadsTo = async (next: string) => placeOf(await browse(`/platform/sign-in?next=${encodeURIComponent(next)}`));
    expect(await leadsTo('/oauth/authorize?client_id=a')).toEqual([303, '/oauth/authorize?client_id=a']);
    for (const next of ['/oauth/token', '/oauth/authorize/../token', '//evil.example/oauth/authorize', '/oauth'])
      expect(await leadsTo(next)).toEqual([303, '/platform']);
  });
});
