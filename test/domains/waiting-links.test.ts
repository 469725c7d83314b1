import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DomainRecord } from '../../src/api/domain-record.ts';
import type { ManagedRecord } from '../../src/api/record.ts';
import { addActiveDomain } from '../../src/domains/domains.ts';
import { importFor, pendingOf, rowsOfFile } from '../support/waiting.ts';
import {
  ask,
  auditOf,
  newHost,
  openDomainIsolate,
  proveByDns,
  request,
  rowsOfHost,
  seedClaim,
  seedMember,
  seedProved,
  serveHosts,
  verify,
} from '../support/domains.ts';
import { outcomesOf } from '../support/files.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { db } from '../support/seed.ts';

beforeEach(() => void serveHosts());
afterEach(() => vi.restoreAllMocks());

const linkOf = async (caller: Caller, id: string) =>
  (await request(caller, `/v1/links/${id}`)).json<ManagedRecord & { revision: number }>();
const statusAt = async (host: string, slug: string) => (await ask(`https://${host}/${slug}`)).status;

async function claimOf(caller: Caller, host: string): Promise<DomainRecord> {
  const { domains } = await (await request(caller, '/v1/domains')).json<{ domains: DomainRecord[] }>();
  return domains.find((domain) => domain.host === host)!;
}

