import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { CSV, exportFile, importFile, NDJSON, newSlug, outcomesOf } from '../../support/files.ts';
import { failed, open, type Manager } from '../../support/manage.ts';
import { ask } from '../../support/management.ts';
import { form, openLinks } from '../../support/platform.ts';
import { call } from '../../support/service.ts';

/** The optional texts of a link, each everywhere that a field of a link is. */

interface Case {
  readonly name: string;
  readonly label: string;
  readonly max: number;
  readonly isSearched: boolean;
}

const CASES: readonly Case[] = [
  { name: 'title', label: 'Title', max: 200, isSearched: true },
  { name: 'comments', label: 'Comments', max: 2000, isSearched: true },
];

const TEXT = 'Größe <b>"½"</b> & =1';
const ESCAPED = 'Größe &lt;b&gt;&quot;½&quot;&lt;/b&gt; &amp; =1';

interface Links {
  readonly links: readonly { readonly id: string }[];
}

const found = async ({ ask }: Manager, q: string) => {
  const { body } = await ask<Links>('GET', `/v1/links?q=${encodeURIComponent(q)}`);
  return body.links.map(({ id }) => id);
};

beforeEach(() => void vi.setSystemTime('2026-05-20T04:17:00Z'));
afterEach(() => void vi.useRealTimers());

