import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { exportFile, importFile, NDJSON, newSlug, outcomesOf } from '../../support/files.ts';
import { failed, open, type Manager } from '../../support/manage.ts';
import { ask } from '../../support/management.ts';
import { form, openLinks } from '../../support/platform.ts';
import { call } from '../../support/service.ts';

/** The tags of a link, everywhere that a field of a link is. */

const url = 'https://example.com/';
const LONGEST = '\u{1f517}'.repeat(50);

const tagsOf = async ({ read }: Manager, id: string) => (await read(id)).tags;
const namesOf = async ({ ask: send }: Manager) => {
  const { body } = await send<{ tags: { name: string; links: number }[] }>('GET', '/v1/tags');
  return body.tags.map(({ name, links }) => [name, links]);
};

const rowsOf = (id: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM link_tags WHERE link_id = ?').bind(id).first<number>('n');

beforeEach(() => void vi.setSystemTime('2026-05-20T04:17:00Z'));
afterEach(() => void vi.useRealTimers());

describe('the tags of a link', () => {
  it('the tags of a link are set by a form, by JSON and in a batch, in order and each once, and are an empty list otherwise', async () => {
    const manager = await open();
    const form = { url, client_id: manager.tenant.clientId, tags: ' banana,Apple , ,apple' };
    const byForm = await call('/v1/links', { headers: manager.key, form });
    const formed = JSON.parse((await byForm.json<{ result: string }>()).result) as { id: string };
    expect(formed).not.toHaveProperty('tags');
    expect(await tagsOf(manager, formed.id)).toEqual(['Apple', 'banana']);
    const asJson = await call('/v1/links', { headers: manager.key, form: { ...form, tags: '["[x]", "Ähre"]' } });
    expect(asJson.status).toBe(200);
    expect(await tagsOf(manager, await manager.make())).toEqual([]);
    const links = [['APPLE', LONGEST], [], null, [`${LONGEST}x`], ['zebra'], ['ZEBRA']].map((tags) => ({ url, tags }));
    const { body } = await manager.ask('POST', '/v1/links/batch', { links }, manager.key);
    expect(body).toMatchObject({
      results: [
        { link: { tags: ['Apple', LONGEST] } },
        { link: { tags: [] } },
        { link: { tags: [] } },
        { status: 400, error: 'too_long: tags.0 must be at most 50 characters long.' },
        { link: { tags: ['zebra'] } },
        { link: { tags: ['zebra'] } },
      ],
    });
    expect(await namesOf(manager)).toEqual([
      ['[x]', 1],
      ['Apple', 2],
      ['banana', 1],
      ['zebra', 2],
      ['Ähre', 1],
      [LONGEST, 1],
    ]);
  });

  it('the tags of a link come back from a create and its repetition as they are spelled already', async () => {
    const manager = await open();
    await manager.make({ tags: ['Summer'] });
    const headers = { ...manager.key, Accept: 'application/vnd.terse.link+json', 'Idempotency-Key': 'one' };
    const body = { url, tags: ['SUMMER', 'new'] };
    const answers = [1, 2].map(() => manager.ask('POST', '/v1/links', body, headers));
    const [first, second] = [await answers[0], await answers[1]];
    expect(first?.body).toMatchObject({ tags: ['new', 'Summer'] });
    expect(second?.body).toEqual(first?.body);
    const batch = { links: [body, { url }, { ...body, tags: ['NEW'] }] };
    const keyed = { ...manager.key, 'Idempotency-Key': 'two' };
    const results = [
      await manager.ask('POST', '/v1/links/batch', batch, keyed),
      await manager.ask('POST', '/v1/links/batch', batch, keyed),
    ].map((answer) => answer.body);
    expect(results[0]).toMatchObject({
      results: [{ link: { tags: ['new', 'Summer'] } }, { link: { tags: [] } }, { link: { tags: ['new'] } }],
    });
    expect(results[1]).toEqual(results[0]);
  });

  it.each([
    ['more than 20', Array.from({ length: 21 }, (_, i) => `t${i}`), 'invalid_tags'],
    ['with a comma', ['a,b'], 'invalid_tags'],
    ['with a control character', ['a\u0000b'], 'invalid_tags'],
    ['empty', [''], 'invalid_tags'],
    ['of spaces and invisible characters only', [' \u200b '], 'invalid_tags'],
    ['a text', 'a', 'invalid_tags'],
    ['a number', [7], 'invalid_tags'],
    ['too long', ['x'.repeat(51)], 'too_long'],
    ['very long', ['x'.repeat(50_000)], 'too_long'],
  ])('the tags of a link are refused if they are %s, and nothing is changed', async (_, tags, code) => {
    const manager = await open();
    const id = await manager.make({ tags: ['one'] });
    expect(await manager.ask('PATCH', `/v1/links/${id}`, { tags })).toMatchObject({ status: 400, body: failed(code) });
    expect(await tagsOf(manager, id)).toEqual(['one']);
    expect(await namesOf(manager)).toEqual([['one', 1]]);
  });

  it('the tags of a link are changed and cleared by an edit, and the history says so', async () => {
    const manager = await open();
    const id = await manager.make({ tags: ['one', 'Two'] });
    const edit = async (tags: unknown) => (await manager.ask('PATCH', `/v1/links/${id}`, { tags })).body;
    const before = await manager.ask('GET', `/v1/links/${id}`);
    expect(await edit(['TWO', 'ONE'])).toMatchObject({ tags: ['one', 'Two'] });
    expect((await manager.ask('GET', `/v1/links/${id}`)).headers.get('ETag')).toBe(before.headers.get('ETag'));
    expect(await edit(['two', 'three'])).toMatchObject({ tags: ['three', 'Two'] });
    await manager.ask('PATCH', `/v1/links/${id}`, { title: 'T' });
    expect(await tagsOf(manager, id)).toEqual(['three', 'Two']);
    expect(await edit([])).toMatchObject({ tags: [] });
    expect(await edit(['one'])).toMatchObject({ tags: ['one'] });
    expect(await edit(null)).toMatchObject({ tags: [] });
    const { body } = await manager.ask('GET', `/v1/links/${id}/history`);
    expect(body).toMatchObject({
      history: [
        { changes: { tags: { from: 'one', to: null } } },
        { changes: { tags: { from: null, to: 'one' } } },
        { changes: { tags: { from: 'three, Two', to: null } } },
        { changes: { title: { from: null, to: 'T' } } },
        { changes: { tags: { from: 'one, Two', to: 'three, Two' } } },
        { action: 'created' },
      ],
    });
  });

  it('the tags of a link stay with a deleted link for its restore, and go with its content', async () => {
    const manager = await open();
    const id = await manager.make({ tags: ['one'] });
    await manager.ask('DELETE', `/v1/links/${id}`);
    expect(await namesOf(manager)).toEqual([['one', 0]]);
    expect(await manager.ask('POST', `/v1/links/${id}/restore`)).toMatchObject({ body: { tags: ['one'] } });
    await manager.ask('DELETE', `/v1/links/${id}`);
    expect(await rowsOf(id)).toBe(1);
    vi.setSystemTime(Date.now() + 31 * 24 * 3600 * 1000);
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    expect(await rowsOf(id)).toBe(0);
  });

  it('the tags of a link go through an export and an import, as CSV and as NDJSON, into this client and into another', async () => {
    const [manager, other] = [await open(), await open()];
    const tags = ['"quoted"', '=1', '[a]', "l'été", 'Über'];
    await manager.make({ slug: newSlug(), tags });
    await manager.make({ slug: newSlug(), tags: ['b', 'a'] });
    await manager.make({ slug: newSlug() });
    for (const [type, format] of [['text/csv', 'csv'] as const, [NDJSON, 'ndjson'] as const]) {
      const file = await exportFile(manager, format);
      expect(outcomesOf(await importFile(manager, file, { type }))).toEqual(['unchanged', 'unchanged', 'unchanged']);
      const moved = file.replaceAll(/([sS])-([\da-f-]+)/g, `$1-${format}-$2`);
      const { results } = await importFile(other, moved, { type });
      const made = results.map(({ link }) => link?.tags.toSorted());
      expect(made.toSorted((a, b) => (a?.length ?? 0) - (b?.length ?? 0))).toEqual([[], ['a', 'b'], tags.toSorted()]);
    }
    const rows = 'url,tags\nhttps://example.com/new,"A,c"\nhttps://example.com/new,"a, C"\n';
    expect(outcomesOf(await importFile(manager, rows))).toEqual(['created', 'unchanged']);
    expect(outcomesOf(await importFile(manager, rows))).toEqual(['unchanged', 'unchanged']);
    const { results } = await importFile(manager, 'url,tags\nhttps://example.com/newer,"A,C"\n');
    expect(results[0]?.link?.tags).toEqual(['a', 'c']);
  });

  it('the tags of a link are typed in the forms with commas between, and shown on the page of the link', async () => {
    const { caller, browse, path } = await openLinks();
    const made = await browse(`${path}/new`, form({ url, tags: 'Summer,<b>' }));
    expect(made.status).toBe(303);
    const page = made.headers.get('Location') ?? '';
    expect(await (await browse(`${page}/details`)).text()).toMatch(/<dt>Tags<\/dt>.*&lt;b&gt;, Summer/s);
    const edit = await (await browse(`${page}/edit`)).text();
    expect(edit).toContain('value="&lt;b&gt;, Summer"');
    const revision = /name="revision" value="(\d+)"/.exec(edit)?.[1] ?? '';
    const wrong = await browse(`${page}/edit`, form({ revision, tags: 'x'.repeat(51) }));
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('id="fault-tags">')]);
    expect((await browse(`${page}/edit`, form({ revision, tags: 'summer, more' }))).status).toBe(303);
    const id = page.split('/').at(-1) ?? '';
    const read = await ask(caller, 'GET', `/v1/links/${id}`);
    expect(await read.json()).toMatchObject({ tags: ['more', 'Summer'] });
    expect((await browse(`${path}?tag=MORE`)).status).toBe(200);
  });
});
