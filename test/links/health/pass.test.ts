import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, inject, it, vi } from 'vitest';
import type { ManagedRecord } from '../../../src/api/record.ts';
import { createApp } from '../../../src/app/app.ts';
import { FREQUENT_CRON } from '../../../src/app/crons.ts';
import { parseConfig } from '../../../src/config/config.ts';
import type { Database } from '../../../src/database/database.ts';
import { checkDestinations } from '../../../src/links/health/pass.ts';
import { sweepLinks } from '../../../src/links/health/sweep.ts';
import { waitReally } from '../../support/deferred.ts';
import { forgetChecks, nextDay, pass, runPass, DAY_MS } from '../../support/health.ts';
import { db } from '../../support/seed.ts';
import { follow, open, type Manager } from '../../support/manage.ts';
import { openOrigin, type Page } from '../../support/origins.ts';
import { eventsOf, openWithHook } from '../../support/webhooks.ts';

beforeEach(forgetChecks);

const only = { events: ['link.unhealthy', 'link.recovered'] };

/** A link whose destinations are checked. */
const checked = ({ make }: Pick<Manager, 'make'>, url: string, fields: object = {}) =>
  make({ url, check_destination: true, ...fields });

const unhealthyOf = async ({ read }: Pick<Manager, 'read'>, id: string) => (await read(id)).unhealthy;

const rowsOf = async () => (await env.DB.prepare('SELECT * FROM destination_checks ORDER BY url').all()).results;

