import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { form, placeOf, textOf } from '../support/platform.ts';
import {
  codeOf,
  connect,
  consent,
  openScene,
  queryOf,
  REDIRECT,
  registered,
  rowsWhere,
  VERIFIER,
} from '../support/oauth.ts';

/** Parameters of requests for a code, and names, that hostile programs send. */

describe('requests for a code', () => {
  it.each([
    ['http://127.0.0.1:4711/callback', 'http://127.0.0.1:9999/callback', 200],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:9999/callback', 200],
    ['http://localhost:1/callback', 'http://localhost:2/callback', 200],
    ['http://127.0.0.1/callback', 'http://localhost/callback', 400],
    ['http://127.0.0.1/callback', 'http://127.0.0.1/other', 400],
    ['http://127.0.0.1/callback', 'http://user@127.0.0.1/callback', 400],
    ['http://127.0.0.1/callback', 'https://127.0.0.1:9999/callback', 400],
    ['https://assistant.example/callback', 'https://assistant.example:9999/callback', 400],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:80/callback', 200],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:1/callback?', 400],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:1/a/../callback', 400],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:1/%2e/callback', 400],
    ['http://127.0.0.1/callback', 'http://127.1:1/callback', 400],
    ['http://127.0.0.1/callback', 'http://0x7f000001:1/callback', 400],
    ['http://localhost/callback', 'http://LOCALHOST:1/callback', 400],
    ['http://localhost/callback', 'http://localhost.:1/callback', 400],
    ['http://localhost/callback', 'HTTP://localhost:1/callback', 400],
    ['http://[::1]/callback', 'http://[::1]:1/callback', 200],
    ['http://[::1]/callback', 'http://[0:0:0:0:0:0:0:1]:1/callback', 400],
    ['http://localhost:1', 'http://localhost:2', 200],
    ['http://localhost?a=b:1', 'http://localhost:2?a=b:1', 200],
    ['http://localhost?a=b:1', 'http://localhost:2?a=b:2', 400],
  ])('the URI %s is one with another port, and no other spelling: %s gets %i', async (uri, asked, status) => {
    const { browse } = await openScene();
    const request = queryOf(await registered([uri]), { redirect_uri: asked });
    expect((await browse(`/oauth/authorize?${request}`)).status).toBe(status);
  });

  it.each(['a b+c%20d', 'ü✓\r\n&=#"<', `${'x'.repeat(500)}==`])('the state %j comes back as it is', async (state) => {
    const { browse, caller, application } = await openScene();
    const request = queryOf(application, { state });
    for (const decision of ['allow', 'refuse']) {
      const back = new URL(placeOf(await consent(browse, request, caller, { decision }))[1] ?? '');
      expect(back.searchParams.get('state')).toBe(state);
    }
  });

  it('a form without a decision, or with an unknown one, grants nothing', async () => {
    const { browse, caller, application } = await openScene();
    for (const decision of ['', 'maybe']) {
      const answer = await consent(browse, queryOf(application), caller, { decision });
      expect(placeOf(answer)).toEqual([400, null]);
      expect(await answer.text()).toContain('Give access');
    }
    expect(await rowsWhere('SELECT 1 FROM oauth_codes WHERE user_id = ?', caller.userId)).toEqual([]);
  });

  it.each(['null', 'https://terse.test.evil.example', undefined])(
    'a form from the origin %s grants nothing',
    async (origin) => {
      const { browse, caller, application } = await openScene();
      const fields = {
        request: queryOf(application),
        client_id: caller.clientId,
        scopes: 'links:read',
        decision: 'allow',
      };
      const init = form(fields, { ...(origin !== undefined && { Origin: origin }) });
      if (origin === undefined) delete (init.headers as Record<string, string>)['Origin'];
      expect(placeOf(await browse('/oauth/authorize', init))).toEqual([403, null]);
      expect(await rowsWhere('SELECT 1 FROM oauth_codes WHERE user_id = ?', caller.userId)).toEqual([]);
    },
  );

  it('caches keep neither the page nor its redirect, and other sites do not get the address', async () => {
    const { browse, caller, application } = await openScene();
    for (const { headers } of [
      await browse(`/oauth/authorize?${queryOf(application)}`),
      await consent(browse, queryOf(application), caller),
    ]) {
      expect(headers.get('Cache-Control')).toContain('no-store');
      expect(headers.get('Referrer-Policy')).toMatch(/^(no-referrer|same-origin)$/);
    }
  });

  it('a name of characters that are not seen is none', async () => {
    const { browse } = await openScene();
    for (const name of ['\u3164\u3164', '\u115F\uFFA0 \u2800', '\u034F\uFE0F', '\u{E0041}']) {
      const html = await textOf(browse(`/oauth/authorize?${queryOf(await registered(undefined, name))}`));
      expect(html).toContain('Application at assistant.example');
    }
  });

  it('a program that is opened by a scheme of its own is one of this device, whatever the scheme imitates', async () => {
    const { browse } = await openScene();
    const application = await registered(['assistant.example:/callback']);
    const request = queryOf(application, { redirect_uri: 'assistant.example:/callback' });
    expect(await textOf(browse(`/oauth/authorize?${request}`))).toContain('The application runs on this device');
  });
});

describe('cookies', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('no endpoint but the consent reads the cookie of a browser', async () => {
    const scene = await openScene();
    const { application: id } = scene;
    const [code, { refresh_token: token }] = [await codeOf(scene), await connect(scene)];
    const prepare = vi.spyOn(env.DB, 'prepare');
    const send = (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
      scene.browse(path, { method: 'POST', body, headers: { 'Content-Type': type, Origin: 'https://evil.example' } });
    const fields = (of: Record<string, string>) => new URLSearchParams({ client_id: id, ...of }).toString();
    const exchanged = { grant_type: 'authorization_code', code, code_verifier: VERIFIER };
    const responses = [
      await scene.browse('/.well-known/oauth-authorization-server'),
      await scene.browse('/.well-known/oauth-protected-resource'),
      await send('/oauth/register', JSON.stringify({ redirect_uris: [REDIRECT] }), 'application/json'),
      await send('/oauth/token', fields(exchanged)),
      await send('/oauth/token', fields({ grant_type: 'refresh_token', refresh_token: token })),
      await send('/oauth/revoke', fields({ token })),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 201, 200, 200, 200]);
    expect(responses.filter(({ headers }) => headers.has('Set-Cookie'))).toEqual([]);
    const sql = prepare.mock.calls.map(([text]) => text);
    expect(sql.length).toBeGreaterThan(3);
    expect(sql.filter((text) => /\bsessions\b/.test(text))).toEqual([]);
  });
});
