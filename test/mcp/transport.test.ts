import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { failD1 } from '../support/d1.ts';
import { bearerOf, seedCaller } from '../support/forms.ts';
import { ask, callTool, dataOf, keyOf, post, requestOf, type Revision } from '../support/mcp.ts';
import { db, seedDomain, seedLink } from '../support/seed.ts';
import { call, ORIGIN } from '../support/service.ts';

/** The rules of `POST /mcp` for HTTP and credentials. */

const message = requestOf('server/discover');
const json = async (response: Response) => [response.status, await response.json()] as const;
const failure = (code: number, text: unknown, data?: object) => ({
  jsonrpc: '2.0',
  error: { code, message: text, ...(data && { data }) },
});

describe('a method other than POST', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])(
    'a method other than POST is 405 and says what is allowed: %s',
    async (method) => {
      const response = await call('/mcp', { method });
      expect(response.headers.get('Allow')).toBe('POST');
      expect(await json(response)).toEqual([
        405,
        failure(405, `method_not_allowed: ${method} is not possible here. Use POST.`, { code: 'method_not_allowed' }),
      ]);
    },
  );

  it('the method HEAD is 405 too, without a body', async () => {
    const response = await call('/mcp', { method: 'HEAD' });
    expect([response.status, response.headers.get('Allow'), await response.text()]).toEqual([405, 'POST', '']);
  });
});

describe('the header Origin', () => {
  it.each(['https://evil.example', 'null', 'http://terse.test', `${ORIGIN}.evil.example`, `${ORIGIN}:8443`])(
    'the header Origin of %s is refused, before all else',
    async (Origin) => {
      for (const method of ['POST', 'GET', 'OPTIONS']) {
        const response = await call('/mcp', { method, headers: { Origin } });
        expect(response.headers.has('Access-Control-Allow-Origin')).toBe(false);
        expect(await json(response)).toEqual([
          403,
          failure(403, expect.stringMatching(/^wrong_origin: /), { code: 'wrong_origin' }),
        ]);
      }
    },
  );

  it('the header Origin of the service itself is accepted', async () => {
    const response = await post({ ...keyOf(await seedCaller()), ...message.headers, Origin: ORIGIN }, message.body);
    expect(response.status).toBe(200);
  });
});

