import { beforeAll, describe, expect, it } from 'vitest';
import { TOOL_INPUTS, type ToolName } from '../../src/http/tool-inputs.ts';
import { createKey } from '../../src/accounts/operator.ts';
import { seedCaller, storedLinks, type Caller } from '../support/forms.ts';
import { answer, ask as askApi, seedMember } from '../support/management.ts';
import { countTo } from '../support/limits.ts';
import { callTool, ask, keyOf, dataOf } from '../support/mcp.ts';
import { db, seedLink } from '../support/seed.ts';

/** Refusals of the tools of `POST /mcp`, in words that a model can act on. */

let caller: Caller;
let key: Record<string, string>;

beforeAll(async () => {
  caller = await seedCaller();
  key = keyOf(caller);
});

const EXAMPLE = 'https://example.com/';

describe('an error', () => {
  it.each<[tool: ToolName, args: object, text: RegExp, field: string | null]>([
    ['create_link', {}, /^missing_field: url is required/, 'url'],
    ['create_link', { url: 'ftp://x' }, /^invalid_url: url cannot have the scheme ftp/, 'url'],
    ['create_link', { url: EXAMPLE, slug: 'docs' }, /^invalid_slug: /, 'slug'],
    ['create_link', { url: EXAMPLE, colour: 'red' }, /^unknown_field: There is no field "colour"/, 'colour'],
    ['create_link', { url: EXAMPLE, client_id: 'a b' }, /^invalid_client_id: /, 'client_id'],
    ['create_link', { url: 'https://terse.test/x' }, /^own_host: /, 'url'],
    ['create_link', { url: EXAMPLE, expires_at: '2020-01-01T00:00:00Z' }, /^invalid_expires_at: /, 'expires_at'],
    ['update_link', { title: 'x' }, /^missing_field: link is required/, 'link'],
    ['update_link', { link: 1 }, /^invalid_link: link must be a string/, 'link'],
    ['update_link', { link: 'x', rules: [{}] }, /^invalid_rules|^missing_field/, 'rules'],
    ['update_link', { link: 'x', title: 'y' }, /^not_found: /, null],
    ['find_links', { limit: 51 }, /^invalid_limit: limit must be a whole number from 1 to 50/, 'limit'],
    ['find_links', { limit: 1.5 }, /^invalid_limit: /, 'limit'],
    ['find_links', { cursor: 'x' }, /^invalid_cursor: /, 'cursor'],
    ['find_links', { tag: 'x' }, /^invalid_tag: tag must be an array/, 'tag'],
    ['find_links', { q: {} }, /^malformed_body: q must be a string/, 'q'],
    ['find_links', { q: 'x'.repeat(201) }, /^too_long: q must be at most 200/, 'q'],
    ['find_links', { q: 'x'.repeat(9000) }, /^too_long: /, null],
    ['find_links', { tag: ['\u0301'.repeat(20_000)] }, /^too_long: /, null],
    ['get_link', { link: 'none' }, /^not_found: /, null],
    ['get_link', { link: 'x', id: 'y' }, /^unknown_field: /, 'id'],
    ['link_stats', { link: 'none' }, /^not_found: /, null],
    ['link_stats', { link: 'none', tag: 'x' }, /^unknown_field: /, null],
    ['link_stats', { limit: 201 }, /^invalid_limit: /, 'limit'],
    ['link_stats', { from: '2026-13-01' }, /^invalid_from: /, 'from'],
    ['link_stats', { by: 'moon' }, /^invalid_by: /, 'by'],
    ['compare_links', { links: ['x'] }, /^invalid_links: links must have at least 2 ids/, 'links'],
    ['compare_links', { links: ['x', 'y'] }, /^invalid_link: /, 'links'],
    ['link_stats', { link: 'x', campaign_name: 'y' }, /^unknown_field: (?!.*\/v1\/)/, null],
    ['compare_links', { links: ['x', 'y'], by: 'day' }, /^unknown_field: There is no field "by"/, 'by'],
    ['list_tags', { limit: 0 }, /^invalid_limit: /, 'limit'],
    ['qr_code', { link: 'none' }, /^not_found: /, null],
    ['qr_code', { link: 'none', format: 'gif' }, /^invalid_format: /, 'format'],
    ['qr_code', { link: 'none', size: 5000 }, /^invalid_size: /, 'size'],
  ])('the MCP error of %s with %.80j says its code and the remedy', async (tool, args, sentence, field) => {
    const { isError, content, structuredContent } = await callTool(key, tool, { ...args });
    expect([isError, structuredContent]).toEqual([true, undefined]);
    expect(content).toEqual([
      { type: 'text', text: expect.stringMatching(sentence) },
      { type: 'text', text: expect.any(String) },
    ]);
    const details = JSON.parse(content[1]?.text ?? '');
    expect(details).toMatchObject({ code: content[0]?.text?.split(':')[0] });
    expect(details.errors[0]?.field ?? null).toBe(field);
  });

  it('the MCP error of a taken slug names the field', async () => {
    const { id } = await seedLink(caller);
    const { content } = await callTool(key, 'create_link', { url: EXAMPLE, slug: id });
    expect(JSON.parse(content[1]?.text ?? '')).toMatchObject({ code: 'slug_taken', errors: [{ field: 'slug' }] });
  });

  it.each(['no_tool', 'constructor', '__proto__', ''])(
    'the MCP error of the unknown tool %j is one of the protocol',
    async (name) => {
      for (const revision of ['2026-07-28', '2025-11-25'] as const) {
        // An empty header is no header.
        if (name === '' && revision === '2026-07-28') continue;
        const response = await ask(key, 'tools/call', { name, arguments: {} }, revision);
        expect([response.status, await response.json()]).toEqual([
          200,
          { jsonrpc: '2.0', id: 1, error: { code: -32602, message: `Unknown tool: ${JSON.stringify(name)}` } },
        ]);
      }
    },
  );

  it.each([{}, { name: 1 }, { name: 'list_tags', arguments: [] }, { name: 'list_tags', arguments: 'x' }])(
    'the MCP error of a call with %j is one of the protocol',
    async (params) => {
      const response = await ask(key, 'tools/call', params, '2025-11-25');
      expect(await response.json()).toMatchObject({ error: { code: -32602 } });
    },
  );
});

