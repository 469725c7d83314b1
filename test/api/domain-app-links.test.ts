import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { auditOf, NO_DOMAIN, request, rowsOfHost, seedClaim, seedMember, whole } from '../support/domains.ts';
import { APPLE, ASSETS, filesOf, patchDomain } from '../support/app-links.ts';
import { expectFailure, seedCaller } from '../support/forms.ts';
import { seedDomain, seedLink } from '../support/seed.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the app links of a domain', () => {
  it('the app links of a domain are null until they are set, are returned as they are served, and are not in lists', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const fresh = await request(caller, `/v1/domains/${claim.id}`);
    expect([fresh.status, await fresh.json()]).toEqual([200, whole(claim)]);

    const trips = await countTrips();
    const changed = await patchDomain(caller, claim.id, { apple_app_site_association: APPLE });
    expect(trips()).toMatchObject({ d1: 1 });
    const apple = JSON.stringify(APPLE);
    expect([changed.status, await changed.json()]).toEqual([
      200,
      { ...whole(claim), apple_app_site_association: apple },
    ]);
    const read = await request(caller, `/v1/domains/${claim.id}`);
    expect(trips()).toMatchObject({ d1: 2 });
    expect(await read.json()).toEqual({ ...whole(claim), apple_app_site_association: apple });
    const list = await request(caller, '/v1/domains');
    expect(await list.json()).toEqual({ domains: [claim], cursor: null });
  });

  it('the app links of a domain are kept byte for byte if they are sent as a JSON text, and as the shortest text if not', async () => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    const text = `\n${JSON.stringify(ASSETS, null, 2).replaceAll('\n', '\r\n')} `;
    const answer = await patchDomain(caller, id, { apple_app_site_association: APPLE, asset_links: text });
    expect(await answer.json()).toMatchObject({ apple_app_site_association: JSON.stringify(APPLE), asset_links: text });
    expect(await filesOf(id)).toEqual({ apple_app_site_association: JSON.stringify(APPLE), asset_links: text });
  });

  it('the app links of a domain stay as they are unless they are named, and null deletes one', async () => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    await patchDomain(caller, id, { apple_app_site_association: APPLE, asset_links: ASSETS });
    const both = { apple_app_site_association: JSON.stringify(APPLE), asset_links: JSON.stringify(ASSETS) };
    expect(await (await patchDomain(caller, id, { root_url: 'https://example.com/' })).json()).toMatchObject(both);
    expect(await (await patchDomain(caller, id, {})).json()).toMatchObject(both);
    const cleared = await patchDomain(caller, id, { apple_app_site_association: null });
    expect(await cleared.json()).toMatchObject({ ...both, apple_app_site_association: null });
    expect(await filesOf(id)).toEqual({ asset_links: both.asset_links });
    await patchDomain(caller, id, { asset_links: [{ include: 'https://example.com/statements.json' }] });
    expect(await filesOf(id)).toEqual({ asset_links: '[{"include":"https://example.com/statements.json"}]' });
  });

  it('the app links of a domain are in the audit log by their names, once for each change', async () => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    const urls = { root_url: null, not_found_url: null };
    const change = async (body: object) => {
      const before = (await auditOf(caller)).length;
      await patchDomain(caller, id, body);
      return (await auditOf(caller)).slice(before).map(({ action, details }) => [action, details]);
    };
    expect(await change({ apple_app_site_association: APPLE, asset_links: ASSETS })).toEqual([
      ['domain.changed', { ...urls, app_links: ['apple_app_site_association', 'asset_links'] }],
    ]);
    expect(await change({ apple_app_site_association: APPLE, asset_links: ASSETS })).toEqual([]);
    expect(await change({ apple_app_site_association: APPLE, asset_links: null })).toEqual([
      ['domain.changed', { ...urls, app_links: ['asset_links'] }],
    ]);
    expect(await change({ asset_links: null })).toEqual([]);
    expect(await change({ case_sensitive: true, apple_app_site_association: null })).toEqual([
      ['domain.changed', { ...urls, case_sensitive: true, app_links: ['apple_app_site_association'] }],
    ]);
  });

  it('the app links of a domain are not changed by a change that is refused for another field', async () => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    await patchDomain(caller, id, { asset_links: ASSETS });
    await env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind(`${id}.example`).run();
    const refused = await patchDomain(caller, id, {
      root_url: `https://${id}.example/`,
      apple_app_site_association: APPLE,
      asset_links: null,
    });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('blocked_host')]);
    expect(await filesOf(id)).toEqual({ asset_links: JSON.stringify(ASSETS) });
    expect(await auditOf(caller)).toHaveLength(2);
  });

  it('the app links of a domain are changed by owners of the domain’s client alone', async () => {
    const caller = await seedCaller();
    const { id } = await seedClaim(caller);
    await patchDomain(caller, id, { asset_links: ASSETS });
    const member = await seedMember(caller);
    expect(await (await request(member, `/v1/domains/${id}`)).json()).toMatchObject({
      asset_links: JSON.stringify(ASSETS),
    });
    await expectFailure(
      await patchDomain(member, id, { asset_links: null }),
      403,
      'not_owner: Only an owner can do this. Ask an owner.',
    );
    await expectFailure(await patchDomain(await seedCaller(), id, { asset_links: null }), 404, NO_DOMAIN);
    expect(await filesOf(id)).toEqual({ asset_links: JSON.stringify(ASSETS) });
  });

  it.each([
    ['whose row is deleted', false],
    ['whose row stays for the address of a deleted link', true],
  ])('the app links of a domain are deleted with a domain %s', async (_what, hasAddress) => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const [row] = await rowsOfHost(host);
    const id = String(row?.['id']);
    await patchDomain(caller, id, { asset_links: ASSETS });
    if (hasAddress) await seedLink(caller, { custom_domain: host });
    expect((await request(caller, `/v1/domains/${id}?force=true`, { method: 'DELETE' })).status).toBe(204);
    expect(await filesOf(id)).toEqual({});
    expect(await rowsOfHost(host)).toHaveLength(hasAddress ? 1 : 0);
  });

  it('the app links of a domain stay with a domain that is not removed because it has links', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller);
    const [row] = await rowsOfHost(host);
    const id = String(row?.['id']);
    await patchDomain(caller, id, { asset_links: ASSETS });
    await seedLink(caller, { custom_domain: host });
    expect((await request(caller, `/v1/domains/${id}`, { method: 'DELETE' })).status).toBe(409);
    expect(await filesOf(id)).toEqual({ asset_links: JSON.stringify(ASSETS) });
  });

  it('the app links of a domain are deleted with a domain by code that does not know them', async () => {
    const { id } = await seedClaim(await seedCaller());
    await env.DB.prepare("INSERT INTO domain_files (domain_id, name, body) VALUES (?, 'asset_links', '[]')")
      .bind(id)
      .run();
    await env.DB.prepare('DELETE FROM domains WHERE id = ?').bind(id).run();
    expect(await filesOf(id)).toEqual({});
  });
});
