import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { countQueries } from '../support/d1.ts';
import { seedDomain, seedLink, seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

afterEach(() => void vi.restoreAllMocks());

describe('a custom domain', () => {
  it('a custom domain serves its own links, under https and whatever the port or spelling of the host', async () => {
    const tenant = await seedTenant();
    const host = await seedDomain(tenant);
    const link = await seedLink(tenant, { custom_domain: host, url: 'https://example.com/own' });
    expect(link.short_url).toBe(`https://${host}/${link.id}`);
    for (const origin of [`https://${host}`, `http://${host}:8787`, `https://${host.toUpperCase()}.`]) {
      const response = await call(`${origin}/${link.id}`);
      expect([origin, response.status, response.headers.get('Location')]).toEqual([
        origin,
        302,
        'https://example.com/own',
      ]);
    }
  });

  it('a custom domain never serves a slug of the service, nor of another domain, and lends none of its own', async () => {
    const tenant = await seedTenant();
    const [host, other] = [await seedDomain(tenant), await seedDomain(tenant)];
    const own = await seedLink(tenant, { custom_domain: host });
    const plain = await seedLink(tenant);
    expect((await call(`https://${host}/${plain.id}`)).status).toBe(404);
    expect((await call(`https://${other}/${own.id}`)).status).toBe(404);
    expect((await call(`/${own.id}`)).status).toBe(404);
  });

  it.each(['/', '/tokens/create_token', '/v1/links', '/.well-known/jwks.json', '/platform', '/info/a/b/c', '/docs'])(
    'a custom domain gives 404 at %s, which is the service’s alone',
    async (path) => {
      const host = await seedDomain(await seedTenant());
      const response = await call(`https://${host}${path}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('WWW-Authenticate')).toBeNull();
    },
  );

  it('a custom domain serves robots.txt and favicon.ico', async () => {
    const host = await seedDomain(await seedTenant());
    const robots = await call(`https://${host}/robots.txt`);
    expect([robots.status, await robots.text()]).toEqual([200, 'User-agent: *\nDisallow:\n']);
    expect((await call(`https://${host}/favicon.ico`)).status).toBe(200);
  });

  it('a custom domain continues to serve the links it has while it is lost, and serves none while it is pending', async () => {
    const tenant = await seedTenant();
    const host = await seedDomain(tenant);
    const link = await seedLink(tenant, { custom_domain: host });
    const setStatus = (status: string) =>
      env.DB.prepare('UPDATE domains SET status = ?2 WHERE host = ?1').bind(host, status).run();
    await setStatus('lost');
    expect((await openIsolate()(`https://${host}/${link.id}`)).status).toBe(302);
    await setStatus('pending');
    expect((await openIsolate()(`https://${host}/${link.id}`)).status).toBe(404);
  });
});

describe('an unknown host', () => {
  it.each(['/', '/abcdefgh', '/robots.txt', '/favicon.ico', '/tokens/create_token'])(
    'an unknown host is 404 at %s',
    async (path) => {
      expect((await call(`https://unknown.example${path}`)).status).toBe(404);
    },
  );

  it('an unknown host is 404 at a slug that the service has', async () => {
    const link = await seedLink(await seedTenant());
    expect((await call(`https://unknown.example/${link.id}`)).status).toBe(404);
  });
});

describe('the service’s host', () => {
  it.each([
    'http://localhost:8787',
    'http://127.0.0.1',
    'http://[::1]:8787',
    'https://terse.test',
    'https://TERSE.test.',
  ])('the service’s host is %s', async (origin) => {
    expect((await call(`${origin}/tokens/create_token`)).status).toBe(401);
  });

  it('the service’s host is a *.workers.dev name only while no public origin is set', async () => {
    const url = 'https://terse.someone.workers.dev/tokens/create_token';
    expect((await openIsolate({ PUBLIC_URL: '' })(url)).status).toBe(401);
    expect((await openIsolate({ PUBLIC_URL: 'https://terse.test' })(url)).status).toBe(404);
  });

  it('the service’s host uses the origin of the request in short links if no public origin is set', async () => {
    const through = openIsolate({ PUBLIC_URL: '' });
    const link = await seedLink(await seedTenant(), {}, (path, init) => through(`http://localhost:8787${path}`, init));
    expect(link.short_url).toBe(`http://localhost:8787/${link.id}`);
  });

  it('the service’s host serves robots.txt and favicon.ico without asking a store, and only GET and HEAD of them', async () => {
    const d1 = await countQueries();
    const robots = await call('/robots.txt');
    expect([robots.status, robots.headers.get('Content-Type')]).toEqual([200, 'text/plain; charset=UTF-8']);
    const icon = await call('/favicon.ico');
    expect(icon.status).toBe(200);
    expect([...new Uint8Array(await icon.arrayBuffer()).slice(0, 4)]).toEqual([0, 0, 1, 0]);
    expect((await call('/robots.txt', { method: 'POST' })).status).toBe(405);
    expect(d1()).toEqual({ primary: 0, nearest: 0 });
  });
});