describe('the rate limits', () => {
  it('the rate limits of MCP are those of the API, and say when to try again', async () => {
    const own = keyOf(await seedCaller());
    // The real one counts by the minute, in which a busy machine does not come to 600 changes.
    countTo('WRITE_LIMIT', 3);
    const update = () => callTool(own, 'update_link', { link: 'x', title: 'y' });
    const texts = [];
    for (let n = 1; n <= 3; n++) texts.push((await update()).content[0]?.text);
    expect(texts).toEqual(Array(3).fill(expect.stringMatching(/^not_found: /)));
    const last = await update();
    expect(last.content[0]?.text).toMatch(/^too_many_requests: This credential changes things too quickly/);
    expect(JSON.parse(last.content[1]?.text ?? '')).toMatchObject({ retry_after_seconds: expect.any(Number) });
    // Reading continues.
    expect((await callTool(own, 'list_tags', {})).isError).toBeUndefined();
  });
});

const OWN_ARGUMENTS: Readonly<Record<ToolName, (link: string, clientId: string) => object>> = {
  create_link: (_, client_id) => ({ url: EXAMPLE, client_id }),
  update_link: (link) => ({ link, title: 'stolen' }),
  find_links: (_, client_id) => ({ client_id }),
  get_link: (link) => ({ link }),
  link_stats: (link) => ({ link }),
  compare_links: (link, client_id) => ({ links: [link, 'other'], client_id }),
  list_campaigns: (_, client_id) => ({ client_id }),
  list_tags: (_, client_id) => ({ client_id }),
  qr_code: (link) => ({ link }),
};
const TOOLS = Object.keys(TOOL_INPUTS) as ToolName[];

