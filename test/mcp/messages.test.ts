import { beforeAll, describe, expect, it } from 'vitest';
import { seedCaller } from '../support/forms.ts';
import { CURRENT, failureOf as failure, keyOf, post, requestOf, statusAndBody } from '../support/mcp.ts';
import { call } from '../support/service.ts';

/** Messages of JSON-RPC. */

const key: Record<string, string> = {};
beforeAll(async () => {
  Object.assign(key, keyOf(await seedCaller()));
});

const WITHOUT_ID = {};

describe('a message', () => {
  const ok = { jsonrpc: '2.0', id: 1, method: 'ping', params: {} };

  it.each<[what: string, body: unknown, code: number, id?: object]>([
    ['that is no JSON', '{', -32700, WITHOUT_ID],
    ['that is empty', '', -32700, WITHOUT_ID],
    ['with half of a character', '{"id":1,"method":"\\ud800"}', -32700, WITHOUT_ID],
    ['that is nested 30,000 levels deep', '['.repeat(30_000) + ']'.repeat(30_000), -32700, WITHOUT_ID],
    ['in a batch', [ok], -32600, WITHOUT_ID],
    ['in an empty batch', [], -32600, WITHOUT_ID],
    ['that is a text', '"x"', -32600, WITHOUT_ID],
    ['that is null', 'null', -32600, WITHOUT_ID],
    ['of another version of JSON-RPC', { ...ok, jsonrpc: '1.0' }, -32600],
    ['without a version of JSON-RPC', { id: 1, method: 'ping' }, -32600],
    ['without a method', { jsonrpc: '2.0', id: 1 }, -32600],
    ['whose method is a number', { ...ok, method: 1 }, -32600],
    ['whose id is null', { ...ok, id: null }, -32600, WITHOUT_ID],
    ['whose id is a fraction', { ...ok, id: 1.5 }, -32600, WITHOUT_ID],
    ['whose id is an object', { ...ok, id: {} }, -32600, WITHOUT_ID],
    ['whose params are a list', { ...ok, params: [] }, -32600],
    ['that is a request without an id', { jsonrpc: '2.0', method: 'tools/call' }, -32600, WITHOUT_ID],
    ['that is a response', { jsonrpc: '2.0', id: 1, result: {} }, -32600, WITHOUT_ID],
  ])('a message of MCP %s is refused', async (_what, body, code, id) => {
    const [status, refusal] = await statusAndBody(await post({ ...key, 'MCP-Protocol-Version': '2025-11-25' }, body));
    // Whether a text of this depth can be parsed depends on the parser; then it is a batch.
    const codes = _what.includes('deep') ? expect.toBeOneOf([-32700, -32600]) : code;
    expect([status, refusal]).toEqual([400, failure(codes, expect.any(String), {}, id)]);
  });

  it('a message of MCP in bytes that are no UTF-8 is refused', async () => {
    const { headers } = requestOf('ping', {}, '2025-11-25');
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    const response = await call('/mcp', {
      method: 'POST',
      headers: { ...key, ...headers, 'Content-Type': 'application/json' },
      body,
    });
    expect(await statusAndBody(response)).toEqual([400, failure(-32700, expect.any(String), {}, WITHOUT_ID)]);
  });

  it('a message of MCP gets its own id in the response, a text or a number', async () => {
    for (const id of ['', 'a"b', 0, -1, 2 ** 40]) {
      const response = await post({ ...key, 'MCP-Protocol-Version': '2025-11-25' }, { ...ok, id });
      expect(await response.json()).toEqual({ jsonrpc: '2.0', id, result: {} });
    }
  });

  it('a message of MCP of more than 64 KiB is refused before it is parsed', async () => {
    const response = await post(key, `{"x":"${'x'.repeat(65 * 1024)}`);
    expect(await statusAndBody(response)).toEqual([
      413,
      failure(
        413,
        'body_too_large: The body may be at most 65536 bytes long.',
        { data: { code: 'body_too_large' } },
        WITHOUT_ID,
      ),
    ]);
  });

  it.each(['2025-11-25', CURRENT, undefined])(
    'a message of MCP that is a notification is accepted, with the revision %s',
    async (revision) => {
      const response = await post(
        { ...key, 'MCP-Protocol-Version': revision },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      );
      expect([response.status, await response.text()]).toEqual([202, '']);
    },
  );
});
