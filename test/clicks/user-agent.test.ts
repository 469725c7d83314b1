import { BROWSER_MAP, OS_MAP } from 'bowser';
import { describe, expect, it } from 'vitest';
import { BROWSERS, SYSTEMS } from '../../src/clicks/visitor-names.ts';
import { classifyVisitor } from '../../src/clicks/visitor.ts';
import { CHROME, FIREFOX, GOOGLEBOT, SLACK } from '../support/clicks.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)';

it('the browsers and systems that are distinguished are those of the parser', () => {
  expect(BROWSERS).toEqual(new Set(Object.values(BROWSER_MAP)));
  expect(SYSTEMS).toEqual(new Set(Object.values(OS_MAP)));
});

describe('the class of a user agent', () => {
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
  ])('a user agent is classified as a person with %s on %s, %s', (browser, os, device, userAgent) => {
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
  ])('a user agent is classified as a bot: %s', (userAgent) => {
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
  ])('a user agent is classified as a link preview: %s', (userAgent) => {
    expect(classifyVisitor(userAgent)).toEqual({ kind: 'preview', browser: null, os: null, device: null });
  });

  it.each([
    `${IPHONE} ${SAFARI} Mobile/22F76 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBDV/iPhone15,2;FBSN/iOS;FBSV/18.5]`,
    `${IPHONE} ${SAFARI} Mobile/22F76 Instagram 390.0.0.28.85 (iPhone15,2; iOS 18_5; en_US; scale=3.00; 1179x2556)`,
    `Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) ${WEBKIT} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/520.0.0.0;]`,
  ])('a user agent is classified as a person in the browser of an app: %s', (userAgent) => {
    expect(classifyVisitor(userAgent)).toMatchObject({ kind: 'human', device: 'mobile' });
  });

  it.each([
    [
      'iOS',
      'mobile',
      '[FBAN/FBIOS;FBAV/520.0.0.38.101;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.5;FBID/phone;FBLC/de_AT]',
    ],
    ['iOS', 'tablet', '[FBAN/FBIOS;FBAV/520.0;FBDV/iPad7,5;FBMD/iPad;FBSN/iPadOS;FBSV/18.5;FBID/tablet;FBLC/de_AT]'],
    ['iOS', 'mobile', '[FBAN/MessengerForiOS;FBAV/520.0;FBDV/iPhone13,2;FBSN/iOS;FBSV/18.5]'],
    ['iOS', 'tablet', '[FBAN/FBIOS;FBDV/iPad7,5]'],
    [
      'Android',
      'mobile',
      '[FBAN/FB4A;FBAV/520.0;FBMF/samsung;FBPN/com.facebook.katana;FBDV/SM-G960F;FBSV/10;FBOP/19;]',
    ],
    ['Android', 'mobile', '[FBAN/EMA;FBLC/pt_BR;FBAV/450.0;]'],
    ['Android', 'mobile', '[FBAN/Orca-Android;FBAV/520.0;FBPN/com.facebook.orca;FBSV/15;]'],
    ['Android', 'mobile', '[FB_IAB/FB4A;FBAV/520.0;IABMV/1;]'],
    [null, null, '[FBAN/New;FBAV/1.0]'],
    [null, null, '[FBAN/New;FBID/__proto__;FBSN/constructor]'],
  ])('a user agent is classified as a person on %s (%s) in an app of Facebook: %s', (os, device, userAgent) => {
    expect(classifyVisitor(userAgent)).toEqual({ kind: 'human', browser: null, os, device });
  });

  it.each(['[FBAN/FBIOS;FBDV/iPhone15,2] facebookexternalhit/1.1', 'facebookcatalog/1.0', 'meta-externalagent/1.1'])(
    'a user agent is no person in an app of Facebook: %s',
    (userAgent) => {
      expect(classifyVisitor(userAgent).kind).not.toBe('human');
    },
  );

  it.each([
    'Mozilla/5.0 (X11; ann at example) Acme/1.0 (build 7)',
    `${MAC.slice(0, -1)}; ann at example) Acme/1.0 Reader/2 (x)`,
    'Acme/1.0 ann-at-example Reader/2.0 (x)',
    `${'Acme'.repeat(80)}/1.0 (iPhone; ann at example)`,
  ])('a user agent is classified as a program that keeps no more than its name: %s', (userAgent) => {
    const { kind, browser } = classifyVisitor(userAgent);
    expect(kind).toBe('human');
    expect(browser ?? '').toMatch(/^[^/()]{0,60}$/);
    expect(browser ?? '').not.toContain('ann');
  });
});
