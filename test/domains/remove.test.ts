import { env } from 'cloudflare:workers';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/accounts/access.ts';
import { dropDomain } from '../../src/domains/remove.ts';
import { request, rowsOfHost } from '../support/domains.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { db, rowsOf, seedDomain, seedLink } from '../support/seed.ts';
import { readAllTables, rowsWith } from '../support/all-rows.ts';
import { countTrips } from '../support/trips.ts';

function actorOf({ accessToken, userId, clientId }: Caller): Actor {
  const familyId = String(decodeJwt(accessToken)['sid']);
  return { credential: { kind: 'token', use: 'access', familyId, userId }, clientId };
}

async function seedLinks(count: number) {
  const caller = await seedCaller();
  const host = await seedDomain(caller);
  const [row] = await rowsOfHost(host);
  const id = String(row?.['id']);
  for (let n = 0; n < count; n += 1) await seedLink(caller, { custom_domain: host });
  const left = async () =>
    (await rowsOf('links')).filter((link) => link['domain_id'] === id && link['deleted_at'] === null).length;
  return { caller, host, id, left };
}

describe('a domain with many links', () => {
  it('a domain with many links is removed with its links in slices, with one entry in the history of each link', async () => {
    const { caller, host, id, left } = await seedLinks(7);
    const trips = await countTrips();
    const removal = await dropDomain(db, actorOf(caller), id, { force: true }, { size: 2, milliseconds: 60_000 });
    expect(removal).toMatchObject({ host, isServed: false, isRemoved: true });
    expect(trips().d1).toBe(5);
    expect(await left()).toBe(0);
    expect(await rowsOfHost(host)).toMatchObject([{ removed_at: expect.any(Number) }]);
    const { results } = await env.DB.prepare(
      `SELECT count(*) AS n FROM link_history WHERE action = 'deleted'
       AND link_id IN (SELECT id FROM links WHERE domain_id = ?1) GROUP BY link_id`,
    )
      .bind(id)
      .all();
    expect(results).toEqual(Array.from({ length: 7 }, () => ({ n: 1 })));
  });

  it('a domain with many links leaves its host alone after its removal, and nothing of its pages, its files and its proof', async () => {
    const { caller, host, id } = await seedLinks(1);
    const pages = { root_url: 'https://example.com/left-root', not_found_url: 'https://example.com/left-lost' };
    const files = {
      asset_links: [{ relation: ['left-file'], target: { namespace: 'web', site: 'https://x.example' } }],
    };
    const changed = await request(caller, `/v1/domains/${id}`, { method: 'PATCH', body: { ...pages, ...files } });
    expect(await changed.text()).toContain('left-root');
    await env.DB.prepare(`UPDATE domains SET token = 'left-token' WHERE id = ?`).bind(id).run();
    const words = ['left-root', 'left-lost', 'left-file', 'left-token'];
    const found = async () => Object.keys(rowsWith(await readAllTables(), words));
    expect(await found()).toEqual(expect.arrayContaining(['domains']));
    await dropDomain(db, actorOf(caller), id, { force: true });
    // The log says for a year what was changed.
    expect(await found()).toEqual(['audit_entries']);
    expect(await rowsOfHost(host)).toMatchObject([{ status: 'pending', removed_at: expect.any(Number) }]);
    const again = await request(caller, '/v1/domains', { method: 'POST', body: { host } });
    expect(again.status).toBe(201);
  });

  it('a domain with many links stays until its last link is deleted, if that takes several requests', async () => {
    const { caller, host, id, left } = await seedLinks(7);
    const drop = () => dropDomain(db, actorOf(caller), id, { force: true }, { size: 2, milliseconds: 0 });
    for (const rest of [3, 1]) {
      expect(await drop()).toMatchObject({ isRemoved: false });
      expect([await left(), (await rowsOfHost(host))[0]?.['removed_at']]).toEqual([rest, null]);
    }
    expect(await drop()).toMatchObject({ isRemoved: true });
    expect(await left()).toBe(0);
  });

  it('a domain of another client is left alone', async () => {
    const { host, id, left } = await seedLinks(3);
    const stranger = await seedCaller();
    const pace = { size: 2, milliseconds: 60_000 };
    await expect(dropDomain(db, actorOf(stranger), id, { force: true }, pace)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect([await left(), (await rowsOfHost(host)).length]).toEqual([3, 1]);
  });

  it('a domain with more links than a slice is removed by one request', async () => {
    const { caller, host, id, left } = await seedLinks(1);
    await env.DB.batch([
      env.DB.prepare(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4500)
         INSERT INTO links (id, domain_id, slug, client_id, sec_id, url, created_at, updated_at, revision)
         SELECT ?1 || n, ?1, ?1 || n, ?2, 's', 'https://example.com/', 1, 1, 1 FROM n`,
      ).bind(id, caller.clientId),
      env.DB.prepare(
        `INSERT INTO addresses (domain_id, folded, slug, link_id)
         SELECT ?1, id, id, id FROM links WHERE domain_id = ?1 AND url = 'https://example.com/' AND created_at = 1`,
      ).bind(id),
    ]);
    expect(await left()).toBe(4501);
    expect((await request(caller, `/v1/domains/${id}?force=true`, { method: 'DELETE' })).status).toBe(204);
    expect([await left(), (await rowsOfHost(host))[0]?.['status']]).toEqual([0, 'pending']);
  });
});
