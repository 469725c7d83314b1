import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  NO_DOMAIN,
  auditOf,
  rowsOfHost,
  openDomainIsolate,
  request,
  seedClaim,
  seedMember,
  seedProved,
  serveHosts,
  whole,
} from '../support/domains.ts';
import { expectFailure, seedCaller } from '../support/forms.ts';
import { rowsOf, seedDomain, seedLink } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('PATCH /v1/domains/{id}', () => {
  it('PATCH /v1/domains/{id} changes what it names, clears by null, and leaves the rest', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller, { not_found_url: 'https://example.com/404' });
    const path = `/v1/domains/${claim.id}`;
    const change = (body: unknown) => request(caller, path, { method: 'PATCH', body });
    const trips = await countTrips();
    const first = await change({ root_url: 'https://example.com/home' });
    expect(trips()).toMatchObject({ d1: 1 });
    expect([first.status, await first.json()]).toEqual([
      200,
      { ...whole(claim), root_url: 'https://example.com/home' },
    ]);
    expect(await (await change({ not_found_url: null })).json()).toMatchObject({
      root_url: 'https://example.com/home',
      not_found_url: null,
    });
    expect(await (await change({})).json()).toMatchObject({ root_url: 'https://example.com/home' });
    expect((await auditOf(caller)).slice(1).map(({ action, details }) => [action, details])).toEqual(
      expect.arrayContaining([
        ['domain.changed', { root_url: 'https://example.com/home', not_found_url: 'https://example.com/404' }],
        ['domain.changed', { root_url: 'https://example.com/home', not_found_url: null }],
      ]),
    );
    expect(await auditOf(caller)).toHaveLength(3);
  });

  it('PATCH /v1/domains/{id} refuses to lead to the domain itself, and to change anything else', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const change = (body: unknown) => request(caller, `/v1/domains/${claim.id}`, { method: 'PATCH', body });
    const before = await rowsOfHost(claim.host);
    await expectFailure(
      await change({ root_url: 'https://example.com/', not_found_url: `https://${claim.host}:444/x` }),
      400,
      'own_host: root_url and not_found_url must not lead to this service or to a domain that it serves.',
    );
    expect((await change({ root_url: 'https://terse.test/' })).status).toBe(400);
    expect((await change({ host: 'other.example' })).status).toBe(400);
    expect((await change({ status: 'active' })).status).toBe(400);
    expect(await rowsOfHost(claim.host)).toEqual(before);
  });
});

