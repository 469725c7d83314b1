import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { marksIn } from '../../src/clicks/pack.ts';
import { CHROME, clicksOf, deliver, FIREFOX, follow, GOOGLEBOT, holdQueue, packOf, SLACK } from '../support/clicks.ts';
import { rowsOf, seedLink, seedTenant } from '../support/seed.ts';
import { foldClicks, rowsOfObject } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Visit = readonly [address: string, userAgent?: string];

const ANNA: Visit = ['198.51.100.1'];
const BERT: Visit = ['198.51.100.2'];

/** A link, and what its info says of visitors; each visit comes to an isolate of its own. */
async function seed() {
  const tenant = await seedTenant();
  const link = await seedLink(tenant);
  return {
    link,
    visit: async (...visits: Visit[]) => {
      const held = holdQueue();
      // So that the clicks take the queue, where their marks are seen.
      await env.STATISTICS.getByName(tenant.clientId).expectClickWebhook();
      for (const [address, userAgent = CHROME] of visits)
        await follow(link, { 'CF-Connecting-IP': address, 'User-Agent': userAgent });
      await deliver(held);
      return held.flatMap((pack) => pack.groups.flatMap(marksIn));
    },
    clicks: () => clicksOf(tenant, link),
  };
}

describe('visitors_today', () => {
  it('visitors_today counts a visitor once, however often and through however many isolates they come', async () => {
    const { visit, clicks } = await seed();
    await visit(ANNA, ANNA);
    await visit(ANNA);
    expect(await clicks()).toMatchObject({ total: 3, visitors_today: 1 });
  });

  it('visitors_today counts another address, and another program at the same address, as others', async () => {
    const { visit, clicks } = await seed();
    await visit(ANNA, BERT, [ANNA[0], FIREFOX], ['2001:db8::1'], ['2001:db8::2']);
    expect(await clicks()).toMatchObject({ total: 5, visitors_today: 5 });
  });

  it('visitors_today counts a visitor once over the hours of a day', async () => {
    const { visit, clicks } = await seed();
    for (const time of ['00:00:00', '09:30:00', '23:59:59']) {
      vi.setSystemTime(`2026-05-20T${time}Z`);
      await visit(ANNA);
    }
    expect(await clicks()).toMatchObject({ total: 3, visitors_today: 1 });
  });

  it('visitors_today begins anew at midnight UTC', async () => {
    const { visit, clicks } = await seed();
    await visit(ANNA, BERT);
    vi.setSystemTime('2026-05-20T23:59:59.999Z');
    expect((await clicks()).visitors_today).toBe(2);
    vi.setSystemTime('2026-05-21T00:00:00Z');
    expect(await clicks()).toMatchObject({ total: 2, visitors_today: 0 });
    await visit(ANNA);
    expect(await clicks()).toMatchObject({ total: 3, visitors_today: 1 });
  });

  it('visitors_today is each link’s own', async () => {
    const [first, second] = [await seed(), await seed()];
    await first.visit(ANNA, BERT);
    await second.visit(ANNA);
    expect([(await first.clicks()).visitors_today, (await second.clicks()).visitors_today]).toEqual([2, 1]);
  });

  it('visitors_today knows people only: bots and previews have no mark in the object', async () => {
    const { link, visit, clicks } = await seed();
    await visit(['198.51.100.3', GOOGLEBOT], ['198.51.100.3', SLACK]);
    expect(await clicks()).toMatchObject({ total: 2, humans: 0, bots: 1, previews: 1, visitors_today: 0 });
    await visit(ANNA);
    await foldClicks(link.client_id);
    expect(await rowsOfObject(link.client_id, 'SELECT length(marks) AS bytes FROM visitor_marks')).toEqual([
      { bytes: 6 },
    ]);
  });

  it('visitors_today stays exact, and its row small, where the same few come again and again', async () => {
    const { link, clicks } = await seed();
    const marks = Array.from({ length: 40 }, (_, i) => String(i).padStart(8, 'visitors'));
    for (let i = 0; i < 40; i++)
      await deliver([
        packOf(
          link,
          marks.map((mark) => ({ mark })),
        ),
      ]);
    expect(await clicks()).toMatchObject({ total: 1600, visitors_today: 40 });
    await foldClicks(link.client_id);
    expect(await clicks()).toMatchObject({ total: 1600, visitors_today: 40 });
    expect(await rowsOfObject(link.client_id, 'SELECT length(marks) AS bytes FROM visitor_marks')).toEqual([
      { bytes: 240 },
    ]);
  });

  it('visitors_today is exact where hundreds come in the same hour', async () => {
    const { visit, clicks } = await seed();
    const crowd = Array.from({ length: 150 }, (_, i): Visit => [`198.51.100.${i}`]);
    await visit(...crowd, ...crowd.slice(0, 20));
    await visit(...crowd.slice(100));
    expect(await clicks()).toMatchObject({ total: 220, visitors_today: 150 });
  });
});

describe('the mark of a visitor', () => {
  it('the mark of a visitor is the same in all isolates on one day, and another one on the next', async () => {
    const { visit } = await seed();
    const today = await visit(ANNA, ANNA);
    vi.setSystemTime('2026-05-21T12:00:00Z');
    const tomorrow = await visit(ANNA, ANNA);
    expect([new Set(today).size, new Set(tomorrow).size]).toEqual([1, 1]);
    expect(today[0]).not.toBe(tomorrow[0]);
  });

  it('the mark of a visitor differs on every link, so that no visitor can be followed from one to the next', async () => {
    const [first, second] = [await seed(), await seed()];
    expect((await first.visit(ANNA))[0]).not.toBe((await second.visit(ANNA))[0]);
  });

  it('the mark of a visitor agrees also where many isolates meet the day at once', async () => {
    vi.setSystemTime('2026-06-01T00:00:00Z');
    const { link, clicks } = await seed();
    const held = holdQueue();
    await Promise.all(Array.from({ length: 8 }, () => follow(link, { 'CF-Connecting-IP': '198.51.100.1' })));
    await deliver(held);
    expect(await clicks()).toMatchObject({ total: 8, visitors_today: 1 });
    expect((await rowsOf('visitor_salts')).filter(({ day }) => day === '2026-06-01')).toHaveLength(1);
  });

  it('the mark of a visitor is created under a salt of 256 random bits, a new one each day', async () => {
    const { visit } = await seed();
    await visit(ANNA);
    vi.setSystemTime('2026-05-21T12:00:00Z');
    await visit(ANNA);
    const days = new Set(['2026-05-20', '2026-05-21']);
    const salts = (await rowsOf('visitor_salts')).filter(({ day }) => days.has(String(day)));
    expect(salts.map(({ salt }) => Buffer.from(String(salt), 'base64url').length)).toEqual([32, 32]);
    expect(new Set(salts.map(({ salt }) => salt)).size).toBe(2);
  });

  it('the mark of a visitor cannot be computed without the salt', async () => {
    const [{ visit }, other] = [await seed(), await seed()];
    const [mark] = await visit(ANNA);
    await env.DB.prepare('DELETE FROM visitor_salts').run();
    await other.visit(ANNA);
    expect((await visit(ANNA))[0]).not.toBe(mark);
  });
});