const count = async (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first('n');

/** Links whose destinations are checked. @param url an SQL expression of their number n */
const insertLinks = (clientId: string, most: number, url: string) =>
  env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
      INSERT INTO links (id, slug, client_id, created_at, updated_at, revision, domain_id, sec_id, url, check_destination)
      SELECT ?1 || n, ?1 || n, ?1, n / 7, 1, 1, '', 's', ${url}, 1 FROM numbers`,
  )
    .bind(clientId, most)
    .run();

describe('the check of destinations', () => {
  it('two failures a day apart make a link unhealthy, one success healthy, and both send an event', async () => {
    const owner = await openWithHook(only);
    const origin = await openOrigin({ '/a': { status: 404 } });
    const url = `${origin.url}/a`;
    const id = await checked(owner, url);
    const other = await checked(owner, `${origin.url}/b`);
    await origin.change({ '/a': { status: 404 }, '/b': {} });
    const before = Date.now();
    await runPass();
    expect(await unhealthyOf(owner, id)).toBeNull();
    await pass(DAY_MS - 60_000);
    await runPass();
    expect(await unhealthyOf(owner, id)).toBeNull();
    await pass(60_000);
    await runPass();
    const found = await unhealthyOf(owner, id);
    expect(found).toEqual({ url, reason: 'status', status: 404, since: expect.any(String) });
    const since = Date.parse(found?.since ?? '');
    expect(since).toBeGreaterThanOrEqual(before - DAY_MS);
    expect(since).toBeLessThanOrEqual(Date.now() - DAY_MS);
    expect(await unhealthyOf(owner, other)).toBeNull();
    await nextDay();
    await origin.change({ '/a': {}, '/b': {} });
    await nextDay();
    expect(await unhealthyOf(owner, id)).toBeNull();
    const events = await eventsOf(owner.clientId);
    expect(events.map(({ type, data }) => [type, data['id'], data['unhealthy']])).toEqual([
      ['link.unhealthy', id, { ...found, since: expect.any(String) }],
      ['link.recovered', id, null],
    ]);
  });

  it('a visitor of an unhealthy link is redirected as before', async () => {
    const owner = await open();
    const origin = await openOrigin();
    const id = await checked(owner, `${origin.url}/a`);
    const before = await follow(`/${id}`);
    await runPass();
    await nextDay();
    expect(await unhealthyOf(owner, id)).not.toBeNull();
    expect(await follow(`/${id}`)).toEqual(before);
  });

  it.each<[what: string, page: Page, reason: string, status: number | null]>([
    ['404', { status: 404 }, 'status', 404],
    ['410', { status: 410 }, 'status', 410],
    ['500', { status: 500 }, 'status', 500],
    ['503 that asks to wait', { status: 503, headers: { 'Retry-After': '60' } }, 'status', 503],
    ['530', { status: 530 }, 'status', 530],
    ['404 of a site with a firewall', { status: 404, headers: { 'X-DataDome': 'protected' } }, 'status', 404],
    ['404 with the header of a challenge', { status: 404, headers: { 'x-px-captcha': 'no' } }, 'status', 404],
    ['500 of a site with a firewall', { status: 500, headers: { 'X-DataDome': 'protected' } }, 'status', 500],
    ['a connection that ends', { ends: true }, 'connection', null],
  ])('%s is a failure', async (_, page, reason, status) => {
    const owner = await open();
    const origin = await openOrigin({ '/a': page, '/robots.txt': { status: 404 } });
    const id = await checked(owner, `${origin.url}/a`);
    await runPass();
    await nextDay();
    expect(await unhealthyOf(owner, id)).toMatchObject({ reason, status });
  });

  it('a server that has ended, a name without an address and a server without TLS are failures', async () => {
    const owner = await open();
    const [ended, plain] = [await openOrigin(), await openOrigin({ '/a': {} })];
    await ended.end();
    const ids = [
      await checked(owner, `${ended.url}/a`),
      await checked(owner, 'https://no-such-name.example/'),
      await checked(owner, `https://127.0.0.1:${plain.port}/a`),
    ];
    await runPass();
    await nextDay();
    const found = await Promise.all(ids.map((id) => unhealthyOf(owner, id)));
    expect(found.map((one) => [one?.reason, one?.status])).toEqual([
      ['connection', null],
      ['no_such_name', null],
      [expect.stringMatching(/^(?:tls|connection)$/), null],
    ]);
  });

  it.each<[what: string, page: Page]>([
    ['200', {}],
    ['401', { status: 401 }],
    ['403', { status: 403 }],
    ['405', { status: 405 }],
    ['429', { status: 429 }],
    ['451', { status: 451 }],
    ['999', { status: 999 }],
    ['a challenge by its header', { status: 503, headers: { 'cf-mitigated': 'challenge' } }],
    ['a challenge with 405', { status: 405, headers: { 'x-amzn-waf-action': 'captcha' } }],
    [
      'a challenge by its page',
      { status: 503, body: '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>' },
    ],
    ['a redirect without a destination', { status: 302 }],
    ['a redirect to an app', { status: 302, headers: { Location: 'market://details?id=x' } }],
    ['a circle of redirects', { status: 302, headers: { Location: '/a' } }],
    ['a redirect into a private network', { status: 302, headers: { Location: 'http://10.0.0.1/' } }],
  ])('%s is no failure', async (_, page) => {
    const owner = await open();
    const origin = await openOrigin({ '/a': page });
    const id = await checked(owner, `${origin.url}/a`);
    await runPass();
    await nextDay();
    await nextDay();
    expect(await unhealthyOf(owner, id)).toBeNull();
    expect(await rowsOf()).toMatchObject([{ failing_since: null }]);
  });

  it('what is unknown between two failures changes nothing, and an unhealthy link stays so', async () => {
    const owner = await openWithHook(only);
    const origin = await openOrigin();
    const id = await checked(owner, `${origin.url}/a`);
    await runPass();
    await origin.change({ '/a': { status: 403 } });
    await nextDay();
    expect(await unhealthyOf(owner, id)).toBeNull();
    await origin.change({});
    await nextDay();
    expect(await unhealthyOf(owner, id)).toMatchObject({ status: 404 });
    await origin.change({ '/a': { status: 429 } });
    await nextDay();
    expect(await unhealthyOf(owner, id)).toMatchObject({ status: 404 });
    expect((await eventsOf(owner.clientId)).map(({ type }) => type)).toEqual(['link.unhealthy']);
  });

  it('each destination is requested once, by HEAD, without a cookie or a referrer, and by GET only if that failed', async () => {
    const [one, two] = [await open(), await open()];
    const origin = await openOrigin({
      '/a': { headers: { 'Set-Cookie': 'a=1' } },
      'HEAD /b': { status: 405 },
      '/b': {},
    });
    for (const owner of [one, one, two]) await checked(owner, `${origin.url}/a`);
    await checked(one, `${origin.url}/a#part`);
    await checked(two, `${origin.url}/b`);
    await runPass();
    await runPass();
    expect((await origin.lines()).toSorted()).toEqual(['GET /b', 'GET /robots.txt', 'HEAD /a', 'HEAD /b']);
    for (const { headers } of await origin.requests()) {
      expect(headers['user-agent']).toBe('Mozilla/5.0 (compatible; TerseBot/1; +https://terse.test/)');
      expect([headers['cookie'], headers['referer'], headers['authorization']]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
    await pass(6 * DAY_MS - 60_000);
    await runPass();
    expect(await origin.lines()).toHaveLength(4);
    await pass(60_000);
    await runPass();
    expect(await origin.lines()).toHaveLength(8);
  });

  it('five redirects are followed to another host, and its robots.txt is heeded', async () => {
    const owner = await open();
    const last = await openOrigin({ '/robots.txt': { body: 'User-agent: TerseBot\nDisallow: /closed' }, '/open': {} });
    const hop = (path: string): Page => ({ status: 302, headers: { Location: path } });
    const first = await openOrigin({
      '/1': hop('/2'),
      '/2': hop('/3'),
      '/3': hop('3/4'),
      '/3/4': hop('/5'),
      '/5': hop(`${last.url}/missing`),
      '/0': hop('/1'),
      '/closed': hop(`${last.url}/closed`),
    });
    const [five, six, closed] = [
      await checked(owner, `${first.url}/1`),
      await checked(owner, `${first.url}/0`),
      await checked(owner, `${first.url}/closed`),
    ];
    await runPass();
    await nextDay();
    expect(await unhealthyOf(owner, five)).toMatchObject({ url: `${first.url}/1`, status: 404 });
    expect([await unhealthyOf(owner, six), await unhealthyOf(owner, closed)]).toEqual([null, null]);
    expect(await last.lines()).not.toContain('HEAD /closed');
  });

  it('a check sends 20 requests at most, however many hosts its redirects and their rules lead to', async () => {
    const owner = await open();
    const hop = (url: string): Page => ({ status: 302, headers: { Location: url } });
    const end = await openOrigin({ '/a': { status: 403 } });
    let next = `${end.url}/a`;
    const hops = [];
    for (let index = 0; index < 5; index++) {
      // Its rules are behind four redirects.
      const rules = Object.fromEntries(
        ['/robots.txt', '/r1', '/r2', '/r3'].map((path, n) => [path, hop(`/r${n + 1}`)]),
      );
      const origin = await openOrigin({ ...rules, '/a': hop(next) });
      hops.push(origin);
      next = `${origin.url}/a`;
    }
    await checked(owner, next);
    const other = await openOrigin({ '/gone': { status: 410 } });
    await checked(owner, `${other.url}/gone`);
    await runPass();
    const sent = await Promise.all([end, ...hops].map(async (origin) => (await origin.lines()).length));
    expect(sent.reduce((sum, each) => sum + each)).toBe(20);
    expect((await rowsOf()).map(({ status, failing_since: since }) => [status, since !== null])).toEqual(
      expect.arrayContaining([
        [null, false],
        [410, true],
      ]),
    );
  });

  it('a destination whose check throws loses nothing of the others, and comes again in an hour', async () => {
    const owner = await open();
    const [broken, other] = [await openOrigin(), await openOrigin({ '/gone': { status: 410 } })];
    await checked(owner, `${broken.url}/a`);
    await checked(owner, `${other.url}/gone`);
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const guard = (url: URL) =>
      url.port === broken.port ? Promise.reject(new TypeError('odd')) : Promise.resolve(null);
    await runPass(Date.now(), { guard });
    expect(error.mock.calls.flat().map(String)).toEqual([expect.stringContaining('"event":"destination_not_checked"')]);
    error.mockRestore();
    const rows = await rowsOf();
    const stateOf = (port: string) => rows.find(({ url }) => String(url).includes(`:${port}/`));
    expect(stateOf(other.port)).toMatchObject({ reason: 'status', status: 410 });
    expect(stateOf(broken.port)).toMatchObject({ reason: null, failing_since: null });
    expect(Number(stateOf(broken.port)?.['due_at'])).toBeLessThanOrEqual(Date.now() + 3_600_000);
  });

  it('a path that robots.txt closes is not requested', async () => {
    const owner = await open();
    const origin = await openOrigin({ '/robots.txt': { body: 'User-agent: *\nDisallow: /a' } });
    await checked(owner, `${origin.url}/a?b`);
    await runPass();
    await nextDay();
    expect(new Set(await origin.lines())).toEqual(new Set(['GET /robots.txt']));
    expect(await rowsOf()).toMatchObject([{ failing_since: null, checked_at: expect.any(Number) }]);
  });

  it('a host that asks to wait is left alone until then', async () => {
    const owner = await open();
    const origin = await openOrigin({ '/a': { status: 429, headers: { 'Retry-After': '7200' } } });
    await checked(owner, `${origin.url}/a`);
    await checked(owner, `${origin.url}/b`);
    await runPass();
    const lines = await origin.lines();
    expect(lines.filter((line) => line.startsWith('HEAD'))).toHaveLength(lines.includes('HEAD /b') ? 2 : 1);
    await pass(7_100_000);
    await runPass();
    expect(await origin.lines()).toEqual(lines);
    await origin.change({ '/a': {}, '/b': {} });
    await pass(200_000);
    await runPass();
    expect(await origin.lines()).toEqual(expect.arrayContaining(['HEAD /a', 'HEAD /b']));
    expect((await origin.lines()).length).toBeGreaterThan(lines.length);
  });

  it('a host is requested once a second', async () => {
    const owner = await open();
    const origin = await openOrigin({ '/a': {}, '/b': {} });
    await checked(owner, `${origin.url}/a`);
    await checked(owner, `${origin.url}/b`);
    await runPass(Date.now(), { paceMs: 1000 });
    const times = (await origin.requests()).map(({ at }) => at);
    expect(times).toHaveLength(3);
    // Two waits of a second. A busy machine may deliver the first request late, but hardly by one of them.
    expect(times[2]! - times[0]!).toBeGreaterThan(1000);
  });

  describe('hosts of which none responds', () => {
    const openSilent = async () => {
      const owner = await openWithHook(only);
      const ended = await openOrigin();
      await ended.end();
      const hosts = ['127.0.0.1', 'localhost', '[::1]'];
      const ids = await Promise.all(hosts.map((host) => checked(owner, `http://${host}:${ended.port}/`)));
      return { owner, ids };
    };

    it('silent hosts mark nothing while this service has no connection', async () => {
      const { owner, ids } = await openSilent();
      const checkConnection = async () => {
        throw new Error('no connection');
      };
      for (let days = 0; days < 3; days++) {
        await runPass(Date.now(), { checkConnection });
        await pass(DAY_MS);
      }
      expect(await Promise.all(ids.map((id) => unhealthyOf(owner, id)))).toEqual([null, null, null]);
      expect(await rowsOf()).toMatchObject(ids.map(() => ({ failing_since: null })));
      expect(await eventsOf(owner.clientId)).toEqual([]);
    });

    it('silent hosts are failures while another server responds', async () => {
      const { owner, ids } = await openSilent();
      await runPass();
      await nextDay();
      const found = await Promise.all(ids.map((id) => unhealthyOf(owner, id)));
      expect(found.map((one) => one?.reason)).toEqual(['connection', 'connection', 'connection']);
      expect(await eventsOf(owner.clientId)).toHaveLength(3);
    });
  });

  it('a host inside a network, a blocked one and one of the service are not requested and no failures', async () => {
    const owner = await open();
    const origin = await openOrigin();
    const id = await checked(owner, `${origin.url}/a`);
    const inner = await checked(owner, 'http://192.168.0.1/');
    await env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?1, 1)').bind('127.0.0.1').run();
    try {
      await runPass();
      await nextDay();
    } finally {
      await env.DB.prepare('DELETE FROM blocked_hosts').run();
    }
    expect(await origin.lines()).toEqual([]);
    expect([await unhealthyOf(owner, id), await unhealthyOf(owner, inner)]).toEqual([null, null]);
  });
});

