import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { exportFile, importFile, NDJSON, newSlug, outcomesOf } from '../../support/files.ts';
import { failed, open } from '../../support/manage.ts';
import { form, openLinks } from '../../support/platform.ts';
import { ask } from '../../support/management.ts';
import { call } from '../../support/service.ts';

/** The id of a link in the system of its owner. */

const LONGEST = '~'.repeat(128);
const URL_SENT = 'https://example.com/';

interface Links {
  readonly links: readonly { readonly id: string }[];
}

beforeEach(() => void vi.setSystemTime('2026-05-20T04:17:00Z'));
afterEach(() => void vi.useRealTimers());

describe('the external id of a link', () => {
  it('the external id of a link is set by a form, by JSON and in a batch, and is null in a link without it', async () => {
    const manager = await open();
    const fields = { url: URL_SENT, client_id: manager.tenant.clientId, external_id: 'a/b?c=%2F' };
    const byForm = await call('/v1/links', { headers: manager.key, form: fields });
    const formed = JSON.parse((await byForm.json<{ result: string }>()).result) as { id: string };
    expect(formed).not.toHaveProperty('external_id');
    expect(await manager.read(formed.id)).toMatchObject({ external_id: 'a/b?c=%2F' });
    expect(await manager.read(await manager.make({ external_id: LONGEST }))).toMatchObject({ external_id: LONGEST });
    expect(await manager.read(await manager.make())).toMatchObject({ external_id: null });
    const links = ['x', 'x', 'X', 'a/b?c=%2F', null].map((external_id) => ({ url: URL_SENT, external_id }));
    const { body } = await manager.ask('POST', '/v1/links/batch', { links }, manager.key);
    const taken = { status: 409, error: expect.stringMatching(/^external_id_taken: external_id is already in use/) };
    expect(body).toMatchObject({
      results: [
        { status: 201, link: { external_id: 'x' } },
        taken,
        { status: 201, link: { external_id: 'X' } },
        taken,
        { status: 201, link: { external_id: null } },
      ],
    });
  });

  it.each([
    ['longer than 128 characters', `${LONGEST}~`, 'too_long'],
    ['empty', '', 'invalid_external_id'],
    ['with a space', 'a b', 'invalid_external_id'],
    ['with a letter outside ASCII', 'ä', 'invalid_external_id'],
    ['a number', 7, 'invalid_external_id'],
  ])('the external id of a link is refused if it is %s, and nothing is changed', async (_, external_id, code) => {
    const manager = await open();
    const id = await manager.make({ external_id: 'one' });
    const edit = await manager.ask('PATCH', `/v1/links/${id}`, { external_id });
    expect(edit).toMatchObject({ status: 400, body: failed(code) });
    expect(await manager.read(id)).toMatchObject({ external_id: 'one' });
  });

  it('the external id of a link is refused if another link of the client has it, and each client has its own', async () => {
    const [manager, other] = [await open(), await open()];
    const id = await manager.make({ external_id: 'one' });
    await other.make({ external_id: 'one' });
    const second = { url: URL_SENT, client_id: manager.tenant.clientId, external_id: 'one' };
    const refused = { status: 409, body: failed('external_id_taken') };
    expect(await manager.ask('POST', '/v1/links', second, manager.key)).toMatchObject(refused);
    const another = await manager.make({ external_id: 'two' });
    expect(await manager.ask('PATCH', `/v1/links/${another}`, { external_id: 'one' })).toMatchObject(refused);
    expect(await manager.read(another)).toMatchObject({ external_id: 'two' });
    expect(await manager.ask('PATCH', `/v1/links/${id}`, { external_id: 'one', title: 'T' })).toMatchObject({
      status: 200,
    });
    const rows = env.DB.prepare('SELECT count(*) AS n FROM addresses WHERE link_id NOT IN (SELECT id FROM links)');
    expect(await rows.first('n')).toBe(0);
  });

  it('the external id of a link goes to one of two links that are created at once', async () => {
    const { tenant, key, ask: send } = await open();
    const body = { url: URL_SENT, client_id: tenant.clientId, external_id: 'one' };
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', '/v1/links', body, key)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  });

  it('the external id of a link is given up by an edit, and then free', async () => {
    const manager = await open();
    const id = await manager.make({ external_id: 'one' });
    expect(await manager.ask('PATCH', `/v1/links/${id}`, { external_id: null })).toMatchObject({
      body: { external_id: null },
    });
    const next = await manager.make({ external_id: 'one' });
    expect(next).not.toBe(id);
    const { body } = await manager.ask('GET', `/v1/links/${id}/history`);
    expect(body).toMatchObject({ history: [{ changes: { external_id: { from: 'one', to: null } } }, {}] });
  });

  it('the external id of a link stays with a deleted link until its content is removed', async () => {
    const manager = await open();
    const id = await manager.make({ external_id: 'one' });
    const row = () => env.DB.prepare('SELECT external_id FROM links WHERE id = ?').bind(id).first('external_id');
    await manager.ask('DELETE', `/v1/links/${id}`);
    const second = { url: URL_SENT, client_id: manager.tenant.clientId, external_id: 'one' };
    expect((await manager.ask('POST', '/v1/links', second, manager.key)).status).toBe(409);
    expect(await manager.ask('POST', `/v1/links/${id}/restore`)).toMatchObject({ body: { external_id: 'one' } });
    await manager.ask('DELETE', `/v1/links/${id}`);
    vi.setSystemTime(Date.now() + 31 * 24 * 3600 * 1000);
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    expect(await row()).toBeNull();
    expect((await manager.ask('POST', '/v1/links', second, manager.key)).status).toBe(200);
  });

  it('the external id of a link is a filter of the list, in the own client and in exactly this case', async () => {
    const [manager, other] = [await open(), await open()];
    await other.make({ external_id: 'One' });
    const id = await manager.make({ external_id: 'One' });
    await manager.make({ external_id: 'Two' });
    const found = async (query: string) => {
      const { body } = await manager.ask<Links>('GET', `/v1/links?${query}`);
      return body.links.map((link) => link.id);
    };
    expect(await found('external_id=One')).toEqual([id]);
    expect(await found('external_id=one')).toEqual([]);
    expect(await found('external_id=One&sort=clicks')).toEqual([id]);
    expect(await found('external_id=One&state=disabled')).toEqual([]);
    await manager.ask('DELETE', `/v1/links/${id}`);
    expect(await found('external_id=One')).toEqual([]);
    expect(await found('external_id=One&state=deleted')).toEqual([id]);
  });

  it('the external id of a link goes through an export and an import, and is given once', async () => {
    const [manager, other] = [await open(), await open()];
    await manager.make({ slug: newSlug(), external_id: '=1' });
    for (const [type, format] of [[undefined, 'csv'] as const, [NDJSON, 'ndjson'] as const]) {
      const file = await exportFile(manager, format);
      expect(outcomesOf(await importFile(manager, file, type === undefined ? {} : { type }))).toEqual(['unchanged']);
    }
    const rows = 'url,external_id\nhttps://example.com/1,a\nhttps://example.com/2,a\nhttps://example.com/3,=1\n';
    const taken = 'external_id_taken';
    expect(outcomesOf(await importFile(manager, rows, { query: '?dry_run=true' }))).toEqual(['created', taken, taken]);
    expect(outcomesOf(await importFile(manager, rows))).toEqual(['created', taken, taken]);
    expect(outcomesOf(await importFile(manager, rows))).toEqual(['unchanged', taken, taken]);
    expect(outcomesOf(await importFile(other, rows))).toEqual(['created', taken, 'created']);
  });

  it('the external id of a link is typed in the forms, which say beside it that it is taken', async () => {
    const { caller, browse, path } = await openLinks();
    const made = await browse(`${path}/new`, form({ url: URL_SENT, external_id: 'one' }));
    expect(made.status).toBe(303);
    const again = await browse(`${path}/new`, form({ url: URL_SENT, external_id: 'one' }));
    expect(again.status).toBe(409);
    expect(await again.text()).toContain('id="fault-external_id">');
    const id = made.headers.get('Location')?.split('/').at(-1) ?? '';
    expect(await (await ask(caller, 'GET', `/v1/links/${id}`)).json()).toMatchObject({ external_id: 'one' });
    expect(await (await browse(`${path}/${id}/details`)).text()).toContain('<dt>External ID</dt>');
  });
});
