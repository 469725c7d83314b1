import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ManagedRecord } from '../../src/api/record.ts';
import { importFile, newSlug, openClient, ownFile, sendFile, outcomesOf, NDJSON } from '../support/files.ts';
import { rowsOf, seedDomain } from '../support/seed.ts';
import { call } from '../support/service.ts';

afterEach(() => vi.restoreAllMocks());

const linksOf = async (clientId: string) => (await rowsOf('links')).filter((row) => row['client_id'] === clientId);
const FUTURE = '2100-01-01T00:00:00.000Z';
const CASES = [
  ['url', 'nowhere', 'invalid_url'],
  ['url', 'javascript:alert(1)', 'invalid_url'],
  ['url', 'https://user:pass@example.com/', 'invalid_url'],
  ['url', 'https://terse.test/x', 'own_host'],
  ['url', `https://example.com/${'a'.repeat(8173)}`, 'too_long'],
  ['url', '', 'missing_field'],
  ['slug', 'a b', 'invalid_slug'],
  ['slug', 'admin', 'invalid_slug'],
  ['slug', 'x'.repeat(65), 'invalid_slug'],
  ['aliases', 'ok a/b', 'invalid_aliases'],
  ['aliases', 'admin', 'invalid_aliases'],
  ['aliases', 'twice Twice', 'invalid_aliases'],
  ['aliases', Array.from({ length: 21 }, (_, i) => `a${i}`).join(' '), 'invalid_aliases'],
  ['custom_domain', 'not a host', 'invalid_custom_domain'],
  ['custom_domain', 'nobody.example', 'unknown_domain'],
  ['sec_id', 'a/b', 'invalid_sec_id'],
  ['campaign_name', 'x'.repeat(129), 'too_long'],
  ['campaign_name', '"a\nb"', 'invalid_campaign_name'],
  ['metadata', '{', 'invalid_metadata'],
  ['metadata', `"""${'x'.repeat(4095)}"""`, 'too_long'],
  ['expires_at', 'tomorrow', 'invalid_expires_at'],
  ['expires_at', '2020-01-01T00:00:00Z', 'invalid_expires_at'],
  ['disabled', 'perhaps', 'invalid_disabled'],
] as const;

