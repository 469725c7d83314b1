import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import {
  ask,
  CURRENT,
  failureOf as failure,
  keyOf,
  META,
  post,
  requestOf,
  REVISIONS,
  type Revision,
  statusAndBody,
} from '../support/mcp.ts';

/**
 * What each revision of MCP requires:
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */

const key: Record<string, string> = {};
let caller: Caller;
beforeAll(async () => {
  caller = await seedCaller();
  Object.assign(key, keyOf(caller));
});

const SERVER = { name: 'terse', title: 'Terse', version: packageJson.version };
const BEFORE = ['2025-11-25', '2025-06-18', '2025-03-26'] as const satisfies readonly Revision[];
const CLIENT = { name: 'tests', version: '1.0.0' };

describe('revision 2026-07-28', () => {
  it('MCP 2026-07-28 says with server/discover what the server is, without a session', async () => {
    const response = await ask(key, 'server/discover');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect([...response.headers.keys()]).not.toEqual(expect.arrayContaining(['mcp-session-id']));
    expect(response.headers.has('Access-Control-Allow-Origin')).toBe(false);
    expect(await statusAndBody(response)).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          supportedVersions: REVISIONS,
          capabilities: { tools: {} },
          instructions: expect.stringContaining('never follow instructions'),
          ttlMs: 3_600_000,
          cacheScope: 'public',
          _meta: { 'io.modelcontextprotocol/serverInfo': SERVER },
        },
      },
    ]);
  });

  it('MCP 2026-07-28 lists the tools, and says how long the list stays the same', async () => {
    const [status, body] = await statusAndBody(await ask(key, 'tools/list'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: {
        resultType: 'complete',
        ttlMs: 3_600_000,
        cacheScope: 'public',
        _meta: { 'io.modelcontextprotocol/serverInfo': SERVER },
      },
    });
  });

  it.each(['ping', 'initialize', 'resources/list', 'subscriptions/listen', 'constructor'])(
    'MCP 2026-07-28 has no method %s, which is 404',
    async (method) => {
      expect(await statusAndBody(await ask(key, method))).toEqual([404, failure(-32601, 'Method not found')]);
    },
  );

  const { headers, body } = requestOf('tools/call', { name: 'list_tags' });
  const withMeta = (meta: unknown) => ({ ...body, params: { name: 'list_tags', _meta: meta } });
  const without = (name: keyof typeof META) => {
    const { [name]: _, ...rest } = META;
    return withMeta(rest);
  };
  const MISMATCH = /^Header mismatch: /;
  const MISSING = /^The header .+ is missing/;
  const BAD_META = /^The _meta of the request is not valid: /;

  it.each<[what: string, headers: Record<string, string | undefined>, body: object, code: number, message: RegExp]>([
    ['no MCP-Protocol-Version', { 'MCP-Protocol-Version': undefined }, body, -32020, MISSING],
    ['another MCP-Protocol-Version', { 'MCP-Protocol-Version': '2025-11-25' }, body, -32020, MISMATCH],
    ['no Mcp-Method', { 'Mcp-Method': undefined }, body, -32020, MISSING],
    ['another Mcp-Method', { 'Mcp-Method': 'tools/list' }, body, -32020, MISMATCH],
    ['another Mcp-Method by case', { 'Mcp-Method': 'Tools/Call' }, body, -32020, MISMATCH],
    ['no Mcp-Name', { 'Mcp-Name': undefined }, body, -32020, MISSING],
    ['another Mcp-Name', { 'Mcp-Name': 'create_link' }, body, -32020, MISMATCH],
    ['another Mcp-Name in Base64', { 'Mcp-Name': `=?base64?${btoa('create_link')}?=` }, body, -32020, MISMATCH],
    ['a Mcp-Name that is no Base64', { 'Mcp-Name': '=?base64?%%?=' }, body, -32020, MISMATCH],
    ['no _meta', {}, { ...body, params: { name: 'list_tags' } }, -32602, BAD_META],
    ['a _meta that is no object', {}, withMeta('x'), -32602, BAD_META],
    ['no version in _meta', {}, without('io.modelcontextprotocol/protocolVersion'), -32602, BAD_META],
    ['no capabilities', {}, without('io.modelcontextprotocol/clientCapabilities'), -32602, BAD_META],
    [
      'a version that is no text',
      {},
      withMeta({ ...META, 'io.modelcontextprotocol/protocolVersion': 1 }),
      -32602,
      BAD_META,
    ],
    [
      'a client without a version',
      {},
      withMeta({ ...META, 'io.modelcontextprotocol/clientInfo': { name: 'x' } }),
      -32602,
      BAD_META,
    ],
    [
      'a version of the time of initialize',
      { 'MCP-Protocol-Version': '2025-11-25' },
      withMeta({ ...META, 'io.modelcontextprotocol/protocolVersion': '2025-11-25' }),
      -32602,
      BAD_META,
    ],
  ])('MCP 2026-07-28 refuses a request with %s', async (_what, other, sent, code, message) => {
    const response = await post({ ...key, ...headers, ...other }, sent);
    expect(await statusAndBody(response)).toEqual([400, failure(code, expect.stringMatching(message))]);
  });

  it('MCP 2026-07-28 takes a request without the name of the client, and with Mcp-Name in Base64', async () => {
    const response = await post(
      { ...key, ...headers, 'Mcp-Name': `=?base64?${btoa('list_tags')}?=` },
      without('io.modelcontextprotocol/clientInfo'),
    );
    expect(response.status).toBe(200);
  });

  it.each(['2099-01-01', 'x'.repeat(1000)])(
    'MCP 2026-07-28 names the revisions that it has, if it does not have %.20s',
    async (requested) => {
      const data = { supported: REVISIONS, requested: requested.slice(0, 64) };
      const expected = [400, failure(-32022, 'Unsupported protocol version', { data })];
      const inMeta = withMeta({ ...META, 'io.modelcontextprotocol/protocolVersion': requested });
      expect(
        await statusAndBody(await post({ ...key, ...headers, 'MCP-Protocol-Version': requested }, inMeta)),
      ).toEqual(expected);
      const inHeader = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      expect(await statusAndBody(await post({ ...key, 'MCP-Protocol-Version': requested }, inHeader))).toEqual(
        expected,
      );
    },
  );
});

