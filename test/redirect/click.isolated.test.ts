import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { marksIn } from '../../src/clicks/pack.ts';
import { parseConfig } from '../../src/config/config.ts';
import { CHROME, clicksIn, clicksOf, deliver, follow, holdQueue } from '../support/clicks.ts';
import { failD1 } from '../support/d1.ts';
import { seedDomain, seedLink, seedTenant } from '../support/seed.ts';
import { call, openIsolate, ORIGIN } from '../support/service.ts';
import { foldClicks, rowsOfObject } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const VISITOR = { 'User-Agent': CHROME, 'CF-Connecting-IP': '198.51.100.7' };

async function seed(fields: Readonly<Record<string, string>> = {}) {
  const tenant = await seedTenant();
  return { tenant, link: await seedLink(tenant, fields) };
}

describe('a click', () => {
  it('a click is a GET that was redirected', async () => {
    const { tenant, link } = await seed();
    const held = holdQueue();
    expect((await follow(link, VISITOR)).status).toBe(302);
    await deliver(held);
    expect(await clicksOf(tenant, link)).toMatchObject({ total: 1, humans: 1, last_at: '2026-05-20T12:00:00.000Z' });
  });

  it('a click is counted through the queue, without anybody’s help', async () => {
    vi.useRealTimers();
    const { tenant, link } = await seed();
    for (let i = 0; i < 3; i++) expect((await call(`/${link.id}`, { headers: VISITOR })).status).toBe(302);
    await expect.poll(() => clicksOf(tenant, link)).toMatchObject({ total: 3, visitors_today: 1 });
  });

  it('a click counts on a custom domain', async () => {
    const tenant = await seedTenant();
    const host = await seedDomain(tenant);
    const link = await seedLink(tenant, { custom_domain: host });
    const held = holdQueue();
    expect((await openIsolate()(`https://${host}/${link.id}`, { headers: VISITOR })).status).toBe(302);
    await deliver(held);
    expect((await clicksOf(tenant, link)).total).toBe(1);
  });

  it('a click is known by country, referring host, language and program', async () => {
    const { tenant, link } = await seed();
    const held = holdQueue();
    const headers = { ...VISITOR, Referer: 'https://News.Example:8443/a?b#c', 'Accept-Language': 'de-AT,de;q=0.9' };
    await openIsolate()(`/${link.id}`, { headers, cf: { country: 'AT' } });
    await deliver(held);
    const keysBy = async (by: string) => {
      const path = `/v1/links/${link.id}/stats?by=${by}`;
      const response = await call(path, { headers: { 'X-API-Key': tenant.apiKey } });
      return (await response.json<{ rows: { key: string; total: number }[] }>()).rows
        .filter(({ total }) => total > 0)
        .map(({ key }) => key);
    };
    const dimensions = ['country', 'referrer', 'language', 'browser', 'os', 'device', 'hour'];
    expect(await Promise.all(dimensions.map(keysBy))).toEqual([
      ['AT'],
      ['news.example'],
      ['de'],
      ['Chrome'],
      ['Windows'],
      ['desktop'],
      ['2026-05-20T12:00:00Z'],
    ]);
  });

  it('a click counts where nothing is known of the visitor at all', async () => {
    const { tenant, link } = await seed();
    const held = holdQueue();
    expect((await openIsolate()(`/${link.id}`)).status).toBe(302);
    await deliver(held);
    expect(await clicksOf(tenant, link)).toMatchObject({ total: 1, bots: 1, visitors_today: 0 });
  });
});