describe('links whose destinations are checked', () => {
  it('no row is written and nothing requested for links without it', async () => {
    const owner = await open();
    const origin = await openOrigin();
    await owner.make({ url: `${origin.url}/a` });
    await owner.make({ url: `${origin.url}/a`, check_destination: false });
    const batch = vi.spyOn(env.DB, 'batch');
    await runPass();
    expect(batch).toHaveBeenCalledTimes(1);
    batch.mockRestore();
    expect(await origin.lines()).toEqual([]);
    for (const table of ['destination_checks', 'link_checks', 'checked_hosts', 'check_sweeps']) {
      expect(await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first('n')).toBe(0);
    }
  });

  it('no destination of another scheme than http and https is checked', async () => {
    const owner = await open();
    const origin = await openOrigin({ '/a': {} });
    const rule = (url: string) => ({ if: [{ type: 'device', in: ['mobile'] }], url });
    await checked(owner, 'tel:+15550100', { rules: [rule('geo:48.2,16.37'), rule(`${origin.url}/a`)] });
    await runPass();
    expect((await rowsOf()).map(({ url }) => url)).toEqual([`${origin.url}/a`]);
    expect(await count('checked_hosts')).toBe(1);
  });

  it('the destinations of rules and variants are checked too, and a link with two unhealthy ones sends one event', async () => {
    const owner = await openWithHook(only);
    const origin = await openOrigin({ '/a': {} });
    const id = await checked(owner, `${origin.url}/a`, {
      rules: [{ name: 'r', if: [{ type: 'device', in: ['mobile'] }], url: `${origin.url}/rule` }],
      variants: [
        { name: 'x', url: `${origin.url}/x`, weight: 1 },
        { name: 'y', url: `${origin.url}/a`, weight: 1 },
      ],
    });
    await runPass();
    await nextDay();
    expect(['rule', 'x'].map((path) => `${origin.url}/${path}`)).toContain((await unhealthyOf(owner, id))?.url);
    await origin.change({ '/a': {}, '/x': {} });
    await nextDay();
    expect(await unhealthyOf(owner, id)).toMatchObject({ url: `${origin.url}/rule` });
    await origin.change({ '/a': {}, '/x': {}, '/rule': {} });
    await nextDay();
    expect((await eventsOf(owner.clientId)).map(({ type }) => type)).toEqual(['link.unhealthy', 'link.recovered']);
  });

  it('the fallback of a destination that opens an app is checked, and a link with another one begins anew', async () => {
    const owner = await open();
    const origin = await openOrigin();
    const id = await checked(owner, 'tel:+15550100', { fallback: `${origin.url}/a` });
    await runPass();
    await nextDay();
    expect(await unhealthyOf(owner, id)).toMatchObject({ url: `${origin.url}/a` });
    const edited = await owner.ask<ManagedRecord>('PATCH', `/v1/links/${id}`, { fallback: `${origin.url}/b` });
    expect(edited.body.unhealthy).toBeNull();
  });

  it('a link with another destination begins anew', async () => {
    const owner = await openWithHook(only);
    const origin = await openOrigin();
    const id = await checked(owner, `${origin.url}/a`);
    await runPass();
    await nextDay();
    expect(await unhealthyOf(owner, id)).not.toBeNull();
    const edited = await owner.ask<ManagedRecord>('PATCH', `/v1/links/${id}`, { url: `${origin.url}/b` });
    expect(edited.body.unhealthy).toBeNull();
    await nextDay();
    expect(await unhealthyOf(owner, id)).toBeNull();
    await nextDay();
    expect(await unhealthyOf(owner, id)).toMatchObject({ url: `${origin.url}/b` });
    await pass(7 * DAY_MS);
    await runPass();
    expect((await rowsOf()).map((row) => row['url'])).toEqual([`${origin.url}/b`]);
  });

  it.each<[what: string, method: string, body: object | undefined, undo: [string, string, object | undefined]]>([
    ['disabled', 'PATCH', { disabled: true }, ['PATCH', '', { disabled: false }]],
    ['deleted', 'DELETE', undefined, ['POST', '/restore', undefined]],
    ['not checked any longer', 'PATCH', { check_destination: false }, ['PATCH', '', { check_destination: true }]],
  ])(
    'a link that is %s is not requested, and afterwards begins anew',
    async (_, method, body, [undo, path, undoBody]) => {
      const owner = await open();
      const origin = await openOrigin();
      const id = await checked(owner, `${origin.url}/a`);
      await runPass();
      await nextDay();
      expect(await unhealthyOf(owner, id)).not.toBeNull();
      expect((await owner.ask(method, `/v1/links/${id}`, body)).status).toBeLessThan(300);
      if (method !== 'DELETE') expect(await unhealthyOf(owner, id)).toBeNull();
      const lines = await origin.lines();
      await nextDay();
      expect(await origin.lines()).toEqual(lines);
      expect((await owner.ask(undo, `/v1/links/${id}${path}`, undoBody)).status).toBe(200);
      await nextDay();
      expect(await unhealthyOf(owner, id)).toBeNull();
      expect((await origin.lines()).length).toBeGreaterThan(lines.length);
      await nextDay();
      expect(await unhealthyOf(owner, id)).not.toBeNull();
    },
  );

  it('an expired link is not requested', async () => {
    const owner = await open();
    const origin = await openOrigin();
    const id = await checked(owner, `${origin.url}/a`, { expires_at: '2099-01-01T00:00:00Z' });
    await env.DB.prepare('UPDATE links SET expires_at = 1 WHERE id = ?').bind(id).run();
    await runPass();
    expect(await origin.lines()).toEqual([]);
  });

  it('a client has no state of the checks of another one', async () => {
    const [first, second] = [await open(), await open()];
    const origin = await openOrigin();
    const one = await checked(first, `${origin.url}/a`);
    await runPass();
    await nextDay();
    const two = await checked(second, `${origin.url}/a`);
    const unchecked = await second.make({ url: `${origin.url}/a` });
    expect(await unhealthyOf(second, two)).toBeNull();
    await pass(3_600_000);
    await runPass();
    expect(await unhealthyOf(second, two)).toBeNull();
    await nextDay();
    await nextDay();
    expect((await unhealthyOf(second, two))?.since).not.toBe((await unhealthyOf(first, one))?.since);
    expect(await unhealthyOf(second, two)).not.toBeNull();
    expect(await unhealthyOf(second, unchecked)).toBeNull();
  });

  it('the list has a filter for unhealthy links', async () => {
    const owner = await open();
    const origin = await openOrigin({ '/ok': {} });
    const bad = [await checked(owner, `${origin.url}/a`), await checked(owner, `${origin.url}/a`)];
    const good = [await checked(owner, `${origin.url}/ok`), await owner.make({ url: `${origin.url}/a` })];
    await runPass();
    await nextDay();
    const list = async (query: string) => {
      const { body } = await owner.ask<{ links: readonly ManagedRecord[] }>('GET', `/v1/links?${query}`);
      return new Set(body.links.map(({ id }) => id));
    };
    expect(await list('unhealthy=true')).toEqual(new Set(bad));
    expect(await list('unhealthy=false')).toEqual(new Set(good));
    expect(await list('unhealthy=true&sort=clicks')).toEqual(new Set(bad));
    expect(await list(`unhealthy=true&url=${encodeURIComponent(`${origin.url}/ok`)}`)).toEqual(new Set());
    await owner.ask('PATCH', `/v1/links/${bad[0]}`, { disabled: true });
    expect(await list('unhealthy=true')).toEqual(new Set([bad[1]]));
    expect(await list('unhealthy=true&state=disabled')).toEqual(new Set());
    expect((await owner.ask('GET', '/v1/links?unhealthy=1')).status).toBe(400);
  });
});

