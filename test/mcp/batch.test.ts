import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { failD1 } from '../support/d1.ts';
import { seedCaller, storedLinks } from '../support/forms.ts';
import { CURRENT, failureOf as failure, keyOf, META, post, statusAndBody } from '../support/mcp.ts';

/**
 * Several messages in one request, which only revision 2025-03-26 has:
 * https://modelcontextprotocol.io/specification/2025-03-26/basic/transports#sending-messages-to-the-server
 */

let key: Record<string, string>;
beforeAll(async () => {
  key = keyOf(await seedCaller());
});

const request = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const ping = (id: unknown) => request(id, 'ping');
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const pong = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });

const create = (id: number, url: string) =>
  request(id, 'tools/call', { name: 'create_link', arguments: { url, title: url } });

describe.each([undefined, '', '2025-03-26'])('a batch with the header MCP-Protocol-Version: %s', (header) => {
  const send = (batch: unknown) => post({ ...key, 'MCP-Protocol-Version': header }, batch);

  it('a batch of messages gets a response for each request in order, and none for notifications', async () => {
    const { links: before } = await storedLinks();
    const batch = [create(7, 'https://example.com/1'), INITIALIZED, ping('b'), create(8, 'no URL'), request(9, 'x')];
    expect(await statusAndBody(await send(batch))).toEqual([
      200,
      [
        {
          jsonrpc: '2.0',
          id: 7,
          result: expect.objectContaining({
            structuredContent: expect.objectContaining({ url: 'https://example.com/1' }),
          }),
        },
        pong('b'),
        {
          jsonrpc: '2.0',
          id: 8,
          result: {
            isError: true,
            content: [{ type: 'text', text: expect.stringMatching(/^invalid_url: /) }, expect.anything()],
          },
        },
        failure(-32601, 'Method not found', {}, { id: 9 }),
      ],
    ]);
    expect((await storedLinks()).links).toBe(before + 1);
  });

  it('a batch of notifications alone is accepted without a body', async () => {
    const response = await send([INITIALIZED, { ...INITIALIZED, params: null }]);
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  it('a batch of messages says for each message that is invalid what is wrong', async () => {
    const initialize = request('i', 'initialize', { protocolVersion: '2025-03-26' });
    const batch = [1, ping(1), { ...ping(2), jsonrpc: '1.0' }, [], initialize, { jsonrpc: '2.0', id: 3, result: {} }];
    const invalid = (id: unknown, sentence = expect.any(String)) => failure(-32600, sentence, {}, { id });
    expect(await statusAndBody(await send(batch))).toEqual([
      200,
      [
        invalid(null),
        pong(1),
        invalid(2),
        invalid(null),
        invalid('i', 'initialize cannot be part of a batch. Send it alone.'),
        invalid(null),
      ],
    ]);
  });

  it('a batch of messages must have 1 to 10 messages', async () => {
    expect(await statusAndBody(await send([]))).toEqual([
      400,
      failure(-32600, 'A batch must have at least one message.', {}, {}),
    ]);
    const ids = Array.from({ length: 10 }, (_, index) => index);
    expect(await statusAndBody(await send(ids.map(ping)))).toEqual([200, ids.map(pong)]);
    expect(await statusAndBody(await send([...ids, 10].map(ping)))).toEqual([
      400,
      failure(-32600, 'A batch may have at most 10 messages. Send the others in another request.', {}, {}),
    ]);
  });

  it('a batch of messages is refused as a whole for its credential', async () => {
    const response = await post({ Authorization: 'Bearer x.y.z', 'MCP-Protocol-Version': header }, [ping(1), ping(2)]);
    expect(response.headers.has('WWW-Authenticate')).toBe(true);
    expect(await statusAndBody(response)).toEqual([
      401,
      failure(401, expect.stringMatching(/^invalid_credential: /), { data: { code: 'invalid_credential' } }, {}),
    ]);
    for (const other of [INITIALIZED, 1]) {
      const refused = await post({ Authorization: 'Bearer x.y.z', 'MCP-Protocol-Version': header }, [other]);
      expect([other, refused.status]).toEqual([other, 401]);
    }
  });

  it('a batch of messages does not respond to a notification with an error', async () => {
    const params = { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': 1 } };
    expect(await statusAndBody(await send([{ ...INITIALIZED, params }, ping(1)]))).toEqual([200, [pong(1)]]);
  });
});

it.each(['2025-06-18', '2025-11-25', CURRENT])('revision %s has no batches', async (revision) => {
  expect(await statusAndBody(await post({ ...key, 'MCP-Protocol-Version': revision }, [ping(1)]))).toEqual([
    400,
    failure(-32600, 'Send one message in a request: only revision 2025-03-26 has batches.', {}, {}),
  ]);
});

it('says for each request of a batch that the database does not respond', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  failD1();
  try {
    const outage = expect.stringMatching(/^store_unavailable: /);
    expect(await statusAndBody(await post(key, [ping(1), request(2, 'tools/call', { name: 'list_tags' })]))).toEqual([
      200,
      [
        failure(503, outage, { data: { code: 'store_unavailable' } }),
        {
          jsonrpc: '2.0',
          id: 2,
          result: { isError: true, content: [{ type: 'text', text: outage }, expect.anything()] },
        },
      ],
    ]);
  } finally {
    vi.restoreAllMocks();
  }
});

it('counts each link that a batch creates for the address of its caller', async () => {
  const limit = vi.spyOn(env.CREATE_ADDRESS_LIMIT, 'limit');
  const batch = [1, 2, 3].map((id) => create(id, `https://example.com/counted/${id}`));
  expect((await post({ ...key, 'MCP-Protocol-Version': '2025-03-26' }, batch)).status).toBe(200);
  await expect.poll(() => limit.mock.calls.length).toBe(batch.length);
  vi.restoreAllMocks();
});
