import { describe, expect, it } from 'vitest';
import { BROWSERS, SYSTEMS } from '../../../../src/clicks/visitor-names.ts';
import type { VisitorSource } from '../../../../src/links/routes/visitor.ts';
import { CHROME, FIREFOX, GOOGLEBOT, SLACK } from '../../../support/clicks.ts';
import { holds, parseCondition } from '../../../support/visitors.ts';

/** The conditions that one fact of a visitor is among some values. */

const IPAD =
  'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Version/16.6 Mobile/15E148 Safari/604.1';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const TV =
  'Mozilla/5.0 (SMART-TV; Linux; Tizen 2.3) AppleWebKit/538.1 (KHTML, like Gecko) SamsungBrowser/1.0 TV Safari/538.1';

interface Case {
  readonly type: string;
  readonly values: readonly string[];
  readonly fitting: readonly Partial<VisitorSource>[];
  readonly other: readonly Partial<VisitorSource>[];
}

const CASES: readonly Case[] = [
  {
    type: 'country',
    values: ['DE', 'XK'],
    fitting: [{ country: 'DE' }, { country: 'XK' }, { country: 'de' }],
    other: [{ country: 'AT' }, { country: 'T1' }, { country: 'XX' }, { country: 'DEU' }, { country: '' }, {}],
  },
  {
    type: 'region',
    values: ['US-TX', 'GB-ENG', 'FR-75'],
    fitting: [
      { country: 'US', regionCode: 'TX' },
      { country: 'us', regionCode: 'tx' },
      { country: 'GB', regionCode: 'ENG' },
      { country: 'FR', regionCode: '75' },
    ],
    other: [
      { country: 'US', regionCode: 'CA' },
      { country: 'MX', regionCode: 'TX' },
      { country: 'US', regionCode: 'TX-A' },
      { country: 'US', regionCode: '' },
      { regionCode: 'TX' },
      { country: 'US' },
      {},
    ],
  },
  {
    type: 'address',
    values: ['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/33', '2001:db8:ffff::1/128'],
    fitting: [
      { address: '192.0.2.0' },
      { address: '192.0.2.255' },
      { address: '198.51.100.7' },
      { address: '::ffff:192.0.2.1' },
      { address: '::FFFF:c000:0201' },
      { address: '::192.0.2.1' },
      { address: '2001:db8::' },
      { address: '2001:DB8:7fff:ffff:ffff:ffff:ffff:ffff' },
      { address: '2001:db8:0:0::1%eth0' },
      { address: '2001:0db8:ffff:0000:0000:0000:0000:0001' },
    ],
    other: [
      { address: '192.0.3.0' },
      { address: '192.0.1.255' },
      { address: '198.51.100.8' },
      { address: '2001:db8:8000::' },
      { address: '2001:db7:ffff::' },
      { address: '2001:db8:ffff::2' },
      { address: '192.0.2' },
      { address: '192.0.2.256' },
      { address: '192.0.2.1.' },
      { address: '2001:db8::1::' },
      { address: '2001:db8' },
      { address: '1:2:3:4:5:6:7:8:9' },
      { address: '2001:db8:0:0:0:0:0:0:0' },
      { address: 'unknown' },
      { address: '' },
      {},
    ],
  },
  {
    type: 'address',
    values: ['::/0'],
    fitting: [{ address: '::1' }, { address: '2001:db8::1' }],
    other: [{ address: '192.0.2.1' }, { address: '::ffff:192.0.2.1' }, {}],
  },
  {
    type: 'continent',
    values: ['EU', 'SA'],
    fitting: [{ continent: 'EU' }, { continent: 'EU', country: 'US' }, { country: 'DE' }, { country: 'BR' }],
    other: [
      { continent: 'AS' },
      { continent: 'AS', country: 'DE' },
      { continent: 'XX' },
      { country: 'US' },
      { country: 'T1' },
      {},
    ],
  },
  {
    type: 'device',
    values: ['mobile', 'tablet'],
    fitting: [{ userAgent: IPHONE }, { userAgent: IPAD }],
    other: [{ userAgent: CHROME }, { userAgent: GOOGLEBOT }, { userAgent: TV }, {}],
  },
  {
    type: 'os',
    values: ['iOS', 'Linux'],
    fitting: [{ userAgent: IPHONE }, { userAgent: FIREFOX }],
    other: [{ userAgent: CHROME }, { userAgent: GOOGLEBOT }, { userAgent: 'curl/8' }, {}],
  },
  {
    type: 'browser',
    values: ['Firefox', 'Safari'],
    fitting: [{ userAgent: FIREFOX }, { userAgent: IPHONE }],
    other: [{ userAgent: CHROME }, { userAgent: GOOGLEBOT }, {}],
  },
  {
    type: 'visitor',
    values: ['bot', 'preview'],
    fitting: [{ userAgent: GOOGLEBOT }, { userAgent: SLACK }, { userAgent: '' }, {}],
    other: [{ userAgent: CHROME }, { userAgent: FIREFOX }],
  },
  {
    type: 'referrer',
    values: ['example.com', 'news.example.org'],
    fitting: [
      { referrer: 'https://example.com/' },
      { referrer: 'http://EXAMPLE.com:8080/path?query#fragment' },
      { referrer: 'https://www.shop.example.com' },
      { referrer: 'https://example.com./' },
      { referrer: 'https://news.example.org/1' },
    ],
    other: [
      { referrer: 'https://example.org/' },
      { referrer: 'https://notexample.com/' },
      { referrer: 'https://example.com.evil.test/' },
      { referrer: 'https://evil.test/?https://example.com/' },
      { referrer: 'https://com/' },
      { referrer: 'android-app://example.com/' },
      { referrer: 'example.com' },
      { referrer: `https://${'a'.repeat(100_000)}.example.com/` },
      { referrer: 'https://' },
      { referrer: '' },
      {},
    ],
  },
  {
    type: 'language',
    values: ['de', 'pt-BR', 'zh-Hant'],
    fitting: [
      { languages: 'de' },
      { languages: 'de-AT,en;q=0.9' },
      { languages: 'DE-ch-1996' },
      { languages: 'pt-br' },
      { languages: 'zh-Hant-TW' },
      { languages: 'en;q=0.8, de;q=0.9' },
    ],
    other: [
      { languages: 'pt' },
      { languages: 'pt-PT,pt-BR' },
      { languages: 'den' },
      { languages: 'en,de' },
      { languages: 'zh-TW' },
      { languages: '*' },
      { languages: 'de;q=0' },
      { languages: '' },
      {},
    ],
  },
];

