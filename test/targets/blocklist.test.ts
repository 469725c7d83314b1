import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blockHost, listBlockedHosts, parseBlockedHost, unblockHost } from '../../src/targets/blocklist.ts';
import { publishLinksTo } from '../../src/links/edit/publish-links-to.ts';
import { holdQueue } from '../support/clicks.ts';
import { newHost, request, seedClaim } from '../support/domains.ts';
import { bearerOf, expectFailure, seedCaller, storedLinks, type Caller } from '../support/forms.ts';
import { db, rowsOf, seedDomain, seedLink, seedTenant } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

beforeEach(() => env.DB.prepare('DELETE FROM blocked_hosts').run());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const REFUSAL = 'blocked_host: url leads to a host that the operator of this service has blocked.';

const json = (caller: Caller, method: string, path: string, body: unknown): Promise<Response> =>
  call(path, {
    method,
    headers: { ...bearerOf(caller), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('a host that is to be blocked', () => {
  it.each([
    ['evil.example', 'evil.example'],
    ['EVIL.Example.', 'evil.example'],
    ['täuschung.example', 'xn--tuschung-0za.example'],
    ['192.0.2.7', '192.0.2.7'],
    ['0xC0.0.2.7', '192.0.2.7'],
    ['3221225991', '192.0.2.7'],
    ['2001:DB8::1', '[2001:db8::1]'],
    ['[2001:db8:0::1]', '[2001:db8::1]'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['[::FFFF:c000:0207]', '192.0.2.7'],
    ['::192.0.2.7', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '192.0.2.7'],
    ['2002:c000:207::1', '192.0.2.7'],
    ['2002:c000:207:1:2:3:4:5', '192.0.2.7'],
    ['2002:c000::', '192.0.0.0'],
    ['::1', '[::1]'],
    ['::', '[::]'],
    ['64:ff9b:1::192.0.2.7', '[64:ff9b:1::c000:207]'],
    ['evil.example..', null],
    ['example', null],
    ['https://evil.example', null],
    ['evil.example/path', null],
    ['evil.example:8080', null],
    ['192.0.2.7:80', null],
    ['192.0.2.0/24', null],
    ['a@evil.example', null],
    ['*.evil.example', null],
    ['', null],
  ])('a host that is to be blocked is read as its canonical form: %j as %j', (text, host) => {
    expect(parseBlockedHost(text)).toBe(host);
  });

  it('a host that is to be blocked is blocked once, listed, and unblocked once', async () => {
    expect(await blockHost(db, 'evil.example')).toBe(true);
    expect(await blockHost(db, 'evil.example')).toBe(false);
    expect(await listBlockedHosts(db)).toEqual([{ host: 'evil.example', blockedAt: expect.any(Number) }]);
    expect(await unblockHost(db, 'evil.example')).toBe(true);
    expect(await unblockHost(db, 'evil.example')).toBe(false);
    expect(await listBlockedHosts(db)).toEqual([]);
  });

  it('a host that is to be blocked is listed with the number of links that lead there or below', async () => {
    const caller = await seedCaller();
    const host = newHost();
    const urls = [
      `https://${host}/`,
      `http://${host.toUpperCase()}.:8080/a`,
      `https://a.b.${host}/?x=y`,
      `https://x${host}/`,
      `https://${host}.example/`,
      `https://example.com/${host}`,
      'http://198.51.100.7/',
      'http://[::ffff:198.51.100.7]:81/',
      'http://[2001:db8::77]:81/',
    ];
    for (const url of urls) await seedLink(caller, { url });
    const { id } = await seedLink(caller, { url: `https://${host}/deleted` });
    expect((await call(`/v1/links/${id}`, { method: 'DELETE', headers: bearerOf(caller) })).status).toBe(204);
    expect(await publishLinksTo(db, env.LINKS, host, '')).toEqual({
      links: 3,
      after: null,
      clients: [caller.clientId],
    });
    expect(await publishLinksTo(db, env.LINKS, '198.51.100.7', '')).toEqual({
      links: 2,
      after: null,
      clients: [caller.clientId],
    });
    expect(await publishLinksTo(db, env.LINKS, '[2001:db8::77]', '')).toEqual({
      links: 1,
      after: null,
      clients: [caller.clientId],
    });
  });

  it('a host that is to be blocked is one entry, if an address has two forms', async () => {
    expect(await blockHost(db, '192.0.2.7')).toBe(true);
    expect(await blockHost(db, '192.0.2.7')).toBe(false);
    expect(await listBlockedHosts(db)).toEqual([{ host: '192.0.2.7', blockedAt: expect.any(Number) }]);
    expect(await unblockHost(db, '192.0.2.7')).toBe(true);
    expect(await rowsOf('blocked_hosts')).toEqual([]);
  });
});

/** Targets, and whether they lead to what is blocked: evil.example, 192.0.2.7 and [2001:db8::1]. */
const TARGETS: readonly (readonly [url: string, isBlocked: boolean])[] = [
  ['https://evil.example/', true],
  ['http://evil.example:8080/a?b=/#c', true],
  ['https://EVIL.EXAMPLE', true],
  ['https://evil.example./path', true],
  ['https://a.b.c.evil.example/', true],
  ['https://a.evil.example.:444/x:y', true],
  ['https://ｅｖｉｌ.example/', true],
  ['https://e%76il.example/', true],
  ['http://192.0.2.7/', true],
  ['http://0xC0000207:81/', true],
  ['http://192.0.519/', true],
  ['http://[2001:db8::1]/', true],
  ['http://[2001:0db8:0:0::1]:8080/', true],
  ['http://[::ffff:192.0.2.7]/', true],
  ['http://[0:0:0:0:0:ffff:c000:207]:8080/a', true],
  ['https://evil.example../', true],
  ['https://a.evil.example../', true],
  ['https://a..evil.example/', true],
  ['https://xn--nxasmq6b.evil.example/', true],
  [`https://${'a.'.repeat(900)}evil.example/`, true],
  ['https://evil.example:8080/a//[x]/', true],
  ['http://[2001:db8::1]:81/a]/b:c', true],
  ['https://notevil.example/', false],
  ['https://evil.example.com/', false],
  ['https://example/', false],
  ['https://good.example/evil.example/', false],
  ['https://good.example/?u=https://evil.example/', false],
  ['https://good.example/a:b@evil.example', false],
  ['http://192.0.2.70/', false],
  ['http://[2001:db8::2]/', false],
  ['http://[::ffff:192.0.2.8]/', false],
];

const block = () => Promise.all(['evil.example', '192.0.2.7', '[2001:db8::1]'].map((host) => blockHost(db, host)));

describe('a blocked host', () => {
  it.each(TARGETS)('a blocked host is refused, created and followed: %s, %j', async (url, isBlocked) => {
    holdQueue();
    const tenant = await seedTenant();
    const old = await seedLink(tenant);
    // Some of these are refused where they are newly typed, and stay where they are stored.
    await env.DB.prepare('UPDATE links SET url = ? WHERE id = ?').bind(new URL(url).href, old.id).run();
    await block();
    const form = { url, client_id: tenant.clientId };
    expect((await call('/v1/links', { headers: { 'X-API-Key': tenant.apiKey }, form })).status).toBe(
      isBlocked ? 400 : 200,
    );
    expect((await openIsolate()(`/${old.id}`)).status).toBe(isBlocked ? 403 : 302);
  });

  it.each(['/v1/links', '/shortener/encode'])(
    'a blocked host is refused by POST %s, and nothing is stored',
    async (path) => {
      const caller = await seedCaller();
      await block();
      const before = await storedLinks();
      const headers = { ...bearerOf(caller), ...(path === '/v1/links' && { 'X-API-Key': caller.apiKey }) };
      const form = { url: 'https://www.evil.example/', client_id: caller.clientId };
      await expectFailure(await call(path, { headers, form }), 400, REFUSAL);
      expect(await storedLinks()).toEqual(before);
    },
  );

  it('a blocked host is refused in a batch and in an import by itself', async () => {
    const caller = await seedCaller();
    await block();
    const links = ['https://evil.example/', 'https://good.example/'].map((url) => ({
      url,
      client_id: caller.clientId,
    }));
    const batch = await (await json(caller, 'POST', '/v1/links/batch', { links })).json<{ results: object[] }>();
    expect(batch.results).toMatchObject([{ status: 400, error: REFUSAL }, { status: 201 }]);
    const headers = { ...bearerOf(caller), 'Content-Type': 'text/csv' };
    const body = 'url\nhttps://a.evil.example/\nhttps://good.example/2\n';
    const imported = await (
      await call('/v1/links/import', { method: 'POST', headers, body })
    ).json<{ results: object[] }>();
    expect(imported.results).toMatchObject([{ status: 'error', error: REFUSAL }, { status: 'created' }]);
  });

  it('a blocked host is refused by an edit and by restoring a former target, while the rest of a blocked link can be changed', async () => {
    const caller = await seedCaller();
    const { id } = await seedLink(caller, { url: 'https://evil.example/' });
    await json(caller, 'PATCH', `/v1/links/${id}`, { url: 'https://good.example/' });
    await block();
    await expectFailure(
      await json(caller, 'PATCH', `/v1/links/${id}`, { url: 'https://evil.example/2' }),
      400,
      REFUSAL,
    );
    await expectFailure(await json(caller, 'POST', `/v1/links/${id}/history/1/restore`, {}), 400, REFUSAL);
    await blockHost(db, 'good.example');
    expect((await json(caller, 'PATCH', `/v1/links/${id}`, { campaign_name: 'x' })).status).toBe(200);
    expect((await openIsolate()(`/${id}`)).status).toBe(403);
    expect((await call(`/${id}`)).status).toBe(403);
    expect(await env.LINKS.get<{ ending: string }>(`/${id}`, 'json')).toMatchObject({ ending: 'blocked' });
  });

  it('a blocked host is refused as where a domain leads, and an old domain no longer leads there', async () => {
    const caller = await seedCaller();
    const host = await seedDomain(caller, newHost());
    const domain = (await seedClaim(caller)).id;
    await env.DB.prepare('UPDATE domains SET root_url = ?2, not_found_url = ?2 WHERE host = ?1')
      .bind(host, 'https://evil.example/')
      .run();
    expect((await openIsolate()(`https://${host}/`)).status).toBe(302);
    expect((await openIsolate()(`https://${host}/nosuchid`)).status).toBe(302);
    await block();
    for (const field of ['root_url', 'not_found_url']) {
      const body = { host: newHost(), [field]: 'https://evil.example/' };
      const error = REFUSAL.replace('url', field);
      await expectFailure(await request(caller, '/v1/domains', { body }), 400, error);
      const change = { [field]: 'https://evil.example/' };
      await expectFailure(
        await request(caller, `/v1/domains/${domain}`, { method: 'PATCH', body: change }),
        400,
        error,
      );
    }
    expect((await openIsolate()(`https://${host}/`)).status).toBe(404);
    expect((await openIsolate()(`https://${host}/nosuchid`)).status).toBe(404);
  });
});