describe.each(TOOLS)('%s', (tool) => {
  const argsOf = (link: { id: string }, { clientId }: Caller) => ({ ...OWN_ARGUMENTS[tool](link.id, clientId) });

  it('a tool does nothing for another client, neither with its key nor with its token', async () => {
    const [owner, stranger] = [await seedCaller(), await seedCaller()];
    const link = await seedLink(owner, { title: 'mine', campaign_name: 'secret-campaign' });
    const before = await storedLinks();
    const bearer = { Authorization: `Bearer ${stranger.accessToken}` };
    for (const credential of [keyOf(stranger), bearer]) {
      const { isError, content } = await callTool(credential, tool, argsOf(link, owner));
      expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/^(wrong_client|not_found): /)]);
      expect(JSON.stringify(content)).not.toContain('secret-campaign');
    }
    expect(await storedLinks()).toEqual(before);
    expect((await dataOf(keyOf(owner), 'get_link', { link: link.id })).title).toBe('mine');
  });

  const needed = {
    create_link: 'links:write',
    update_link: 'links:write',
    link_stats: 'stats:read',
    compare_links: 'stats:read',
  };
  const scope = needed[tool as keyof typeof needed] ?? 'links:read';

  it(`a tool needs a key with the scope ${scope}`, async () => {
    const owner = await seedCaller();
    const link = await seedLink(owner);
    const others = ['links:read', 'links:write', 'stats:read'].filter((each) => each !== scope);
    const keyWith = async (scopes: string[]) => {
      const made = await answer<{ key: string }>(await askApi(owner, 'POST', '/v1/keys', { name: 'x', scopes }), 201);
      return { Authorization: `Bearer ${made.key}` };
    };
    const other = await seedLink(owner);
    const args = { ...argsOf(link, owner), ...(tool === 'compare_links' && { links: [link.id, other.id] }) };
    const { isError, content } = await callTool(await keyWith(others), tool, args);
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringMatching(new RegExp(`^insufficient_scope: .*${scope}.* Use another`)),
    ]);
    expect((await callTool(await keyWith([scope]), tool, args)).isError).toBeUndefined();
    const member = await seedMember(owner);
    expect((await callTool({ Authorization: `Bearer ${member.accessToken}` }, tool, args)).isError).toBeUndefined();
  });
});

it('a tool does nothing with a key that was revoked', async () => {
  const owner = await seedCaller();
  const { id } = await seedLink(owner);
  const made = await createKey(db, owner.clientId, 'second');
  const credential = { Authorization: `Bearer ${made?.text}` };
  expect((await ask(credential, 'tools/list')).status).toBe(200);
  const { keys } = await answer<{ keys: { id: string; name: string }[] }>(await askApi(owner, 'GET', '/v1/keys'));
  await askApi(owner, 'DELETE', `/v1/keys/${keys.find(({ name }) => name === 'second')?.id}`);
  for (const tool of TOOLS) {
    const args = { ...OWN_ARGUMENTS[tool](id, owner.clientId) };
    expect([tool, (await ask(credential, 'tools/call', { name: tool, arguments: args })).status]).toEqual([tool, 401]);
  }
  expect((await ask(credential, 'server/discover')).status).toBe(401);
});

it('a tool takes null for an argument that is left out', async () => {
  const [link, other] = [await seedLink(caller), await seedLink(caller)];
  const calls: [ToolName, object][] = [
    ['create_link', { url: EXAMPLE, client_id: null }],
    ['get_link', { link: link.id, client_id: null }],
    ['update_link', { link: link.id, client_id: null, title: null }],
    ['find_links', { limit: null, q: null, client_id: null }],
    ['compare_links', { links: [link.id, other.id], by: null }],
    ['qr_code', { link: link.id, format: null }],
  ];
  for (const [tool, args] of calls)
    expect([tool, (await callTool(key, tool, { ...args })).isError]).toEqual([tool, undefined]);
});