describe('links of a file on a domain that is not verified yet', () => {
  it('links of a file on a domain that is not verified yet wait for it, and the response has the domain with its DNS records', async () => {
    const caller = await seedCaller();
    const host = newHost();
    const imported = await importFor(caller, rowsOfFile(host, ['a', 'b']));
    expect(outcomesOf(imported)).toEqual(['created', 'created']);
    const claim = await claimOf(caller, host);
    expect(claim).toMatchObject({ status: 'pending', next: expect.stringContaining(`_terse.${host}`) });
    expect(pendingOf(imported)).toEqual([{ host, is_new: true, domain: claim }]);
    const link = imported.results[0]!.link!;
    expect(link).toMatchObject({
      custom_domain: host,
      short_url: `https://${host}/a`,
      state: 'active',
      waits_for: host,
    });
    const read = await linkOf(caller, link.id);
    expect(read).toMatchObject({ ...link, waits_for: host });
    const { links } = await (await request(caller, '/v1/links')).json<{ links: ManagedRecord[] }>();
    expect(links.map(({ waits_for }) => waits_for)).toEqual([host, host]);
    for (const slug of ['a', 'a+', 'a?inspect']) expect(await statusAt(host, slug)).toBe(404);
    expect((await ask(`/a`)).status).toBe(404);
    expect(await auditOf(caller)).toEqual([
      { action: 'domain.added', id: claim.id, name: host, details: null },
      {
        action: 'client.imported',
        id: caller.clientId,
        name: null,
        details: { import: expect.stringMatching(/^evt_/) },
      },
    ]);
  });

  it('links of a file on a domain that is not verified yet are the same after a second import, which adds nothing', async () => {
    const caller = await seedCaller();
    const file = rowsOfFile(newHost(), ['a', 'b']);
    await importFor(caller, file);
    const again = await importFor(caller, file);
    expect(outcomesOf(again)).toEqual(['unchanged', 'unchanged']);
    expect(pendingOf(again)).toMatchObject([{ is_new: false, domain: { status: 'pending' } }]);
  });

  it('links of a file on a domain that is not verified yet are in the results of a dry run, which adds no domain', async () => {
    const caller = await seedCaller();
    const host = newHost();
    const dry = await importFor(caller, rowsOfFile(host, ['a', 'a/b']), '?dry_run=true');
    expect(outcomesOf(dry)).toEqual(['created', 'created']);
    expect(pendingOf(dry)).toEqual([{ host, is_new: true, domain: null }]);
    expect(await rowsOfHost(host)).toEqual([]);
  });

  it('links of a file on a domain that is not verified yet redirect once it is verified, only those of the client that verified it', async () => {
    const [one, two] = [await seedCaller(), await seedCaller()];
    const host = newHost();
    const ours = await importFor(one, rowsOfFile(host, ['a'], 'https://example.com/one'));
    const theirs = await importFor(two, rowsOfFile(host, ['a', 'b'], 'https://example.com/two'));
    expect([outcomesOf(ours), outcomesOf(theirs)]).toEqual([['created'], ['created', 'created']]);
    const claim = await claimOf(one, host);
    await proveByDns(claim);
    expect(await verify(one, claim)).toMatchObject({ status: 'active', disabled_links: 0 });
    expect((await ask(`https://${host}/a`)).headers.get('Location')).toBe('https://example.com/one');
    expect(await statusAt(host, 'b')).toBe(404);
    expect(await linkOf(one, ours.results[0]!.link!.id)).toMatchObject({ waits_for: null, state: 'active' });
    expect(await linkOf(two, theirs.results[0]!.link!.id)).toMatchObject({ waits_for: host, state: 'active' });
    expect(await claimOf(two, host)).toMatchObject({ status: 'pending' });

    const other = await claimOf(two, host);
    await proveByDns(other);
    await verify(two, other);
    expect((await ask(`https://${host}/a`)).headers.get('Location')).toBe('https://example.com/two');
    expect(await linkOf(one, ours.results[0]!.link!.id)).toMatchObject({ waits_for: host });
  });

  it('links of a file on a domain that is not verified yet are not served after an edit, and go with their domain', async () => {
    const caller = await seedCaller();
    const host = newHost();
    const remembering = openDomainIsolate();
    const { results } = await importFor(caller, rowsOfFile(host, ['a']));
    const { id } = results[0]!.link!;
    const edit = { method: 'PATCH', body: { url: 'https://example.com/new' }, through: remembering };
    expect(await (await request(caller, `/v1/links/${id}`, edit)).json()).toMatchObject({ waits_for: host });
    expect((await remembering(`https://${host}/a`)).status).toBe(404);
    expect(await env.LINKS.get(`${host}/a`)).toBeNull();
    const claim = await claimOf(caller, host);
    expect((await request(caller, `/v1/domains/${claim.id}`, { method: 'DELETE' })).status).toBe(409);
    expect((await request(caller, `/v1/domains/${claim.id}?force=true`, { method: 'DELETE' })).status).toBe(204);
    expect(await linkOf(caller, id)).toMatchObject({ state: 'deleted', waits_for: null });
  });

  it('links of a file on a domain that is not verified yet are disabled at the proof if they lead to a host of the service by then, or to a blocked one', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    const [host, served, blocked] = [newHost(), newHost(), newHost()];
    const urls = [`https://${served}/x`, `https://sub.${blocked}/`, 'https://example.com/fine'];
    const file = `slug,url,custom_domain,expired_url\n${urls.map((url, index) => `s${index},${url},${host},\n`).join('')}s3,https://example.com/,${host},https://${served}/\n`;
    const { results } = await importFor(caller, file);
    await seedProved(other, { host: served });
    await env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind(blocked).run();
    const claim = await claimOf(caller, host);
    await proveByDns(claim);
    expect(await verify(caller, claim)).toMatchObject({ status: 'active', disabled_links: 3 });
    expect(await Promise.all([0, 1, 2, 3].map((index) => statusAt(host, `s${index}`)))).toEqual([410, 410, 302, 410]);
    const path = `/v1/links/${results[0]!.link!.id}`;
    expect(await linkOf(caller, results[0]!.link!.id)).toMatchObject({ state: 'disabled', waits_for: null });
    const { history } = await (await request(caller, `${path}/history`)).json<{ history: object[] }>();
    expect(history).toMatchObject([
      { action: 'edited', changes: { disabled_at: { from: null, to: expect.any(String) } } },
      {},
    ]);
    expect(await verify(caller, claim)).toMatchObject({ disabled_links: 0 });
    await env.DB.prepare('DELETE FROM blocked_hosts WHERE host = ?').bind(blocked).run();
  });

  it('links of a file on a domain that is not verified yet stay active if they open an app whose URL names such a host', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    const [host, served, blocked] = [newHost(), newHost(), newHost()];
    const rules = JSON.stringify([{ if: [{ type: 'device', in: ['mobile'] }], url: `geo://${served}/x` }]);
    const file = `slug,url,custom_domain,rules
s0,geo://${served}/x,${host},
s1,geo://sub.${blocked}/,${host},
s2,https://example.com/,${host},"${rules.replaceAll('"', '""')}"
`;
    const { results } = await importFor(caller, file);
    await seedProved(other, { host: served });
    await env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind(blocked).run();
    const claim = await claimOf(caller, host);
    await proveByDns(claim);
    expect(await verify(caller, claim)).toMatchObject({ status: 'active', disabled_links: 0 });
    for (const { link } of results) expect(await linkOf(caller, link!.id)).toMatchObject({ state: 'active' });
    expect((await ask(`https://${host}/s1`)).headers.get('Location')).toBe(`geo://sub.${blocked}/`);
    await env.DB.prepare('DELETE FROM blocked_hosts WHERE host = ?').bind(blocked).run();
  });

  it('links of a file on a domain that is not verified yet are each checked once when it is verified, however many there are', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    const host = newHost();
    const rowsRead = async (links: number) => {
      const slugs = Array.from({ length: links }, (_, index) => `s${links}-${index}`);
      expect(await importFor(caller, rowsOfFile(host, slugs))).toMatchObject({ created: links });
      const claim = await claimOf(caller, host);
      await proveByDns(claim);
      const batch = vi.spyOn(env.DB, 'batch');
      expect(await verify(caller, claim)).toMatchObject({ status: 'active', disabled_links: 0 });
      const results = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
      batch.mockRestore();
      await env.DB.prepare(`UPDATE domains SET status = 'pending' WHERE id = ?`).bind(claim.id).run();
      return Math.max(...results.map((each) => each.reduce((sum, { meta }) => sum + meta.rows_read, 0)));
    };
    for (let n = 0; n < 20; n += 1) await seedProved(other);
    const few = await rowsRead(100);
    expect((await rowsRead(1000)) - few).toBeLessThan(1000 * 7);
  });

  it('links of a file on a domain that is not verified yet are also checked when the operator makes the domain active', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    const [host, served] = [newHost(), newHost()];
    const { results } = await importFor(caller, rowsOfFile(host, ['a'], `https://${served}/`));
    await seedProved(other, { host: served });
    expect(await addActiveDomain(db, host, caller.clientId)).toBe(true);
    expect(await linkOf(caller, results[0]!.link!.id)).toMatchObject({ state: 'disabled', waits_for: null });
  });
});

