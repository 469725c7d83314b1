import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { seedForwarding, TARGET } from '../support/forwarding.ts';
import { importFile, NDJSON, outcomesOf } from '../support/files.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';
import { byPerson, ledTo } from '../support/visits.ts';

/** Links that forward the rest of the path, and own what is below their address. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a link that forwards its path', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['/a', '/a'],
    ['/a/b/', '/a/b/'],
    ['/a.b/c%20d/ü', '/a.b/c%20d/%C3%BC'],
    ['/1/2/3/4/5/6/7/8/9', '/1/2/3/4/5/6/7/8/9'],
  ])('a link that forwards its path appends %s to the path of its destination', async (given, appended) => {
    const { host } = await seedForwarding();
    const expected = [302, `https://example.com/base${appended}?a=1#end`];
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    for (const from of ['the stores', 'memory'])
      expect([from, ...ledTo(await isolate(`https://${host}/guide${given}`))]).toEqual([from, ...expected]);
  });

  it.each(['//evil.example', '/https://evil.example'])(
    'a link that forwards its path is 404 for a path with an empty segment: %s',
    async (path) => {
      const { host } = await seedForwarding();
      expect(ledTo(await call(`https://${host}/guide${path}`))).toEqual([404, null]);
    },
  );

  it.each(['/%252e%252e/x', '/a%2f..%2fb', '/a%5c..%5cb', '/..;/x'])(
    'a link that forwards its path is 404 for a path with segments of dots that the URL parser does not resolve: %s',
    async (path) => {
      const { host } = await seedForwarding();
      expect(ledTo(await openIsolate()(`https://${host}/guide${path}`))).toEqual([404, null]);
    },
  );

  it('a link that forwards its path costs KV one read and D1 one trip, and then no store for any path below', async () => {
    const { host } = await seedForwarding();
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    const trips = await countTrips();
    expect((await isolate(`https://${host}/guide/a/b`)).status).toBe(302);
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
    for (const path of ['guide', 'guide/a/b', 'guide/other', 'guide/1/2/3/4/5?x'])
      expect((await isolate(`https://${host}/${path}`)).status).toBe(302);
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
  });

  it('a link that forwards its path reads no key of KV for a path that can be no slug', async () => {
    const { host } = await seedForwarding();
    const trips = await countTrips();
    expect((await openIsolate()(`https://${host}/guide/1/2/3/4/5`)).status).toBe(302);
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
  });

  it('a link that forwards its path is that with the longest slug', async () => {
    const { host, make } = await seedForwarding();
    await make('one/two', { url: 'https://example.com/two', forward_path: true });
    await make('one', { url: 'https://example.com/one' });
    const isolate = openIsolate();
    expect(ledTo(await isolate(`https://${host}/one/two/x`))).toEqual([302, 'https://example.com/two/x']);
    // It does not forward its own.
    expect((await isolate(`https://${host}/one/x`)).status).toBe(404);
  });

  it('a link that forwards its path appends path and query to what a rule chooses', async () => {
    const rules = [{ if: [{ type: 'visitor', in: ['human'] }], url: 'https://example.com/rule' }];
    const { host } = await seedForwarding({ rules, forward_query: 'keep' });
    expect(ledTo(await call(`https://${host}/guide/a?b=c`, byPerson()))).toEqual([
      302,
      'https://example.com/rule/a?b=c',
    ]);
  });

  it('a link that forwards its path leads to the destination alone if the result would be too long', async () => {
    const { host } = await seedForwarding({ url: `https://example.com/${'x'.repeat(2000)}` });
    const [status, location] = ledTo(await call(`https://${host}/guide/${'a'.repeat(7000)}`));
    expect([status, location]).toEqual([302, `https://example.com/${'x'.repeat(2000)}`]);
  });

  it('a link that forwards its path is found below at once by the isolate that creates it, edits it or imports it', async () => {
    const { manager, host, make } = await seedForwarding();
    const statusAt = async (path: string) => (await call(`https://${host}/${path}`)).status;
    // The first one is no slug.
    const below = ['a/b/c/d', 'x', 'x;y', 'ü'];
    const paths = ['created', 'edited', 'imported'].flatMap((slug) => below.map((rest) => `${slug}/${rest}`));
    for (const path of paths) expect([path, await statusAt(path)]).toEqual([path, 404]);
    await make('created', { forward_path: true });
    const id = await make('edited');
    await manager.ask('PATCH', `/v1/links/${id}`, { forward_path: true });
    const row = { url: TARGET, slug: 'imported', custom_domain: host, forward_path: true };
    expect(outcomesOf(await importFile(manager, JSON.stringify(row), { type: NDJSON }))).toEqual(['created']);
    for (const path of paths) expect([path, await statusAt(path)]).toEqual([path, 302]);
  });

  it('a link that forwards its path leads nowhere below once that is turned off', async () => {
    const { manager, host, id } = await seedForwarding();
    expect((await call(`https://${host}/guide/a`)).status).toBe(302);
    await manager.ask('PATCH', `/v1/links/${id}`, { forward_path: false });
    expect((await call(`https://${host}/guide/a`)).status).toBe(404);
    expect((await call(`https://${host}/guide`)).status).toBe(302);
  });

  it('a link that forwards its path is like an unknown path before its start, also below', async () => {
    const { host } = await seedForwarding({ starts_at: '2999-01-01T00:00:00Z' });
    await env.DB.prepare(`UPDATE domains SET not_found_url = 'https://example.com/lost' WHERE host = ?`)
      .bind(host)
      .run();
    for (const base of ['guide', 'unknown']) {
      expect([base, ...ledTo(await openIsolate()(`https://${host}/${base}/a`))]).toEqual([
        base,
        302,
        'https://example.com/lost',
      ]);
      // This is no path of a slug, so that it is no mistyped one.
      expect([base, (await openIsolate()(`https://${host}/${base}/1/2/3/4/5`)).status]).toEqual([base, 404]);
    }
  });
});

describe('a plain link with a long path', () => {
  it('a plain link with a long path redirects, and no path below it does', async () => {
    const { host, make } = await seedForwarding();
    await make('one/two/three', { url: 'https://example.com/plain' });
    const isolate = openIsolate();
    const trips = await countTrips();
    expect(ledTo(await isolate(`https://${host}/one/two/three`))).toEqual([302, 'https://example.com/plain']);
    expect(trips()).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
    for (const path of ['one/two', 'one/two/three/four', 'one'])
      expect([path, (await isolate(`https://${host}/${path}`)).status]).toEqual([path, 404]);
  });

  it('a plain link with a long path touches no store below a link of the service’s own host', async () => {
    const { manager } = await seedForwarding();
    const id = await manager.make();
    const trips = await countTrips();
    expect((await openIsolate()(`/${id}/a`)).status).toBe(404);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });
});
