import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { holdQueue, packsOf } from '../support/clicks.ts';
import { open } from '../support/manage.ts';
import { seedDomain } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';
import { byPerson, fromEachStore, ledTo, lock, setColumns } from '../support/visits.ts';

/** Links that are more than plain ones: with which status, and from when to when they redirect. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const SOON = () => new Date(Date.now() + 3_600_000).toISOString();
const OVER = 'https://example.com/over';

const HEADERS = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' };

describe('redirect_status', () => {
  it.each([301, 302, 307, 308])(
    'redirect_status is the status of the redirect, for GET and HEAD, from every store: %s',
    async (status) => {
      const manager = await open();
      const id = await manager.make({ url: 'https://example.com/a?b#c', redirect_status: status });
      const responses = await fromEachStore(`/${id}`);
      const head = await openIsolate()(`/${id}`, { method: 'HEAD' });
      for (const [store, response] of Object.entries({ ...responses, head })) {
        expect([store, response.status, Object.fromEntries(response.headers), await response.text()]).toEqual([
          store,
          status,
          { ...HEADERS, location: 'https://example.com/a?b#c' },
          '',
        ]);
      }
    },
  );

  it('redirect_status costs no store once the link is remembered', async () => {
    const manager = await open();
    const id = await manager.make({ redirect_status: 307 });
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    expect((await isolate(`/${id}`)).status).toBe(307);
    const trips = await countTrips();
    expect((await isolate(`/${id}`)).status).toBe(307);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });
});

describe('a link before its start', () => {
  it('a link before its start is like an unknown one, from every store', async () => {
    const manager = await open();
    const id = await manager.make({ starts_at: SOON() });
    const unknown = await openIsolate()('/no-such-link', byPerson());
    const whole = async (response: Response) => [
      response.status,
      Object.fromEntries(response.headers),
      await response.text(),
    ];
    const expected = await whole(unknown);
    for (const [store, response] of Object.entries(await fromEachStore(`/${id}`)))
      expect([store, ...(await whole(response))]).toEqual([store, ...expected]);
  });

  it('a link before its start refuses a form like an unknown one, also if it has a password', async () => {
    const manager = await open();
    const id = await manager.make({ starts_at: SOON() });
    await lock(id, 'open sesame');
    const init = { method: 'POST', body: new URLSearchParams({ password: 'open sesame' }) };
    for (const path of ['/no-such-link', `/${id}`])
      expect([path, (await call(path, init)).status]).toEqual([path, 405]);
  });

  it('a link before its start leads to the page that the domain has for unknown links', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    await env.DB.prepare(`UPDATE domains SET not_found_url = 'https://example.com/lost' WHERE host = ?`)
      .bind(host)
      .run();
    await manager.make({ slug: 'soon', custom_domain: host, starts_at: SOON() });
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    const held = holdQueue();
    for (const path of ['soon', 'unknown'])
      expect(ledTo(await isolate(`https://${host}/${path}`, byPerson()))).toEqual([302, 'https://example.com/lost']);
    expect(held).toEqual([]);
    const trips = await countTrips();
    expect(ledTo(await isolate(`https://${host}/soon`))).toEqual([302, 'https://example.com/lost']);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('a link before its start leads to the page of unknown links too if it comes from KV', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    await env.DB.prepare(`UPDATE domains SET not_found_url = 'https://example.com/lost' WHERE host = ?`)
      .bind(host)
      .run();
    const id = await manager.make({ slug: 'soon', custom_domain: host, starts_at: SOON() });
    const forgetful = openIsolate({ MEMORY_SECONDS: '0' });
    for (let visit = 0; visit < 2; visit++) await forgetful(`https://${host}/soon`);
    // By the state in the database, it would redirect.
    await setColumns(id, { starts_at: null });
    expect(ledTo(await openIsolate()(`https://${host}/soon`))).toEqual([302, 'https://example.com/lost']);
  });

  it('a link before its start begins at its very millisecond, also in memory', async () => {
    vi.setSystemTime('2026-05-20T12:00:00Z');
    const manager = await open();
    const startsAt = Date.now() + 1;
    const id = await manager.make({ starts_at: new Date(startsAt).toISOString() });
    expect((await call(`/${id}`)).status).toBe(404);
    vi.setSystemTime(startsAt - 1);
    expect((await call(`/${id}`)).status).toBe(404);
    vi.setSystemTime(startsAt);
    expect((await call(`/${id}`)).status).toBe(302);
  });
});

describe('expired_url', () => {
  const expired = { expires_at: Date.now() - 1 };

  it('expired_url is where an expired link leads, by a plain redirect that is no click, from every store', async () => {
    const manager = await open();
    const id = await manager.make({ expired_url: OVER, redirect_status: 308, forward_query: 'override' });
    await setColumns(id, expired);
    const held = holdQueue();
    for (const [store, response] of Object.entries(await fromEachStore(`/${id}?a=1`))) {
      expect([store, response.status, Object.fromEntries(response.headers)]).toEqual([
        store,
        302,
        { ...HEADERS, location: OVER },
      ]);
    }
    const head = await call(`/${id}`, { method: 'HEAD' });
    expect(ledTo(head)).toEqual([302, OVER]);
    expect(packsOf(held, id)).toEqual([]);
  });

  it('expired_url is not where a link leads that its owner has disabled or deleted', async () => {
    const manager = await open();
    for (const column of ['disabled_at', 'deleted_at']) {
      const id = await manager.make({ expired_url: OVER });
      await setColumns(id, { ...expired, [column]: 1 });
      expect([column, ...ledTo(await call(`/${id}`))]).toEqual([column, 410, null]);
    }
  });

  it('expired_url is 403 if its host is blocked, and changes nothing before the end', async () => {
    const manager = await open();
    const id = await manager.make({ url: 'https://example.com/', expired_url: 'https://bad-end.example/' });
    await env.DB.prepare(`INSERT INTO blocked_hosts (host, blocked_at) VALUES ('bad-end.example', 1)`).run();
    expect(ledTo(await openIsolate()(`/${id}`))).toEqual([302, 'https://example.com/']);
    await setColumns(id, expired);
    const response = await openIsolate()(`/${id}`);
    expect([...ledTo(response), await response.json()]).toEqual([
      403,
      null,
      {
        result: 'Failed',
        error: 'link_blocked: The operator of this service has blocked the host that this link leads to.',
      },
    ]);
  });

  it('expired_url is where the link leads after its end although its own host is blocked', async () => {
    const manager = await open();
    const id = await manager.make({ url: 'https://bad-start.example/', expired_url: OVER });
    await env.DB.prepare(`INSERT INTO blocked_hosts (host, blocked_at) VALUES ('bad-start.example', 1)`).run();
    expect((await openIsolate()(`/${id}`)).status).toBe(403);
    await setColumns(id, expired);
    expect(ledTo(await openIsolate()(`/${id}`))).toEqual([302, OVER]);
  });
});