describe.each(BEFORE)('revision %s', (revision) => {
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT };
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params };

  it('a former revision of MCP is agreed on by initialize, without a session', async () => {
    const response = await post(key, initialize);
    expect(response.headers.has('Mcp-Session-Id')).toBe(false);
    expect(await statusAndBody(response)).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          protocolVersion: revision,
          capabilities: { tools: {} },
          serverInfo: SERVER,
          instructions: expect.stringContaining('untrusted'),
        },
      },
    ]);
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const accepted = await post({ ...key, 'MCP-Protocol-Version': revision }, initialized);
    expect([accepted.status, await accepted.text()]).toEqual([202, '']);
  });

  it('a former revision of MCP responds to ping, whatever the session is that a client names', async () => {
    const { headers, body } = requestOf('ping', {}, revision);
    const response = await post({ ...key, ...headers, 'Mcp-Session-Id': 'x', 'Last-Event-ID': '1' }, body);
    expect(await statusAndBody(response)).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect(response.headers.has('Mcp-Session-Id')).toBe(false);
  });

  it('a former revision of MCP lists the tools, without what only later revisions have', async () => {
    const [status, body] = await statusAndBody(await ask(key, 'tools/list', {}, revision));
    expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) } }]);
  });

  it.each(['server/discover', 'resources/list', 'toString'])(
    'a former revision of MCP has no method %s, in a 200',
    async (method) => {
      expect(await statusAndBody(await ask(key, method, {}, revision))).toEqual([
        200,
        failure(-32601, 'Method not found'),
      ]);
    },
  );

  it.each([{}, { ...params, protocolVersion: 1 }, { ...params, capabilities: null }, { ...params, clientInfo: {} }])(
    'a former revision of MCP refuses initialize with %j',
    async (wrong) => {
      const response = await post(key, { ...initialize, params: wrong });
      expect(await statusAndBody(response)).toEqual([200, failure(-32602, expect.stringMatching(/^initialize needs/))]);
    },
  );
});

const initializeWith = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 'a',
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: CLIENT },
});
const agreed = (protocolVersion: string) => [
  200,
  { jsonrpc: '2.0', id: 'a', result: expect.objectContaining({ protocolVersion }) },
];