describe('no click', () => {
  /** Whatever would be counted of one request, beside its answer. */
  async function recorded(path: string, init: { method?: string; headers?: Record<string, string> } = {}) {
    const held = holdQueue();
    const response = await openIsolate()(path, { ...init, headers: { ...VISITOR, ...init.headers } });
    return { status: response.status, clicks: clicksIn(held) };
  }

  it('a HEAD is no click, though it is redirected', async () => {
    const { link } = await seed();
    expect(await recorded(`/${link.id}`, { method: 'HEAD' })).toEqual({ status: 302, clicks: 0 });
  });

  it.each([
    ['Sec-Purpose', 'prefetch'],
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Sec-Purpose', 'prefetch;anonymous-client-ip'],
    ['Purpose', 'prefetch'],
    ['Purpose', 'preview'],
    ['Purpose', 'PREFETCH'],
    ['X-Moz', 'prefetch'],
    ['X-Purpose', 'preview'],
    ['x-purpose', 'Preview'],
    ['X-Purpose', 'preview, prefetch'],
    ['X-Purpose', 'instant'],
    ['X-FB-HTTP-Engine', 'Liger'],
    ['Sec-Purpose', 'Prefetch; Prerender'],
    ['Sec-Purpose', '"prefetch"'],
  ])('a page fetched ahead is no click: %s: %s', async (name, value) => {
    const { link } = await seed();
    expect(await recorded(`/${link.id}`, { headers: { [name]: value } })).toEqual({ status: 302, clicks: 0 });
    // The visitor then comes indeed.
    expect(await recorded(`/${link.id}`)).toEqual({ status: 302, clicks: 1 });
  });

  it('an address without a link, which is 404, is no click', async () => {
    expect(await recorded('/nosuchid')).toEqual({ status: 404, clicks: 0 });
  });

  it.each(['deleted_at', 'disabled_at', 'expires_at'])(
    'a link that ended by %s, which is 410, is no click',
    async (column) => {
      const { link } = await seed();
      await env.DB.prepare(`UPDATE links SET ${column} = ?2 WHERE id = ?1`)
        .bind(link.id, Date.now() - 1)
        .run();
      expect(await recorded(`/${link.id}`)).toEqual({ status: 410, clicks: 0 });
    },
  );

  it('a link that ended while it was remembered is no click', async () => {
    const { link } = await seed();
    const expiresAt = Date.now() + 5000;
    await env.DB.prepare('UPDATE links SET expires_at = ?2 WHERE id = ?1').bind(link.id, expiresAt).run();
    const held = holdQueue();
    const isolate = openIsolate();
    expect((await isolate(`/${link.id}`)).status).toBe(302);
    vi.setSystemTime(expiresAt);
    expect((await isolate(`/${link.id}`)).status).toBe(410);
    expect(clicksIn(held)).toBe(1);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('a %s, which is 405, is no click', async (method) => {
    const { link } = await seed();
    expect(await recorded(`/${link.id}`, { method })).toEqual({ status: 405, clicks: 0 });
  });

  it('a link that could not be looked up, which is 503, is no click', async () => {
    const { link } = await seed();
    failD1();
    expect(await recorded(`/${link.id}`)).toEqual({ status: 503, clicks: 0 });
  });
});

describe('a visitor who asks not to be tracked', () => {
  it.each([
    ['DNT', '1', 0],
    ['Sec-GPC', '1', 0],
    ['DNT', '0', 1],
  ])(
    'a visitor who asks not to be tracked is counted, and marked only if allowed: %s: %s',
    async (name, value, visitors) => {
      const { tenant, link } = await seed();
      const held = holdQueue();
      await follow(link, { ...VISITOR, [name]: value });
      await deliver(held);
      expect(await clicksOf(tenant, link)).toMatchObject({ total: 1, humans: 1, visitors_today: visitors });
      await foldClicks(link.client_id);
      expect(await rowsOfObject(link.client_id, 'SELECT 1 FROM visitor_marks')).toHaveLength(visitors);
      expect(held.flatMap((pack) => pack.groups.flatMap(marksIn))).toHaveLength(visitors);
    },
  );
});

describe('a visitor', () => {
  /** An isolate that knows the link already, and answers without waiting for what it deferred. */
  async function openImpatient(path: string) {
    const app = createApp(parseConfig({ ...env, CLICK_PACK_SECONDS: '1' }));
    const ask = async (headers: Readonly<Record<string, string>>, ctx = createExecutionContext()) => ({
      response: await app.fetch(new Request(`${ORIGIN}${path}`, { headers, redirect: 'manual' }), env, ctx),
      ctx,
    });
    const { ctx } = await ask({ ...VISITOR, Purpose: 'prefetch' });
    await waitOnExecutionContext(ctx);
    return ask;
  }

  it('a visitor gets the redirect before the click is packed and sent', async () => {
    const { link } = await seed();
    const ask = await openImpatient(`/${link.id}`);
    const order: string[] = [];
    vi.spyOn(env.CLICKS, 'send').mockImplementation(async () => {
      order.push('handed over');
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    });
    const { ctx } = await ask(VISITOR);
    order.push('answered');
    await waitOnExecutionContext(ctx);
    expect(order).toEqual(['answered', 'handed over']);
  });

  it('a visitor does not wait for a queue that never responds', async () => {
    const { tenant, link } = await seed();
    const ask = await openImpatient(`/${link.id}`);
    const { promise, reject } = Promise.withResolvers<never>();
    const send = vi.spyOn(env.CLICKS, 'send').mockReturnValue(promise);
    const { response, ctx } = await ask(VISITOR);
    expect([response.status, response.headers.get('Location')]).toEqual([302, 'https://example.com/']);
    await expect.poll(() => send.mock.calls.length).toBe(1);
    // The queue gives up after all: the click is counted without it.
    reject(new Error('Queue send failed: timeout'));
    await waitOnExecutionContext(ctx);
    expect(await clicksOf(tenant, link)).toMatchObject({ humans: 1, bots: 0, previews: 0 });
  });

  it('a visitor does not wait for a database that never responds', async () => {
    const { tenant, link } = await seed();
    const ask = await openImpatient(`/${link.id}`);
    const held = holdQueue();
    const { promise, reject } = Promise.withResolvers<never>();
    const batch = vi.spyOn(env.DB, 'batch').mockReturnValue(promise);
    const { response, ctx } = await ask(VISITOR);
    expect(response.status).toBe(302);
    await expect.poll(() => batch.mock.calls.length).toBe(1);
    reject(new Error('D1_ERROR: timeout'));
    await waitOnExecutionContext(ctx);
    batch.mockRestore();
    await deliver(held);
    expect(await clicksOf(tenant, link)).toMatchObject({ total: 1, visitors_today: 0 });
  });

  it('a visitor does not wait for the isolate to gather clicks', async () => {
    const { tenant, link } = await seed();
    const ask = await openImpatient(`/${link.id}`);
    const held = holdQueue();
    const { promise: gathered, resolve } = Promise.withResolvers<void>();
    const wait = scheduler.wait.bind(scheduler);
    vi.spyOn(scheduler, 'wait').mockImplementation((ms, options) => (ms === 1000 ? gathered : wait(ms, options)));
    const [first, second] = [await ask(VISITOR), await ask(VISITOR)];
    expect([first.response.status, second.response.status]).toEqual([302, 302]);
    await waitOnExecutionContext(first.ctx);
    expect(held.map((pack) => clicksIn([pack]))).toEqual([1]);
    resolve();
    await waitOnExecutionContext(second.ctx);
    expect(held.map((pack) => clicksIn([pack]))).toEqual([1, 1]);
    await deliver(held);
    expect(await clicksOf(tenant, link)).toMatchObject({ total: 2, visitors_today: 1 });
  });
});
