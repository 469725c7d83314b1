import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { marksIn } from '../../src/clicks/pack.ts';
import { classifyVisitor } from '../../src/clicks/visitor.ts';
import { CHROME, clicksOf, deliver, FIREFOX, follow, GOOGLEBOT, holdQueue, packOf, SLACK } from '../support/clicks.ts';
import { rowsOf, seedLink, seedTenant } from '../support/seed.ts';

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
      for (const [address, userAgent = CHROME] of visits)
        await follow(link, { 'CF-Connecting-IP': address, 'User-Agent': userAgent });
      await deliver(held);
      return held.flatMap((pack) => pack.groups.flatMap(marksIn));
    },
    clicks: () => clicksOf(tenant, link),
  };
}

describe('visitors_today', () => {
  it('counts a visitor once, however often and through however many isolates they come', async () => {
    const { visit, clicks } = await seed();
    await visit(ANNA, ANNA);
    await visit(ANNA);
    expect(await clicks()).toMatchObject({ total: 3, visitors_today: 1 });
  });

  it('counts another address, and another program at the same address, as others', async () => {
    const { visit, clicks } = await seed();
    await visit(ANNA, BERT, [ANNA[0], FIREFOX], ['2001:db8::1'], ['2001:db8::2']);
    expect(await clicks()).toMatchObject({ total: 5, visitors_today: 5 });
  });

  it('counts a visitor once over the hours of a day', async () => {
    const { visit, clicks } = await seed();
    for (const time of ['00:00:00', '09:30:00', '23:59:59']) {
      vi.setSystemTime(`2026-05-20T${time}Z`);
      await visit(ANNA);
    }
    expect(await clicks()).toMatchObject({ total: 3, visitors_today: 1 });
  });

  it('begins anew at midnight UTC', async () => {
    const { visit, clicks } = await seed();
    await visit(ANNA, BERT);
    vi.setSystemTime('2026-05-20T23:59:59.999Z');
    expect((await clicks()).visitors_today).toBe(2);
    vi.setSystemTime('2026-05-21T00:00:00Z');
    expect(await clicks()).toMatchObject({ total: 2, visitors_today: 0 });
    await visit(ANNA);
    expect(await clicks()).toMatchObject({ total: 3, visitors_today: 1 });
  });

  it('is each link’s own', async () => {
    const [first, second] = [await seed(), await seed()];
    await first.visit(ANNA, BERT);
    await second.visit(ANNA);
    expect([(await first.clicks()).visitors_today, (await second.clicks()).visitors_today]).toEqual([2, 1]);
  });

  it('knows people only: bots and previews have no mark in the database', async () => {
    const { link, visit, clicks } = await seed();
    await visit(['198.51.100.3', GOOGLEBOT], ['198.51.100.3', SLACK]);
    expect(await clicks()).toMatchObject({ total: 2, humans: 0, bots: 1, previews: 1, visitors_today: 0 });
    await visit(ANNA);
    const marks = (await rowsOf('visitor_marks')).filter((row) => row['link_id'] === link.id);
    expect(marks.flatMap((row) => JSON.parse(String(row['marks'])) as unknown[])).toHaveLength(1);
  });

  it('stays exact, and its row small, where the same few come again and again', async () => {
    const { link, clicks } = await seed();
    const marks = Array.from({ length: 40 }, (_, i) => `visitor${String.fromCodePoint(65 + i)}`);
    for (let i = 0; i < 40; i++)
      await deliver([
        packOf(
          link,
          marks.map((mark) => ({ mark })),
        ),
      ]);
    expect(await clicks()).toMatchObject({ total: 1600, visitors_today: 40 });
    const row = (await rowsOf('visitor_marks')).find((row) => row['link_id'] === link.id);
    expect(String(row?.['marks']).length).toBeLessThan(5000);
  });

  it('is exact where hundreds come in the same hour', async () => {
    const { visit, clicks } = await seed();
    const crowd = Array.from({ length: 150 }, (_, i): Visit => [`198.51.100.${i}`]);
    await visit(...crowd, ...crowd.slice(0, 20));
    await visit(...crowd.slice(100));
    expect(await clicks()).toMatchObject({ total: 220, visitors_today: 150 });
  }, 30_000);
});

describe('the mark of a visitor', () => {
  it('is the same in all isolates on one day, and another one on the next', async () => {
    const { visit } = await seed();
    const today = await visit(ANNA, ANNA);
    vi.setSystemTime('2026-05-21T12:00:00Z');
    const tomorrow = await visit(ANNA, ANNA);
    expect([new Set(today).size, new Set(tomorrow).size]).toEqual([1, 1]);
    expect(today[0]).not.toBe(tomorrow[0]);
  });

  it('is another one on every link, so that nobody can be followed from one to the next', async () => {
    const [first, second] = [await seed(), await seed()];
    expect((await first.visit(ANNA))[0]).not.toBe((await second.visit(ANNA))[0]);
  });

  it('agrees also where many isolates meet the day at once', async () => {
    vi.setSystemTime('2026-06-01T00:00:00Z');
    const { link, clicks } = await seed();
    const held = holdQueue();
    await Promise.all(Array.from({ length: 8 }, () => follow(link, { 'CF-Connecting-IP': '198.51.100.1' })));
    await deliver(held);
    expect(await clicks()).toMatchObject({ total: 8, visitors_today: 1 });
    expect((await rowsOf('visitor_salts')).filter(({ day }) => day === '2026-06-01')).toHaveLength(1);
  });

  it('is made under a salt of 256 random bits, a new one each day', async () => {
    const { visit } = await seed();
    await visit(ANNA);
    vi.setSystemTime('2026-05-21T12:00:00Z');
    await visit(ANNA);
    const days = new Set(['2026-05-20', '2026-05-21']);
    const salts = (await rowsOf('visitor_salts')).filter(({ day }) => days.has(String(day)));
    expect(salts.map(({ salt }) => Buffer.from(String(salt), 'base64url').length)).toEqual([32, 32]);
    expect(new Set(salts.map(({ salt }) => salt)).size).toBe(2);
  });

  it('cannot be told without the salt', async () => {
    const [{ visit }, other] = [await seed(), await seed()];
    const [mark] = await visit(ANNA);
    await env.DB.prepare('DELETE FROM visitor_salts').run();
    await other.visit(ANNA);
    expect((await visit(ANNA))[0]).not.toBe(mark);
  });
});

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)';

