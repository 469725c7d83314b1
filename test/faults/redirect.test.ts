import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TIMEOUT_MS } from '../../src/bounds/timeouts.ts';
import { holdQueue } from '../support/clicks.ts';
import { countQueries, replaceD1 } from '../support/d1.ts';
import {
  breakD1,
  breakKv,
  D1_FAULTS,
  hang,
  KV_FAULTS,
  KV_GARBAGE,
  endFaults,
  stopTimers,
  type KvMethod,
} from '../support/faults.ts';
import { answerNearest } from '../support/replica.ts';
import { seedDomain, seedLink, seedTenant } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(endFaults);

const TARGET = 'https://example.com/now';
const OUTAGE = 'store_unavailable: The database is temporarily unavailable. Try again in a few seconds.';

/** A link that is in KV. */
async function seedHotLink() {
  const link = await seedLink(await seedTenant(), { url: TARGET });
  const isolate = openIsolate({ MEMORY_SECONDS: '0' });
  for (let i = 0; i < 2; i++) await isolate(`/${link.id}`);
  expect(await env.LINKS.get(`/${link.id}`)).toContain(TARGET);
  return link;
}

const METHODS: readonly (readonly [method: KvMethod])[] = [['get'], ['put'], ['delete']];

describe.each([...KV_FAULTS, ...KV_GARBAGE])('a KV that $name', (fault) => {
  it.each(METHODS)(
    'a fault of KV on %s leaves a link leading where it should, and an unknown one 404',
    async (method) => {
      holdQueue();
      const link = await seedHotLink();
      const isolate = openIsolate({ MEMORY_SECONDS: '0' });
      breakKv(fault, [method]);
      for (let i = 0; i < 3; i++) {
        const response = await isolate(`/${link.id}`);
        expect([response.status, response.headers.get('Location')]).toEqual([302, TARGET]);
      }
      expect((await isolate('/nosuchid')).status).toBe(404);
    },
  );

  it.each(METHODS)(
    'a fault of KV on %s keeps an edit, seen at once in the isolate that wrote it and in one that remembers nothing',
    async (method) => {
      holdQueue();
      const tenant = await seedTenant();
      const link = await seedLink(tenant);
      const isolate = openIsolate();
      breakKv(fault, [method]);
      const response = await isolate(`/v1/links/${link.id}`, {
        method: 'PATCH',
        headers: { 'X-API-Key': tenant.apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: TARGET }),
      });
      expect(response.status).toBe(200);
      expect((await isolate(`/${link.id}`)).headers.get('Location')).toBe(TARGET);
      endFaults();
      expect((await openIsolate()(`/${link.id}`)).headers.get('Location')).toBe(TARGET);
    },
  );
});

it.each(['put', 'delete'] as const)(
  'a KV whose %s fails is corrected by the check once it works again',
  async (method) => {
    holdQueue();
    const link = await seedHotLink();
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    const change =
      method === 'put'
        ? `UPDATE links SET url = '${TARGET}/2' WHERE id = ?`
        : 'DELETE FROM addresses WHERE link_id = ?';
    await env.DB.prepare(change).bind(link.id).run();
    breakKv(KV_FAULTS[0]!, [method]);
    await isolate(`/${link.id}`);
    vi.restoreAllMocks();
    holdQueue();
    expect(await env.LINKS.get(`/${link.id}`)).toContain(`"${TARGET}"`);
    vi.setSystemTime(Date.now() + 60_000);
    await isolate(`/${link.id}`);
    const cached = await env.LINKS.get<{ url: string }>(`/${link.id}`, 'json');
    expect(cached?.url).toBe(method === 'put' ? `${TARGET}/2` : undefined);
  },
);

