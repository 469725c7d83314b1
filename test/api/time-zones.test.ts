import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { CSV, exportFile, importFile, NDJSON, newSlug, outcomesOf } from '../support/files.ts';
import { callTool } from '../support/mcp.ts';
import { follow, open, type Manager } from '../support/manage.ts';

/** The time zones that the rules of a link may name: 8 where they are written, any number where they are stored. */

const ZONES = Intl.supportedValuesOf('timeZone');

/** Rules whose conditions hold at any time, in so many zones. */
const rulesIn = (zones: readonly string[]) =>
  Array.from({ length: Math.ceil(zones.length / 20) }, (_, index) => ({
    name: `Rule ${index + 1}`,
    if: zones
      .slice(20 * index, 20 * index + 20)
      .flatMap((tz) => [{ type: 'hours', from: '00:00', until: '23:59', tz, not: true }]),
    url: 'https://example.com/rule',
  }));

const FEW = rulesIn(ZONES.slice(0, 8));
const MANY = rulesIn(ZONES.slice(0, 100));
const EXAMPLE = 'https://example.com/';

const REFUSED = {
  result: 'Failed',
  error:
    'invalid_rules: rules.0.if.8.tz must not be another time zone: the rules of a link may name at most 8, but name 9. Use fewer zones, or more than one link.',
};

/** A link as an earlier version has stored it. */
async function seedStored(manager: Manager, fields: object = {}): Promise<string> {
  const id = await manager.make({ rules: FEW, ...fields });
  await env.DB.prepare('UPDATE links SET rules = ? WHERE id = ?').bind(JSON.stringify(MANY), id).run();
  return id;
}

describe('rules that are written', () => {
  const NINE = rulesIn(ZONES.slice(0, 9));

  it('rules that are written can name 8 time zones, each in any number of conditions and in any case', async () => {
    const { make, read } = await open();
    const zones = ZONES.slice(0, 8);
    const id = await make({ rules: rulesIn([...zones, ...zones.map((zone) => zone.toUpperCase())]) });
    expect((await read(id)).rules).toMatchObject([{ if: { length: 16 } }]);
  });

  it('rules that are written are refused with nine by create, batch, edit and PUT, and change nothing', async () => {
    const manager = await open();
    const { tenant, key, ask, make, read } = manager;
    const id = await make({ rules: FEW });
    const before = await read(id);
    const link = { url: EXAMPLE, client_id: tenant.clientId, rules: NINE };
    expect(await ask('POST', '/v1/links', link, key)).toMatchObject({ status: 400, body: REFUSED });
    expect(await ask('PATCH', `/v1/links/${id}`, { rules: NINE })).toMatchObject({ status: 400, body: REFUSED });
    expect(await ask('PUT', '/v1/links-by-external-id/x', { url: EXAMPLE, rules: NINE })).toMatchObject({
      status: 400,
      body: REFUSED,
    });
    const batch = await ask<{ results: object[] }>(
      'POST',
      '/v1/links/batch',
      { links: [link, { ...link, rules: FEW }] },
      key,
    );
    expect(batch.body.results).toMatchObject([{ error: REFUSED.error }, { outcome: 'created' }]);
    expect(await read(id)).toEqual(before);
    const { body } = await ask<{ links: unknown[] }>('GET', '/v1/links');
    expect(body.links).toHaveLength(2);
  });

  it('rules that are written are refused with nine by a tool of MCP', async () => {
    const { tenant } = await open();
    const answer = await callTool({ Authorization: `Bearer ${tenant.apiKey}` }, 'create_link', {
      url: EXAMPLE,
      rules: NINE,
    });
    expect(JSON.stringify(answer)).toContain(REFUSED.error);
  });

  it('rules that are written are refused with nine in a file that is no export', async () => {
    const manager = await open();
    const line = JSON.stringify({ slug: newSlug(), url: EXAMPLE, rules: NINE });
    const { results } = await importFile(manager, `${line}\n`, { type: NDJSON });
    expect(results).toEqual([
      {
        row: 1,
        status: 'error',
        error: REFUSED.error,
        errors: [{ field: 'rules', detail: REFUSED.error.replace('invalid_rules: ', '') }],
      },
    ]);
  });
});

describe('stored rules in a hundred time zones', () => {
  it('stored rules in a hundred time zones redirect visitors', async () => {
    const manager = await open();
    const slug = newSlug();
    await seedStored(manager, { slug });
    expect(await follow(`/${slug}`)).toEqual([302, EXAMPLE]);
  });

  it('stored rules in a hundred time zones survive an edit of another field, one with the same rules, and PUT with them', async () => {
    const manager = await open();
    const external_id = crypto.randomUUID();
    const id = await seedStored(manager, { external_id });
    const path = `/v1/links/${id}`;
    expect(await manager.ask('PATCH', path, { title: 'A' })).toMatchObject({
      status: 200,
      body: { title: 'A', rules: MANY },
    });
    expect(await manager.ask('PATCH', path, { title: 'B', rules: MANY })).toMatchObject({
      status: 200,
      body: { title: 'B', rules: MANY },
    });
    const put = { url: EXAMPLE, title: 'C', rules: MANY };
    expect(await manager.ask('PUT', `/v1/links-by-external-id/${external_id}`, put)).toMatchObject({
      status: 200,
      body: { title: 'C', rules: MANY },
    });
    const [first, ...others] = MANY;
    const changed = { rules: [{ ...first, url: 'https://example.com/other' }, ...others] };
    expect(await manager.ask('PATCH', path, changed)).toMatchObject({ status: 400, body: { result: 'Failed' } });
    expect((await manager.read(id)).rules).toEqual(MANY);
  });

  it('stored rules in a hundred time zones can be deleted and restored', async () => {
    const manager = await open();
    const id = await seedStored(manager);
    expect((await manager.ask('DELETE', `/v1/links/${id}`)).status).toBe(204);
    expect(await manager.ask('POST', `/v1/links/${id}/restore`)).toMatchObject({ status: 200, body: { rules: MANY } });
  });

  it.each([
    ['csv', CSV],
    ['ndjson', NDJSON],
  ] as const)('stored rules in a hundred time zones come back from an export as %s', async (format, type) => {
    const manager = await open();
    const id = await seedStored(manager);
    const file = await exportFile(manager, format);
    expect(outcomesOf(await importFile(manager, file, { type }))).toEqual(['unchanged']);
    for (const table of ['link_history', 'addresses'])
      await env.DB.prepare(`DELETE FROM ${table} WHERE link_id = ?`).bind(id).run();
    await env.DB.prepare('DELETE FROM links WHERE id = ?').bind(id).run();
    const { results } = await importFile(manager, file, { type });
    expect(results).toMatchObject([{ status: 'created', link: { rules: MANY } }]);
  });
});
