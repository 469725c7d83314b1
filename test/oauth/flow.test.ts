import { describe, expect, it } from 'vitest';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { ask, callTool } from '../support/mcp.ts';
import { PAGE_HEADERS, placeOf } from '../support/platform.ts';
import { call, ORIGIN } from '../support/service.ts';
import {
  API,
  bearer,
  codeOf,
  connect,
  consent,
  errorOf,
  exchange,
  MCP,
  openScene,
  queryOf,
  REDIRECT,
  register,
  rowsWhere,
  STATE,
} from '../support/oauth.ts';

describe('metadata', () => {
  it('the server of OAuth describes itself, to pages of any origin', async () => {
    const response = await call('/.well-known/oauth-authorization-server', {
      headers: { Origin: 'https://a.example' },
    });
    expect([response.status, response.headers.get('Access-Control-Allow-Origin')]).toEqual([200, '*']);
    expect(await response.json()).toEqual({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/oauth/authorize`,
      token_endpoint: `${ORIGIN}/oauth/token`,
      registration_endpoint: `${ORIGIN}/oauth/register`,
      revocation_endpoint: `${ORIGIN}/oauth/revoke`,
      scopes_supported: ['links:read', 'links:write', 'stats:read'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${ORIGIN}/docs/mcp`,
    });
  });

  it.each([
    ['', MCP],
    ['/mcp', MCP],
    ['/mcp/', MCP],
    ['/v1', API],
  ])('a resource describes itself at /.well-known/oauth-protected-resource%s', async (path, resource) => {
    const response = await call(`/.well-known/oauth-protected-resource${path}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      resource,
      authorization_servers: [ORIGIN],
      scopes_supported: ['links:read', 'links:write', 'stats:read'],
      bearer_methods_supported: ['header'],
    });
  });

  it('MCP without a credential names the document of its resource', async () => {
    const response = await ask({}, 'tools/list');
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([
      401,
      `Bearer realm="terse", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp", ApiKey realm="terse"`,
    ]);
  });

  it('pages of other origins may send what clients of MCP do, to the documents and for tokens', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/mcp',
      '/oauth/token',
    ]) {
      const preflight = await call(path, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://client.example',
          'Access-Control-Request-Method': path === '/oauth/token' ? 'POST' : 'GET',
          'Access-Control-Request-Headers': 'mcp-protocol-version',
        },
      });
      expect([preflight.status, preflight.headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*']);
      expect(preflight.headers.get('Access-Control-Allow-Headers')?.toLowerCase()).toContain('mcp-protocol-version');
    }
  });

  it.each(['/.well-known/oauth-authorization-server', '/oauth/authorize', '/oauth/token'])(
    'a custom domain has nothing of OAuth at %s',
    async (path) => {
      expect((await call(`https://links.example${path}`)).status).toBe(404);
    },
  );
});

