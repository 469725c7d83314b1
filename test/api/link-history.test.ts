import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { failed, newSlug, open } from '../support/manage.ts';
import { rowsOf, seedDomain } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the history', () => {
  it('the history says who changed what and when, and restores a former destination', async () => {
    const { make, ask, tenant, key, bearer } = await open();
    const id = await make();
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/2', campaign_name: 'x' }, key);
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/3', disabled: true });
    const { status, body } = await ask<{ history: Record<string, unknown>[] }>('GET', `/v1/links/${id}/history`);
    expect(status).toBe(200);
    const at = expect.stringMatching(/Z$/);
    const keyId = tenant.apiKey.split('_')[1];
    expect(body).toEqual({
      history: [
        {
          n: 3,
          at,
          action: 'edited',
          by: { user: tenant.userName, key_id: null },
          url: 'https://example.com/3',
          changes: {
            url: { from: 'https://example.com/2', to: 'https://example.com/3' },
            disabled_at: { from: null, to: at },
          },
        },
        {
          n: 2,
          at,
          action: 'edited',
          by: { user: tenant.userName, key_id: keyId },
          url: 'https://example.com/2',
          changes: {
            url: { from: 'https://example.com/', to: 'https://example.com/2' },
            campaign_name: { from: null, to: 'x' },
          },
        },
        {
          n: 1,
          at,
          action: 'created',
          by: { user: tenant.userName, key_id: keyId },
          url: 'https://example.com/',
          changes: {},
        },
      ],
      cursor: null,
    });
    const stale = { ...bearer, 'If-Match': '"1"' };
    expect((await ask('POST', `/v1/links/${id}/history/1/restore`, undefined, stale)).status).toBe(412);
    expect((await ask('POST', `/v1/links/${id}/history/1/restore`)).body).toMatchObject({
      url: 'https://example.com/',
    });
    expect((await ask('POST', `/v1/links/${id}/history/9/restore`)).status).toBe(404);
    const after = await ask<{ history: unknown[] }>('GET', `/v1/links/${id}/history`);
    expect(after.body.history).toHaveLength(4);
  });

  it('the history is listed in pages, however long it is', async () => {
    const { make, ask, tenant } = await open();
    const id = await make();
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/2' });
    await env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
       INSERT INTO link_history (link_id, n, at, action, url, changes, edit_id)
       SELECT ?1, n, n, 'edited', 'https://example.com/' || n, '{}', '' FROM numbers`,
    )
      .bind(id)
      .run();
    type Page = { history: { n: number }[]; cursor: string };
    const batch = vi.spyOn(env.DB, 'batch');
    const numbers: number[] = [];
    let cursor = '';
    for (let pages = 0; pages < 3; pages++) {
      const { body } = await ask<Page>('GET', `/v1/links/${id}/history?limit=100&cursor=${cursor}`);
      numbers.push(...body.history.map(({ n }) => n));
      cursor = body.cursor;
    }
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, index) => 5000 - index));
    const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    expect(Math.max(...results.flat().map(({ meta }) => meta.rows_read))).toBeLessThan(600);
    batch.mockRestore();

    const other = await make();
    const misused = await ask('GET', `/v1/links/${other}/history?limit=100&cursor=${cursor}`);
    expect(misused).toMatchObject({ status: 400, body: failed('invalid_cursor') });
    await env.DB.prepare('DELETE FROM link_history WHERE link_id = ? AND n > 2').bind(id).run();
    const first = await ask<Page>('GET', `/v1/links/${id}/history?limit=1`);
    expect(first.body).toMatchObject({ history: [{ n: 2 }], cursor: expect.any(String) });
    const last = await ask<Page>('GET', `/v1/links/${id}/history?limit=1&cursor=${first.body.cursor}`);
    expect(last.body).toMatchObject({
      history: [{ n: 1, action: 'created', by: { user: tenant.userName } }],
      cursor: null,
    });
  });

  it('the history restores a former destination in two trips', async () => {
    const { make, ask } = await open();
    const id = await make();
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/2' });
    const trips = await countTrips();
    expect((await ask('POST', `/v1/links/${id}/history/1/restore`)).status).toBe(200);
    expect(trips()).toEqual({ d1: 2, kvReads: 0, kvWrites: 1 });
    for (const n of ['0', '01', '-1', '1.5', 'x', '99999999999']) {
      expect((await ask('POST', `/v1/links/${id}/history/${n}/restore`)).status).toBe(404);
    }
  });

  it('the history of a link that never changed is its creation', async () => {
    const { make, ask } = await open();
    const id = await make();
    const { body } = await ask<{ history: unknown[] }>('GET', `/v1/links/${id}/history`);
    expect(body.history).toMatchObject([{ n: 1, action: 'created', url: 'https://example.com/' }]);
    expect((await ask('POST', `/v1/links/${id}/history/1/restore`)).status).toBe(200);
    expect((await ask('POST', `/v1/links/${id}/history/2/restore`)).status).toBe(404);
  });

  it('the history restores a destination that was as long as one may be when it was written', async () => {
    const { make, ask } = await open();
    for (const [head, filler] of [
      ['https://example.com/', 'é'],
      ['https://bücher.example/', 'a'],
      ['https://example.com?', 'a'],
    ] as const) {
      const url = head + filler.repeat(1000).padEnd(2048 - head.length, 'b');
      const id = await make({ url });
      await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/2' });
      expect(await ask('POST', `/v1/links/${id}/history/1/restore`)).toMatchObject({
        status: 200,
        body: { url: new URL(url).href },
      });
    }
  });

  it('the history restores no destination that today’s rules refuse', async () => {
    const { make, ask, tenant } = await open();
    const host = `${crypto.randomUUID().slice(0, 8)}.example`;
    const id = await make({ url: `https://${host}/` });
    await ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/2' });
    await seedDomain(tenant, host);
    expect(await ask('POST', `/v1/links/${id}/history/1/restore`)).toMatchObject({
      status: 400,
      body: failed('own_host'),
    });
  });
});