describe('DELETE /v1/domains/{id}', () => {
  it('DELETE /v1/domains/{id} removes a domain without links, in one trip, and leaves no row', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const trips = await countTrips();
    const response = await request(caller, `/v1/domains/${claim.id}`, { method: 'DELETE' });
    expect(trips()).toMatchObject({ d1: 1 });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await rowsOfHost(claim.host)).toEqual([]);
    await expectFailure(await request(caller, `/v1/domains/${claim.id}`), 404, NO_DOMAIN);
    await expectFailure(await request(caller, `/v1/domains/${claim.id}`, { method: 'DELETE' }), 404, NO_DOMAIN);
    expect((await auditOf(caller)).map(({ action }) => String(action)).toSorted()).toEqual([
      'domain.added',
      'domain.removed',
    ]);
  });

  it('DELETE /v1/domains/{id} asks for force=true where it has links, and then deletes them softly', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const [link, other] = [await seedLink(caller, { custom_domain: host }), await seedLink(caller)];
    const [row] = await rowsOfHost(host);
    const path = `/v1/domains/${String(row?.['id'])}`;
    for (const query of ['', '?force=false']) {
      await expectFailure(
        await request(caller, path + query, { method: 'DELETE' }),
        409,
        'domain_in_use: The domain has links. Delete them first, or send force=true to delete them with it.',
      );
    }
    expect(await rowsOfHost(host)).toEqual([row]);
    const remembering = openDomainIsolate();
    expect((await remembering(link.short_url)).status).toBe(302);
    expect((await remembering(link.short_url)).status).toBe(302);
    const removal = await request(caller, `${path}?force=true`, { method: 'DELETE', through: remembering });
    expect(removal.status).toBe(204);
    for (const isolate of [remembering, openIsolate()]) expect((await isolate(link.short_url)).status).toBe(404);
    const links = (await rowsOf('links')).filter((each) => each['client_id'] === caller.clientId);
    expect(links.find(({ id }) => id === link.id)).toMatchObject({ deleted_at: expect.any(Number) });
    expect(links.find(({ id }) => id === other.id)).toMatchObject({ deleted_at: null });
    expect(await (await request(caller, '/v1/domains')).json()).toEqual({ domains: [], cursor: null });
    expect(await auditOf(caller)).toEqual([
      { action: 'domain.removed', id: row?.['id'], name: host, details: { links_deleted: true } },
    ]);
  });

  it('DELETE /v1/domains/{id} says in the history of each link who deleted it, and cannot restore one', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const [changed, fresh, gone] = [
      await seedLink(caller, { custom_domain: host }),
      await seedLink(caller, { custom_domain: host }),
      await seedLink(caller, { custom_domain: host }),
    ];
    const body = { url: 'https://example.com/2' };
    expect((await request(caller, `/v1/links/${changed.id}`, { method: 'PATCH', body })).status).toBe(200);
    expect((await request(caller, `/v1/links/${gone.id}`, { method: 'DELETE' })).status).toBe(204);
    const historyOf = async ({ id }: { id: string }) =>
      (await (await request(caller, `/v1/links/${id}/history`)).json<{ history: Record<string, unknown>[] }>()).history;
    const before = await historyOf(gone);
    const [row] = await rowsOfHost(host);
    const path = `/v1/domains/${String(row?.['id'])}?force=true`;
    expect((await request(caller, path, { method: 'DELETE' })).status).toBe(204);

    const by = { user: caller.userName, key_id: null };
    const at = expect.stringMatching(/Z$/);
    for (const [link, n, url] of [
      [changed, 3, 'https://example.com/2'],
      [fresh, 2, 'https://example.com/'],
    ] as const) {
      const [last, ...rest] = await historyOf(link);
      const changes = { deleted_at: { from: null, to: at } };
      expect(last).toEqual({ n, at, action: 'deleted', by, url, changes });
      expect(rest).toHaveLength(n - 1);
      expect(rest.at(-1)).toMatchObject({ n: 1, action: 'created', url: 'https://example.com/' });
    }
    expect(await historyOf(gone)).toEqual(before);
    const links = await rowsOf('links');
    for (const { id } of [changed, fresh, gone]) {
      await expectFailure(
        await request(caller, `/v1/links/${id}/restore`, { method: 'POST' }),
        409,
        'domain_removed: The custom domain of this link has been removed, and its addresses with it. Create a new link.',
      );
    }
    expect(await rowsOf('links')).toEqual(links);
  });

  it('DELETE /v1/domains/{id} writes nothing of links where the caller may not remove the domain', async () => {
    const [caller, stranger] = [await seedCaller(), await seedCaller()];
    const host = await seedDomain(caller);
    await seedLink(caller, { custom_domain: host });
    const [row] = await rowsOfHost(host);
    const before = [await rowsOf('links'), await rowsOf('link_history')];
    for (const who of [stranger, await seedMember(caller)]) {
      const removal = await request(who, `/v1/domains/${String(row?.['id'])}?force=true`, { method: 'DELETE' });
      expect(removal.ok).toBe(false);
    }
    expect([await rowsOf('links'), await rowsOf('link_history')]).toEqual(before);
  });

  it('DELETE /v1/domains/{id} removes a domain whose links are deleted, and gives its host free, with fresh slugs', async () => {
    serveHosts();
    const caller = await seedCaller();
    const domain = await seedProved(caller);
    const link = await seedLink(caller, { custom_domain: domain.host });
    await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE id = ?').bind(link.id).run();
    expect((await request(caller, `/v1/domains/${domain.id}`, { method: 'DELETE' })).status).toBe(204);
    await seedProved(caller, { host: domain.host });
    expect((await openIsolate()(link.short_url)).status).toBe(404);
    const next = await seedLink(caller, { custom_domain: domain.host });
    expect((await call(next.short_url)).status).toBe(302);
  });

  it('DELETE /v1/domains/{id} removes an unverified domain without an effect on the client that serves the host', async () => {
    const [owner, claimant] = [await seedCaller(), await seedCaller()];
    const host = await seedDomain(owner);
    const link = await seedLink(owner, { custom_domain: host });
    const claim = await seedClaim(claimant, { host });
    expect((await request(claimant, `/v1/domains/${claim.id}?force=true`, { method: 'DELETE' })).status).toBe(204);
    expect((await openIsolate()(link.short_url)).status).toBe(302);
  });

  it('DELETE /v1/domains/{id} leaves links alone that were created while it was asked without force', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const [row] = await rowsOfHost(host);
    const [removal, link] = await Promise.allSettled([
      request(caller, `/v1/domains/${String(row?.['id'])}`, { method: 'DELETE' }),
      seedLink(caller, { custom_domain: host }),
    ]);
    // Either the link was first and the domain stays, or the domain is removed and there is no link.
    const isGone = removal.status === 'fulfilled' && removal.value.status === 204;
    expect(link.status).toBe(isGone ? 'rejected' : 'fulfilled');
    expect((await rowsOfHost(host)).length).toBe(isGone ? 0 : 1);
  });
});
