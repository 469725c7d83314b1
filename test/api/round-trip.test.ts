import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { ManagedRecord } from '../../src/api/record.ts';
import { CSV, exportFile, importFile, NDJSON, openClient, outcomesOf } from '../support/files.ts';
import type { Manager } from '../support/manage.ts';
import { seedDomain } from '../support/seed.ts';

/** Exports that are imported again: each link is as it was before. */

const FUTURE = '2100-01-01T00:00:00.001Z';
const TEXTS = [
  '=1',
  '+1',
  '-1',
  '@a',
  "'=1",
  "''+1",
  "'",
  "''",
  "'a",
  "it's",
  ' =1',
  '=1,"2"',
  'Größe ほ',
  ',',
  '"',
  '""',
  'x;=1+1',
  ';=',
  "x;'=1",
  'x,=1',
  ', -20% off',
  'x;"=1"',
  '\u200b=1',
  'x;\u3000@a',
  '\u00a0-1',
];
const METADATA = [
  '-1',
  ' \t{"a":\r\n"ü"}\n',
  '\t1',
  '\r1',
  '\n1',
  '"\\u0000"',
  '"\'=1"',
  '[1,-2,\t-3]',
  '{"a": "x;=1",\r\n"=b": ",-1"}',
  'null',
  '""',
  `"${'x'.repeat(4094)}"`,
];

async function seedLinks(manager: Manager): Promise<void> {
  const host = await seedDomain(manager.tenant);
  for (const campaign_name of TEXTS) await manager.make({ campaign_name });
  for (const metadata of METADATA) await manager.make({ metadata });
  await manager.make({ sec_id: '-1', expires_at: FUTURE });
  await manager.make({ url: `https://bücher.example/${'ü'.repeat(1300)}?a=1,2&b="x"#'` });
  for (const head of ['https://bücher.example/', 'https://example.com?'])
    await manager.make({ url: head.padEnd(2048, 'a') });
  await manager.make({ slug: `-${manager.tenant.clientId}`, custom_domain: host });
  const moved = await manager.make({ slug: 'Erste', custom_domain: host });
  await manager.ask('PATCH', `/v1/links/${moved}`, { slug: '-zweite' });
  await manager.ask('PATCH', `/v1/links/${moved}`, { slug: 'dritte', disabled: true });
}

/** The links of a client but for what the service says of them by itself. */
const contentOf = (ndjson: string) =>
  ndjson
    .trim()
    .split('\n')
    .map((line): ManagedRecord => JSON.parse(line))
    .map((link) => ({ ...link, id: '', created_at: '', updated_at: '' }))
    .toSorted((a, b) => (a.short_url < b.short_url ? -1 : 1));

const empty = ({ tenant }: Manager) =>
  env.DB.batch(
    [
      'DELETE FROM link_history WHERE link_id IN (SELECT id FROM links WHERE client_id = ?)',
      'DELETE FROM addresses WHERE link_id IN (SELECT id FROM links WHERE client_id = ?)',
      'DELETE FROM links WHERE client_id = ?',
    ].map((sql) => env.DB.prepare(sql).bind(tenant.clientId)),
  );

describe.each([
  ['csv', CSV],
  ['ndjson', NDJSON],
] as const)('an export as %s', (format, type) => {
  it('an export is unchanged where it is imported beside its links', async () => {
    const manager = await openClient();
    await seedLinks(manager);
    const before = await exportFile(manager, 'ndjson');
    const body = await importFile(manager, await exportFile(manager, format), { type });
    expect(new Set(outcomesOf(body))).toEqual(new Set(['unchanged']));
    expect(body.results).toHaveLength(before.trim().split('\n').length);
    expect(await exportFile(manager, 'ndjson')).toBe(before);
  });

  it('an export creates the same links in an empty client, by the same addresses', async () => {
    const manager = await openClient();
    await seedLinks(manager);
    const [before, file] = [await exportFile(manager, 'ndjson'), await exportFile(manager, format)];
    await empty(manager);
    const body = await importFile(manager, file, { type });
    expect(new Set(outcomesOf(body))).toEqual(new Set(['created']));
    const after = await exportFile(manager, 'ndjson');
    expect(contentOf(after)).toEqual(contentOf(before));
    expect(new Set(outcomesOf(await importFile(manager, file, { type })))).toEqual(new Set(['unchanged']));
  });

  it('an export gives its slugs to no other client while they are taken', async () => {
    const [manager, other] = [await openClient(), await openClient()];
    await manager.make();
    const body = await importFile(other, await exportFile(manager, format), { type });
    expect(outcomesOf(body)).toEqual(['slug_taken']);
  });

  it('an export says of a link that has expired whether it is there, and creates no other', async () => {
    const manager = await openClient();
    const id = await manager.make({ expires_at: FUTURE });
    await env.DB.prepare('UPDATE links SET expires_at = 1000 WHERE id = ?').bind(id).run();
    const file = await exportFile(manager, format);
    expect(outcomesOf(await importFile(manager, file, { type }))).toEqual(['unchanged']);
    await empty(manager);
    const body = await importFile(manager, file, { type });
    expect(body.results).toEqual([
      {
        row: format === 'csv' ? 2 : 1,
        status: 'error',
        error: 'invalid_expires_at: expires_at must not be in the past.',
        errors: [{ field: 'expires_at', detail: 'expires_at must not be in the past.' }],
      },
    ]);
  });

  it('an export is unchanged on a domain that takes no new links', async () => {
    const manager = await openClient();
    const host = await seedDomain(manager.tenant);
    await manager.make({ custom_domain: host });
    await env.DB.prepare(`UPDATE domains SET status = 'lost' WHERE host = ?`).bind(host).run();
    const file = await exportFile(manager, format);
    expect(outcomesOf(await importFile(manager, file, { type }))).toEqual(['unchanged']);
    await empty(manager);
    expect(outcomesOf(await importFile(manager, file, { type }))).toEqual(['unknown_domain']);
  });
});
