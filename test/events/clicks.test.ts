import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClickHooks, MAX_WAITING, REMEMBERED_MS } from '../../src/clicks/events/hooks.ts';
import { countPacks } from '../../src/clicks/count.ts';
import type { Pack } from '../../src/clicks/read-pack.ts';
import { PACE_BURST, PACE_MS } from '../../src/events/delivery-pace.ts';
import { CHROME, deliver, GOOGLEBOT, logged, packOf, TAKEN, toComeAgainIn } from '../support/clicks.ts';
import { db, seedLink, seedTenant, statistics } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { addWebhook, eventRowsOf, eventsOf } from '../support/webhooks.ts';

afterEach(() => void vi.restoreAllMocks());

async function seed(fields: Readonly<Record<string, string>> = {}) {
  const tenant = await seedTenant();
  return { tenant, link: await seedLink(tenant, fields), clientId: tenant.clientId };
}

/** Counts packs in an isolate of its own, which remembers no webhooks. */
const count = (packs: readonly Pack[], hooks = new ClickHooks()) =>
  countPacks({ db, statistics, failures: null, hooks }, packs);

const clicked = { events: ['link.clicked'] };

describe('link.clicked', () => {
  it('link.clicked is due later beyond a burst of its client', async () => {
    const { link, clientId } = await seed();
    const hook = await addWebhook(clientId, clicked);
    const hooks = new ClickHooks();
    const at = Date.now() + 60_000;
    for (let n = 0; n < PACE_BURST; n += 1) hooks.pace.next(clientId, at);
    await count([packOf(link, 150)], hooks);
    const { results } = await env.DB.prepare(
      'SELECT next_try_at FROM deliveries WHERE webhook_id = ? ORDER BY next_try_at',
    )
      .bind(hook)
      .all();
    expect(results).toEqual([{ next_try_at: at + PACE_MS }, { next_try_at: at + 2 * PACE_MS }]);
  });

  it('link.clicked has what statistics have, without addresses and user agents', async () => {
    const { link, clientId } = await seed();
    const hook = await addWebhook(clientId, clicked);
    const at = Date.now() - 1000;
    const pack = packOf(
      link,
      [
        { at, country: 'DE', referrer: 'news.example', language: 'de', clicks: 2, mark: 'anna0000' },
        { at, userAgent: GOOGLEBOT },
      ],
      { destinations: ['Germany'], sources: [['news', 'email', null]] },
    );
    expect(await deliver([pack])).toEqual(TAKEN);
    const [row, ...more] = await eventRowsOf(clientId);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ type: 'link.clicked', webhook_id: hook, happened_at: pack.at });
    const { results } = await env.DB.prepare('SELECT * FROM deliveries WHERE webhook_id = ?').bind(hook).all();
    const dispatchedAt = row!.dispatched_at;
    expect(results).toEqual([
      {
        webhook_id: hook,
        event_id: row!.id,
        created_at: dispatchedAt,
        tries: 0,
        next_try_at: dispatchedAt,
        delivered_at: null,
      },
    ]);
    expect(dispatchedAt).toBeGreaterThan(at);
    const human = {
      at: new Date(at).toISOString(),
      link_id: link.id,
      country: 'DE',
      referrer: 'news.example',
      device: 'desktop',
      os: 'Windows',
      browser: 'Chrome',
      language: 'de',
      kind: 'human',
      destination: 'Germany',
      via: 'news',
      utm_medium: 'email',
      utm_campaign: null,
    };
    const none = { country: null, referrer: null, device: null, os: null, browser: null, language: null };
    const plain = { via: 'link', utm_medium: null };
    expect(JSON.parse(row!.data)).toEqual({ clicks: [human, human, { ...human, ...none, ...plain, kind: 'bot' }] });
    expect(JSON.stringify(row)).not.toMatch(new RegExp(`anna0000|${CHROME.slice(0, 11)}`));
  });

  it('link.clicked is the same event however often a pack is delivered', async () => {
    const { link, clientId, tenant } = await seed();
    const hook = await addWebhook(clientId, clicked);
    const pack = packOf(link, [{ clicks: 250 }]);
    await count([pack]);
    const first = await eventRowsOf(clientId);
    const sizes = first.map(({ data }) => JSON.parse(data).clicks.length as number);
    expect(sizes.toSorted((a, b) => b - a)).toEqual([100, 100, 50]);
    const ofHook = env.DB.prepare('SELECT * FROM deliveries WHERE webhook_id = ? ORDER BY event_id').bind(hook);
    await env.DB.prepare('UPDATE deliveries SET next_try_at = NULL, delivered_at = 5 WHERE webhook_id = ?')
      .bind(hook)
      .run();
    const delivered = await ofHook.all();
    expect(delivered.results).toHaveLength(3);
    await count([pack, pack]);
    expect(await eventRowsOf(clientId)).toEqual(first);
    expect((await ofHook.all()).results).toEqual(delivered.results);
    const response = await call('/v1/stats', { headers: { 'X-API-Key': tenant.apiKey } });
    expect(await response.json()).toMatchObject({ total: 250 });
  });

  it('link.clicked has for each webhook the clicks of its links', async () => {
    const { tenant, link, clientId } = await seed({ tags: 'News' });
    const other = await seedLink(tenant);
    const stranger = await seed();
    const tag = await env.DB.prepare('SELECT id FROM tags WHERE client_id = ?').bind(clientId).first<string>('id');
    const [all, tagged, spring] = [
      await addWebhook(clientId, clicked),
      await addWebhook(clientId, { ...clicked, tagId: tag }),
      await addWebhook(clientId, { ...clicked, campaign: 'spring' }),
    ];
    await addWebhook(clientId, { ...clicked, campaign: 'autumn' });
    await addWebhook(clientId, { ...clicked, disabledAt: 1 });
    await addWebhook(clientId, { events: ['link.created'] });
    const pack = packOf(link, [{ link: 0 }, { link: 1 }, { link: 2 }], {
      links: [
        [link.id, clientId, null],
        [other.id, clientId, 'Spring'],
        [stranger.link.id, stranger.clientId, 'Spring'],
      ],
    });
    await count([pack]);
    const rows = await eventRowsOf(clientId);
    const sent = rows.map(({ webhook_id: hook, data }) => [
      hook,
      JSON.parse(data).clicks.map((click: { link_id: string }) => click.link_id),
    ]);
    expect(new Map(sent as never)).toEqual(
      new Map([
        [all, [link.id, other.id]],
        [tagged, [link.id]],
        [spring, [other.id]],
      ]),
    );
    expect(rows).toHaveLength(3);
    expect(await eventRowsOf(stranger.clientId)).toEqual([]);
  });

  it('link.clicked has the clicks of ten events at most for a pack, and says how many more there were', async () => {
    const { link, clientId } = await seed();
    await addWebhook(clientId, clicked);
    await count([packOf(link, [{ clicks: 950 }, { clicks: 70, referrer: 'a.example' }])]);
    const events = await eventsOf(clientId);
    expect(events).toHaveLength(10);
    expect(events.flatMap(({ data }) => data['omitted'] ?? [])).toEqual([20]);
    expect(events.every(({ data }) => (data['clicks'] as unknown[]).length === 100)).toBe(true);
  });

  it('link.clicked is recorded in parts that the database takes, however long referrers and names of destinations are', async () => {
    const { link, clientId } = await seed();
    for (let n = 0; n < 3; n++) await addWebhook(clientId, clicked);
    const batches = vi.spyOn(db, 'batch');
    const referrer = `${'a'.repeat(63)}.`.repeat(3) + 'b'.repeat(61);
    const pack = packOf(link, [{ clicks: 1000, referrer }], { destinations: ['\u{1f517}'.repeat(64)] });
    await count([pack]);
    const texts = batches.mock.calls.flat(2).flatMap(({ params }) => params ?? []);
    expect(Math.max(...texts.map((text) => Buffer.byteLength(String(text))))).toBeLessThan(2_000_000);
    expect(await eventRowsOf(clientId)).toHaveLength(30);
  });
});

