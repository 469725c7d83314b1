import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { TOOL_INPUTS } from '../../src/http/tool-inputs.ts';
import { seedCaller } from '../support/forms.ts';
import { keyOf, META, post, requestOf, REVISIONS, type Revision } from '../support/mcp.ts';
import { rowsOf, seedLink } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

const RUNS = 1500;
const TOOLS = Object.keys(TOOL_INPUTS);
const NAMES = [...new Set(Object.values(TOOL_INPUTS).flatMap(({ own }) => Object.keys(own())))];
const FIELDS = [
  ...NAMES,
  'url',
  'slug',
  'title',
  'tags',
  'rules',
  'metadata',
  'cursor',
  'by',
  'from',
  'q',
  'client_id',
  'size',
  '__proto__',
];

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    '../..',
    "' OR 1=1 --",
    '<script>',
    '\u0301'.repeat(3000),
    'x'.repeat(9000),
    '9'.repeat(400),
    'https://example.com/',
  ),
);
const values = fc.oneof(
  { maxDepth: 3 },
  texts,
  fc.double(),
  fc.integer(),
  fc.constantFrom(null, true, false, [], {}),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(texts, { maxLength: 30 }),
);
const args = fc.dictionary(fc.constantFrom(...FIELDS), values, { maxKeys: 6 });
const method = fc.oneof(
  { weight: 5, arbitrary: fc.constant('tools/call') },
  fc.constantFrom('tools/list', 'server/discover', 'initialize', 'ping', 'notifications/x', 'constructor'),
  texts,
);
const messages = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      revision: fc.constantFrom(...REVISIONS),
      method,
      name: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...TOOLS) }, texts),
      args: fc.oneof({ weight: 6, arbitrary: args }, values),
    }),
  },
  fc.record({
    body: fc.oneof(
      fc.json(),
      texts,
      values.map((value) => JSON.stringify(value) ?? ''),
    ),
  }),
  fc.record({
    body: fc
      .record(
        { jsonrpc: fc.oneof(fc.constant('2.0'), values), id: values, method: values, params: values },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  }),
);

const headerOf = (text: string) => `=?base64?${Buffer.from(text.toWellFormed()).toString('base64')}?=`;

it(
  `the MCP server responds to any of ${RUNS} messages with JSON-RPC, and never with a 5xx`,
  { timeout: 600_000 },
  async () => {
    for (const level of ['log', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
    const [caller, other] = [await seedCaller(), await seedCaller()];
    const foreign = await seedLink(other, { title: 'untouched' });
    const own = await seedLink(caller);
    const isolate = openIsolate({ CREATE_LIMITING: 'off' });
    const outcomes = new Map<string, number>();
    const send = (message: {
      readonly body?: string;
      readonly revision?: Revision;
      readonly method?: string;
      readonly name?: unknown;
      readonly args?: unknown;
    }) => {
      if (message.body !== undefined)
        return post({ ...keyOf(caller), 'MCP-Protocol-Version': '2025-11-25' }, message.body, isolate);
      const { revision, method = '', name } = message;
      const ids: unknown = Array.isArray(message.args)
        ? message.args
        : { link: [own, foreign][method.length % 2]!.id, ...Object(message.args) };
      const { body } = requestOf(method, { name, arguments: ids }, revision);
      // What a header cannot hold is sent in Base64, which only Mcp-Name can be.
      const named = /^[!-~]+$/.test(method) ? { 'Mcp-Method': method } : {};
      const headers = { 'MCP-Protocol-Version': revision, ...named, 'Mcp-Name': headerOf(String(name)) };
      return post(
        { ...keyOf(caller), ...headers },
        { ...body, params: { name, arguments: ids, ...(revision === '2026-07-28' && { _meta: META }) } },
        isolate,
      );
    };
    const property = fc.asyncProperty(messages, async (message) => {
      const response = await send(message);
      expect([200, 202, 400, 404, 413]).toContain(response.status);
      const text = await response.text();
      expect(text).not.toMatch(/tk_|internal_error|at \w+ \(/);
      if (response.status === 202) return expect(text).toBe('');
      const answer = JSON.parse(text);
      expect(answer).toMatchObject({ jsonrpc: '2.0' });
      expect('result' in answer).toBe(!('error' in answer));
      if (answer.error) expect(answer.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
      const outcome = answer.error ? String(answer.error.code) : answer.result.isError ? 'isError' : 'result';
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    });
    try {
      await fc.assert(property, { numRuns: RUNS, seed: 20_261_124 });
    } finally {
      vi.restoreAllMocks();
    }
    for (const outcome of ['result', 'isError', '-32700', '-32600', '-32601', '-32602'])
      expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(5);
    const untouched = (await rowsOf('links')).find(({ id }) => id === foreign.id);
    expect(untouched).toMatchObject({ title: 'untouched', url: 'https://example.com/' });
  },
);