describe.each(CASES)('$name', ({ name, label, max, isSearched }) => {
  const longest = '\u{1f517}'.repeat(max);
  const tooLong = { result: 'Failed', error: `too_long: ${name} must be at most ${max} characters long.` };

  it('a text field is set by a form, by JSON and in a batch, and is null in a link without it', async () => {
    const manager = await open();
    const { clientId } = manager.tenant;
    const url = 'https://example.com/';
    const byForm = await call('/v1/links', { headers: manager.key, form: { url, client_id: clientId, [name]: TEXT } });
    const { result } = await byForm.json<{ result: string }>();
    const formed = JSON.parse(result) as { id: string };
    // The published record stays as it is.
    expect(formed).not.toHaveProperty(name);
    expect(await manager.read(formed.id)).toMatchObject({ [name]: TEXT });
    const longId = await manager.make({ [name]: longest });
    expect(await manager.read(longId)).toMatchObject({ [name]: longest });
    expect(await manager.read(await manager.make())).toMatchObject({ [name]: null });
    const batch = {
      links: [
        { url, [name]: TEXT },
        { url, [name]: `${longest}a` },
        { url, [name]: null },
      ],
    };
    const { body } = await manager.ask('POST', '/v1/links/batch', batch, manager.key);
    expect(body).toMatchObject({
      results: [
        { status: 201, link: { [name]: TEXT } },
        { status: 400, error: tooLong.error },
        { status: 201, link: { [name]: null } },
      ],
    });
  });

  it('a text field is no field of /shortener/encode', async () => {
    const { tenant, bearer } = await open();
    const fields = { url: 'https://example.com/', client_id: tenant.clientId, [name]: TEXT };
    const response = await call('/shortener/encode', { headers: bearer, form: fields });
    expect([response.status, await response.json()]).toEqual([400, failed('unknown_field')]);
  });

  it.each([
    ['too long', `${'x'.repeat(max)}y`, tooLong],
    ['with a control character', 'a\u0000b', failed(`invalid_${name}`)],
    ['a number', 7, failed(`invalid_${name}`)],
  ])('a text field is refused if it is %s, and nothing is changed', async (_, value, body) => {
    const manager = await open();
    const id = await manager.make({ [name]: TEXT });
    expect(await manager.ask('PATCH', `/v1/links/${id}`, { [name]: value })).toMatchObject({ status: 400, body });
    expect(await manager.read(id)).toMatchObject({ [name]: TEXT });
  });

  it('a text field is changed and cleared by an edit, and its history says so', async () => {
    const manager = await open();
    const id = await manager.make({ [name]: 'first' });
    const edit = async (value: unknown) => (await manager.ask('PATCH', `/v1/links/${id}`, { [name]: value })).body;
    expect(await edit(TEXT)).toMatchObject({ [name]: TEXT });
    expect(await edit('')).toEqual(failed(`invalid_${name}`));
    expect(await edit(null)).toMatchObject({ [name]: null });
    // An edit of something else leaves it as it is.
    await edit('last');
    await manager.ask('PATCH', `/v1/links/${id}`, { campaign_name: 'Spring' });
    expect(await manager.read(id)).toMatchObject({ [name]: 'last' });
    const { body } = await manager.ask('GET', `/v1/links/${id}/history`);
    expect(body).toMatchObject({
      history: [
        { changes: { campaign_name: { from: null, to: 'Spring' } } },
        { changes: { [name]: { from: null, to: 'last' } } },
        { changes: { [name]: { from: TEXT, to: null } } },
        { changes: { [name]: { from: 'first', to: TEXT } } },
        { action: 'created', changes: {} },
      ],
    });
  });

  it(`a text field is ${isSearched ? 'found' : 'not found'} by q, in the own client only`, async () => {
    const manager = await open();
    const other = await open();
    await other.make({ [name]: TEXT });
    const id = await manager.make({ [name]: TEXT });
    await manager.make({ [name]: 'anything else' });
    for (const q of ['größe', 'GRÖSSE'.replace('SS', 'ß'), '<B>', '½']) {
      expect([q, await found(manager, q)]).toEqual([q, isSearched ? [id] : []]);
    }
    expect(await found(manager, 'größer')).toEqual([]);
  });

  it('a text field goes through an export and an import, as CSV and as NDJSON', async () => {
    const manager = await open();
    const id = await manager.make({ slug: newSlug(), [name]: TEXT });
    const guarded = await manager.make({ slug: newSlug(), [name]: '=1' });
    for (const [type, format] of [
      [CSV, 'csv'],
      [NDJSON, 'ndjson'],
    ] as const) {
      const file = await exportFile(manager, format);
      expect(outcomesOf(await importFile(manager, file, { type }))).toEqual(['unchanged', 'unchanged']);
      const changed = file.replace('½', '¾');
      const { results } = await importFile(manager, changed, { type });
      expect(
        results.map(({ status, error }) => error?.replace(/ slug .* differs/, ' differs') ?? status).toSorted(),
      ).toEqual([`slug_taken: differs in ${name}.`, 'unchanged']);
    }
    await manager.ask('DELETE', `/v1/links/${id}`);
    const rows = `url,${name}\nhttps://example.com/new,${max > 200 ? '"a\nb"' : 'imported'}\n`;
    expect(outcomesOf(await importFile(manager, rows))).toEqual(['created']);
    expect(outcomesOf(await importFile(manager, rows))).toEqual(['unchanged']);
    expect(await manager.read(guarded)).toMatchObject({ [name]: '=1' });
  });

  it('a text field is typed in both forms, and shown on the page of the link and in its history', async () => {
    const { caller, browse, path } = await openLinks();
    const read = async () => (await ask(caller, 'GET', `/v1/links/${id}`)).json<Record<string, string>>();
    expect(await (await browse(`${path}/new`)).text()).toContain(`<label for="field-${name}">${label}`);
    const sent = await browse(`${path}/new`, form({ url: 'https://example.com/', [name]: TEXT }));
    expect(sent.status).toBe(303);
    const page = sent.headers.get('Location') ?? '';
    const shown = await (await browse(`${page}/details`)).text();
    expect(shown).toContain(`<dt>${label}</dt>`);
    expect(shown).toContain(ESCAPED);
    const id = page.split('/').at(-1) ?? '';
    const edit = await (await browse(`${page}/edit`)).text();
    expect(edit).toContain(ESCAPED);
    const revision = /name="revision" value="(\d+)"/.exec(edit)?.[1] ?? '';
    const tooMuch = await browse(`${page}/edit`, form({ revision, [name]: `${'x'.repeat(max)}y` }));
    expect(tooMuch.status).toBe(400);
    expect(await tooMuch.text()).toContain(`id="fault-${name}">This must be at most ${max} characters long.`);
    expect((await browse(`${page}/edit`, form({ revision, [name]: '' }))).status).toBe(303);
    expect(await read()).toMatchObject({ [name]: null });
    expect(await (await browse(`${page}/history`)).text()).toMatch(
      new RegExp(`<span class="quiet">${label}</span> <del>`),
    );
  });

  it('a text field is removed with the content of a deleted link', async () => {
    const manager = await open();
    const id = await manager.make({ [name]: TEXT });
    const row = () => env.DB.prepare(`SELECT ${name} FROM links WHERE id = ?`).bind(id).first(name);
    await manager.ask('DELETE', `/v1/links/${id}`);
    expect(await row()).toBe(TEXT);
    vi.setSystemTime(Date.now() + 31 * 24 * 3600 * 1000);
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    expect(await row()).toBeNull();
  });

  it('a text field is in the API document', async () => {
    const document = await (await call('/openapi.json')).json<{ components: { schemas: Record<string, object> } }>();
    const { NewLink, NewLinkJson, EncodeForm, LinkChange, ManagedLink, LinkRecord } = document.components.schemas;
    for (const schema of [NewLink, NewLinkJson, LinkChange]) {
      expect(schema).toHaveProperty(['properties', name, 'maxLength'], max);
    }
    expect(ManagedLink).toHaveProperty(['properties', name, 'type'], ['string', 'null']);
    for (const schema of [EncodeForm, LinkRecord]) expect(schema).not.toHaveProperty(['properties', name]);
  });
});

