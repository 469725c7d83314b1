import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { CSV, exportFile, importFile, NDJSON, newSlug, outcomesOf } from '../../support/files.ts';
import { failed, open } from '../../support/manage.ts';
import { rowsOf, seedDomain } from '../../support/seed.ts';
import { CASES } from '../../support/rich-fields.ts';
import { call } from '../../support/service.ts';
import { shareOf } from '../../support/share.ts';

/** The fields that say where a link leads, for whom and how often, each everywhere that a field of a link is. */

const URL = 'https://example.com/';
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

beforeEach(() => void vi.setSystemTime('2026-05-20T04:17:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe.each(shareOf(CASES))('$name', ({ name, value, stored = value, other, bad, isOfDomain }) => {
  async function seed() {
    const manager = await open();
    const place = async () => (isOfDomain ? { custom_domain: await seedDomain(manager.tenant) } : {});
    return { manager, place, base: { url: URL, client_id: manager.tenant.clientId, ...(await place()) } };
  }

  it('a rich field is set by a form as text, by JSON and in a batch, and is null in a link without it', async () => {
    const { manager, base } = await seed();
    const form = await call('/v1/links', { headers: manager.key, form: { ...base, [name]: textOf(value) } });
    const { result } = await form.json<{ result: string }>();
    const formed = JSON.parse(result) as { id: string };
    // The published record stays as it is.
    expect(formed).not.toHaveProperty(name);
    expect(await manager.read(formed.id)).toMatchObject({ [name]: stored });
    expect(await manager.read(await manager.make({ ...base, [name]: value }))).toMatchObject({ [name]: stored });
    expect(await manager.read(await manager.make())).toMatchObject({ [name]: null });
    const [wrong, error] = bad[0]!;
    const links = [value, wrong, null].map((each) => ({ ...base, [name]: each }));
    const { body } = await manager.ask('POST', '/v1/links/batch', { links }, manager.key);
    expect(body).toMatchObject({
      results: [
        { status: 201, link: { [name]: stored } },
        { status: 400, error },
        { status: 201, link: { [name]: null } },
      ],
    });
  });

  it('a rich field is no field of /shortener/encode and of /info', async () => {
    const { manager, base } = await seed();
    const form = { ...base, [name]: textOf(value) };
    const response = await call('/shortener/encode', { headers: manager.bearer, form });
    expect([response.status, await response.json()]).toEqual([400, failed('unknown_field')]);
    const { id, sec_id } = await manager.read(await manager.make({ ...base, [name]: value }));
    const info = await call(`/info/${id}/${manager.tenant.clientId}/${sec_id}`, { headers: manager.bearer });
    const { result } = await info.json<{ result: string }>();
    expect(JSON.parse(result)).not.toHaveProperty(name);
  });

  it.each(bad)(
    'a rich field is refused as %j, with the place of the error, and nothing is changed',
    async (wrong, error) => {
      const { manager, base } = await seed();
      const id = await manager.make({ ...base, [name]: value });
      const before = await rowsOf('links');
      const body = { result: 'Failed', error };
      expect(await manager.ask('PATCH', `/v1/links/${id}`, { [name]: wrong })).toMatchObject({ status: 400, body });
      const created = await manager.ask('POST', '/v1/links', { ...base, [name]: wrong }, manager.key);
      expect(created).toMatchObject({ status: 400, body });
      expect(await rowsOf('links')).toEqual(before);
    },
  );

  it('a rich field is changed and cleared by an edit, stays with others, and its history says so', async () => {
    const { manager, base } = await seed();
    const id = await manager.make({ ...base, [name]: value });
    const edit = async (change: object) => (await manager.ask('PATCH', `/v1/links/${id}`, change)).body;
    expect(await edit({ [name]: other })).toMatchObject({ [name]: other });
    expect(await edit({ [name]: null })).toMatchObject({ [name]: null });
    expect(await edit({ [name]: value })).toMatchObject({ [name]: stored });
    // A value that is the same is no change, however it is written.
    expect(await edit({ [name]: value })).toMatchObject({ [name]: stored });
    expect(await edit({ campaign_name: 'Spring' })).toMatchObject({ [name]: stored });
    const [of, ofOther] = [stored, other].map(textOf);
    const { body } = await manager.ask('GET', `/v1/links/${id}/history`);
    const { history } = body as { history: { changes: object }[] };
    expect(history.map(({ changes }) => changes)).toEqual([
      { campaign_name: { from: null, to: 'Spring' } },
      { [name]: { from: null, to: of } },
      { [name]: { from: ofOther, to: null } },
      { [name]: { from: of, to: ofOther } },
      {},
    ]);
  });

  it('a rich field is in lists, and goes through an export and an import, as CSV and as NDJSON', async () => {
    const { manager, base } = await seed();
    await manager.make({ ...base, slug: newSlug(), [name]: value });
    const { body } = await manager.ask('GET', '/v1/links');
    expect(body).toMatchObject({ links: [{ [name]: stored }] });
    for (const [type, format] of [
      [CSV, 'csv'],
      [NDJSON, 'ndjson'],
    ] as const) {
      const file = await exportFile(manager, format);
      expect(outcomesOf(await importFile(manager, file, { type }))).toEqual(['unchanged']);
      for (const table of ['link_history', 'addresses', 'links']) await env.DB.prepare(`DELETE FROM ${table}`).run();
      expect(outcomesOf(await importFile(manager, file, { type }))).toEqual(['created']);
      expect((await manager.ask('GET', '/v1/links')).body).toMatchObject({ links: [{ [name]: stored }] });
      expect(outcomesOf(await importFile(manager, file, { type }))).toEqual(['unchanged']);
    }
  });

  it('a rich field is read and changed by its own client only', async () => {
    const [{ manager, base }, stranger] = [await seed(), await open()];
    const id = await manager.make({ ...base, [name]: value });
    expect((await stranger.ask('PATCH', `/v1/links/${id}`, { [name]: other })).status).toBe(404);
    expect((await stranger.ask('GET', `/v1/links/${id}`)).status).toBe(404);
    expect(await manager.read(id)).toMatchObject({ [name]: stored });
  });

  it('a rich field is removed with the content of a deleted link', async () => {
    const { manager, base } = await seed();
    const id = await manager.make({ ...base, [name]: value });
    await manager.ask('DELETE', `/v1/links/${id}`);
    vi.setSystemTime(Date.now() + 31 * 24 * 3600 * 1000);
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    const row = (await rowsOf('links')).find((each) => each['id'] === id);
    expect(row).toMatchObject({ [name]: null, url: '', limited_at: null });
    expect((await rowsOf('link_hosts')).filter((each) => each['link_id'] === id)).toEqual([]);
  });

  it('a rich field is in the API document', async () => {
    const document = await (await call('/openapi.json')).json<{ components: { schemas: Record<string, object> } }>();
    const { NewLink, NewLinkJson, EncodeForm, LinkChange, ManagedLink, LinkRecord } = document.components.schemas;
    for (const schema of [NewLink, NewLinkJson, LinkChange, ManagedLink])
      expect(schema).toHaveProperty(['properties', name]);
    for (const schema of [EncodeForm, LinkRecord]) expect(schema).not.toHaveProperty(['properties', name]);
  });
});