describe('the content of a deleted link', () => {
  it('the content of a link goes 30 days after its deletion, and the address stays reserved', async () => {
    const manager = await open();
    const name = newSlug();
    const fields = {
      slug: name,
      url: 'https://example.com/secret',
      sec_id: 's',
      metadata: '{"a":1}',
      campaign_name: 'c',
    };
    const [gone, kept] = [await manager.make(fields), await manager.make()];
    await manager.ask('PATCH', `/v1/links/${gone}`, { url: 'https://example.com/other-secret' });
    for (const id of [gone, kept]) await manager.ask('DELETE', `/v1/links/${id}`);
    const month = 30 * 24 * 3_600_000;
    await env.DB.prepare('UPDATE links SET deleted_at = deleted_at - ?2 WHERE id = ?1').bind(gone, month).run();
    await worker.scheduled(createScheduledController(), env);
    const rows = (await rowsOf('links')).filter((row) => row['id'] === gone);
    expect(rows).toMatchObject([{ url: '', sec_id: '', metadata: null, campaign_name: null }]);
    expect((await rowsOf('link_history')).filter((row) => row['link_id'] === gone)).toEqual([]);
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/restore'],
      ['GET', '/history'],
    ]) {
      expect((await manager.ask(method!, `/v1/links/${gone}${path}`)).status).toBe(404);
    }
    expect((await openIsolate()(`/${name}`)).status).toBe(410);
    const again = { url: 'https://example.com/', client_id: manager.tenant.clientId, slug: name };
    expect((await manager.ask('POST', '/v1/links', again, manager.key)).status).toBe(409);
    expect((await manager.ask('POST', `/v1/links/${kept}/restore`)).status).toBe(200);
  });
});
