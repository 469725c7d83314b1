import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectFailure, seedCaller } from '../support/forms.ts';
import {
  openDomainIsolate,
  proveByDns,
  request,
  seedClaim,
  seedMember,
  seedProved,
  serveHosts,
  setDns,
  thisService,
  verify,
} from '../support/domains.ts';
import { rowsOf, seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { statusesOf, times, withinOneWindow } from '../support/sign-in.ts';
import { countTrips } from '../support/trips.ts';
import type { DnsAnswer } from '../support/zone.ts';

beforeEach(() => void serveHosts());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const statusOf = async (id: string) => (await rowsOf('domains')).find((row) => row['id'] === id)?.['status'];

describe('verifying a domain', () => {
  it('verifying a domain makes it active if DNS has its record and its host is this service, in two round trips to the database', async () => {
    vi.setSystemTime('2026-05-20T10:00:00Z');
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await proveByDns(claim);
    const trips = await countTrips();
    const response = await request(caller, `/v1/domains/${claim.id}/verify`, { method: 'POST' });
    expect(trips()).toMatchObject({ d1: 2 });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ...claim,
      status: 'active',
      verified_at: '2026-05-20T10:00:00.000Z',
      checked_at: '2026-05-20T10:00:00.000Z',
      disabled_links: 0,
      checks: { dns: 'ok', http: 'ok' },
      next: null,
    });
    const link = await seedLink(caller, { custom_domain: claim.host });
    expect((await call(link.short_url)).status).toBe(302);
  });

  it.each<[what: string, responseOf: (value: string) => DnsAnswer]>([
    ['among other records of the name', (value) => ({ txt: ['v=spf1 -all', value, 'terse-domain=other'] })],
    ['in several strings', (value) => ({ txt: [[value.slice(0, 5), value.slice(5, 9), value.slice(9)]] })],
    ['with spaces around it', (value) => ({ txt: [` ${value} `] })],
    ['behind an alias', (value) => ({ alias: 'proofs.elsewhere.example', txt: [value] })],
    ['after a second', (value) => ({ txt: [value], afterMs: 1000 })],
  ])('verifying a domain finds the record %s', async (_what, responseOf) => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await setDns(claim.dns.txt.name, responseOf(claim.dns.txt.value));
    expect(await verify(caller, claim)).toMatchObject({ status: 'active', checks: { dns: 'ok', http: 'ok' } });
  });

  it.each<[what: string, answer: DnsAnswer, outcome: string, words: RegExp]>([
    ['no such name', { rcode: 'NXDOMAIN' }, 'no_such_name', /^DNS failed: there is no TXT record _terse\./],
    ['the name without a TXT record', {}, 'no_record', /^DNS failed: there is no TXT record _terse\./],
    ['an alias to nothing', { alias: 'nothing.example' }, 'no_record', /^DNS failed: there is no TXT record/],
    [
      'another value',
      { txt: ['terse-domain=0123'] },
      'other_value',
      /^DNS failed: .* has a different value\. Set it to/,
    ],
    ['an empty value', { txt: [''] }, 'other_value', /^DNS failed: .* has a different value/],
    ['a failure of its name servers', { rcode: 'SERVFAIL' }, 'server_failure', /^DNS failed: .*delegation and DNSSEC/],
  ])(
    'verifying a domain says that DNS failed, and what to do, where it has %s',
    async (_what, answer, outcome, words) => {
      const caller = await seedCaller();
      const claim = await seedClaim(caller);
      await setDns(claim.dns.txt.name, answer);
      const { checks, status, next } = await verify(caller, claim);
      expect({ checks, status }).toEqual({ checks: { dns: outcome, http: 'ok' }, status: 'pending' });
      expect(next).toMatch(words);
      expect(next).not.toMatch(/HTTP|npm run deploy/);
    },
  );

  it('verifying a domain is not requested by HTTP if DNS cannot say where the host is', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await proveByDns(claim);
    await setDns(claim.host, { rcode: 'SERVFAIL' });
    expect(await verify(caller, claim)).toMatchObject({
      status: 'pending',
      checks: { dns: 'ok', http: 'unreachable' },
    });
  });

  it.each<[what: string, answer: DnsAnswer]>([
    ['refuses', { rcode: 'REFUSED' }],
    ['does not understand', { rcode: 'FORMERR' }],
    ['answers too slowly', { txt: ['x'], afterMs: 7000 }],
    ['answers garbage', { raw: { base64: 'Z2FyYmFnZSBhbmQgbm90aGluZyBlbHNl' } }],
    ['answers nothing', { raw: { base64: '' } }],
    ['answers a header that promises more', { raw: { base64: 'AACBgAABAP8AAAAA' } }],
    ['answers a page', { raw: { base64: 'PGh0bWw+', mediaType: 'text/html' } }],
    ['answers 502', { raw: { base64: '', status: 502 } }],
    ['answers another question', { txt: ['x'], questionName: 'other.example' }],
    ['redirects', { raw: { base64: '', status: 302 } }],
  ])('verifying a domain reports an outage, not a missing record, if the resolver %s', async (_what, answer) => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await setDns(claim.dns.txt.name, answer);
    const response = await request(caller, `/v1/domains/${claim.id}/verify`, { method: 'POST' });
    expect(response.headers.get('Retry-After')).toBe('30');
    await expectFailure(
      response,
      503,
      'resolver_unavailable: The DNS resolver is temporarily unavailable. Try again in a minute.',
    );
    expect(await statusOf(claim.id)).toBe('pending');
  });

  it.each<[what: string, answer: DnsAnswer]>([
    ['a loopback address', { a: ['127.0.0.1'] }],
    ['a private address', { a: ['10.1.2.3'] }],
    ['a private address behind an alias', { alias: 'inside.example', a: ['192.168.0.7'] }],
    ['the address that clouds keep their secrets at', { a: ['169.254.169.254'] }],
    ['a private address beside a public one', { a: ['93.184.216.34', '172.16.0.1'] }],
    ['the IPv6 loopback address', { aaaa: ['::1'] }],
    ['a unique local address', { aaaa: ['fd00::1'] }],
    ['a mapped private address', { aaaa: ['::ffff:10.0.0.1'] }],
    ['a compatible private address', { aaaa: ['::10.0.0.1'] }],
    ['a translated private address', { aaaa: ['64:ff9b::10.0.0.1'] }],
    ['a tunnelled private address', { aaaa: ['2002:a00:1::1'] }],
  ])('verifying a domain sends no request to a host that has %s', async (_what, answer) => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await proveByDns(claim);
    await setDns(claim.host, answer);
    vi.restoreAllMocks();
    const made = serveHosts();
    const { checks, status, next } = await verify(caller, claim);
    expect({ checks, status }).toEqual({ checks: { dns: 'ok', http: 'unreachable' }, status: 'pending' });
    expect(next).toMatch(new RegExp(`^HTTP failed: ${claim.host} resolves to a private IP address\\. Set the`));
    // A verification that has failed by DNS may still send its request.
    expect(made.filter(({ url }) => new URL(url).hostname === claim.host)).toEqual([]);
  });

  it('verifying a domain sends a request to a host that has public addresses', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await proveByDns(claim);
    await setDns(claim.host, { a: ['93.184.216.34'], aaaa: ['2606:2800:220:1:248:1893:25c8:1946'] });
    expect(await verify(caller, claim)).toMatchObject({ status: 'active', checks: { dns: 'ok', http: 'ok' } });
  });

  it('verifying a domain reports an outage if there is no resolver', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    const through = openDomainIsolate({ DNS_RESOLVER_URL: 'http://resolver.invalid/dns-query' });
    vi.restoreAllMocks();
    serveHosts((host) => (host === 'resolver.invalid' ? undefined : thisService));
    const response = await request(caller, `/v1/domains/${claim.id}/verify`, { method: 'POST', through });
    expect(response.status).toBe(503);
  });

  it('verifying a domain is refused to members, and to owners of other clients', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await proveByDns(claim);
    const path = `/v1/domains/${claim.id}/verify`;
    const [member, stranger] = [await seedMember(caller), await seedCaller()];
    await expectFailure(
      await request(member, path, { method: 'POST' }),
      403,
      'not_owner: Only an owner can do this. Ask an owner.',
    );
    await expectFailure(
      await request(stranger, path, { method: 'POST' }),
      404,
      'not_found: There is no domain with this id that you can access.',
    );
    expect(await statusOf(claim.id)).toBe('pending');
  });

  it('verifying a domain is done thirty times a minute by one user, and no more', async () => {
    vi.restoreAllMocks();
    const made = serveHosts(() => undefined);
    const statuses = await withinOneWindow(async () => {
      const caller = await seedCaller();
      const claim = await seedClaim(caller);
      made.length = 0;
      return statusesOf(32, async () => request(caller, `/v1/domains/${claim.id}/verify`, { method: 'POST' }));
    });
    expect(statuses).toEqual([...times(30, 200), 429, 429]);
    expect(made).toHaveLength(30);
  });

  it('verifying a domain leaves an active domain active if its records are missing: only the daily check counts failures', async () => {
    const caller = await seedCaller();
    const domain = await seedProved(caller);
    await setDns(domain.dns.txt.name, { rcode: 'NXDOMAIN' });
    for (let time = 0; time < 4; time++) {
      expect(await verify(caller, domain)).toMatchObject({
        status: 'active',
        failures: 0,
        checks: { dns: 'no_such_name' },
      });
    }
  });
});