describe.each(CASES)('a condition about the $type', ({ type, values, fitting, other }) => {
  const all = (condition: object, visitors: readonly Partial<VisitorSource>[]) =>
    visitors.map((visitor) => [visitor, holds(condition, visitor)]);

  it('a condition with a list holds for visitors with one of its values, and for no others', () => {
    expect(all({ type, in: values }, fitting)).toEqual(fitting.map((visitor) => [visitor, true]));
    expect(all({ type, in: values }, other)).toEqual(other.map((visitor) => [visitor, false]));
  });

  it('a condition with a list and with not holds for all others, also if the fact is not known', () => {
    expect(all({ type, in: values, not: true }, fitting)).toEqual(fitting.map((visitor) => [visitor, false]));
    expect(all({ type, in: values, not: true }, other)).toEqual(other.map((visitor) => [visitor, true]));
  });

  it('a condition with a list is stored as it was sent, each value once', () => {
    expect(JSON.stringify(parseCondition({ in: [...values, ...values], not: true, type }))).toBe(
      JSON.stringify({ type, in: values, not: true }),
    );
    expect(JSON.stringify(parseCondition({ type, in: values }))).toBe(JSON.stringify({ type, in: values }));
  });
});

describe('the spelling of a value', () => {
  it.each([
    ['country', 'de', 'DE'],
    ['region', 'us-tx', 'US-TX'],
    ['address', '192.0.2.1', '192.0.2.1/32'],
    ['address', '192.0.2.77/24', '192.0.2.0/24'],
    ['address', '192.0.2.77/0', '0.0.0.0/0'],
    ['address', '2001:0DB8:0:0::1', '2001:db8::1/128'],
    ['address', '2001:db8:0:1:2:3:4:5/32', '2001:db8::/32'],
    ['address', '::ffff:192.0.2.1', '192.0.2.1/32'],
    ['address', '::ffff:192.0.2.1/120', '192.0.2.0/24'],
    ['continent', 'eu', 'EU'],
    ['device', 'Mobile', 'mobile'],
    ['os', 'ios', 'iOS'],
    ['os', 'MACOS', 'macOS'],
    ['browser', 'firefox', 'Firefox'],
    ['browser', 'MICROSOFT edge', 'Microsoft Edge'],
    ['visitor', 'Human', 'human'],
    ['referrer', 'WWW.Example.COM', 'www.example.com'],
    ['referrer', 'münchen.example', 'xn--mnchen-3ya.example'],
    ['referrer', 'example.com.', 'example.com'],
    ['language', 'DE', 'de'],
    ['language', 'en-gb', 'en-GB'],
    ['language', 'ZH-HANT-tw', 'zh-Hant-TW'],
    ['language', 'es-419', 'es-419'],
    ['language', 'en-us-x-ab', 'en-US-x-ab'],
    ['language', '*', '*'],
  ])('a value is stored in its one spelling: %s %s as %s', (type, sent, stored) => {
    expect(parseCondition({ type, in: [sent] })).toEqual({ type, in: [stored] });
    expect(parseCondition({ type, in: [sent, stored] })).toEqual({ type, in: [stored] });
  });

  it('every browser and every system of the click statistics is stored in its one spelling', () => {
    for (const [type, names] of [
      ['browser', BROWSERS],
      ['os', SYSTEMS],
    ] as const) {
      const list = [...names];
      expect(parseCondition({ type, in: list.map((name) => name.toUpperCase()) })).toEqual({ type, in: list });
    }
  });
});

