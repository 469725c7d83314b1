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
import { seedCaller } from '../support/forms.ts';
import { seedLink } from '../support/seed.ts';
import { openIsolate, type Call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

// The clock moves only when a test moves it.
beforeEach(() => {
  vi.setSystemTime(Date.now());
  serveHosts();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
/** After this time no isolate may give the old answer (docs/architecture.md, "Finding a link"). */
const BOUND_SECONDS = 180;
const HOT = 600;

/** A domain with more hot links than one request may delete from KV. The tests follow the last one by name. */
async function seedHotDomain() {
  const owner = await seedCaller();
  const domain = await seedProved(owner);
  const link = await seedLink(owner, { custom_domain: domain.host, slug: 'zz', url: 'https://example.com/old' });
  const cold = openIsolate({ MEMORY_SECONDS: '0' });
  await cold(link.short_url);
  await cold(link.short_url);
  const entry = await env.LINKS.get(`${domain.host}/zz`);
  expect(entry).toContain('https://example.com/old');
  await Promise.all(Array.from({ length: HOT }, (_, n) => env.LINKS.put(`${domain.host}/a${n}`, entry ?? '')));
  return { owner, domain, link };
}

const responseSummary = async (isolate: Call, url: string) => {
  const response = await isolate(url);
  return [response.status, response.headers.get('Location')].filter((word) => word !== null).join(' ');
};

describe('a domain with more hot links than one request deletes', () => {
  it('a domain with more hot links than one request deletes is removed with all of them, also those that are first followed long after', async () => {
    const { owner, domain, link } = await seedHotDomain();
    const path = `/v1/domains/${domain.id}?force=true`;
    const trips = await countTrips();
    expect((await request(owner, path, { method: 'DELETE' })).status).toBe(204);
    expect(trips().kvWrites).toBeLessThanOrEqual(1);
    later(BOUND_SECONDS);
    for (let visit = 0; visit < 2; visit += 1) expect(await responseSummary(openIsolate(), link.short_url)).toBe('404');
  });

  it('a domain with more hot links than one request deletes does not lead to the links of its former owner once another client has verified it', async () => {
    const { domain, link } = await seedHotDomain();
    const winner = await seedCaller();
    const claim = await seedClaim(winner, { host: domain.host });
    await proveByDns(claim);
    await verify(winner, claim);
    const own = await seedLink(winner, { custom_domain: domain.host, slug: 'a599', url: 'https://example.com/own' });
    later(BOUND_SECONDS);
    expect(await responseSummary(openIsolate(), link.short_url)).toBe('404');
    expect(await responseSummary(openIsolate(), own.short_url)).toBe('302 https://example.com/own');
  });

  it('a domain with more hot links than one request deletes keeps its old response after a change no longer than other links, if an isolate has just read it', async () => {
    const { owner, domain, link } = await seedHotDomain();
    const isolate = openIsolate({ MEMORY_SECONDS: '10' });
    expect(await responseSummary(isolate, link.short_url)).toBe('302 https://example.com/old');
    await request(owner, `/v1/domains/${domain.id}?force=true`, { method: 'DELETE' });
    later(40);
    expect(await responseSummary(isolate, link.short_url)).toBe('404');
  });

  it('a domain with more hot links than one request deletes has hot links again after that, and reads the KV entry of its host once in half a minute', async () => {
    const { domain, owner } = await seedHotDomain();
    const winner = await seedCaller();
    const claim = await seedClaim(winner, { host: domain.host });
    await proveByDns(claim);
    await verify(winner, claim);
    const own = await seedLink(winner, { custom_domain: domain.host, slug: 'zz', url: 'https://example.com/own' });
    later(10);
    const cold = openIsolate({ MEMORY_SECONDS: '0' });
    await cold(own.short_url);
    await cold(own.short_url);
    const trips = await countTrips();
    const other = openIsolate({ MEMORY_SECONDS: '0' });
    for (let visit = 0; visit < 3; visit += 1)
      expect(await responseSummary(other, own.short_url)).toBe('302 https://example.com/own');
    expect(trips()).toMatchObject({ kvReads: 4 });
    expect((await request(owner, `/v1/domains/${domain.id}`)).status).toBe(200);
  });

  it('a domain with more hot links than one request deletes is not served from KV if it is unknown whether KV has deleted it', async () => {
    const { link } = await seedHotDomain();
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    const get = env.LINKS.get.bind(env.LINKS) as (key: string) => Promise<string | null>;
    vi.spyOn(env.LINKS, 'get').mockImplementation(((key: string) =>
      key.includes('/') ? get(key) : Promise.reject(new Error('KV GET failed: 503'))) as never);
    const trips = await countTrips();
    expect(await responseSummary(isolate, link.short_url)).toBe('302 https://example.com/old');
    expect(trips().d1).toBe(1);
  });

  it('a domain with more hot links than one request deletes is removed from KV by a second attempt if the first fails', async () => {
    const { owner, domain, link } = await seedHotDomain();
    const put = vi.spyOn(env.LINKS, 'put').mockRejectedValueOnce(new Error('KV PUT failed: 429'));
    const isolate = openDomainIsolate();
    const path = `/v1/domains/${domain.id}?force=true`;
    expect((await request(owner, path, { method: 'DELETE', through: isolate })).status).toBe(204);
    await expect.poll(() => env.LINKS.get(`forgotten:${domain.host}`)).not.toBeNull();
    expect(put).toHaveBeenCalledTimes(2);
    expect(await responseSummary(openIsolate(), link.short_url)).toBe('404');
  });
});