describe('a domain of a file that is not added', () => {
  it.each([['a name of a local network', 'printer.local', 'invalid_custom_domain']])(
    'a domain of a file is not added if it is %s',
    async (_, host, code) => {
      const caller = await seedCaller();
      const imported = await importFor(caller, rowsOfFile(host, ['a']));
      expect(outcomesOf(imported)).toEqual([code]);
      expect(pendingOf(imported)).toEqual([]);
    },
  );

  it('a domain of a file is not added if it is blocked', async () => {
    const [caller, blocked] = [await seedCaller(), newHost()];
    await env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind(blocked).run();
    expect(outcomesOf(await importFor(caller, rowsOfFile(`go.${blocked}`, ['a'])))).toEqual(['blocked_host']);
    await env.DB.prepare('DELETE FROM blocked_hosts WHERE host = ?').bind(blocked).run();
  });

  it('a domain of a file is not added if a member or a key names it; both can use a pending one', async () => {
    const owner = await seedCaller();
    const member = await seedMember(owner);
    const [host, claimed] = [newHost(), await seedClaim(owner)];
    const refused = await importFor(member, rowsOfFile(host, ['a']));
    const sentence = `custom_domain ${host} is not one of your domains, and only an owner can add it. Ask an owner to add it first, or to import the file, or choose another host for its links, such as host=${host}:shared.`;
    expect(refused.results).toMatchObject([{ row: 2, status: 'error', error: `unknown_domain: ${sentence}` }]);
    expect(await rowsOfHost(host)).toEqual([]);
    const mine = await importFor(member, rowsOfFile(claimed.host, ['a']));
    expect([outcomesOf(mine), pendingOf(mine)]).toEqual([
      ['created'],
      [{ host: claimed.host, is_new: false, domain: claimed }],
    ]);
    const key = { 'X-API-Key': owner.apiKey };
    const byKey = await importFor(owner, rowsOfFile(claimed.host, ['b']), '', key);
    expect(pendingOf(byKey)).toEqual([{ host: claimed.host, is_new: false, domain: null }]);
    expect(outcomesOf(await importFor(owner, rowsOfFile(host, ['a']), '', key))).toEqual(['unknown_domain']);
  });

  it('a domain of a file is not added beyond the bound, nor one of a link that leads to it', async () => {
    const caller = await seedCaller();
    const many = Array.from({ length: 101 }, (_, index) => `d${index}.${newHost()}`);
    const file = `slug,url,custom_domain\n${many.map((host) => `a,https://example.com/,${host}\n`).join('')}`;
    for (const query of ['?dry_run=true', '']) {
      expect(outcomesOf(await importFor(caller, file, query)).filter((each) => each !== 'created')).toEqual([
        'too_many_domains',
      ]);
    }
    const circle = rowsOfFile(many[0]!, ['b'], `https://${many[0]}/a`);
    expect(outcomesOf(await importFor(caller, circle))).toEqual(['own_host']);
  });

  it('a domain of a file is not added if it is lost, and no single link is created on a pending one', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const body = { url: 'https://example.com/', custom_domain: claim.host };
    expect((await request(caller, '/v1/links', { body })).status).toBe(400);
    await env.DB.prepare("UPDATE domains SET status = 'lost' WHERE id = ?").bind(claim.id).run();
    expect(outcomesOf(await importFor(caller, rowsOfFile(claim.host, ['a'])))).toEqual(['unknown_domain']);
  });
});