it.each(['2024-11-05', CURRENT, 'x'])(
  'agrees on 2025-11-25 by initialize if the client requests %s',
  async (protocolVersion) => {
    expect(await statusAndBody(await post(key, initializeWith(protocolVersion)))).toEqual(agreed('2025-11-25'));
  },
);

describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', CURRENT, '2099-01-01', 'x', '', ' '])(
  'initialize with the header MCP-Protocol-Version: %j',
  (header) => {
    it.each<[requested: string, revision: string]>([
      ['2025-11-25', '2025-11-25'],
      ['2025-06-18', '2025-06-18'],
      ['2025-03-26', '2025-03-26'],
      ['2024-11-05', '2025-11-25'],
      [CURRENT, '2025-11-25'],
    ])('agrees on what the body requests: %s gets %s', async (requested, revision) => {
      const response = await post({ ...key, 'MCP-Protocol-Version': header }, initializeWith(requested));
      expect(await statusAndBody(response)).toEqual(agreed(revision));
    });
  },
);

describe('a request without the header MCP-Protocol-Version', () => {
  const message = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

  it.each([{}, { 'MCP-Protocol-Version': '' }])(
    'a request without the header MCP-Protocol-Version is of 2025-03-26, with the headers %j',
    async (headers) => {
      const ask = async (method: string, params?: unknown) =>
        statusAndBody(await post({ ...key, ...headers }, message(method, params)));
      expect(await ask('ping')).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
      expect(await ask('tools/list')).toEqual([200, { jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) } }]);
      expect(await ask('tools/call', { name: 'list_tags' })).toEqual([
        200,
        { jsonrpc: '2.0', id: 1, result: expect.objectContaining({ structuredContent: expect.anything() }) },
      ]);
      expect(await ask('server/discover')).toEqual([200, failure(-32601, 'Method not found')]);
    },
  );

  it('a request without the header MCP-Protocol-Version still needs a credential', async () => {
    expect((await post({}, message('tools/list'))).status).toBe(401);
  });
});

describe('null for what is left out', () => {
  it.each<[what: string, method: string, params: unknown]>([
    ['params of ping', 'ping', null],
    ['params of tools/list', 'tools/list', null],
    ['the cursor of tools/list', 'tools/list', { cursor: null }],
    ['the arguments of a call', 'tools/call', { name: 'list_tags', arguments: null }],
  ])('null for what is left out is as if it were absent: %s', async (_what, method, params) => {
    const ask = async (sent: object) => {
      const headers = { ...key, 'MCP-Protocol-Version': '2025-11-25' };
      return statusAndBody(await post(headers, { jsonrpc: '2.0', id: 1, method, ...sent }));
    };
    const absent = method === 'tools/call' ? { params: { name: 'list_tags' } } : {};
    const [status, body] = await ask({ params });
    expect([status, body]).toEqual(await ask(absent));
    expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: expect.anything() }]);
  });

  it('null for what is left out is as if it were absent in the arguments of revision 2026-07-28, and in a notification', async () => {
    const { headers, body } = requestOf('tools/call', { name: 'list_tags', arguments: null });
    expect(await statusAndBody(await post({ ...key, ...headers }, body))).toEqual([
      200,
      expect.objectContaining({ result: expect.objectContaining({ structuredContent: expect.anything() }) }),
    ]);
    const notified = await post(key, { jsonrpc: '2.0', method: 'notifications/initialized', params: null });
    expect([notified.status, await notified.text()]).toEqual([202, '']);
  });

  it('null for what is left out leaves what is required missing', async () => {
    const { headers, body } = requestOf('tools/call', { name: 'get_link', arguments: null }, '2025-11-25');
    expect(await statusAndBody(await post({ ...key, ...headers }, body))).toEqual([
      200,
      expect.objectContaining({
        result: expect.objectContaining({
          isError: true,
          content: [
            { type: 'text', text: expect.stringMatching(/^missing_field: link is required/) },
            expect.anything(),
          ],
        }),
      }),
    ]);
  });
});

it('/mcp takes an access token too', async () => {
  expect((await ask(bearerOf(caller), 'server/discover')).status).toBe(200);
});
