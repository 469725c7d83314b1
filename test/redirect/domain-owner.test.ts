import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newHost } from '../support/domains.ts';
import { holdQueue } from '../support/clicks.ts';
import { seedDomain, seedLink, seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => void vi.restoreAllMocks());

const HOME = 'https://acme.example/home';
const LOST = 'https://acme.example/lost?from=link';

/** A domain whose owner has said where its root and unknown slugs lead. */
async function seedLeadingDomain() {
  const tenant = await seedTenant();
  const host = await seedDomain(tenant);
  const set = (status = 'active') =>
    env.DB.prepare('UPDATE domains SET root_url = ?2, not_found_url = ?3, status = ?4 WHERE host = ?1')
      .bind(host, HOME, LOST, status)
      .run();
  await set();
  return { tenant, host, set };
}

const responseOf = (response: Response) => [
  response.status,
  response.headers.get('Location'),
  response.headers.get('Cache-Control'),
  response.headers.get('X-Robots-Tag'),
];
const ledTo = (url: string) => [302, url, 'private, no-store', 'noindex'];

describe('the root of a custom domain', () => {
  it('the root of a custom domain leads where its owner says, also while the domain is lost, by one trip', async () => {
    const { host, set } = await seedLeadingDomain();
    const trips = await countTrips();
    expect(responseOf(await call(`https://${host}/?x=1`))).toEqual(ledTo(HOME));
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    expect(responseOf(await call(`https://${host}/`, { method: 'HEAD' }))).toEqual(ledTo(HOME));
    await set('lost');
    expect(responseOf(await call(`https://${host}/`))).toEqual(ledTo(HOME));
    await set('pending');
    expect((await call(`https://${host}/`)).status).toBe(404);
  });

  it('the root of a custom domain is the small 404 page where its owner says nothing, and takes GET and HEAD only', async () => {
    const host = await seedDomain(await seedTenant());
    const page = await call(`https://${host}/`, { headers: { Accept: 'text/html' } });
    expect([page.status, page.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8']);
    expect((await call(`https://${host}/`, { method: 'POST' })).status).toBe(405);
  });

  it('the root of a custom domain gets 503 if the database does not respond', async () => {
    const { host } = await seedLeadingDomain();
    vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR');
    });
    expect((await call(`https://${host}/`)).status).toBe(503);
  });
});

describe('an unknown slug of a custom domain', () => {
  it('an unknown slug of a custom domain leads where its owner says, by the one question that is asked anyway, and counts as no click', async () => {
    const { host } = await seedLeadingDomain();
    const held = holdQueue();
    const trips = await countTrips();
    expect(responseOf(await openIsolate()(`https://${host}/unknown`))).toEqual(ledTo(LOST));
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
    expect(responseOf(await openIsolate()(`https://${host}/unknown/`))).toEqual(ledTo(LOST));
    expect(held).toEqual([]);
  });

  it('an unknown slug of a custom domain is 404 where its owner says nothing, on the service’s own host, and under a path that is no slug', async () => {
    const { host } = await seedLeadingDomain();
    const silent = await seedDomain(await seedTenant());
    for (const url of [
      `https://${silent}/unknown`,
      '/unknown',
      `https://${host}/1/2/3/4/5`,
      `https://${newHost()}/x`,
    ]) {
      expect([url, (await call(url)).status]).toEqual([url, 404]);
    }
  });

  it('an unknown slug of a custom domain is remembered for a minute, after which a link created by another isolate works', async () => {
    const { tenant, host } = await seedLeadingDomain();
    holdQueue();
    const isolate = openIsolate();
    vi.useFakeTimers({ toFake: ['Date'] });
    const link = await seedLink(tenant, { custom_domain: host, url: 'https://example.com/now' });
    // As if the link were made only later, with this slug.
    await env.DB.prepare("UPDATE addresses SET domain_id = 'later-' || domain_id WHERE link_id = ?")
      .bind(link.id)
      .run();
    expect((await isolate(link.short_url)).headers.get('Location')).toBe(LOST);
    await env.DB.prepare('UPDATE addresses SET domain_id = substr(domain_id, 7) WHERE link_id = ?').bind(link.id).run();
    vi.setSystemTime(Date.now() + 59_000);
    expect((await isolate(link.short_url)).headers.get('Location')).toBe(LOST);
    vi.setSystemTime(Date.now() + 2000);
    expect((await isolate(link.short_url)).headers.get('Location')).toBe('https://example.com/now');
    vi.useRealTimers();
  });

  it('an unknown slug of a custom domain is not used for a link that has expired', async () => {
    const { tenant, host } = await seedLeadingDomain();
    const link = await seedLink(tenant, { custom_domain: host });
    await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE id = ?').bind(link.id).run();
    expect((await openIsolate()(link.short_url)).status).toBe(410);
  });
});

