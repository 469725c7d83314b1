import { STORED_NAMES } from '../../src/links/fields/content.ts';
import { env } from 'cloudflare:workers';
import Papa from 'papaparse';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ClickedRecord } from '../../src/api/record.ts';
import type { ManagedRecord } from '../../src/api/record.ts';
import { waitReally } from '../support/deferred.ts';
import { openManager, type Manager } from '../support/manage.ts';
import { addMember } from '../../src/accounts/operator.ts';
import { db, seedDomain, seedTenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => vi.restoreAllMocks());

const open = async () => openManager(await seedTenant());
const fetchExport = ({ key }: Manager, query: string, headers = key) => call(`/v1/links/export${query}`, { headers });
const CONTENT = STORED_NAMES.filter((name) => name !== 'url').join(',');
const COLUMNS = `id,short_url,slug,aliases,url,custom_domain,${CONTENT},has_password,disabled,clicks_left,created_at,updated_at`;
const HEADER = COLUMNS.split(',')
  .map((name) => `"${name}"`)
  .join(',');

const cellOf = (value: ManagedRecord[keyof ManagedRecord]): string =>
  value === null
    ? ''
    : Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);

async function readRecords(manager: Manager): Promise<ManagedRecord[]> {
  const text = await (await fetchExport(manager, '?format=ndjson')).text();
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Puts many links into the database at once, each with its address, the first of them the oldest. */
async function seedMany({ tenant }: Manager, count: number): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2)
       INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
       SELECT ?1 || '-' || n, '', ?1 || '-' || n, ?1, 's', 'https://example.com/' || n, n / 2, n, 1 FROM numbers`,
    ).bind(tenant.clientId, count),
    env.DB.prepare(
      `INSERT INTO addresses (domain_id, folded, slug, link_id) SELECT '', lower(slug), slug, id FROM links WHERE client_id = ?`,
    ).bind(tenant.clientId),
  ]);
}

/** Has something happen before the nth batch of statements reaches the database. */
function beforeBatch(nth: number, happen: () => unknown) {
  const batch = env.DB.batch.bind(env.DB);
  const spy = vi.spyOn(env.DB, 'batch');
  return spy.mockImplementation(async (statements) => {
    if (spy.mock.calls.length === nth) await happen();
    return batch(statements);
  });
}

describe('GET /v1/links/export', () => {
  it('GET /v1/links/export gives an empty client a header and nothing more, and as NDJSON nothing', async () => {
    const manager = await open();
    const csv = await fetchExport(manager, '?format=csv');
    expect(csv.status).toBe(200);
    expect(Object.fromEntries(csv.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="links.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(await csv.text()).toBe(`${HEADER}\r\n`);
    const ndjson = await fetchExport(manager, '?format=ndjson');
    expect(ndjson.status).toBe(200);
    expect(Object.fromEntries(ndjson.headers)).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="links.ndjson"',
    });
    expect(await ndjson.text()).toBe('');
  });

  it('GET /v1/links/export is CSV where no format is named', async () => {
    expect(await (await fetchExport(await open(), '')).text()).toBe(`${HEADER}\r\n`);
  });

  it('GET /v1/links/export gives each link that is not deleted, newest first, as the API shows it', async () => {
    const [manager, others] = [await open(), await open()];
    await others.make();
    const host = await seedDomain(manager.tenant);
    const made = [
      await manager.make({
        campaign_name: 'Spring',
        metadata: ' {"a": "ü,\\n\\""}',
        expires_at: '2100-01-01T00:00:00Z',
      }),
      await manager.make({ custom_domain: host, slug: 'Größe', max_clicks: 3 }),
      await manager.make(),
      await manager.make(),
    ];
    await manager.ask('PATCH', `/v1/links/${made[1]}`, { slug: 'next', disabled: true });
    await manager.ask('DELETE', `/v1/links/${made[3]}`);
    for (const id of made) {
      await env.DB.prepare('UPDATE links SET created_at = ?2 WHERE id = ?1').bind(id, made.indexOf(id)).run();
    }
    const listed = (await manager.ask<{ links: ClickedRecord[] }>('GET', '/v1/links')).body.links;
    // Clicks are no part of a link that can be imported, except those of its limit.
    const shown = listed.map(({ clicks: _clicks, humans: _humans, last_click_at: _at, ...link }) => link);
    expect(shown.map(({ id }) => id)).toEqual([made[2], made[1], made[0]]);
    expect(await readRecords(manager)).toEqual(shown);

    const csv = await (await fetchExport(manager, '?format=csv', manager.bearer)).text();
    const rows = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data;
    expect(rows).toEqual(
      shown.map((link) => ({
        ...Object.fromEntries(COLUMNS.split(',').map((name) => [name, cellOf(link[name as keyof ManagedRecord])])),
        aliases: link.aliases.join(' '),
      })),
    );
    expect(rows[1]).toMatchObject({ slug: 'next', aliases: 'Größe', disabled: 'true', clicks_left: '3' });
  });

  it('GET /v1/links/export guards cells that a spreadsheet would run, and those that look guarded', async () => {
    const manager = await open();
    for (const campaign_name of [
      'x;=1+1',
      ' =1',
      '\u3000=1',
      '=1+1',
      '+1',
      '-1',
      '@a',
      '＝1+1',
      '＠a',
      "'＝1",
      "'=1",
      "''@a",
      "it's",
      "'quoted'",
    ])
      await manager.make({ campaign_name });
    await manager.make({ metadata: '\t\r\n-1', campaign_name: 'tab' });
    await manager.make({ metadata: '\n-1', campaign_name: 'tab' });
    const csv = await (await fetchExport(manager, '?format=csv')).text();
    const rows = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data;
    expect(new Set(rows.map((row) => row['campaign_name']))).toEqual(
      new Set([
        "x;'=1+1",
        "' =1",
        "'\u3000=1",
        "'=1+1",
        "'+1",
        "'-1",
        "'@a",
        "'＝1+1",
        "'＠a",
        "''＝1",
        "''=1",
        "'''@a",
        "it's",
        "'quoted'",
        'tab',
      ]),
    );
    expect(rows.map((row) => row['metadata'])).toEqual(expect.arrayContaining(["'\t\r\n'-1", "'\n'-1"]));
  });

  it('GET /v1/links/export reads 10,000 links page by page: a trip each, of a bounded number of rows', async () => {
    const manager = await open();
    await seedMany(manager, 10_000);
    const batch = vi.spyOn(env.DB, 'batch');
    const records = await readRecords(manager);
    expect(records).toHaveLength(10_000);
    expect(new Set(records.map(({ id }) => id)).size).toBe(10_000);
    expect(records[0]?.id).toBe(`${manager.tenant.clientId}-9999`);
    expect(batch.mock.calls.length).toBe(25);
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    const read = results.map((each) => each.at(-1)?.meta.rows_read ?? Infinity);
    expect(Math.max(...read)).toBeLessThanOrEqual(3700);
  });

  it('GET /v1/links/export costs one trip where one page is enough', async () => {
    const manager = await open();
    await manager.make();
    const trips = await countTrips();
    await (await fetchExport(manager, '?format=csv')).text();
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
  });

  it('GET /v1/links/export reads no page before there is room for it', async () => {
    const manager = await open();
    await seedMany(manager, 6000);
    const batch = vi.spyOn(env.DB, 'batch');
    const response = await fetchExport(manager, '?format=ndjson');
    const reader = response.body!.getReader();
    await reader.read();
    await waitReally(200);
    expect(batch.mock.calls.length).toBeLessThanOrEqual(3);
    await reader.cancel();
    await waitReally(200);
    expect(batch.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it.each(['csv', 'ndjson'])(
    'GET /v1/links/export aborts as %s if the database fails in the middle',
    async (format) => {
      const manager = await open();
      await seedMany(manager, 2400);
      beforeBatch(3, () => {
        throw new Error('D1 is away');
      });
      const response = await fetchExport(manager, `?format=${format}`);
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
    },
  );

  it.each<[who: string, headersOf: (manager: Manager) => Manager['key'], revoke: string]>([
    ['key', ({ key }) => key, 'UPDATE api_keys SET revoked_at = 1 WHERE client_id = ?'],
    ['sign-in', ({ bearer }) => bearer, 'DELETE FROM members WHERE client_id = ?'],
  ])('GET /v1/links/export aborts if the %s loses access in the middle', async (_, headersOf, revoke) => {
    const manager = await open();
    await seedMany(manager, 2400);
    const batch = beforeBatch(2, () => env.DB.prepare(revoke).bind(manager.tenant.clientId).run());
    const response = await fetchExport(manager, '?format=csv', headersOf(manager));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(batch).toHaveBeenCalledTimes(2);
  });

  it('GET /v1/links/export returns a failure of the first page as one', async () => {
    const manager = await open();
    vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is away'));
    const response = await fetchExport(manager, '?format=csv');
    expect(response.status).toBe(503);
    expect(response.headers.get('Content-Disposition')).toBeNull();
    expect(await response.json()).toEqual({ result: 'Failed', error: expect.stringMatching(/^store_unavailable: /) });
  });

  it.each([
    ['format=xml', 'invalid_format: format must be csv or ndjson.'],
    ['format=CSV', 'invalid_format: format must be csv or ndjson.'],
    ['format=csv&format=csv', 'repeated_field: The parameter "format" is given more than once.'],
    ['colour=red', 'unknown_field: There is no field "colour" here. Leave it out.'],
  ])('GET /v1/links/export refuses ?%s', async (query, error) => {
    const response = await fetchExport(await open(), `?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ result: 'Failed', error });
  });

  it('GET /v1/links/export needs to know the client of a user of several', async () => {
    const [manager, second] = [await open(), await seedTenant()];
    await addMember(db, manager.tenant.userName, second.clientId);
    await manager.make();
    expect((await fetchExport(manager, '', manager.bearer)).status).toBe(400);
    const named = await fetchExport(manager, `?client_id=${manager.tenant.clientId}&format=ndjson`, manager.bearer);
    expect((await named.text()).trim().split('\n')).toHaveLength(1);
    expect((await fetchExport(manager, '?client_id=another', manager.bearer)).status).toBe(403);
  });

  it('GET /v1/links/export gives HEAD the headers alone', async () => {
    const manager = await open();
    await manager.make();
    const response = await call('/v1/links/export', { method: 'HEAD', headers: manager.key });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
  });
});
