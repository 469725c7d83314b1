import { Validator, type Schema } from '@cfworker/json-schema';
import { beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { DAY_MS } from '../../src/time/day.ts';
import { TOOL_INPUTS } from '../../src/http/tool-inputs.ts';
import { mcpTools } from '../../scripts/reference/mcp-tools.ts';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { INSTANT } from '../support/management.ts';
import { ask, callTool, type Data, dataOf, keyOf, REVISIONS } from '../support/mcp.ts';
import { scanPng } from '../support/qr.ts';
import { db, seedLink } from '../support/seed.ts';
import { call, ORIGIN } from '../support/service.ts';
import { humans, seedClicks } from '../support/stats.ts';

/** Calls of the tools of `POST /mcp`. */

interface Listed {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly description: string;
}

let caller: Caller;
let key: Record<string, string>;
let tools: readonly Listed[];

beforeAll(async () => {
  caller = await seedCaller();
  key = keyOf(caller);
  tools = (await (await ask(key, 'tools/list')).json<{ result: { tools: readonly Listed[] } }>()).result.tools;
});

const EXAMPLE = 'https://example.com/';

describe('the list of tools', () => {
  it('the list of tools is the one that the code describes, in the same order in every revision', async () => {
    expect(tools).toEqual(JSON.parse(JSON.stringify(mcpTools())));
    for (const revision of REVISIONS)
      expect(await (await ask(key, 'tools/list', {}, revision)).json()).toMatchObject({ result: { tools } });
  });

  it('the list of tools has one page, so that every cursor is wrong', async () => {
    const response = await ask(key, 'tools/list', { cursor: '' });
    expect([response.status, await response.json()]).toEqual([
      200,
      { jsonrpc: '2.0', id: 1, error: { code: -32602, message: expect.stringContaining('cursor') } },
    ]);
  });

  it('the list of tools says which tools change something', () => {
    const of = (hint: string) => tools.filter(({ annotations }) => annotations[hint] === true).map(({ name }) => name);
    expect(of('destructiveHint')).toEqual(['update_link']);
    const writing = new Set(['create_link', 'update_link']);
    expect(of('readOnlyHint')).toEqual(Object.keys(TOOL_INPUTS).filter((name) => !writing.has(name)));
    expect(of('openWorldHint')).toEqual([]);
    expect(of('idempotentHint')).not.toContain('create_link');
  });

  it('the list of tools takes client_id in every tool, and no argument that a schema does not name', () => {
    for (const { name, inputSchema } of tools) {
      expect([name, Object.keys(inputSchema.properties ?? {})]).toEqual([name, expect.arrayContaining(['client_id'])]);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('the list of tools says in each tool with text of others how that is marked', () => {
    for (const { name, description } of tools) {
      const isMarked = !['compare_links', 'qr_code'].includes(name);
      expect([name, description.includes('never as instructions')]).toEqual([name, isMarked]);
    }
  });
});

/** The data of a tool, which must fit the schema that the list has of it. */
async function checked(name: string, args: object = {}, credential = key): Promise<Data> {
  const data = await dataOf(credential, name, { ...args });
  const { outputSchema } = tools.find((tool) => tool.name === name)!;
  expect(new Validator(outputSchema!, '2020-12', false).validate(data).errors).toEqual([]);
  return data;
}

describe('create_link and update_link', () => {
  it('the tools create_link and update_link create a link with all that the API takes, and change it', async () => {
    const rules = [{ name: 'at', if: [{ type: 'country', in: ['AT'] }], url: 'https://example.com/at' }];
    const made = await checked('create_link', { url: EXAMPLE, title: 'Summer', tags: ['a', 'b'], rules, slug: null });
    expect(made).toMatchObject({
      id: expect.any(String),
      short_url: `${ORIGIN}/${made.slug}`,
      client_id: caller.clientId,
      title: 'Summer',
      tags: ['a', 'b'],
      rules,
      state: 'active',
      untrusted: expect.arrayContaining(['url', 'title', 'rules']),
    });
    const followed = await call(`/${made.slug}`, { redirect: 'manual' });
    expect([followed.status, followed.headers.get('Location')]).toEqual([302, EXAMPLE]);
    const changed = await checked('update_link', { link: made.id, url: 'https://example.com/new', title: null });
    expect(changed).toMatchObject({ id: made.id, url: 'https://example.com/new', title: null, tags: ['a', 'b'] });
    expect((await call(`/${made.slug}`, { redirect: 'manual' })).headers.get('Location')).toBe(
      'https://example.com/new',
    );
    const off = await checked('update_link', { link: made.id, disabled: true });
    expect([off.state, (await call(`/${made.slug}`)).status]).toEqual(['disabled', 410]);
  });

  it('the tools create_link and update_link say in content, too, what is in the structured content', async () => {
    const { content, structuredContent } = await callTool(key, 'create_link', { url: EXAMPLE });
    expect(content).toEqual([
      { type: 'text', text: expect.stringMatching(/^The link is created\. The fields listed in `untrusted`/) },
      { type: 'text', text: expect.any(String) },
    ]);
    expect(JSON.parse(content[1]?.text ?? '')).toEqual(structuredContent);
    expect(structuredContent).not.toHaveProperty('reused');
  });
});

describe('the tools that read', () => {
  it('the tools that read find links by a filter, page by page', async () => {
    const own = await seedCaller();
    const made = [];
    for (const n of [1, 2, 3]) made.push(await seedLink(own, { campaign_name: 'spring', title: `Link ${n}` }));
    await seedLink(own);
    const first = await checked('find_links', { campaign_name: 'spring', limit: 2 }, keyOf(own));
    const second = await checked('find_links', { campaign_name: 'spring', limit: 2, cursor: first.cursor }, keyOf(own));
    expect([...first.links, ...second.links].map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
    expect(first.links[0]).toEqual({
      id: made[2]!.id,
      short_url: made[2]!.short_url,
      url: EXAMPLE,
      client_id: own.clientId,
      title: 'Link 3',
      campaign_name: 'spring',
      tags: [],
      state: 'active',
      created_at: INSTANT,
      clicks: 0,
      humans: 0,
      last_click_at: null,
    });
    expect([second.cursor, second.links.length]).toEqual([null, 1]);
  });

  it('the tools that read cut a long URL in a list, and have all of it for one link', async () => {
    const own = await seedCaller();
    const url = `https://example.com/${'x'.repeat(2000)}`;
    const { id } = await seedLink(own, { url });
    const { links } = await checked('find_links', { q: 'xxx' }, keyOf(own));
    expect(links[0]?.url).toBe(`${url.slice(0, 300)}…`);
    expect((await checked('get_link', { link: id }, keyOf(own))).url).toBe(url);
  });

  it('the tools that read get a link with its clicks, and its statistics', async () => {
    const { id } = await seedLink(caller);
    const link = await checked('get_link', { link: id });
    expect(link).toMatchObject({ id, url: EXAMPLE, clicks_left: null, clicks: { total: 0 } });
    const stats = await checked('link_stats', { link: id, by: 'country', limit: 5, compare: 'previous' });
    expect(stats).toMatchObject({ by: 'country', total: 0, rows: [], compare: { total: 0 }, cursor: null });
    expect(stats.untrusted).toEqual(['rows[].key', 'compare.rows[].key']);
    const days = await checked('link_stats', { from: '2026-01-01', to: '2026-12-31' });
    expect([days.rows.length, days.untrusted]).toEqual([100, []]);
  });

  it('the tools that read compare links, also those without clicks', async () => {
    const [one, other] = [await seedLink(caller), await seedLink(caller)];
    const { rows } = await checked('compare_links', { links: [one.id, other.id, one.id], compare: 'previous' });
    expect(rows).toEqual([one, other].map(({ id: key }) => ({ key, total: 0, humans: 0, bots: 0, previews: 0 })));
  });

  it('the tools that read compare the clicks of links with those before, also of a link that has none any longer', async () => {
    const [now, before] = [await seedLink(caller), await seedLink(caller)];
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
    await seedClicks(now, [{ at: daysAgo(1) }, { at: daysAgo(40) }]);
    await seedClicks(before, [{ at: daysAgo(40) }, { at: daysAgo(41) }]);
    const { rows, compare } = await checked('compare_links', { links: [before.id, now.id], compare: 'previous' });
    const row = (key: string, clicks: number) => ({ key, ...humans(clicks) });
    expect(rows).toEqual([row(now.id, 1), row(before.id, 0)]);
    expect(compare).toMatchObject({ total: 3, rows: [row(now.id, 1), row(before.id, 2)] });
  });

  it('the tools that read list campaigns and tags', async () => {
    const own = await seedCaller();
    await seedLink(own, { campaign_name: 'spring', tags: '["poster"]' });
    expect(await checked('list_campaigns', { limit: 10 }, keyOf(own))).toMatchObject({
      campaigns: [{ name: 'spring', links: 1, clicks: 0 }],
      untrusted: ['campaigns[].name'],
    });
    expect(await checked('list_tags', {}, keyOf(own))).toMatchObject({
      tags: [{ name: 'poster', links: 1 }],
      untrusted: ['tags[].name'],
    });
  });

  it('the tools that read draw a QR code, as a picture or as the text of a file', async () => {
    const link = await seedLink(caller);
    const { content } = await callTool(key, 'qr_code', { link: link.id, size: 256 });
    const [picture, text] = content;
    expect(text).toEqual({ type: 'text', text: `The QR code of the link ${link.id}.` });
    expect(picture).toEqual({ type: 'image', mimeType: 'image/png', data: expect.any(String) });
    expect(scanPng(Buffer.from(picture?.data ?? '', 'base64'))).toBe(`${link.short_url}?via=qr`);
    const svg = await callTool(key, 'qr_code', { link: link.id, format: 'svg' });
    expect(svg.content).toEqual([{ type: 'text', text: expect.stringMatching(/^<svg .*<\/svg>\n$/s) }]);
  });
});

it('a tool needs client_id from a user of several clients, and says which ones there are', async () => {
  const [own, second] = [await seedCaller(), await seedCaller()];
  await addMember(db, own.userName, second.clientId);
  const token = bearerOf(own);
  const names = [own.clientId, second.clientId].toSorted().join(', ');
  for (const [name, args] of [
    ['create_link', { url: EXAMPLE }],
    ['find_links', {}],
    ['link_stats', {}],
    ['list_campaigns', {}],
    ['list_tags', {}],
  ] as const) {
    const { isError, content } = await callTool(token, name, args);
    expect([name, isError, content[0]?.text]).toEqual([
      name,
      true,
      `missing_field: client_id is required, since the user belongs to several clients. Send one of: ${names}.`,
    ]);
    expect(JSON.parse(content[1]?.text ?? '')).toMatchObject({ errors: [{ field: 'client_id' }] });
  }
  const made = await checked('create_link', { url: EXAMPLE, client_id: second.clientId }, token);
  expect(made.client_id).toBe(second.clientId);
  const { links } = await checked('find_links', { client_id: second.clientId }, token);
  expect(links.map(({ id }: { id: string }) => id)).toEqual([made.id]);
});
