import { expect } from 'vitest';
import type { Caller } from './forms.ts';
import { call, type Call } from './service.ts';

/** Calls of `POST /mcp`, as a client of each revision sends them. */

export const CURRENT = '2026-07-28';
export const REVISIONS = [CURRENT, '2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type Revision = (typeof REVISIONS)[number];

export const META = {
  'io.modelcontextprotocol/protocolVersion': CURRENT,
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const keyOf = ({ apiKey }: Pick<Caller, 'apiKey'>) => ({ Authorization: `Bearer ${apiKey}` });

const COMMON = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** Sends any body with any headers; a header that is undefined is left out. */
export function post(
  headers: Readonly<Record<string, string | undefined>>,
  body: unknown,
  through: Call = call,
  path = '/mcp',
) {
  const sent = Object.entries({ ...COMMON, ...headers }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return through(path, { method: 'POST', headers: Object.fromEntries(sent), body: text });
}

/** The headers and the body of a request of a revision. */
export function requestOf(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  revision: Revision = CURRENT,
) {
  const isStateless = revision === CURRENT;
  const headers = {
    'MCP-Protocol-Version': revision,
    ...(isStateless && {
      'Mcp-Method': method,
      ...(typeof params['name'] === 'string' && { 'Mcp-Name': params['name'] }),
    }),
  };
  const body = { jsonrpc: '2.0', id: 1, method, params: isStateless ? { ...params, _meta: META } : params };
  return { headers, body };
}

export function ask(
  credential: Readonly<Record<string, string>>,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  revision: Revision = CURRENT,
  through: Call = call,
): Promise<Response> {
  const { headers, body } = requestOf(method, params, revision);
  return post({ ...credential, ...headers }, body, through);
}

export interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>> & { readonly untrusted: readonly string[] };
  readonly isError?: true;
}

/** The result of a tool. */
export async function callTool(
  credential: Readonly<Record<string, string>>,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  revision: Revision = CURRENT,
  through: Call = call,
): Promise<Result> {
  const response = await ask(credential, 'tools/call', { name, arguments: args }, revision, through);
  const body = await response.json<{ result: Result }>();
  expect({ status: response.status, body }).toEqual({
    status: 200,
    body: { jsonrpc: '2.0', id: 1, result: expect.anything() },
  });
  return body.result;
}

/** Structured content, with the fields that tests read. */
export interface Data extends Readonly<Record<string, unknown>> {
  readonly untrusted: readonly string[];
  readonly id: string;
  readonly slug: string;
  readonly url: string;
  readonly title: string | null;
  readonly client_id: string;
  readonly state: string;
  readonly cursor: string | null;
  readonly links: readonly { readonly id: string; readonly url: string }[];
  readonly rows: readonly { readonly key: string }[];
}

/** The structured content of a tool that succeeds. */
export async function dataOf(...of: Parameters<typeof callTool>): Promise<Data> {
  const { isError, content, structuredContent } = await callTool(...of);
  expect([isError, content]).toEqual([undefined, expect.anything()]);
  return structuredContent as unknown as Data;
}

/** The status of a JSON response, and its body. */
export async function statusAndBody(response: Response): Promise<readonly [status: number, body: unknown]> {
  expect(response.headers.get('Content-Type')).toBe('application/json');
  return [response.status, await response.json()];
}

/** The body of a JSON-RPC error. */
export const failureOf = (code: unknown, message: unknown, more: object = {}, id: object = { id: 1 }) => ({
  jsonrpc: '2.0',
  ...id,
  error: { code, message, ...more },
});
