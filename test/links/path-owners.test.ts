import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { importFile, NDJSON, outcomesOf } from '../support/files.ts';
import { seedForwarding, TARGET } from '../support/forwarding.ts';
import { open, type Manager } from '../support/manage.ts';
import { seedDomain } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { ledTo } from '../support/visits.ts';

/** A link that forwards its path owns what is below its address. */

afterEach(() => void vi.useRealTimers());

const BELOW = (slug: string) => ({
  result: 'Failed',
  error: `path_taken: slug ${slug} is below a link that forwards its path, which owns all paths below it. Choose another slug.`,
});
const ABOVE = (slug: string) => ({
  result: 'Failed',
  error: `path_taken: forward_path cannot be used while other links are below ${slug}. Give those other slugs, or leave it out.`,
});

describe('the paths below a link that forwards its path', () => {
  const create = (manager: Manager, link: object) =>
    manager.ask('POST', '/v1/links', { url: TARGET, client_id: manager.tenant.clientId, ...link }, manager.key);

  it('the paths below a link that forwards its path can be no slug of a new link, in any case', async () => {
    const { manager, host } = await seedForwarding();
    for (const slug of ['guide/a', 'GUIDE/a', 'guide/a/b'])
      expect(await create(manager, { slug, custom_domain: host })).toMatchObject({ status: 409, body: BELOW(slug) });
    const batch = { links: [{ url: TARGET, slug: 'guide/a', custom_domain: host }, { url: TARGET }] };
    expect((await manager.ask('POST', '/v1/links/batch', batch, manager.key)).body).toMatchObject({
      results: [{ status: 409, error: BELOW('guide/a').error }, { status: 201 }],
    });
    // Beside it, and on other hosts, there is room.
    expect(await create(manager, { slug: 'guides/a', custom_domain: host })).toMatchObject({ status: 200 });
    const other = await seedDomain(manager.tenant);
    expect(await create(manager, { slug: 'guide/a', custom_domain: other })).toMatchObject({ status: 200 });
  });

  it('the paths below a link that forwards its path can be no slug of an edited link', async () => {
    const { manager, make } = await seedForwarding();
    const id = await make('beside');
    expect(await manager.ask('PATCH', `/v1/links/${id}`, { slug: 'guide/a' })).toMatchObject({
      status: 409,
      body: BELOW('guide/a'),
    });
    expect(await manager.read(id)).toMatchObject({ slug: 'beside', aliases: [] });
  });

  it('the paths below a link that forwards its path can be no slug and no alias of an imported row', async () => {
    const { manager, host } = await seedForwarding();
    const rows = [{ slug: 'guide/a' }, { slug: 'x', aliases: ['guide/b'] }, { slug: 'y' }].map((row) =>
      JSON.stringify({ url: TARGET, custom_domain: host, ...row }),
    );
    expect(outcomesOf(await importFile(manager, rows.join('\n'), { type: NDJSON }))).toEqual([
      'path_taken',
      'path_taken',
      'created',
    ]);
  });

  it('the paths below a link that forwards its path are not taken from existing links, deleted ones included, by create, edit, batch or import', async () => {
    const { manager, host, make } = await seedForwarding();
    await manager.ask('DELETE', `/v1/links/${await make('shop/a')}`);
    await make('news/a');
    const owner = { custom_domain: host, forward_path: true };
    for (const slug of ['shop', 'news', 'NEWS'])
      expect(await create(manager, { slug, ...owner })).toMatchObject({ status: 409, body: ABOVE(slug) });
    const id = await make('shop');
    const edited = await manager.ask('PATCH', `/v1/links/${id}`, { forward_path: true });
    expect(edited).toMatchObject({ status: 409, body: ABOVE('shop') });
    expect(await manager.read(id)).toMatchObject({ forward_path: null });
    const pair = ['both', 'both/a'].map((slug, index) => ({
      url: TARGET,
      slug,
      custom_domain: host,
      forward_path: index === 0,
    }));
    for (const links of [pair, pair.toReversed()]) {
      const { body } = await manager.ask('POST', '/v1/links/batch', { links }, manager.key);
      const { results } = body as { results: { status: number }[] };
      expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
      const created = results.find(({ status }) => status === 201) as unknown as { link: { id: string } };
      await env.DB.prepare('DELETE FROM addresses WHERE link_id = ?').bind(created.link.id).run();
    }
    const file = pair.map((row) => JSON.stringify(row)).join('\n');
    expect(outcomesOf(await importFile(manager, file, { type: NDJSON }))).toEqual(['created', 'path_taken']);
  });

  it('the paths below a link that forwards its path stay taken while the link is deleted, so that it can be restored, and are free once its content is removed', async () => {
    vi.setSystemTime('2026-05-20T04:17:00Z');
    const { manager, host, id } = await seedForwarding();
    await manager.ask('DELETE', `/v1/links/${id}`);
    expect(await create(manager, { slug: 'guide/a', custom_domain: host })).toMatchObject({ status: 409 });
    expect((await manager.ask('POST', `/v1/links/${id}/restore`)).status).toBe(200);
    expect((await call(`https://${host}/guide/a`)).status).toBe(302);
    await manager.ask('DELETE', `/v1/links/${id}`);
    vi.setSystemTime('2026-06-20T04:17:00Z');
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    const rows = await env.DB.prepare('SELECT forward_path FROM links WHERE id = ?').bind(id).first();
    expect(rows).toEqual({ forward_path: null });
  });

  it('the paths below a link that forwards its path are decided by the database, so that of two concurrent creates one is refused', async () => {
    const { manager, host } = await seedForwarding();
    const outcomes = await Promise.all([
      create(manager, { slug: 'race', custom_domain: host, forward_path: true }),
      create(manager, { slug: 'race/a', custom_domain: host }),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('the paths below a link that forwards its path can be used by no other client: its error names the domain, not the link', async () => {
    const { manager, host } = await seedForwarding();
    const stranger = await open();
    const error = `unknown_domain: custom_domain ${host} is not one of your active domains. Verify it first, or leave it out.`;
    const link = { url: TARGET, slug: 'guide/a', custom_domain: host };
    expect(await create(stranger, link)).toMatchObject({ status: 400, body: { error } });
    const batch = await stranger.ask('POST', '/v1/links/batch', { links: [link] }, stranger.key);
    expect(batch.body).toMatchObject({ results: [{ status: 400, error }] });
    const file = await importFile(stranger, JSON.stringify(link), { type: NDJSON });
    const sentence = `custom_domain ${host} is not one of your domains, and only an owner can add it. Ask an owner to add it first, or to import the file, or choose another host for its links, such as host=${host}:shared.`;
    expect(file.results).toMatchObject([{ status: 'error', error: `unknown_domain: ${sentence}` }]);
    // A host that the first client has given up is free below too.
    const { id } = (await env.DB.prepare('SELECT id FROM domains WHERE host = ?').bind(host).first<{ id: string }>())!;
    expect((await manager.ask('DELETE', `/v1/domains/${id}?force=true`)).status).toBe(204);
    await seedDomain(stranger.tenant, host);
    expect(await create(stranger, link)).toMatchObject({ status: 200 });
    expect(ledTo(await openIsolate()(`https://${host}/guide/a`))).toEqual([302, TARGET]);
    expect(ledTo(await openIsolate()(`https://${host}/guide/b`))).toEqual([404, null]);
  });

  it('the paths below a link that forwards its path stay with the links that took them meanwhile if a former destination is restored', async () => {
    const { manager, host, id, make } = await seedForwarding();
    await manager.ask('PATCH', `/v1/links/${id}`, { url: 'https://example.com/new', forward_path: false });
    await make('guide/a', { url: 'https://example.com/below' });
    const restored = await manager.ask('POST', `/v1/links/${id}/history/1/restore`);
    expect(restored).toMatchObject({ status: 200, body: { url: TARGET, forward_path: false } });
    expect(ledTo(await call(`https://${host}/guide/a`))).toEqual([302, 'https://example.com/below']);
    expect(ledTo(await call(`https://${host}/guide/b`))).toEqual([404, null]);
    const edited = await manager.ask('PATCH', `/v1/links/${id}`, { forward_path: true });
    expect(edited).toMatchObject({ status: 409, body: ABOVE('guide') });
  });

  it('the paths below a link that forwards its path are refused on the service’s own host, where paths have one segment', async () => {
    const { manager } = await seedForwarding();
    const error = 'invalid_forward_path: forward_path needs a custom_domain.';
    expect(await create(manager, { forward_path: true })).toMatchObject({ status: 400, body: { error } });
    const id = await manager.make();
    expect(await manager.ask('PATCH', `/v1/links/${id}`, { forward_path: true })).toMatchObject({
      status: 400,
      body: { error },
    });
  });
});
