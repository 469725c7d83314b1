import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { CertificateDesk } from '../../scripts/edge/certificates.ts';
import type { DomainRecord } from '../../src/api/domain-record.ts';
import { newHost, proveByDns, request, seedClaim, seedProved, serveHosts, setDns } from '../support/domains.ts';
import { seedCaller } from '../support/forms.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const openDesk = (publicUrl = 'https://terse.test') =>
  new CertificateDesk({ publicUrl: new URL(publicUrl), dnsResolverUrl: new URL(inject('resolverUrl')) });

const url = (host: string) => `http://127.0.0.1:8787/.well-known/terse-certificate?domain=${host}`;

/** The status for a host, with a new desk. */
async function statusOf(host: string, desk = openDesk()): Promise<number> {
  return (await desk.answer(new Request(url(host)), env)).status;
}

const setStatus = ({ id }: DomainRecord, status: string) =>
  env.DB.prepare('UPDATE domains SET status = ? WHERE id = ?').bind(status, id).run();

describe('a certificate', () => {
  it('a certificate may be had for a domain that serves links, also while it is lost', async () => {
    serveHosts();
    const domain = await seedProved(await seedCaller());
    await setDns(domain.dns.txt.name, { rcode: 'SERVFAIL' });
    expect(await statusOf(domain.host)).toBe(200);
    await setStatus(domain, 'lost');
    expect(await statusOf(domain.host)).toBe(200);
    await setStatus(domain, 'pending');
    expect(await statusOf(domain.host)).toBe(404);
  });

  it('a certificate may be had for a pending domain once the TXT record is that of one of the clients that claim it', async () => {
    const host = newHost();
    const [one, other] = [await seedClaim(await seedCaller(), { host }), await seedClaim(await seedCaller(), { host })];
    expect(await statusOf(host)).toBe(404);
    await setDns(one.dns.txt.name, { txt: ['terse-domain=another'] });
    expect(await statusOf(host)).toBe(404);
    for (const claim of [one, other]) {
      await proveByDns(claim);
      expect(await statusOf(host)).toBe(200);
    }
    expect(await statusOf(`www.${host}`)).toBe(404);
  });

  it('a certificate may not be had for a domain that was removed', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await proveByDns(claim);
    expect(await statusOf(claim.host)).toBe(200);
    expect((await request(caller, `/v1/domains/${claim.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await statusOf(claim.host)).toBe(404);
  });

  it("a certificate may be had for the service's own host", async () => {
    expect(await statusOf('go.terse.test', openDesk('https://go.terse.test:8443'))).toBe(200);
    expect(await statusOf('go.terse.test')).toBe(404);
  });

  it.each([
    ['while the resolver does not answer', 'REFUSED', 503],
    ['if the resolver finds no server of the name', 'SERVFAIL', 404],
    ['if the name does not exist', 'NXDOMAIN', 404],
  ] as const)('a certificate is not given %s', async (_when, rcode, status) => {
    const claim = await seedClaim(await seedCaller());
    await setDns(claim.dns.txt.name, { rcode });
    expect(await statusOf(claim.host)).toBe(status);
  });

  it('a certificate is not given while the database does not respond, and may be asked for again', async () => {
    const DB = { prepare: () => ({ bind: () => ({ first: () => Promise.reject(new Error('D1_ERROR')) }) }) };
    const response = await openDesk().answer(new Request(url(newHost())), { DB } as never);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await response.text()).toBe('The database is temporarily unavailable. Try again in a few seconds.\n');
  });
});

it('looks up no host that no client has added', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  expect(await statusOf(newHost())).toBe(404);
  expect(fetched).not.toHaveBeenCalled();
});

describe('the look-ups for pending domains', () => {
  it('the look-ups for pending domains are 16 at a time: further ones wait for 10 s, and domains that serve links need none', async () => {
    serveHosts();
    const active = await seedProved(await seedCaller());
    const claim = await seedClaim(await seedCaller());
    const late = Promise.withResolvers<Response>();
    const fetched = vi.spyOn(globalThis, 'fetch').mockReturnValue(late.promise).mockClear();
    const desk = openDesk();
    const waiting = Array.from({ length: 16 }, () => statusOf(claim.host, desk));
    await expect.poll(() => fetched.mock.calls.length).toBe(16);
    const refused = await desk.answer(new Request(url(claim.host)), env);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '10']);
    expect(await refused.text()).toBe('Too many names are looked up at once. Try again in a few seconds.\n');
    expect([await statusOf(active.host, desk), await statusOf(newHost(), desk)]).toEqual([200, 404]);
    late.resolve(new Response(null, { status: 500 }));
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 503));
  });

  it('the look-ups for pending domains are not blocked by callers that left without waiting, whose look-ups the platform drops', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const claim = await seedClaim(await seedCaller());
    const fetched = vi.spyOn(globalThis, 'fetch').mockReturnValue(new Promise(() => {}));
    const desk = openDesk();
    for (let i = 0; i < 16; i++) void statusOf(claim.host, desk);
    await expect.poll(() => fetched.mock.calls.length).toBe(16);
    expect(await statusOf(claim.host, desk)).toBe(503);
    vi.setSystemTime(Date.now() + 10_000);
    fetched.mockResolvedValue(new Response(null, { status: 500 }));
    expect(await statusOf(claim.host, desk)).toBe(503);
    expect(fetched).toHaveBeenCalledTimes(17);
  });
});
