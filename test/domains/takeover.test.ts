import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  openDomainIsolate,
  proveByDns,
  request,
  seedClaim,
  seedProved,
  serveHosts,
  verify,
} from '../support/domains.ts';
import { seedCaller, type Caller } from '../support/forms.ts';
import { rowsOf, seedLink } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

beforeEach(() => void serveHosts());
afterEach(() => vi.restoreAllMocks());

const statusOf = async (id: string) => (await rowsOf('domains')).find((row) => row['id'] === id)?.['status'];
const logOf = async (caller: Caller) =>
  (await (await request(caller, '/v1/audit')).json<{ entries: Record<string, unknown>[] }>()).entries;

describe('a domain that another client verifies', () => {
  it.each(['active', 'lost'])(
    'a domain that another client verifies changes hands while it is %s, and the slugs of the one before get 404',
    async (status) => {
      const [loser, winner] = [await seedCaller(), await seedCaller()];
      const before = await seedProved(loser);
      const link = await seedLink(loser, { custom_domain: before.host });
      const remembering = openDomainIsolate();
      expect((await remembering(link.short_url)).status).toBe(302);
      expect((await remembering(link.short_url)).status).toBe(302);
      await env.DB.prepare('UPDATE domains SET status = ? WHERE id = ?').bind(status, before.id).run();
      const claim = await seedClaim(winner, { host: before.host });
      await proveByDns(claim);
      const path = `/v1/domains/${claim.id}/verify`;
      const response = await request(winner, path, { method: 'POST', through: remembering });
      expect(await response.json()).toMatchObject({ id: claim.id, status: 'active' });
      for (const isolate of [remembering, openIsolate()]) expect((await isolate(link.short_url)).status).toBe(404);
      const own = await seedLink(winner, { custom_domain: claim.host });
      expect((await call(own.short_url)).status).toBe(302);
      const after = await (await request(loser, `/v1/domains/${before.id}`)).json<typeof before>();
      expect(after).toMatchObject({ status: 'pending', next: expect.stringMatching(/^Another client has verified/) });
      expect(after.dns.txt.value).not.toBe(before.dns.txt.value);
    },
  );

  it('a domain that another client verifies is in the log of the former owner, without the name of the new one', async () => {
    const [loser, winner] = [await seedCaller(), await seedCaller()];
    const before = await seedProved(loser);
    const claim = await seedClaim(winner, { host: before.host });
    await proveByDns(claim);
    await verify(winner, claim);
    await verify(winner, claim);
    const entries = await logOf(loser);
    expect(entries.filter(({ action }) => action === 'domain.taken_over')).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        at: expect.stringMatching(/Z$/),
        action: 'domain.taken_over',
        subject: { kind: 'domain', id: before.id, name: before.host },
        details: null,
        by: { local_id: null, name: null },
        credential: { kind: 'service', id: null },
      },
    ]);
    expect(entries).toHaveLength(3);
    for (const secret of [winner.clientId, winner.userId, winner.userName, claim.id, claim.dns.txt.value]) {
      expect(JSON.stringify(entries)).not.toContain(secret);
    }
    const actions = (await logOf(winner)).map(({ action }) => String(action));
    expect(new Set(actions)).toEqual(new Set(['domain.added', 'domain.verified']));
  });

  it('a domain that another client verifies does not send its visitors to links that the one before edits', async () => {
    const [loser, winner] = [await seedCaller(), await seedCaller()];
    const before = await seedProved(loser);
    const [link, other] = [
      await seedLink(loser, { custom_domain: before.host, slug: 'mine' }),
      await seedLink(loser, { custom_domain: before.host }),
    ];
    const claim = await seedClaim(winner, { host: before.host });
    await proveByDns(claim);
    await verify(winner, claim);
    const own = await seedLink(winner, { custom_domain: before.host, slug: 'mine', url: 'https://example.com/own' });
    const isolate = openDomainIsolate();
    for (const { id } of [link, other]) {
      const edit = { method: 'PATCH', body: { url: 'https://example.com/stolen' }, through: isolate };
      expect((await request(loser, `/v1/links/${id}`, edit)).status).toBe(200);
    }
    for (const through of [isolate, openIsolate()]) {
      expect((await through(own.short_url)).headers.get('Location')).toBe('https://example.com/own');
      expect((await through(other.short_url)).status).toBe(404);
    }
  });

  it('a domain that another client verifies is not recovered by a record that was left in DNS, but by a new one, with its slugs', async () => {
    const [first, second] = [await seedCaller(), await seedCaller()];
    const before = await seedProved(first);
    const link = await seedLink(first, { custom_domain: before.host });
    const claim = await seedClaim(second, { host: before.host });
    await proveByDns(before, claim);
    expect(await verify(second, claim)).toMatchObject({ status: 'active' });
    const again = await verify(first, before);
    expect(again).toMatchObject({ status: 'pending', checks: { dns: 'other_value', http: 'ok' } });
    await proveByDns(again);
    expect(await verify(first, before)).toMatchObject({ status: 'active' });
    expect(await statusOf(claim.id)).toBe('pending');
    expect((await openIsolate()(link.short_url)).status).toBe(302);
  });

  it('a domain that another client verifies has one owner in the end, however many prove it at once', async () => {
    const callers = await Promise.all(Array.from({ length: 6 }, () => seedCaller()));
    const [one, ...others] = callers;
    if (!one) throw new Error('there is one');
    const first = await seedClaim(one);
    const claims = [first, ...(await Promise.all(others.map((caller) => seedClaim(caller, { host: first.host }))))];
    expect(new Set(claims.map(({ dns }) => dns.txt.value)).size).toBe(6);
    await proveByDns(...claims);
    const answers = await Promise.all(claims.map((claim, index) => verify(callers[index] ?? one, claim)));
    const rows = (await rowsOf('domains')).filter((row) => row['host'] === first.host);
    expect(rows.map((row) => String(row['status'])).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'active',
      ...Array<string>(5).fill('pending'),
    ]);
    const owner = rows.find((row) => row['status'] === 'active');
    expect(answers.find(({ id }) => id === owner?.['id'])).toMatchObject({ status: 'active', next: null });
  });
});