describe('the type of the body and of the response', () => {
  it.each([undefined, '*/*', 'application/*', 'application/json', 'text/event-stream;q=0.5, application/json;q=0.1'])(
    'the header Accept: %s is accepted',
    async (Accept) => {
      const response = await post({ ...keyOf(await seedCaller()), ...message.headers, Accept }, message.body);
      expect(response.status).toBe(200);
    },
  );

  it.each(['text/event-stream', 'text/html', 'application/json;q=0'])(
    'the header Accept: %s is 406',
    async (Accept) => {
      const response = await post({ ...keyOf(await seedCaller()), ...message.headers, Accept }, message.body);
      expect(await json(response)).toEqual([406, failure(406, 'Accept application/json and text/event-stream.')]);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp'])(
    'a body of the type %s is 415',
    async (type) => {
      const response = await post(
        { ...keyOf(await seedCaller()), ...message.headers, 'Content-Type': type },
        message.body,
      );
      expect(await json(response)).toEqual([415, failure(415, 'Send the message as application/json.')]);
    },
  );

  it('a body in a content coding is 415', async () => {
    const response = await post(
      { ...keyOf(await seedCaller()), ...message.headers, 'Content-Encoding': 'gzip' },
      message.body,
    );
    expect(response.status).toBe(415);
  });

  it('a body with a charset is accepted', async () => {
    const headers = { ...message.headers, 'Content-Type': 'application/json; charset=utf-8' };
    expect((await post({ ...keyOf(await seedCaller()), ...headers }, message.body)).status).toBe(200);
  });
});

describe('a credential', () => {
  const NONE =
    'Bearer realm="terse", resource_metadata="https://terse.test/.well-known/oauth-protected-resource/mcp", ApiKey realm="terse"';
  const WRONG =
    /^Bearer realm="terse", error="invalid_token", error_description=".+", resource_metadata=".+", ApiKey realm="terse"$/;

  it('a credential is required, before the message is read', async () => {
    for (const body of [message.body, '{', { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
      const response = await post(message.headers, body);
      expect(response.headers.get('WWW-Authenticate')).toBe(NONE);
      expect(await json(response)).toEqual([
        401,
        failure(401, expect.stringMatching(/^missing_credential: Send an API key/), { code: 'missing_credential' }),
      ]);
    }
  });

  const SECRET = 'a'.repeat(43);
  it.each<[what: string, headers: Record<string, string>, challenge: unknown]>([
    ['an unknown key', { Authorization: `Bearer tk_abcdefghjkmn_${SECRET}` }, expect.stringMatching(WRONG)],
    ['half a key', { Authorization: 'Bearer tk_abc' }, expect.stringMatching(WRONG)],
    ['an unknown key in X-API-Key', { 'X-API-Key': `tk_abcdefghjkmn_${SECRET}` }, NONE],
    ['no token', { Authorization: 'Bearer x.y.z' }, expect.stringMatching(WRONG)],
  ])('a credential that is %s is refused by all that takes one', async (_what, credential, challenge) => {
    const requests: readonly [method: string, params: object, revision?: Revision][] = [
      ['server/discover', {}],
      ['tools/list', {}],
      ['tools/call', { name: 'list_tags' }],
      ['tools/call', { name: 'link_stats' }],
      ['tools/call', { name: 'create_link', arguments: { url: 'https://example.com/' } }],
      ['tools/call', { name: 'update_link', arguments: { link: 'x', title: 'y' } }],
      ['ping', {}, '2025-11-25'],
      ['tools/list', {}, '2025-06-18'],
    ];
    for (const [method, params, revision] of requests) {
      const response = await ask(credential, method, { ...params }, revision);
      expect([method, response.headers.get('WWW-Authenticate')]).toEqual([method, challenge]);
      expect(await json(response)).toEqual([
        401,
        {
          id: 1,
          ...failure(401, expect.stringMatching(/^invalid_credential: /), { code: 'invalid_credential' }),
        },
      ]);
    }
  });

  it('a credential that is invalid is refused only if the message has no fault', async () => {
    const credential = { Authorization: 'Bearer x.y.z' };
    const body = { ...message.body, params: {} };
    expect((await post({ ...credential, ...message.headers }, body)).status).toBe(400);
    const unknownTool = await ask(credential, 'tools/call', { name: 'no_tool' });
    expect(await unknownTool.json()).toMatchObject({ error: { code: -32602 } });
    const badArguments = await callTool(credential, 'create_link', { url: 'x' });
    expect(badArguments).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^invalid_url/) }, {}],
    });
  });

  it('a credential of a user who has no client yet is enough to connect', async () => {
    const caller = await seedCaller();
    expect((await ask(bearerOf(caller), 'server/discover')).status).toBe(200);
    const second = await seedCaller();
    await addMember(db, caller.userName, second.clientId);
    expect((await ask(bearerOf(caller), 'server/discover')).status).toBe(200);
  });
});

it('/mcp is not served on a custom domain, where a link can have this slug', async () => {
  const caller = await seedCaller();
  const host = await seedDomain(caller);
  const response = await call(`https://${host}/mcp`, { method: 'POST', headers: keyOf(caller), body: '{}' });
  expect(response.headers.get('Content-Type')).not.toContain('jsonrpc');
  expect([404, 405]).toContain(response.status);
});