describe.each(D1_FAULTS)('a D1 that $name', (fault) => {
  it('a fault of D1 leaves remembered and cached links, and gives others 503, as JSON and as a page, until D1 responds again', async () => {
    holdQueue();
    const [remembered, hot, cold] = [
      await seedLink(await seedTenant()),
      await seedHotLink(),
      await seedLink(await seedTenant()),
    ];
    const isolate = openIsolate();
    await isolate(`/${remembered.id}`);
    breakD1(fault);
    holdQueue();
    expect((await isolate(`/${hot.id}`)).status).toBe(302);
    const response = await isolate(`/${cold.id}`);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await response.json()).toEqual({ result: 'Failed', error: OUTAGE });
    const page = await isolate(`/${cold.id}`, { headers: { Accept: 'text/html' } });
    expect([page.status, page.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await page.text()).toContain('<h1>This link is temporarily unavailable</h1>');
    endFaults();
    holdQueue();
    expect((await isolate(`/${cold.id}`)).status).toBe(302);
    expect((await isolate(`/${remembered.id}`)).status).toBe(302);
  });

  it('a fault of D1 leaves a remembered link, which reads no store', async () => {
    holdQueue();
    const link = await seedLink(await seedTenant());
    const isolate = openIsolate();
    await isolate(`/${link.id}`, { method: 'HEAD' });
    breakD1(fault);
    breakKv(fault);
    const trips = await countTrips();
    expect((await isolate(`/${link.id}`, { method: 'HEAD' })).status).toBe(302);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(['/', '/robots.txt', '/favicon.ico', '/nosuchid'])(
    'a fault of D1 makes %s of a custom domain 503',
    async (path) => {
      const host = await seedDomain(await seedTenant());
      breakD1(fault);
      const response = await openIsolate()(`https://${host}${path}`);
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
      expect(await response.json()).toEqual({ result: 'Failed', error: OUTAGE });
    },
  );

  it.each(['/robots.txt', '/favicon.ico', '/', '/docs', '/changelog', '/changelog.rss', '/openapi.json'])(
    'a fault of D1 leaves %s of the service as it is',
    async (path) => {
      breakD1(fault);
      expect((await openIsolate()(path)).status).toBe(200);
    },
  );
});

describe('a store that hangs', () => {
  /** Lets a store hang, and notes when it is first asked. */
  function openHang() {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const call = () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
    return { asked, call };
  }

  it('a KV that hangs is replaced by D1 after a second', async () => {
    holdQueue();
    const link = await seedHotLink();
    stopTimers();
    const { asked, call } = openHang();
    vi.spyOn(env.LINKS, 'get').mockImplementation(call);
    const queries = await countQueries();
    const answering = openIsolate()(`/${link.id}`, { method: 'HEAD' });
    await asked;
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS.kvRead - 1);
    expect(queries()).toEqual({ primary: 0, nearest: 0 });
    await vi.advanceTimersByTimeAsync(1);
    expect((await answering).status).toBe(302);
    expect(queries()).toEqual({ primary: 0, nearest: 1 });
  });

  it.each([
    ['a visitor', 4000, TIMEOUT_MS.nearestDatabase + TIMEOUT_MS.redirectDatabase],
    ['a program', 8000, TIMEOUT_MS.database],
  ])('a D1 that hangs gives %s 503 after %i ms', async (who, stated, milliseconds) => {
    const { apiKey } = await seedTenant();
    stopTimers();
    const { asked, call } = openHang();
    replaceD1(call);
    const answering = openIsolate()(who === 'a visitor' ? '/nosuchid' : '/v1/links', {
      headers: { 'X-API-Key': apiKey },
    });
    let isAnswered = false;
    void answering.finally(() => (isAnswered = true));
    await asked;
    await vi.advanceTimersByTimeAsync(milliseconds - 1);
    expect(isAnswered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([(await answering).status, milliseconds]).toEqual([503, stated]);
  });

  it('a replica that hangs is replaced by the primary after a second', async () => {
    holdQueue();
    const link = await seedLink(await seedTenant(), { url: TARGET });
    stopTimers();
    const { asked, call } = openHang();
    answerNearest(call);
    const queries = await countQueries();
    const answering = openIsolate()(`/${link.id}`, { method: 'HEAD' });
    await asked;
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS.nearestDatabase - 1);
    expect(queries()).toEqual({ primary: 0, nearest: 1 });
    await vi.advanceTimersByTimeAsync(1);
    expect((await answering).headers.get('Location')).toBe(TARGET);
    expect(queries()).toEqual({ primary: 1, nearest: 1 });
  });

  it('a store that hangs leaves no timer behind once it responds', async () => {
    const link = await seedHotLink();
    stopTimers();
    expect((await openIsolate()(`/${link.id}`, { method: 'HEAD' })).status).toBe(302);
    expect((await openIsolate()('/nosuchid')).status).toBe(404);
    expect(vi.getTimerCount()).toBe(0);
    await expect(Promise.race([hang(), Promise.resolve('nobody waits')])).resolves.toBe('nobody waits');
  });
});
