import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { CSV, exportFile, importFile, NDJSON, newSlug, outcomesOf } from '../../support/files.ts';
import { failed, open, type Manager } from '../../support/manage.ts';
import { contentOfTables, rowsOf } from '../../support/seed.ts';
import { call, openIsolate } from '../../support/service.ts';

/** The password of a link, everywhere that a field of a link is. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const PASSWORD = 'open sesame ünïcode';
const URL = 'https://example.com/';
const rowOf = async (id: string) => (await rowsOf('links')).find((row) => row['id'] === id);
const hash = expect.stringMatching(/^\$scrypt\$ln=5,r=8,p=5\$/);
const create = (manager: Manager, fields: object, headers: Record<string, string> = {}) =>
  manager.ask<{ result: string }>(
    'POST',
    '/v1/links',
    { url: URL, client_id: manager.tenant.clientId, ...fields },
    { ...manager.key, ...headers },
  );

describe('the password of a link', () => {
  it('the password of a link is set by a form, by JSON and in a batch, and only its presence is returned', async () => {
    const manager = await open();
    const form = { url: URL, client_id: manager.tenant.clientId, password: PASSWORD };
    const byForm = await (await call('/v1/links', { headers: manager.key, form })).json<{ result: string }>();
    const formed = JSON.parse(byForm.result) as { id: string };
    expect(formed).not.toHaveProperty('has_password');
    const made = await manager.make({ password: PASSWORD });
    const { body } = await manager.ask<{ results: { link: { id: string } }[] }>(
      'POST',
      '/v1/links/batch',
      { links: [{ url: URL, password: PASSWORD }, { url: URL }] },
      manager.key,
    );
    expect(body).toMatchObject({ results: [{ link: { has_password: true } }, { link: { has_password: false } }] });
    for (const id of [formed.id, made, body.results[0]!.link.id]) {
      expect(await manager.read(id)).toMatchObject({ has_password: true });
      expect(await rowOf(id)).toMatchObject({ password_hash: hash, password_at: expect.any(Number) });
    }
    expect(await rowOf(body.results[1]!.link.id)).toMatchObject({ password_hash: null, password_at: null });
  });

  it('the password of a link is set, changed and removed by an edit, and the history says that it was', async () => {
    const manager = await open();
    const id = await manager.make();
    const edit = async (password: unknown) => manager.ask('PATCH', `/v1/links/${id}`, { password });
    expect((await edit(PASSWORD)).body).toMatchObject({ has_password: true });
    const first = await rowOf(id);
    expect((await edit(PASSWORD)).body).toMatchObject({ has_password: true });
    const second = await rowOf(id);
    expect(Number(second?.['password_at'])).toBeGreaterThan(Number(first?.['password_at']));
    expect(second?.['password_hash']).not.toBe(first?.['password_hash']);
    // An edit of something else leaves it as it is.
    await manager.ask('PATCH', `/v1/links/${id}`, { title: 'x' });
    expect(await rowOf(id)).toMatchObject({ password_hash: second?.['password_hash'] });
    expect((await edit(null)).body).toMatchObject({ has_password: false });
    expect(await rowOf(id)).toMatchObject({ password_hash: null, password_at: null });
    // To remove none is no change.
    expect((await edit(null)).status).toBe(200);
    const { body } = await manager.ask<{ history: { changes: object }[] }>('GET', `/v1/links/${id}/history`);
    expect(body.history.map(({ changes }) => changes)).toEqual([
      { password: { from: 'true', to: 'false' } },
      { title: { from: null, to: 'x' } },
      { password: { from: 'true', to: 'true' } },
      { password: { from: 'false', to: 'true' } },
      {},
    ]);
  });

  it.each([
    ['abc', 'invalid_password: password must be at least 4 characters long.'],
    ['🔑🔑🔑', 'invalid_password: password must be at least 4 characters long.'],
    ['x'.repeat(129), 'too_long: password must be at most 128 characters long.'],
    [12345, 'invalid_password: password must be a string.'],
  ])('the password of a link is refused as %j, and nothing is changed', async (password, error) => {
    const manager = await open();
    const id = await manager.make();
    const body = { result: 'Failed', error };
    expect(await manager.ask('PATCH', `/v1/links/${id}`, { password })).toMatchObject({ status: 400, body });
    expect(await create(manager, { password })).toMatchObject({ status: 400, body });
    expect(await manager.read(id)).toMatchObject({ has_password: false });
  });

  it('the password of a link is no field of /shortener/encode', async () => {
    const { tenant, bearer } = await open();
    const form = { url: URL, client_id: tenant.clientId, password: PASSWORD };
    const response = await call('/shortener/encode', { headers: bearer, form });
    expect([response.status, await response.json()]).toEqual([400, failed('unknown_field')]);
  });

  it('the password of a link can be set for five links of a batch, and not for a sixth', async () => {
    const manager = await open();
    const links = Array.from({ length: 6 }, () => ({ url: URL, password: PASSWORD }));
    const { body } = await manager.ask('POST', '/v1/links/batch', { links: [...links, { url: URL }] }, manager.key);
    expect(body).toMatchObject({
      results: [
        ...Array.from({ length: 5 }, () => ({ status: 201, link: { has_password: true } })),
        {
          status: 400,
          error:
            'invalid_password: password can be set for at most 5 links of one request. Send this link in another one.',
        },
        { status: 201, link: { has_password: false } },
      ],
    });
  });

  it('the password of a link costs no hash for a caller without a good credential', async () => {
    const manager = await open();
    const statuses = async (headers: Record<string, string>) => [
      (await create(manager, { password: PASSWORD }, headers)).status,
      (await manager.ask('POST', '/v1/links/batch', { links: [{ url: URL, password: PASSWORD }] }, headers)).status,
    ];
    const { WorkQueue } = await import('../../../src/isolate/work-queue.ts');
    const take = vi.spyOn(WorkQueue.prototype, 'take');
    expect(await statuses({ 'X-API-Key': 'tk_x_y' })).toEqual([401, 401]);
    expect(take).not.toHaveBeenCalled();
  });

  it('the password of a link is the same request with an Idempotency-Key if it is sent again, and needs no other link', async () => {
    const manager = await open();
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await create(manager, { password: PASSWORD }, key);
    const again = await create(manager, { password: PASSWORD }, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await rowsOf('links')).toHaveLength(
      (await rowsOf('links')).filter(({ client_id }) => client_id !== manager.tenant.clientId).length + 1,
    );
    expect(await create(manager, {}, key)).toMatchObject({ status: 409 });
    expect(await rowOf((JSON.parse(first.body.result) as { id: string }).id)).toMatchObject({ password_hash: hash });
    const batch = { links: [{ url: URL, password: PASSWORD }] };
    const send = (body: object) =>
      manager.ask('POST', '/v1/links/batch', body, { ...manager.key, 'Idempotency-Key': 'batch-1' });
    const { body } = await send(batch);
    expect(body).toMatchObject({ results: [{ link: { has_password: true } }] });
    expect((await send(batch)).body).toEqual(body);
    expect((await send({ links: [{ url: URL }] })).status).toBe(409);
  });

  it('the password of a link is in no file, and a link that had one is imported disabled', async () => {
    const manager = await open();
    const id = await manager.make({ slug: newSlug(), password: PASSWORD });
    for (const [type, format] of [
      [CSV, 'csv'],
      [NDJSON, 'ndjson'],
    ] as const) {
      const file = await exportFile(manager, format);
      expect(outcomesOf(await importFile(manager, file, { type }))).toEqual(['unchanged']);
      const other = await open();
      await env.DB.prepare('DELETE FROM addresses WHERE link_id = ?').bind(id).run();
      const { results } = await importFile(other, file, { type });
      expect(results).toMatchObject([
        { status: 'created', link: { has_password: false, disabled: true, state: 'disabled' } },
      ]);
      const created = results[0]!.link!;
      expect(await other.read(created.id)).toMatchObject({ has_password: false, disabled: true });
      expect((await openIsolate()(`/${created.slug}`)).status).toBe(410);
      await env.DB.prepare('DELETE FROM addresses WHERE link_id = ?').bind(created.id).run();
      await env.DB.prepare(
        `INSERT INTO addresses (domain_id, folded, slug, link_id) SELECT domain_id, lower(slug), slug, id FROM links WHERE id = ?`,
      )
        .bind(id)
        .run();
    }
  });

  it('the password of a link is refused in a file, with the way to set it', async () => {
    const manager = await open();
    const error =
      'invalid_password: password cannot be imported: leave it out, and set the password of the created link.';
    const row = JSON.stringify({ url: URL, password: PASSWORD });
    expect((await importFile(manager, row, { type: NDJSON })).results).toMatchObject([{ status: 'error', error }]);
    expect((await importFile(manager, `url,password\r\n${URL},${PASSWORD}\r\n`)).results).toMatchObject([
      { status: 'error', error },
    ]);
    // An empty one says nothing.
    expect(outcomesOf(await importFile(manager, `url,password\r\n${URL},\r\n`))).toEqual(['created']);
  });

  it('the password of a link leaves neither itself nor its hash in a response, a log, the history, the audit log, KV or a file', async () => {
    const lines: unknown[] = [];
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, method).mockImplementation((...args) => void lines.push(args));
    const manager = await open();
    const answers: unknown[] = [];
    const ask: Manager['ask'] = async (...args) => {
      const answer = await manager.ask<never>(...args);
      answers.push([answer.body, [...answer.headers]]);
      return answer;
    };
    const id = await manager.make({ password: PASSWORD });
    await ask('PATCH', `/v1/links/${id}`, { password: `${PASSWORD}!` });
    await ask('PATCH', `/v1/links/${id}`, { password: `${PASSWORD}!`, url: 'x' });
    await ask('POST', '/v1/links/batch', { links: [{ url: URL, password: PASSWORD }] }, manager.key);
    await ask(
      'POST',
      '/v1/links',
      { url: URL, client_id: manager.tenant.clientId, password: PASSWORD },
      { ...manager.key, 'Idempotency-Key': 'a' },
    );
    for (const path of [`/v1/links/${id}`, '/v1/links', `/v1/links/${id}/history`, '/v1/audit']) await ask('GET', path);
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    for (let visit = 0; visit < 2; visit++) await isolate(`/${id}`);
    await isolate(`/${id}`, { method: 'POST', body: new URLSearchParams({ password: PASSWORD }) });
    const tables = await contentOfTables();
    const { links: rows, users, ...others } = tables as Record<string, readonly Record<string, unknown>[]>;
    const found = {
      answers,
      lines,
      files: [await exportFile(manager, 'csv'), await exportFile(manager, 'ndjson')],
      kv: await env.LINKS.get(`/${id}`),
      rows: rows?.map((row) => ({ ...row, password_hash: undefined })),
      others,
    };
    expect(users).toBeDefined();
    const hashed = rows?.filter((row) => row['client_id'] === manager.tenant.clientId && row['password_hash'] !== null);
    expect(hashed).toHaveLength(3);
    expect(found.kv).toContain('passwordAt');
    const text = JSON.stringify(found);
    for (const secret of ['open sesame', 'scrypt', encodeURIComponent(PASSWORD)]) expect(text).not.toContain(secret);
  });

  it('the password of a link leaves no hash once the content of a deleted link is removed', async () => {
    const manager = await open();
    const id = await manager.make({ password: PASSWORD, max_clicks: 5 });
    await manager.ask('DELETE', `/v1/links/${id}`);
    vi.setSystemTime(Date.now() + 31 * 24 * 3600 * 1000);
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    expect(await rowOf(id)).toMatchObject({ url: '', password_hash: null, password_at: null, limited_at: null });
  });

  it('the password of a link is written only, in the API document', async () => {
    const document = await (await call('/openapi.json')).json<{ components: { schemas: Record<string, object> } }>();
    const { NewLink, NewLinkJson, LinkChange, ManagedLink, LinkRecord, EncodeForm } = document.components.schemas;
    for (const schema of [NewLink, NewLinkJson, LinkChange])
      expect(schema).toHaveProperty(['properties', 'password', 'writeOnly'], true);
    for (const schema of [ManagedLink, LinkRecord, EncodeForm])
      expect(schema).not.toHaveProperty(['properties', 'password']);
    expect(ManagedLink).toHaveProperty(['properties', 'has_password', 'type'], 'boolean');
  });
});