describe('a user agent is told to be', () => {
  it.each([
    ['Chrome', 'Windows', 'desktop', CHROME],
    ['Chrome', 'macOS', 'desktop', `${MAC} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`],
    ['Chrome', 'Linux', 'desktop', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`],
    [
      'Chrome',
      'Chrome OS',
      'desktop',
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`,
    ],
    [
      'Chrome',
      'Android',
      'mobile',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`,
    ],
    ['Chrome', 'Android', 'tablet', `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`],
    ['Chrome', 'iOS', 'mobile', `${IPHONE} ${SAFARI} CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1`],
    [
      'Firefox',
      'Windows',
      'desktop',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ],
    ['Firefox', 'Linux', 'desktop', FIREFOX],
    ['Firefox', 'Android', 'mobile', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
    ['Firefox', 'iOS', 'mobile', `${IPHONE} ${SAFARI} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
    ['Safari', 'macOS', 'desktop', `${MAC} ${SAFARI} Version/18.5 Safari/605.1.15`],
    ['Safari', 'iOS', 'mobile', `${IPHONE} ${SAFARI} Version/18.5 Mobile/15E148 Safari/604.1`],
    [
      'Safari',
      'iOS',
      'tablet',
      `Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${SAFARI} Version/16.6 Mobile/15E148 Safari/604.1`,
    ],
    ['Microsoft Edge', 'Windows', 'desktop', `${CHROME} Edg/140.0.0.0`],
    [
      'Microsoft Edge',
      'Android',
      'mobile',
      `Mozilla/5.0 (Linux; Android 10; HD1913) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/140.0.0.0`,
    ],
    ['Opera', 'Windows', 'desktop', `${CHROME} OPR/120.0.0.0`],
    ['Vivaldi', 'Windows', 'desktop', `${CHROME} Vivaldi/7.5.3735.54`],
    [
      'Samsung Internet for Android',
      'Android',
      'mobile',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    ],
    [
      'Internet Explorer',
      'Windows',
      'desktop',
      'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    ],
    [
      'Amazon Silk',
      'Android',
      'tablet',
      `Mozilla/5.0 (Linux; Android 11; KFTRWI) ${WEBKIT} Silk/130.4.1 like Chrome/130.0.0.0 Safari/537.36`,
    ],
  ])('a person with %s on %s, %s', (browser, os, device, userAgent) => {
    expect(classifyVisitor(userAgent)).toEqual({ kind: 'human', browser, os, device });
  });

  it.each([
    GOOGLEBOT,
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) ${WEBKIT} Chrome/140.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
    'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/140.0.0.0 Safari/537.36`,
    'curl/8.9.1',
    'Wget/1.24.5',
    'python-requests/2.32.3',
    'Go-http-client/2.0',
    'okhttp/4.12.0',
    'node',
    'UptimeRobot/2.0',
    '',
    null,
  ])('a bot: %s', (userAgent) => {
    expect(classifyVisitor(userAgent)).toEqual({ kind: 'bot', browser: null, os: null, device: null });
  });

  it.each([
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    SLACK,
    'WhatsApp/2.23.20.0',
    'Twitterbot/1.0',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'TelegramBot (like TwitterBot)',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    `${MAC} ${SAFARI} Version/18.5 Safari/605.1.15 facebookexternalhit/1.1 Facebot Twitterbot/1.0`,
  ])('a link preview: %s', (userAgent) => {
    expect(classifyVisitor(userAgent)).toEqual({ kind: 'preview', browser: null, os: null, device: null });
  });

  it.each([
    `${IPHONE} ${SAFARI} Mobile/22F76 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBDV/iPhone15,2;FBSN/iOS;FBSV/18.5]`,
    `${IPHONE} ${SAFARI} Mobile/22F76 Instagram 390.0.0.28.85 (iPhone15,2; iOS 18_5; en_US; scale=3.00; 1179x2556)`,
    `Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) ${WEBKIT} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/520.0.0.0;]`,
  ])('a person in the browser of an app: %s', (userAgent) => {
    expect(classifyVisitor(userAgent)).toMatchObject({ kind: 'human', device: 'mobile' });
  });

  it.each([
    'Mozilla/5.0 (X11; ann at example) Acme/1.0 (build 7)',
    `${MAC.slice(0, -1)}; ann at example) Acme/1.0 Reader/2 (x)`,
    'Acme/1.0 ann-at-example Reader/2.0 (x)',
    `${'Acme'.repeat(80)}/1.0 (iPhone; ann at example)`,
  ])('a program of which no more is kept than a name: %s', (userAgent) => {
    const { kind, browser } = classifyVisitor(userAgent);
    expect(kind).toBe('human');
    expect(browser ?? '').toMatch(/^[^/()]{0,60}$/);
    expect(browser ?? '').not.toContain('ann');
  });
});