describe.each(['/mcp/', '/%6Dcp', '/mcp/?x=1'])('the path %s', (path) => {
  it('a path like /mcp is the same as /mcp, without a redirect that would lose the body', async () => {
    const key = keyOf(await seedCaller());
    const ask = (at: string, { headers, body } = message) => post({ ...key, ...headers }, body, call, at);
    const { status, headers } = await ask(path);
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json']);
    const listed = requestOf('tools/call', { name: 'list_tags' }, '2025-11-25');
    expect(await json(await ask(path, listed))).toEqual(await json(await ask('/mcp', listed)));
    const unauthorized = await post(message.headers, message.body, call, path);
    expect([unauthorized.status, unauthorized.headers.has('WWW-Authenticate')]).toEqual([401, true]);
  });

  it.each(['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])(
    'a path like /mcp responds to %s as /mcp does',
    async (method) => {
      const [one, other] = [await call(path, { method }), await call('/mcp', { method })];
      expect([one.status, one.headers.get('Allow'), await one.text()]).toEqual([405, 'POST', await other.text()]);
    },
  );

  it('a path like /mcp is refused to pages of other origins', async () => {
    const response = await post({ ...message.headers, Origin: 'https://evil.example' }, message.body, call, path);
    expect(response.status).toBe(403);
  });
});

it('/mcp has no paths below, and no other spelling', async () => {
  const key = keyOf(await seedCaller());
  for (const path of ['/mcp//', '/mcp/x', '/mcp.json', '/MCP', '/%EF%BD%8Dcp', '/mcp+']) {
    const response = await post({ ...key, ...message.headers }, message.body, call, path);
    expect([path, response.status]).toEqual([path, expect.toBeOneOf([404, 405])]);
    expect([path, (await call(path)).status]).toEqual([path, 404]);
  }
});

it('/mcp comes before a former link with this slug, which another slug of it leads to', async () => {
  const caller = await seedCaller();
  const { id } = await seedLink(caller);
  await env.DB.prepare("UPDATE addresses SET slug = 'mcp', folded = 'mcp' WHERE link_id = ?").bind(id).run();
  for (const path of ['/mcp', '/mcp/']) expect((await call(path)).status).toBe(405);
  const changed = await dataOf(keyOf(caller), 'update_link', { link: id, slug: 'former-mcp' });
  expect(changed).toMatchObject({ id, slug: 'former-mcp' });
  expect((await call('/former-mcp')).headers.get('Location')).toBe('https://example.com/');
});

it.each(['mcp', 'MCP', 'ｍｃｐ', 'mcp/', 'мcp', 'mcp.json'])(
  'the path of MCP cannot be a new slug: %s',
  async (slug) => {
    const caller = await seedCaller();
    await expect(seedLink(caller, { slug })).rejects.toThrow('create answered 400 invalid_slug');
  },
);

it('/mcp says in a log line what failed, without the message', async () => {
  const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await ask({ Authorization: 'Bearer x.y.z' }, 'tools/call', { name: 'get_link', arguments: { link: 'secret' } });
  const logged = lines.mock.calls.flat().join('\n');
  lines.mockRestore();
  expect(logged).toContain('"route":"/mcp","status":401,"error":"invalid_credential"');
  expect(logged).not.toContain('secret');
});

describe('a database that does not respond', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('a database that does not respond is a 503 with the time to wait, except for a tool, whose result says the same', async () => {
    const key = keyOf(await seedCaller());
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    failD1();
    const response = await ask(key, 'server/discover');
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    const outage = expect.stringMatching(/^store_unavailable: /);
    expect(await json(response)).toEqual([503, { id: 1, ...failure(503, outage, { code: 'store_unavailable' }) }]);
    const { content, ...others } = await callTool(key, 'list_tags');
    expect(others).toEqual({ isError: true, resultType: 'complete', _meta: expect.anything() });
    expect(content[0]).toEqual({ type: 'text', text: outage });
    expect(JSON.parse(content[1]?.text ?? '')).toEqual({
      code: 'store_unavailable',
      errors: [],
      retry_after_seconds: expect.any(Number),
    });
  });
});

it.each<[what: string, fetch: () => Promise<Response>]>([
  ['is not found', async () => new Response(null, { status: 404 })],
  ['cannot be read', async () => Promise.reject(new Error('Network connection lost.'))],
])('/mcp says that the tools are temporarily unavailable if their file %s', async (_what, fetch) => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(env.ASSETS, 'fetch').mockImplementation(fetch);
  onTestFinished(() => void vi.restoreAllMocks());
  const response = await ask(keyOf(await seedCaller()), 'tools/list');
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(await response.json()).toMatchObject({ error: { code: 503, data: { code: 'store_unavailable' } } });
});