describe('a value that does not exist', () => {
  const country = 'must be the code of a country (ISO 3166-1 alpha-2) such as DE.';
  const region = 'must be the code of a region (ISO 3166-2) such as US-TX.';
  const network = 'must be a network such as 192.0.2.0/24 or 2001:db8::/32.';
  const browser = 'must be the name of a browser such as Firefox.';
  const host = 'must be the name of a host such as example.com.';
  const language = 'must be a language such as de, or pt-BR, or *.';

  it.each([
    ['country', 'UK', country],
    ['country', 'Germany', country],
    ['country', '', country],
    // In capital letters these would be those of South Sudan and of Italy.
    ['country', 'ß', country],
    ['country', 'ıt', country],
    ['country', 'D'.repeat(100_000), country],
    ['region', 'TX', region],
    ['region', 'UK-ENG', region],
    ['region', 'US-TEXAS', region],
    ['region', 'US TX', region],
    ['region', 'US-', region],
    ['address', '192.0.2.0/33', network],
    ['address', '2001:db8::/129', network],
    ['address', '::ffff:192.0.2.1/95', network],
    ['address', '192.0.2.0/-1', network],
    ['address', '192.0.2.0/', network],
    ['address', '192.0.2', network],
    ['address', '192.0.2.010', network],
    ['address', '0xc0000201', network],
    ['address', 'fe80::1%eth0', network],
    ['address', 'example.com', network],
    ['address', '192.0.2.0/24 ', network],
    ['address', '1'.repeat(100_000), network],
    ['continent', 'XX', 'must be one of AF, AN, AS, EU, NA, OC, SA.'],
    ['device', 'phone', 'must be one of mobile, tablet, desktop.'],
    ['os', 'Linus', 'must be the name of an operating system such as Android.'],
    ['browser', 'constructor', browser],
    ['browser', ' Firefox', browser],
    ['visitor', 'people', 'must be one of human, bot, preview.'],
    ['referrer', 'https://example.com/', host],
    ['referrer', 'example.com/path', host],
    ['referrer', 'localhost', host],
    ['referrer', '192.0.2.1', host],
    ['referrer', `${'ä'.repeat(100_000)}.example`, host],
    ['language', 'english', language],
    ['language', 'en_GB', language],
    ['language', 'en-UK', language],
    ['language', 'zh-Hant-XY', language],
    ['language', 'de-*', language],
    ['language', 'de-', language],
    ['language', 'e', language],
    ['language', 'de-a', language],
    ['language', `de${'-abcdefgh'.repeat(20_000)}`, language],
  ])('a value that does not exist is refused: %s %s', (type, value, complaint) => {
    expect(() => parseCondition({ type, in: [value] })).toThrow(
      expect.objectContaining({ code: 'invalid_rules', message: `rules.0.if.0.in.0 ${complaint}` }),
    );
  });

  it.each([
    ['a number', [1], 'rules.0.if.0.in.0 must be a string.'],
    ['null', [null], 'rules.0.if.0.in.0 must be a string.'],
    ['none', [], 'rules.0.if.0.in must contain 1 to 250 values.'],
    ['too many', Array.from({ length: 251 }, () => 'DE'), 'rules.0.if.0.in must contain 1 to 250 values.'],
    ['a text', 'DE', 'rules.0.if.0.in must be an array.'],
  ])('a list of values is refused if it is %s', (_, values, message) => {
    expect(() => parseCondition({ type: 'country', in: values })).toThrow(
      expect.objectContaining({ code: 'invalid_rules', message }),
    );
  });
});

it('any language fits *, but none that is unknown', () => {
  const any = { type: 'language', in: ['*'] };
  expect(holds(any, { languages: 'sw' })).toBe(true);
  expect(holds(any, { languages: '*' })).toBe(false);
  expect(holds(any, {})).toBe(false);
});