describe('from the registration to a tool', () => {
  it('a program registers, a user gives it access, and it calls a tool', async () => {
    const answered = await register({ client_name: 'Assistant', redirect_uris: [REDIRECT], scope: 'links:read' });
    expect(answered.status).toBe(201);
    expect(answered.headers.get('Cache-Control')).toBe('no-store');
    const application = await answered.json<{ client_id: string }>();
    expect(application).toEqual({
      client_id: expect.stringMatching(/^[\w-]{22}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Assistant',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    const scene = { ...(await openScene()), application: application.client_id };
    const { browse, caller } = scene;
    const request = queryOf(scene.application);

    const page = await browse(`/oauth/authorize?${request}`);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('Assistant (assistant.example)');
    expect(html).not.toContain('<script');
    expect(page.headers.get('X-Frame-Options')).toBe(PAGE_HEADERS['x-frame-options']);
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("script-src 'none'");
    expect(policy).toContain("form-action 'self' https:;");

    const answer = await consent(browse, request, caller);
    const [status, location] = placeOf(answer);
    const back = new URL(location ?? '');
    expect([status, back.origin + back.pathname]).toEqual([303, REDIRECT]);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: STATE,
      iss: ORIGIN,
    });

    const granted = await exchange(scene.application, back.searchParams.get('code') ?? '');
    expect([granted.status, granted.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    const tokens = await granted.json<{ access_token: string; refresh_token: string; scope: string }>();
    expect(tokens).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'links:read links:write',
    });
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ typ: 'oauth+jwt', alg: 'EdDSA' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      aud: MCP,
      sub: caller.userId,
      client_id: scene.application,
      scope: 'links:read links:write',
    });

    const { structuredContent } = await callTool(bearer(tokens), 'create_link', { url: 'https://example.com/' });
    expect(structuredContent).toMatchObject({ url: 'https://example.com/', client_id: caller.clientId });
    const refused = await callTool(bearer(tokens), 'compare_links', { links: [structuredContent?.['id'], 'x'] });
    expect([refused.isError, refused.content[0]?.text]).toEqual([
      true,
      expect.stringContaining('insufficient_scope: The credential does not have the scope stats:read'),
    ]);

    const rows = await rowsWhere(
      'SELECT * FROM token_families WHERE user_id = ? AND began_by = ?',
      caller.userId,
      'oauth',
    );
    expect(rows).toMatchObject([
      { begun_with: scene.application, client_id: caller.clientId, scopes: 'links:read links:write', ended_at: null },
    ]);
  });

  it('a token for the API does what its scopes allow, in its workspace', async () => {
    const scene = await openScene();
    const tokens = await connect(scene, API);
    const me = await call('/v1/me', { headers: bearer(tokens) });
    expect(await me.json()).toMatchObject({
      kind: 'access_token',
      user: { local_id: scene.caller.userId },
      clients: [{ client_id: scene.caller.clientId, scopes: ['links:read', 'links:write'] }],
    });
    const link = { url: 'https://example.com/', client_id: scene.caller.clientId };
    expect((await call('/v1/links', { headers: bearer(tokens), form: link })).status).toBe(200);
    const stats = await call('/v1/stats', { headers: bearer(tokens) });
    expect(stats.status).toBe(403);
    expect(await stats.text()).toContain('insufficient_scope');
    const answer = await consent(scene.browse, queryOf(scene.application, { resource: API }), scene.caller, {
      scopes: ['links:write'],
    });
    const code = new URL(placeOf(answer)[1] ?? '').searchParams.get('code') ?? '';
    const writing = await (await exchange(scene.application, code, { resource: API })).json<typeof tokens>();
    const unread = await call('/v1/links', { headers: bearer(writing) });
    expect([unread.status, await unread.text()]).toEqual([
      403,
      expect.stringContaining('This application was not granted the scope links:read. Connect it again'),
    ]);
    const keys = await call('/v1/keys', { headers: bearer(tokens) });
    expect(keys.status).toBe(403);
  });

  it('an application that names no scope gets those that the user leaves, and no resource is MCP', async () => {
    const { browse, caller, application } = await openScene();
    const request = queryOf(application, { scope: undefined, resource: undefined });
    const answer = await consent(browse, request, caller, { scopes: ['stats:read'] });
    const code = new URL(placeOf(answer)[1] ?? '').searchParams.get('code') ?? '';
    const granted = await exchange(application, code, { resource: undefined, redirect_uri: undefined });
    const tokens = await granted.json<{ access_token: string; scope: string }>();
    expect([tokens.scope, decodeJwt(tokens.access_token).aud]).toEqual(['stats:read', MCP]);
  });

  it('a user who refuses is sent back with an error, and nothing is granted', async () => {
    const { browse, caller, application } = await openScene();
    const answer = await consent(browse, queryOf(application), caller, { decision: 'refuse' });
    const back = new URL(placeOf(answer)[1] ?? '');
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: STATE, iss: ORIGIN });
    expect(await rowsWhere('SELECT * FROM oauth_codes WHERE user_id = ?', caller.userId)).toEqual([]);
  });

  it('a user who chooses no permission sees the form again with the error', async () => {
    const { browse, caller, application } = await openScene();
    const answer = await consent(browse, queryOf(application), caller, { scopes: [] });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toContain('This must contain at least one of links:read');
    expect(html).toContain('name="request"');
  });

  it('a user who is not signed in signs in first, and comes back to the request', async () => {
    const { application } = await openScene();
    const path = `/oauth/authorize?${queryOf(application)}`;
    const [status, location] = placeOf(await call(path));
    expect(status).toBe(303);
    expect(new URL(location ?? '', ORIGIN).searchParams.get('next')).toBe(path);
    const { caller, browse } = await openScene();
    expect(caller.userId).toBeTruthy();
    expect(placeOf(await browse(location ?? ''))).toEqual([303, path]);
  });
});

it('a code is not valid after a minute', async () => {
  const scene = await openScene();
  const code = await codeOf(scene);
  await rowsWhere('UPDATE oauth_codes SET expires_at = expires_at - 60000 WHERE user_id = ?', scene.caller.userId);
  expect(await errorOf(await exchange(scene.application, code))).toEqual([400, 'invalid_grant']);
});