it('a link of a domain with fallback URLs counts as before', async () => {
  const { tenant, host } = await seedLeadingDomain();
  const link = await seedLink(tenant, { custom_domain: host });
  const held = holdQueue();
  expect((await openIsolate()(link.short_url)).status).toBe(302);
  expect(held.flatMap(({ links }) => links.map(([id]) => id))).toEqual([link.id]);
});

describe('/.well-known/terse-domain', () => {
  const NONCE = 'abcdefghijklmnopqrstuv';
  const at = (host: string, nonce = NONCE) => `https://${host}/.well-known/terse-domain?nonce=${nonce}`;

  it.each(['terse.test', 'localhost', 'nobody.example', 'UPPER.example.'])(
    '/.well-known/terse-domain has on %s, without a store, a proof of that host',
    async (host) => {
      const trips = await countTrips();
      const response = await call(at(host));
      expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
      expect(response.status).toBe(200);
      expect([response.headers.get('Content-Type'), response.headers.get('Cache-Control')]).toEqual([
        'application/json',
        'no-store',
      ]);
      expect(await response.json()).toEqual({
        service: 'terse',
        host: host.toLowerCase().replace(/\.$/, ''),
        proof: expect.stringMatching(/^[\w-]{43}$/),
      });
    },
  );

  it('/.well-known/terse-domain proves another thing for each host and each number, and nothing without a number of good length', async () => {
    const proofOf = async (url: string) => (await (await call(url)).json<{ proof: string | null }>()).proof;
    const proofs = [
      await proofOf(at('a.example')),
      await proofOf(at('b.example')),
      await proofOf(at('a.example', `${NONCE}w`)),
    ];
    expect(new Set(proofs).size).toBe(3);
    expect(await proofOf(at('a.example'))).toBe(proofs[0]);
    for (const nonce of ['', 'short', 'x'.repeat(65), 'a%0Aexample%0Abcdefghijklmnop']) {
      expect(await proofOf(at('a.example', nonce))).toBeNull();
    }
  });

  it('/.well-known/terse-domain takes GET and HEAD only', async () => {
    const head = await call(at('a.example'), { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await call(at('a.example'), { method: 'POST' })).status).toBe(405);
  });

  it('/.well-known/terse-domain is believed by an isolate whose signing key has been replaced since', async () => {
    const [first, second] = JSON.parse(env.TOKEN_KEYS ?? '') as [object, object];
    const proofBy = async (keys: readonly object[]) => {
      const response = await openIsolate({ TOKEN_KEYS: JSON.stringify(keys) })(at('a.example'));
      return (await response.json<{ proof: string }>()).proof;
    };
    const { HostProofs } = await import('../../src/domains/host-proofs.ts');
    const secretOf = (key: object) => (key as { d: string }).d;
    const proofs = new HostProofs([secretOf(second), secretOf(first)]);
    expect(proofs.holds('a.example', NONCE, await proofBy([first]))).toBe(true);
    expect(proofs.holds('a.example', NONCE, await proofBy([second, first]))).toBe(true);
    expect(proofs.holds('b.example', NONCE, await proofBy([first]))).toBe(false);
    expect(new HostProofs([secretOf(first)]).holds('a.example', NONCE, await proofBy([second]))).toBe(false);
  });
});