describe('a lone surrogate, which can be neither stored nor sent', () => {
  const rule = '[{"name":"a\\ud800","if":[{"type":"visitor","in":["human"]}],"url":"https://example.com/"}]';

  it.each([
    ['rules', rule],
    ['preview', '{"title":"a\\ud800"}'],
  ])(
    'a lone surrogate, which can be neither stored nor sent, is refused in the JSON text of %s, in a form and in a file',
    async (name, text) => {
      const manager = await open();
      const sentence = `invalid_${name}: ${name} must be JSON.`;
      const form = { url: URL, client_id: manager.tenant.clientId, [name]: text };
      const response = await call('/v1/links', { headers: manager.key, form });
      expect([response.status, await response.json()]).toEqual([400, { result: 'Failed', error: sentence }]);
      const row = `url,${name}\r\n${URL},"${text.replaceAll('"', '""')}"\r\n`;
      expect((await importFile(manager, row)).results).toMatchObject([{ status: 'error', error: sentence }]);
    },
  );
});

describe('an empty list', () => {
  it.each(['rules', 'variants'])(
    'an empty list clears %s like null, in a create, an edit, a form, a batch and a file',
    async (name) => {
      const manager = await open();
      const value = CASES.find((each) => each.name === name)?.value;
      const id = await manager.make({ [name]: value });
      expect((await manager.ask('PATCH', `/v1/links/${id}`, { [name]: [] })).body).toMatchObject({ [name]: null });
      expect(await manager.read(await manager.make({ [name]: [] }))).toMatchObject({ [name]: null });
      const form = { url: URL, client_id: manager.tenant.clientId, [name]: '[]' };
      expect((await call('/v1/links', { headers: manager.key, form })).status).toBe(200);
      const { body } = await manager.ask('POST', '/v1/links/batch', { links: [{ url: URL, [name]: [] }] }, manager.key);
      expect(body).toMatchObject({ results: [{ status: 201, link: { [name]: null } }] });
      const row = JSON.stringify({ url: 'https://example.com/file', [name]: [] });
      expect((await importFile(manager, row, { type: NDJSON })).results).toMatchObject([
        { status: 'created', link: { [name]: null } },
      ]);
      const stored = (await rowsOf('links')).map((link) => link[name]);
      expect(new Set(stored)).toEqual(new Set([null]));
    },
  );
});