describe('POST /v1/links/import', () => {
  it('POST /v1/links/import creates the links of a plain list', async () => {
    const manager = await openClient();
    const [a, b] = [newSlug(), newSlug()];
    const file = `slug,url\n${a},https://example.com/a\n${b},https://example.com/b\n`;
    const response = await sendFile(manager, file);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    const body = await response.json<{ results: { link: ManagedRecord }[] }>();
    const links = [await manager.read(body.results[0]!.link.id), await manager.read(body.results[1]!.link.id)].map(
      (link) => Object.fromEntries(Object.entries(link).filter(([name]) => !name.startsWith('clicks'))),
    );
    expect(body).toEqual({
      dry_run: false,
      created: 2,
      unchanged: 0,
      errors: 0,
      ...ownFile('slug', 'url'),
      results: links.map((link, index) => ({ row: index + 2, status: 'created', link })),
    });
    expect(links.map((link) => [link['slug'], link['url'], link['client_id'], link['state']])).toEqual([
      [a, 'https://example.com/a', manager.tenant.clientId, 'active'],
      [b, 'https://example.com/b', manager.tenant.clientId, 'active'],
    ]);
    expect((await call(`/${a}`)).headers.get('Location')).toBe('https://example.com/a');

    const again = await importFile(manager, file);
    expect(again).toEqual({
      dry_run: false,
      created: 0,
      unchanged: 2,
      errors: 0,
      ...ownFile('slug', 'url'),
      results: links.map((link, index) => ({ row: index + 2, status: 'unchanged', link })),
    });
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(2);
  });

  it('POST /v1/links/import takes every field of a link, in any order, from CSV and from NDJSON alike', async () => {
    const manager = await openClient();
    const host = await seedDomain(manager.tenant);
    const [slug, ...aliases] = ['Größe', 'a-1', 'b_2'];
    const fields = {
      metadata: ' {"a": [1,\t"ü"]}\r\n',
      url: 'https://example.com/?q=1,2',
      disabled: true,
      custom_domain: host,
      campaign_name: '=Spring, "2026"',
      sec_id: '-print',
      expires_at: FUTURE,
    };
    const csv = [
      'metadata,disabled,aliases,url,custom_domain,slug,campaign_name,sec_id,expires_at,id,short_url,created_at,updated_at,state,clicks,client_id',
      `" {""a"": [1,\t""ü""]}\r\n",TRUE,a-1 b_2,"https://example.com/?q=1,2",${host},${slug},"'=Spring, ""2026""",'-print,2100-01-01T01:00:00+01:00,x,x,x,x,x,x,x`,
    ].join('\r\n');
    const made = await importFile(manager, csv);
    expect(outcomesOf(made)).toEqual(['created']);
    const link = made.results[0]!.link!;
    expect(link).toMatchObject({
      ...fields,
      slug,
      aliases,
      state: 'disabled',
      short_url: `https://${host}/Gr%C3%B6%C3%9Fe`,
    });
    expect(await manager.read(link.id)).toMatchObject(link);

    const line = JSON.stringify({ ...fields, slug, aliases: aliases.toReversed(), id: 'x', clicks: 7, client_id: 'y' });
    expect(outcomesOf(await importFile(manager, `${line}\n`, { type: NDJSON }))).toEqual(['unchanged']);
    expect(outcomesOf(await importFile(manager, line, { type: 'application/ndjson; charset=utf-8' }))).toEqual([
      'unchanged',
    ]);
  });

  it.each(CASES)('POST /v1/links/import refuses a row for its %s %j', async (column, value, code) => {
    const manager = await openClient();
    const slug = newSlug();
    const row = { slug: newSlug(), url: 'https://example.com/', [column]: value };
    const cell = row.url.includes(',') ? `"${row.url}"` : row.url;
    const columns = column === 'slug' || column === 'url' ? 'slug,url' : `slug,url,${column}`;
    const cells = column === 'slug' || column === 'url' ? [row.slug, cell] : [row.slug, cell, value];
    const quoted = cells.map((text) => (text.includes('{') ? `"${text}"` : text)).join(',');
    const body = await importFile(
      manager,
      `${columns}\n${slug},https://example.com/ok${columns === 'slug,url' ? '' : ','}\n${quoted}\n`,
    );
    expect(outcomesOf(body)).toEqual(['created', code]);
    expect(body.results[1]).toEqual({
      row: 3,
      status: 'error',
      error: expect.stringMatching(/^\w+: .+\.$/),
      errors: [{ field: column, detail: body.results[1]?.error?.replace(/^\w+: /, '') }],
    });
    expect([body.created, body.unchanged, body.errors]).toEqual([1, 0, 1]);
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(1);
  });

  it('POST /v1/links/import reports all faults of a row itself at once, at most 16', async () => {
    const manager = await openClient();
    const csv = 'slug,url,sec_id,metadata,disabled\na b,nowhere,a/b,{,perhaps\n';
    const detail = 'url must be an absolute http or https URL, such as https://example.com/page.';
    const [row] = (await importFile(manager, csv)).results;
    expect(row?.errors?.map(({ field }) => field)).toEqual(['slug', 'url', 'sec_id', 'metadata', 'disabled']);
    expect(row?.errors?.[1]).toEqual({ field: 'url', detail });
    expect(row?.error).toBe(`invalid_slug: ${row?.errors?.[0]?.detail}`);
    const unknown = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x${index}`, index]));
    const body = await importFile(manager, JSON.stringify({ url: 'nowhere', ...unknown }), { type: NDJSON });
    expect(body.results[0]?.errors).toHaveLength(16);
    expect(body.results[0]?.errors?.slice(0, 2)).toEqual([
      { field: 'url', detail },
      { field: 'x0', detail: 'There is no field "x0" here. Leave it out.' },
    ]);
  });

  it('POST /v1/links/import reports all conflicts of a row with the service at once', async () => {
    const manager = await openClient();
    const csv =
      'slug,aliases,url,custom_domain,expires_at\nadmin,login ok,https://terse.test/x,,2020-01-01T00:00:00Z\n' +
      'ok,,https://terse.test/x,nobody.example,\n';
    const { results } = await importFile(manager, csv);
    expect(results.map(({ error, errors }) => [error?.split(':')[0], errors?.map(({ field }) => field)])).toEqual([
      ['invalid_slug', ['slug', 'aliases', 'url', 'expires_at']],
      ['own_host', ['url', 'custom_domain']],
    ]);
    const details = results[0]?.errors?.map(({ detail }) => detail);
    expect(details?.[1]).toMatch(/^aliases\.0 /);
    expect(details?.[3]).toBe('expires_at must not be in the past.');
    expect(await linksOf(manager.tenant.clientId)).toEqual([]);
  });

  it('POST /v1/links/import says in a dry run what would become of each row, and writes nothing', async () => {
    const manager = await openClient();
    const [known, fresh] = [newSlug(), newSlug()];
    await manager.make({ slug: known });
    const before = [await rowsOf('links'), await rowsOf('addresses'), await rowsOf('api_keys')];
    const file = `slug,url\n${known},https://example.com/\n${fresh},https://example.com/\n${known},https://example.com/2\n,bad\n`;
    const body = await importFile(manager, file, { query: '?dry_run=true' });
    expect(body).toMatchObject({ dry_run: true, created: 1, unchanged: 1, errors: 2 });
    expect(outcomesOf(body)).toEqual(['unchanged', 'created', 'slug_taken', 'invalid_url']);
    expect(body.results[1]).toEqual({ row: 3, status: 'created' });
    expect([await rowsOf('links'), await rowsOf('addresses'), await rowsOf('api_keys')]).toEqual(before);
    expect(outcomesOf(await importFile(manager, file, { query: '?dry_run=false' }))).toEqual(outcomesOf(body));
    expect(await linksOf(manager.tenant.clientId)).toHaveLength(2);
  });

  it('POST /v1/links/import notes that the key was used', async () => {
    const manager = await openClient();
    const lastUsed = async () =>
      (await rowsOf('api_keys')).find((row) => row['client_id'] === manager.tenant.clientId)?.['last_used_at'];
    expect(await lastUsed()).toBeNull();
    await importFile(manager, 'url\nhttps://example.com/\n');
    expect(await lastUsed()).toEqual(expect.any(Number));
  });
});