describe('the consumer', () => {
  it('the consumer of clicks asks once in half a minute whether a client has a webhook', async () => {
    const { link, clientId } = await seed();
    const hooks = new ClickHooks();
    const asked = vi.spyOn(db, 'batch');
    const questions = () => asked.mock.calls.flat(2).filter(({ sql }) => /\bwebhooks\b/.test(sql)).length;
    await count([packOf(link, 1)], hooks);
    await count([packOf(link, 1)], hooks);
    expect(questions()).toBe(1);
    await addWebhook(clientId, clicked);
    vi.setSystemTime(Date.now() + REMEMBERED_MS);
    await count([packOf(link, 1)], hooks);
    vi.useRealTimers();
    expect(await eventRowsOf(clientId)).toHaveLength(1);
  });

  it('the consumer of clicks records no clicks for a webhook while too many of its deliveries wait', async () => {
    const { link, clientId } = await seed();
    const [full, other] = [await addWebhook(clientId, clicked), await addWebhook(clientId, clicked)];
    await env.DB.batch([
      env.DB.prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
          INSERT INTO events (id, client_id, type, happened_at, data, dispatched_at)
          SELECT ?1 || i, ?1, 'link.created', 1, '{}', 1 FROM n`,
      ).bind(clientId, MAX_WAITING),
      env.DB.prepare(
        `INSERT INTO deliveries (webhook_id, event_id, created_at, next_try_at)
          SELECT ?2, id, 1, 1 FROM events WHERE client_id = ?1`,
      ).bind(clientId, full),
    ]);
    const receiversOf = async () => {
      await count([packOf(link, 1)]);
      const rows = await eventRowsOf(clientId);
      return rows.flatMap(({ type, webhook_id: webhook }) => (type === 'link.clicked' ? [webhook ?? ''] : []));
    };
    expect(await receiversOf()).toEqual([other]);
    await env.DB.prepare('UPDATE deliveries SET next_try_at = NULL WHERE event_id = ?').bind(`${clientId}1`).run();
    expect((await receiversOf()).toSorted()).toEqual([full, other, other].toSorted());
  });

  it('the consumer of clicks gets a pack again whose events could not be recorded, and counts its clicks once', async () => {
    const { link, clientId, tenant } = await seed();
    await addWebhook(clientId, clicked);
    await env.DB.prepare(
      `CREATE TRIGGER broken BEFORE INSERT ON events WHEN new.client_id = '${clientId}'
        BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    ).run();
    const problems = logged();
    const pack = packOf(link, 3);
    expect(await deliver([pack])).toEqual(toComeAgainIn(5));
    expect(problems().map(({ event }) => event)).toEqual(['click_events_not_recorded']);
    await env.DB.prepare('DROP TRIGGER broken').run();
    expect(await eventRowsOf(clientId)).toEqual([]);
    expect(await deliver([pack])).toEqual(TAKEN);
    expect(await deliver([pack])).toEqual(TAKEN);
    const [event, ...more] = await eventsOf(clientId);
    expect([event?.data['clicks'], more]).toEqual([[expect.anything(), expect.anything(), expect.anything()], []]);
    const response = await call('/v1/stats', { headers: { 'X-API-Key': tenant.apiKey } });
    expect(await response.json()).toMatchObject({ total: 3 });
  });
});