describe('a title', () => {
  it('a title is in the list of links, above the short link and its destination', async () => {
    const { caller, browse, path } = await openLinks();
    await ask(caller, 'POST', '/v1/links', { url: 'https://example.com/', client_id: caller.clientId, title: TEXT });
    const list = await (await browse(path)).text();
    expect(list).toMatch(
      new RegExp(`<a class="cut" dir="auto"[^>]*>${ESCAPED}</a>.*<span class="fade" title="https://example.com/">`),
    );
  });
});

describe('a title that shows nothing', () => {
  it.each(['  ', '\u200b', '\u00a0\u202e', '\ufeff\u2800'])(
    'a title that shows nothing, such as %j, is kept, and is no line of the list',
    async (title) => {
      const { caller, browse, path } = await openLinks();
      const fields = { url: 'https://example.com/', client_id: caller.clientId, title };
      const { result } = await (await ask(caller, 'POST', '/v1/links', fields)).json<{ result: string }>();
      const { id } = JSON.parse(result) as { id: string };
      expect(await (await ask(caller, 'GET', `/v1/links/${id}`)).json()).toMatchObject({ title });
      const list = await (await browse(path)).text();
      expect(list).toContain(`${path}/${id}"`);
      expect(list).not.toContain('link-title');
    },
  );
});

describe('the history of a link', () => {
  it('the history of a link isolates each title, with characters of any direction', async () => {
    const { caller, browse, path } = await openLinks();
    const fields = { url: 'https://example.com/', client_id: caller.clientId, title: 'before\u202e' };
    const { result } = await (await ask(caller, 'POST', '/v1/links', fields)).json<{ result: string }>();
    const { id } = JSON.parse(result) as { id: string };
    await ask(caller, 'PATCH', `/v1/links/${id}`, { title: 'after\u202e' });
    const page = await (await browse(`${path}/${id}/history`)).text();
    expect(page).toContain('<del><bdi>before\u202e</bdi></del>');
    expect(page).toContain('<bdi>after\u202e</bdi></span>');
  });
});