describe('runs of the check', () => {
  it('the cron of each five minutes checks destinations, and those of this machine only where a setting allows it', async () => {
    const owner = await open();
    const origin = await openOrigin({ '/a': {} });
    await checked(owner, `${origin.url}/a`);
    const run = async (loopback: string) => {
      const settings = { ...env, WEBHOOK_LOOPBACK: loopback, DNS_RESOLVER_URL: inject('resolverUrl') };
      await createApp(parseConfig(settings)).scheduled(createScheduledController({ cron: FREQUENT_CRON }), env);
    };
    await run('off');
    expect(await origin.lines()).toEqual([]);
    await pass(7 * DAY_MS);
    await run('on');
    expect(await origin.lines()).toEqual(['GET /robots.txt', 'HEAD /a']);
  });

  it('a sweep reads the links of a client in parts, continues where it stopped, and writes nothing twice', async () => {
    const owner = await open();
    const { clientId } = owner.tenant;
    await insertLinks(clientId, 5700, `CASE n WHEN 7 THEN 'no URL' ELSE 'https://example.com/' || (n % 1000) END`);
    const now = Date.now();
    await sweepLinks(db, now);
    // A text that no version of the code can read stops nothing.
    expect([await count('link_checks'), await count('destination_checks')]).toEqual([4999, 1000]);
    await sweepLinks(db, now + 1);
    expect([await count('link_checks'), await count('destination_checks')]).toEqual([5699, 1000]);
    const batch = vi.spyOn(env.DB, 'batch');
    await sweepLinks(db, now + 2);
    expect(batch).toHaveBeenCalledTimes(1);
    batch.mockRestore();
    await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE client_id = ?').bind(clientId).run();
    await sweepLinks(db, now + 3_700_000);
    expect(await count('check_sweeps')).toBe(0);
  });

  it('long destinations of many links are found', async () => {
    const owner = await open();
    await insertLinks(owner.tenant.clientId, 400, `'https://example.com/' || printf('%08150d', n)`);
    const sizes: number[] = [];
    const watched: Database = {
      first: db.first.bind(db),
      async batch(statements) {
        sizes.push(...statements.flatMap(({ params }) => params.map((value) => Buffer.byteLength(String(value)))));
        return db.batch(statements);
      },
    };
    await sweepLinks(watched, Date.now());
    expect([await count('link_checks'), await count('destination_checks')]).toEqual([400, 400]);
    // What D1 accepts in a parameter.
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000_000);
  });

  it('a client whose links cannot be written does not keep those of others from being checked', async () => {
    const [broken, owner] = [await open(), await open()];
    const origin = await openOrigin({ '/a': {}, '/b': {} });
    await checked(broken, `${origin.url}/a`);
    await checked(owner, `${origin.url}/b`);
    await env.DB.exec(
      `CREATE TRIGGER broken BEFORE INSERT ON link_checks WHEN NEW.client_id = '${broken.tenant.clientId}' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    );
    try {
      await runPass();
    } finally {
      await env.DB.exec('DROP TRIGGER broken');
    }
    expect((await origin.lines()).toSorted()).toEqual(['GET /robots.txt', 'HEAD /b']);
    await pass(2 * 3_600_000);
    await runPass();
    expect(await origin.lines()).toContain('HEAD /a');
  });

  it('the clients are read a page each, so that one with many links delays no other', async () => {
    const [large, small] = [await open(), await open()];
    await insertLinks(large.tenant.clientId, 11_000, `'https://example.com/'`);
    await sweepLinks(db, Date.now());
    await checked(small, 'https://example.com/small');
    await sweepLinks(db, Date.now());
    expect(await rowsOf()).toMatchObject([{ client_id: large.tenant.clientId }, { client_id: small.tenant.clientId }]);
  });

  it('three hosts are asked at a time', async () => {
    const owner = await open();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await checked(owner, `https://${name}.example/`);
    let [now, most] = [0, 0];
    const guard = async () => {
      most = Math.max(most, ++now);
      await waitReally(20);
      now -= 1;
      return 'refused' as const;
    };
    await checkDestinations(db, { guard, checkConnection: async () => {}, about: null, paceMs: 0 }, Date.now());
    expect([most, (await rowsOf()).filter((row) => row['checked_at'] !== null).length]).toEqual([3, 6]);
  });

  it('two runs at a time request each destination once and send one event', async () => {
    const owner = await openWithHook(only);
    const origin = await openOrigin();
    await checked(owner, `${origin.url}/a`);
    await Promise.all([runPass(), runPass()]);
    expect((await origin.lines()).filter((line) => line === 'HEAD /a')).toHaveLength(1);
    await pass(DAY_MS);
    await Promise.all([runPass(), runPass()]);
    expect((await origin.lines()).filter((line) => line === 'HEAD /a')).toHaveLength(2);
    expect((await eventsOf(owner.clientId)).map(({ type }) => type)).toEqual(['link.unhealthy']);
  });

  it('a run that was interrupted is continued after ten minutes', async () => {
    const owner = await open();
    const origin = await openOrigin();
    await checked(owner, `${origin.url}/a`);
    await runPass();
    // What a run leaves that took the host and ended.
    await env.DB.prepare('UPDATE checked_hosts SET due_at = 0, not_before_at = ?')
      .bind(Date.now() + 600_000)
      .run();
    await env.DB.prepare('UPDATE destination_checks SET due_at = 0').run();
    const lines = await origin.lines();
    await runPass();
    expect(await origin.lines()).toEqual(lines);
    await pass(600_000);
    await runPass();
    expect((await origin.lines()).length).toBeGreaterThan(lines.length);
  });
});
