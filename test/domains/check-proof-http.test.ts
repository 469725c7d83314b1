import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { seedCaller } from '../support/forms.ts';
import {
  openDomainIsolate,
  proveByDns,
  request,
  seedClaim,
  serveHosts,
  thisService,
  verify,
} from '../support/domains.ts';
import { call } from '../support/service.ts';

beforeEach(() => void serveHosts());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const relay = (host: string) => (asked: Request) => call(asked.url.replace(new URL(asked.url).host, host));

describe('verifying a domain at its host', () => {
  it.each<[what: string, server: Parameters<typeof serveHosts>[0], outcome: string, words: RegExp]>([
    ['nothing', () => undefined, 'unreachable', /^HTTP failed: https:\/\/.* does not respond\. Set the CNAME/],
    ['Cloudflare, without an origin', () => () => new Response('', { status: 530 }), 'unreachable', /does not respond/],
    [
      'a page',
      () => () => new Response('<html>'),
      'other_service',
      /^HTTP failed: https:\/\/.* is served by another service/,
    ],
    ['a 404', () => () => new Response('', { status: 404 }), 'other_service', /is served by another service/],
    ['JSON of another shape', () => () => Response.json({ proof: 1 }), 'other_service', /is served by another service/],
    ['endless bytes', () => () => new Response('x'.repeat(100_000)), 'other_service', /is served by another service/],
    [
      'an echo',
      () => (asked) => Response.json(Object.fromEntries(new URL(asked.url).searchParams)),
      'other_service',
      /other/,
    ],
    ['a relay to this service', () => relay('terse.test'), 'other_service', /is served by another service/],
    ['a relay to another domain of it', () => relay('else.example'), 'other_service', /is served by another service/],
    [
      'a redirect to this service',
      () => (asked) => Response.redirect(asked.url.replace(/\/\/[^/]+/, '//terse.test')),
      'redirected',
      /redirects to another address/,
    ],
    [
      'a redirect to itself',
      () => (asked) => Response.redirect(asked.url, 307),
      'redirected',
      /redirects to another address/,
    ],
  ])(
    'verifying a domain at its host says that HTTP failed, and what to do, where at the host there is %s',
    async (_what, server, outcome, words) => {
      const caller = await seedCaller();
      const claim = await seedClaim(caller);
      await proveByDns(claim);
      vi.restoreAllMocks();
      serveHosts(server);
      const { checks, status, next } = await verify(caller, claim);
      expect({ checks, status }).toEqual({ checks: { dns: 'ok', http: outcome }, status: 'pending' });
      expect(next).toMatch(words);
      expect(next).not.toContain('DNS failed');
    },
  );

  it('verifying a domain at its host does not accept a response to another question', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await proveByDns(claim);
    const overheard = await (
      await call(`https://${claim.host}/.well-known/terse-domain?nonce=${'n'.repeat(22)}`)
    ).json();
    vi.restoreAllMocks();
    serveHosts(() => () => Response.json(overheard));
    expect((await verify(caller, claim)).checks).toEqual({ dns: 'ok', http: 'other_service' });
  });

  it('verifying a domain asks the host itself, by https, and says both errors where both fail', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    vi.restoreAllMocks();
    const made = serveHosts(() => undefined);
    const { checks, next, checked_at } = await verify(caller, claim);
    expect(made.map(({ url }) => url)).toEqual([
      expect.stringMatching(new RegExp(`^https://${claim.host}/\\.well-known/terse-domain\\?nonce=[\\w-]{22}$`)),
    ]);
    expect(checks).toEqual({ dns: 'no_such_name', http: 'unreachable' });
    expect(next).toMatch(/^DNS failed: .* HTTP failed: .* npm run deploy -- --domain /);
    expect(checked_at).not.toBeNull();
  });

  it('verifying a domain at its host asks DOMAIN_PROBE_URL in place of the host where that is set', async () => {
    const caller = await seedCaller();
    const claim = await seedClaim(caller);
    await proveByDns(claim);
    vi.restoreAllMocks();
    const made = serveHosts((host) => (host === 'localhost' ? thisService : undefined));
    const through = openDomainIsolate({ DOMAIN_PROBE_URL: 'http://localhost:8787' });
    const response = await request(caller, `/v1/domains/${claim.id}/verify`, { method: 'POST', through });
    expect(await response.json()).toMatchObject({ status: 'active' });
    expect(made.map(({ url }) => new URL(url).origin)).toEqual(['http://localhost:8787']);
  });

  it.each(['localhost', '127.0.0.1'])(
    'verifying a domain at its host gives up on a host that takes forever, such as %s',
    async (name) => {
      const caller = await seedCaller();
      const claim = await seedClaim(caller);
      await proveByDns(claim);
      vi.restoreAllMocks();
      const probeUrl = new URL(inject('resolverUrl'));
      probeUrl.hostname = name;
      const through = openDomainIsolate({ DOMAIN_PROBE_URL: probeUrl.origin });
      const response = await request(caller, `/v1/domains/${claim.id}/verify`, { method: 'POST', through });
      expect(await response.json()).toMatchObject({ status: 'pending', checks: { dns: 'ok', http: 'unreachable' } });
    },
  );
});
