import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  auditOf,
  NO_DOMAIN,
  request,
  rowsOfHost,
  seedClaim,
  seedMember,
  seedProved,
  serveHosts,
} from '../support/domains.ts';
import { bearerOf, expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { form, openBrowser, textOf } from '../support/platform.ts';
import { seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';

afterEach(() => void vi.restoreAllMocks());

const IN_USE = expect.stringMatching(
  /^domain_in_use: case_sensitive can be changed only before the domain has had its first link/,
);

async function seedSensitive(fields: object = { case_sensitive: true }) {
  const caller = await seedCaller();
  serveHosts();
  const domain = await seedProved(caller, { ...fields });
  vi.restoreAllMocks();
  const change = (body: unknown, by: Caller = caller) =>
    request(by, `/v1/domains/${domain.id}`, { method: 'PATCH', body });
  const make = (slug: string, url = `https://example.com/${encodeURIComponent(slug)}`) =>
    seedLink(caller, { slug, url, custom_domain: domain.host });
  const follow = async (slug: string) =>
    (await call(`https://${domain.host}/${encodeURIComponent(slug)}`)).headers.get('Location');
  return { caller, domain, change, make, follow };
}

describe('a case-sensitive domain', () => {
  it('a case-sensitive domain has two links whose slugs differ in case only', async () => {
    const { domain, make, follow } = await seedSensitive();
    expect(domain).toMatchObject({ case_sensitive: true });
    for (const slug of ['Ab1', 'aB1', 'ab1', 'ÄB', 'äb']) await make(slug);
    for (const slug of ['Ab1', 'aB1', 'ab1', 'ÄB', 'äb'])
      expect([slug, await follow(slug)]).toEqual([slug, `https://example.com/${encodeURIComponent(slug)}`]);
    expect(await follow('AB1')).toBeNull();
    await expect(make('Ab1')).rejects.toThrow(/slug_taken/);
    await make('❤');
    await expect(make('❤\ufe0f')).rejects.toThrow(/slug_taken/);
  });

  it.each(['xß xẞ', 'xẞ xß', 'Xẞ/ẞ Xß/ẞ'])(
    'a case-sensitive domain gives out only one of two slugs that look the same, in either order: %s',
    async (pair) => {
      const { caller, domain, make } = await seedSensitive();
      const [first = '', second = ''] = pair.split(' ');
      await make(first);
      await expect(make(second)).rejects.toThrow(/slug_taken/);
      const links = [`${first}1`, `${second}1`].map((slug) => ({
        url: 'https://example.com/',
        slug,
        custom_domain: domain.host,
      }));
      const batch = await request(caller, '/v1/links/batch', { method: 'POST', body: { links } });
      expect(await batch.json()).toMatchObject({ results: [{ status: 201 }, { status: 409 }] });
      const rows = [`${first}2`, `${second}2`].map((slug) => `${slug},https://example.com/${slug},${domain.host}`);
      const headers = { ...bearerOf(caller), 'Content-Type': 'text/csv' };
      const body = ['slug,url,custom_domain', ...rows].join('\n');
      const imported = await call('/v1/links/import', { method: 'POST', headers, body });
      expect(await imported.json()).toMatchObject({ created: 1, errors: 1 });
      const { id } = await seedLink(caller, { slug: 'other', custom_domain: domain.host });
      expect((await request(caller, `/v1/links/${id}`, { method: 'PATCH', body: { slug: second } })).status).toBe(409);
    },
  );

  it('a case-sensitive domain takes a file of YOURLS whose keywords differ in case only, twice, and edits of its links', async () => {
    const { caller, domain, follow } = await seedSensitive();
    const slugs = ['abc', 'ABC', 'Abc', 'aBC'];
    const rows = slugs.map(
      (slug) => `${slug},https://example.com/${slug},${domain.host},${slug.length === 3 ? `${slug}-x ${slug}-X` : ''}`,
    );
    const headers = { ...bearerOf(caller), 'Content-Type': 'text/csv' };
    const body = ['slug,url,custom_domain,aliases', ...rows].join('\n');
    const send = async () => (await call('/v1/links/import', { method: 'POST', headers, body })).json();
    expect(await send()).toMatchObject({ created: 4, errors: 0 });
    expect(await send()).toMatchObject({ unchanged: 4, errors: 0 });
    for (const slug of slugs) expect(await follow(`${slug}-X`)).toBe(`https://example.com/${slug}`);
    const { id } = await seedLink(caller, { slug: 'other', custom_domain: domain.host });
    const edit = (slug: string) => request(caller, `/v1/links/${id}`, { method: 'PATCH', body: { slug } });
    expect((await edit('ABC')).status).toBe(409);
    expect(await (await edit('AbC')).json()).toMatchObject({ slug: 'AbC', aliases: ['other'] });
    expect(await follow('AbC')).toBe('https://example.com/');
  });

  it('a case-sensitive domain can be switched on and off until its first link, as the audit log and its page say', async () => {
    const { caller, domain, change, make } = await seedSensitive({});
    expect(domain).toMatchObject({ case_sensitive: false });
    expect(await (await change({ case_sensitive: true })).json()).toMatchObject({ case_sensitive: true });
    expect(await (await change({ case_sensitive: true })).json()).toMatchObject({ case_sensitive: true });
    expect((await auditOf(caller)).filter(({ action }) => action === 'domain.changed')).toEqual([
      expect.objectContaining({ details: { root_url: null, not_found_url: null, case_sensitive: true } }),
    ]);
    const { browse } = await openBrowser(caller);
    const path = `/platform/c/${caller.clientId}/domains/${domain.id}`;
    expect(await textOf(browse(path))).toContain('/Sale and /sale can be two links');
    expect(await textOf(browse(`/platform/c/${caller.clientId}/audit`))).toContain(
      `changed the slugs of ${domain.host} to case-sensitive.`,
    );
    expect((await browse(`${path}/slugs`, form({ case_sensitive: 'false' }))).status).toBe(303);
    expect((await browse(`${path}/slugs`, form({ case_sensitive: 'true' }))).status).toBe(303);
    const link = await make('one');
    await expectFailure(await change({ case_sensitive: false }), 409, IN_USE);
    expect((await browse(`${path}/slugs`, form({ case_sensitive: 'false' }))).status).toBe(409);
    expect((await request(caller, `/v1/links/${link.id}`, { method: 'DELETE' })).status).toBe(204);
    await expectFailure(await change({ case_sensitive: false, root_url: 'https://example.com/' }), 409, IN_USE);
    expect(await (await change({ case_sensitive: true, root_url: 'https://example.com/' })).json()).toMatchObject({
      case_sensitive: true,
      root_url: 'https://example.com/',
    });
  });

  it('a case-sensitive domain can be chosen on the page that adds a domain', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const path = `/platform/c/${caller.clientId}/domains/new`;
    const host = `${crypto.randomUUID()}.example`;
    expect((await browse(path, form({ host, case_sensitive: 'on' }))).status).toBe(303);
    expect(await rowsOfHost(host)).toMatchObject([{ case_sensitive: 1 }]);
  });

  it('a case-sensitive domain can be set only by owners', async () => {
    const { caller, domain, change } = await seedSensitive({});
    expect((await change({ case_sensitive: true }, await seedMember(caller))).status).toBe(403);
    await expectFailure(await change({ case_sensitive: true }, await seedCaller()), 404, NO_DOMAIN);
    expect((await change({ case_sensitive: 'yes' })).status).toBe(400);
    expect(await rowsOfHost(domain.host)).toMatchObject([{ case_sensitive: 0 }]);
  });

  it('a case-sensitive domain does not affect another client’s domain of the same host: each has its own addresses', async () => {
    const { domain, make } = await seedSensitive({});
    await make('one');
    const claim = await seedClaim(await seedCaller(), { host: domain.host, case_sensitive: true });
    const { results } = await env.DB.prepare(
      'SELECT id, case_sensitive FROM domains WHERE host = ? ORDER BY case_sensitive',
    )
      .bind(domain.host)
      .all();
    expect(results).toEqual([
      { id: domain.id, case_sensitive: 0 },
      { id: claim.id, case_sensitive: 1 },
    ]);
  });
});
