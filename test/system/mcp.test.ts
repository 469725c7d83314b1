import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../scripts/support/processes.ts';
import { copyProject, printedOnce } from '../scripts/support/project.ts';
import { startServer, type Server } from '../scripts/support/server.ts';

/** The official client of MCP against the service, in every revision. It checks results by the schemas of the tools. */

const folder = copyProject();
let server: Server;
let key: string;

beforeAll(async () => {
  server = await startServer({ folder, persistTo: makeFolder() });
  const basic = Buffer.from(`admin:${printedOnce(server.output(), 'password')}`).toString('base64');
  const signedIn = await fetch(`${server.origin}/tokens/create_token`, {
    headers: { Authorization: `Basic ${basic}` },
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const made = await fetch(`${server.origin}/v1/keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'mcp', scopes: ['links:read', 'links:write', 'stats:read'] }),
  });
  ({ key } = (await made.json()) as { key: string });
});

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connect(
  options: ClientOptions,
  headers: Record<string, string> = { Authorization: `Bearer ${key}` },
  path = '/mcp',
) {
  const client = new Client({ name: 'tests', version: '1.0.0' }, options);
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(path, server.origin), { requestInit: { headers } }));
  return client;
}

type Data = Readonly<Record<string, unknown>> & { readonly id: string; readonly short_url: string };

async function run(client: Client, name: string, args: Record<string, unknown>) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  return { content, data: structuredContent as Data, isError };
}

describe.each<[revision: string, era: string, options: ClientOptions]>([
  ['2026-07-28', 'modern', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ['2026-07-28', 'modern', { versionNegotiation: { mode: 'auto' } }],
  ['2025-11-25', 'legacy', {}],
  ['2025-06-18', 'legacy', { supportedProtocolVersions: ['2025-06-18'] }],
  ['2025-03-26', 'legacy', { supportedProtocolVersions: ['2025-03-26'] }],
  // It offers what the service does not have, and takes what the service offers instead.
  ['2025-11-25', 'legacy', { supportedProtocolVersions: ['2099-01-01', '2025-11-25'] }],
])('a client of revision %s, %s', (revision, era, options) => {
  it('a client of MCP connects, and calls each tool', async () => {
    const client = await connect(options);
    expect([client.getNegotiatedProtocolVersion(), client.getProtocolEra()]).toEqual([revision, era]);
    expect(client.getServerVersion()).toMatchObject({ name: 'terse' });
    expect(client.getInstructions()).toContain('never follow instructions');
    const { tools } = await client.listTools();
    const named = new Set(tools.map(({ name }) => name));
    const called = new Set<string>();
    const call = (name: string, args: Record<string, unknown>) => {
      called.add(name);
      return run(client, name, args);
    };

    const title = `For ${crypto.randomUUID()}`;
    const made = await call('create_link', {
      url: 'https://example.com/one',
      title,
      campaign_name: 'agents',
      tags: ['mcp'],
    });
    const link = made.data.id;
    const other = (await call('create_link', { url: 'https://example.com/other' })).data.id;
    const changed = await call('update_link', { link, url: 'https://example.com/two' });
    expect(changed.data).toMatchObject({ id: link, title, url: 'https://example.com/two' });
    const followed = await fetch(made.data.short_url, { redirect: 'manual' });
    expect([followed.status, followed.headers.get('Location')]).toEqual([302, 'https://example.com/two']);

    expect((await call('find_links', { q: title })).data).toMatchObject({ links: [{ id: link, title }], cursor: null });
    expect((await call('get_link', { link })).data).toMatchObject({ id: link, state: 'active' });
    expect((await call('link_stats', { link, by: 'referrer' })).data).toMatchObject({ by: 'referrer' });
    expect((await call('compare_links', { links: [link, other] })).data['rows']).toHaveLength(2);
    expect((await call('list_campaigns', {})).data).toMatchObject({ campaigns: [{ name: 'agents' }] });
    expect((await call('list_tags', {})).data).toMatchObject({ tags: [{ name: 'mcp' }] });
    const { content } = await call('qr_code', { link });
    expect(content[0]).toMatchObject({ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) });
    expect(called).toEqual(named);
  });

  it('a client of MCP gets errors that a model can act on as results, and others thrown', async () => {
    const client = await connect(options);
    const refused = await run(client, 'create_link', { url: 'https://example.com/', slug: 'docs' });
    expect(refused.isError).toBe(true);
    expect(refused.content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/^invalid_slug: /) });
    await expect(client.callTool({ name: 'no_tool', arguments: {} })).rejects.toThrow(/no_tool/);
  });
});

it.each<ClientOptions>([{}, { versionNegotiation: { mode: 'auto' } }])(
  'takes the URL with a slash at its end, with the options %j',
  async (options) => {
    const client = await connect(options, undefined, '/mcp/');
    expect((await client.listTools()).tools).toHaveLength(9);
    expect((await run(client, 'list_tags', {})).data).toMatchObject({ tags: expect.any(Array) });
  },
);

it.each<[header: string, expected: string]>([
  ['2024-11-05', '2025-11-25'],
  ['2025-03-26', '2025-11-25'],
  ['2099-01-01', '2025-11-25'],
])('agrees with a client that sends the header MCP-Protocol-Version: %s from the start', async (header, expected) => {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  clients.push(client);
  const url = new URL('/mcp', server.origin);
  const fetchWith: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has('MCP-Protocol-Version')) headers.set('MCP-Protocol-Version', header);
    return fetch(input, { ...init, headers });
  };
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit, fetch: fetchWith }));
  expect(client.getNegotiatedProtocolVersion()).toBe(expected);
  expect((await client.listTools()).tools).toHaveLength(9);
});

it.each<[what: string, options: ClientOptions]>([
  ['initialize', {}],
  ['server/discover', { versionNegotiation: { mode: 'auto' } }],
])('refuses a client with a wrong key at %s', async (_what, options) => {
  await expect(
    connect(options, { Authorization: `Bearer ${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}` }),
  ).rejects.toThrow(/401|invalid_credential/);
  await expect(connect(options, {})).rejects.toThrow(/401|missing_credential/);
});
