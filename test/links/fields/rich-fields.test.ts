import { createScheduledController, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { CSV, exportFile, importFile, NDJSON, newSlug, told } from '../../support/files.ts';
import { failed, open } from '../../support/manage.ts';
import { rowsOf, seedDomain } from '../../support/seed.ts';
import { call, openIsolate } from '../../support/service.ts';
import { byPerson } from '../../support/visits.ts';

/** The fields that say where a link leads, for whom and how often, each everywhere that a field of a link is. */

interface Case {
  readonly name: string;
  /** As JSON takes it. */
  readonly value: unknown;
  /** As answers have it, if that differs. */
  readonly stored?: unknown;
  readonly other: unknown;
  readonly bad: readonly (readonly [value: unknown, error: string])[];
  /** Whether it needs a custom domain. */
  readonly isOfDomain?: true;
}

const DE = { if: [{ type: 'country', in: ['de'] }], url: 'https://example.com/de' };
const DE_STORED = {
  name: 'Rule 1',
  if: [{ type: 'country', in: ['DE'] }],
  url: 'https://example.com/de',
};
const [A, B] = ['A', 'B'].map((name) => ({ name, url: `https://example.com/${name}`, weight: 1 })) as [object, object];
const STATUSES = 'must be 301, 302, 307 or 308';
const CLICKS = 'must be a whole number from 1 to 1000000000';

const CASES: readonly Case[] = [
  {
    name: 'rules',
    value: [DE],
    stored: [DE_STORED],
    other: [{ ...DE_STORED, name: 'Germany' }],
    bad: [
      [
        [{ ...DE, url: 'ftp://a' }],
        'invalid_rules: rules.0.url must be an absolute http or https URL, such as https://example.com/page.',
      ],
      [[{ ...DE, if: [] }], 'invalid_rules: rules.0.if must contain 1 to 20 conditions.'],
      [Array.from({ length: 21 }, () => DE), 'invalid_rules: rules must contain 1 to 20 rules.'],
      [{}, 'invalid_rules: rules must be an array.'],
      [[{ ...DE, weight: 1 }], 'invalid_rules: rules.0 must not have the field "weight".'],
    ],
  },
  {
    name: 'variants',
    value: [A, { url: 'https://example.com/B', weight: 1 }],
    stored: [A, { ...B, name: 'Variant A' }],
    other: [A, B],
    bad: [
      [[A], 'invalid_variants: variants must contain 2 to 8 variants.'],
      [[A, { ...B, weight: 0 }], 'invalid_variants: variants.1.weight must be from 1 to 100.'],
      [
        [A, A],
        'invalid_variants: variants.1.name must differ from the names of the other rules and variants of the link, in any case.',
      ],
    ],
  },
  {
    name: 'redirect_status',
    value: 301,
    other: 308,
    bad: [
      [303, `invalid_redirect_status: redirect_status ${STATUSES}.`],
      ['301', `invalid_redirect_status: redirect_status ${STATUSES}.`],
    ],
  },
  {
    name: 'forward_query',
    value: 'keep',
    other: 'override',
    bad: [['all', 'invalid_forward_query: forward_query must be keep or override.']],
  },
  {
    name: 'forward_path',
    value: true,
    other: false,
    isOfDomain: true,
    bad: [['yes', 'invalid_forward_path: forward_path must be a boolean.']],
  },
  {
    name: 'starts_at',
    value: '2026-06-01T00:00:00+02:00',
    stored: '2026-05-31T22:00:00.000Z',
    other: '2026-07-01T00:00:00.000Z',
    bad: [['soon', 'invalid_starts_at: starts_at must be an ISO 8601 instant such as 2027-01-01T00:00:00Z.']],
  },
  {
    name: 'expired_url',
    value: 'https://example.com/ö',
    stored: 'https://example.com/%C3%B6',
    other: 'https://example.com/over',
    bad: [
      [
        'x',
        'invalid_expired_url: expired_url must be an absolute http or https URL, such as https://example.com/page.',
      ],
      ['https://a:b@c.example/', 'invalid_expired_url: expired_url must not contain a user name or a password.'],
    ],
  },
  {
    name: 'max_clicks',
    value: 5,
    other: 1_000_000_000,
    bad: [
      [0, `invalid_max_clicks: max_clicks ${CLICKS}.`],
      [1.5, 'invalid_max_clicks: max_clicks must be a whole number.'],
      [1_000_000_001, `invalid_max_clicks: max_clicks ${CLICKS}.`],
    ],
  },
  {
    name: 'preview',
    value: { title: 'Größe', image: 'https://example.com/ä.png' },
    stored: { title: 'Größe', image: 'https://example.com/%C3%A4.png' },
    other: { description: 'All of it' },
    bad: [
      [{}, 'invalid_preview: preview must have a title, a description or an image: null clears it.'],
      [
        { image: 'data:x' },
        'invalid_preview: preview.image must be an absolute http or https URL, such as https://example.com/page.',
      ],
      [{ title: 'x'.repeat(201) }, 'too_long: preview.title must be at most 200 characters long.'],
    ],
  },
  {
    name: 'inspectable',
    value: false,
    other: true,
    bad: [[0, 'invalid_inspectable: inspectable must be a boolean.']],
  },
];

const URL = 'https://example.com/';
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

beforeEach(() => void vi.setSystemTime('2026-05-20T04:17:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe.each(CASES)('$name', ({ name, value, stored = value, other, bad, isOfDomain }) => {
  async function seed() {
    const manager = await open();
    const place = async () => (isOfDomain ? { custom_domain: await seedDomain(manager.tenant) } : {});
    return { manager, place, base: { url: URL, client_id: manager.tenant.clientId, ...(await place()) } };
  }

  it('is set by a form as text, by JSON and in a batch, and is null in a link without it', async () => {
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

  it('is no field of /shortener/encode, and of /info', async () => {
    const { manager, base } = await seed();
    const form = { ...base, [name]: textOf(value) };
    const response = await call('/shortener/encode', { headers: manager.bearer, form });
    expect([response.status, await response.json()]).toEqual([400, failed('unknown_field')]);
    const { id, sec_id } = await manager.read(await manager.make({ ...base, [name]: value }));
    const info = await call(`/info/${id}/${manager.tenant.clientId}/${sec_id}`, { headers: manager.bearer });
    const { result } = await info.json<{ result: string }>();
    expect(JSON.parse(result)).not.toHaveProperty(name);
  });

  it.each(bad)('is refused as %j, with the place of the error, and nothing is changed', async (wrong, error) => {
    const { manager, base } = await seed();
    const id = await manager.make({ ...base, [name]: value });
    const before = await rowsOf('links');
    const body = { result: 'Failed', error };
    expect(await manager.ask('PATCH', `/v1/links/${id}`, { [name]: wrong })).toMatchObject({ status: 400, body });
    const created = await manager.ask('POST', '/v1/links', { ...base, [name]: wrong }, manager.key);
    expect(created).toMatchObject({ status: 400, body });
    expect(await rowsOf('links')).toEqual(before);
  });

  it('is changed and cleared by an edit, stays with others, and its history says so', async () => {
    const { manager, base } = await seed();
    const id = await manager.make({ ...base, [name]: value });
    const edit = async (change: object) => (await manager.ask('PATCH', `/v1/links/${id}`, change)).body;
    expect(await edit({ [name]: other })).toMatchObject({ [name]: other });
    expect(await edit({ [name]: null })).toMatchObject({ [name]: null });
    expect(await edit({ [name]: value })).toMatchObject({ [name]: stored });
    // The same value is no change, however it is written.
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

  it('is in lists, and goes through an export and an import, as CSV and as NDJSON', async () => {
    const { manager, base } = await seed();
    await manager.make({ ...base, slug: newSlug(), [name]: value });
    const { body } = await manager.ask('GET', '/v1/links');
    expect(body).toMatchObject({ links: [{ [name]: stored }] });
    for (const [type, format] of [
      [CSV, 'csv'],
      [NDJSON, 'ndjson'],
    ] as const) {
      const file = await exportFile(manager, format);
      expect(told(await importFile(manager, file, { type }))).toEqual(['unchanged']);
      for (const table of ['link_history', 'addresses', 'links']) await env.DB.prepare(`DELETE FROM ${table}`).run();
      expect(told(await importFile(manager, file, { type }))).toEqual(['created']);
      expect((await manager.ask('GET', '/v1/links')).body).toMatchObject({ links: [{ [name]: stored }] });
      expect(told(await importFile(manager, file, { type }))).toEqual(['unchanged']);
    }
  });

  it('is read and changed by its own client only', async () => {
    const [{ manager, base }, stranger] = [await seed(), await open()];
    const id = await manager.make({ ...base, [name]: value });
    expect((await stranger.ask('PATCH', `/v1/links/${id}`, { [name]: other })).status).toBe(404);
    expect((await stranger.ask('GET', `/v1/links/${id}`)).status).toBe(404);
    expect(await manager.read(id)).toMatchObject({ [name]: stored });
  });

  it('is removed with the content of a deleted link', async () => {
    const { manager, base } = await seed();
    const id = await manager.make({ ...base, [name]: value });
    await manager.ask('DELETE', `/v1/links/${id}`);
    vi.setSystemTime(Date.now() + 31 * 24 * 3600 * 1000);
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    const [row] = (await rowsOf('links')).filter((each) => each['id'] === id);
    expect(row).toMatchObject({ [name]: null, url: '', limited_at: null });
    expect((await rowsOf('link_hosts')).filter((each) => each['link_id'] === id)).toEqual([]);
  });

  it('is in the API document', async () => {
    const document = await (await call('/openapi.json')).json<{ components: { schemas: Record<string, object> } }>();
    const { NewLink, NewLinkJson, EncodeForm, LinkChange, ManagedLink, LinkRecord } = document.components.schemas;
    for (const schema of [NewLink, NewLinkJson, LinkChange, ManagedLink])
      expect(schema).toHaveProperty(['properties', name]);
    for (const schema of [EncodeForm, LinkRecord]) expect(schema).not.toHaveProperty(['properties', name]);
  });
});

describe('an empty list', () => {
  it.each(['rules', 'variants'])(
    'clears %s like null, in a create, an edit, a form, a batch and a file',
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

describe('clicks_left', () => {
  it('is how many clicks of a limit are left, and null for others, for one link and in a list', async () => {
    const manager = await open();
    const [limited, plain] = [await manager.make({ max_clicks: 2 }), await manager.make()];
    const read = async () =>
      (await manager.ask<{ clicks_left: unknown }>('GET', `/v1/links/${limited}`)).body.clicks_left;
    const listed = async () => {
      const { body } = await manager.ask<{ links: { id: string; clicks_left: unknown }[] }>('GET', '/v1/links');
      return body.links.map(({ id, clicks_left }) => [id, clicks_left]);
    };
    expect([await read(), await listed()]).toEqual([
      2,
      expect.arrayContaining([
        [limited, 2],
        [plain, null],
      ]),
    ]);
    await openIsolate()(`/${limited}`, byPerson());
    expect([await read(), await listed()]).toEqual([1, expect.arrayContaining([[limited, 1]])]);
    await manager.ask('PATCH', `/v1/links/${limited}`, { max_clicks: 5 });
    expect(await read()).toBe(4);
    expect((await manager.ask('GET', `/v1/links/${plain}`)).body).toMatchObject({ clicks_left: null });
  });

  it('is null while the object of the limit does not respond', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 2 });
    vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(env.LIMITS, 'getByName').mockImplementation(() => {
      throw new Error('Network connection lost.');
    });
    expect(await manager.ask('GET', `/v1/links/${id}`)).toMatchObject({ status: 200, body: { clicks_left: null } });
    expect((await manager.ask('GET', '/v1/links')).body).toMatchObject({ links: [{ clicks_left: null }] });
  });
});

it('removes the count of a limited link with its content', async () => {
  const manager = await open();
  const id = await manager.make({ max_clicks: 2 });
  await openIsolate()(`/${id}`, byPerson());
  const count = () => runInDurableObject(env.LIMITS.getByName(id), (object) => object.count());
  expect(await count()).toMatchObject({ taken: 1 });
  await manager.ask('DELETE', `/v1/links/${id}`);
  vi.setSystemTime(Date.now() + 31 * 24 * 3600 * 1000);
  await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
  expect(await count()).toBeNull();
});
