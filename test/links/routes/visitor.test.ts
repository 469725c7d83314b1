import { describe, expect, it } from 'vitest';
import { VisitorFacts, type VisitorSource } from '../../../src/links/routes/visitor.ts';
import { CHROME, GOOGLEBOT } from '../../support/clicks.ts';
import { visitorOf } from '../../support/visitors.ts';

const SOURCE: VisitorSource = {
  country: 'de',
  regionCode: 'be',
  continent: null,
  referrer: 'https://News.example./front?page=1',
  userAgent: CHROME,
  languages: 'de-AT,de;q=0.9',
  address: '2001:db8:1:2:3::4',
  search: '?a=1&a=2',
  at: 1_800_000_000_000,
};

/** A visitor, and the list of what was read of its source. */
function openVisitor() {
  const read: string[] = [];
  const source = new Proxy(SOURCE, {
    get: (_, name) => {
      read.push(String(name));
      return SOURCE[name as keyof VisitorSource];
    },
  });
  return { visitor: new VisitorFacts(source), read };
}

const NAMES = [
  'at',
  'country',
  'region',
  'continent',
  'language',
  'languageRanges',
  'kind',
  'device',
  'os',
  'browser',
  'referrerHost',
  'referrerHosts',
  'parameters',
  'addressHextets',
  'identity',
] as const;

describe('the facts of a visitor', () => {
  it('the facts of a visitor are derived from what the request says', () => {
    const visitor = new VisitorFacts(SOURCE);
    expect(Object.fromEntries(NAMES.map((name) => [name, visitor[name]]))).toEqual({
      at: 1_800_000_000_000,
      country: 'DE',
      region: 'DE-BE',
      continent: 'EU',
      language: 'de-at',
      languageRanges: new Set(['de-at', 'de']),
      kind: 'human',
      device: 'desktop',
      os: 'Windows',
      browser: 'Chrome',
      referrerHost: 'news.example',
      referrerHosts: new Set(['news.example', 'example']),
      parameters: new Map([['a', new Set(['1', '2'])]]),
      addressHextets: [0x2001, 0xdb8, 1, 2, 3, 0, 0, 4],
      identity: `2001:db8:1:2::/64\n${CHROME}`,
    });
  });

  it('the facts of a visitor are null, or those of a program, if the request says nothing', () => {
    const visitor = visitorOf({});
    expect(Object.fromEntries(NAMES.map((name) => [name, visitor[name]]))).toEqual({
      at: 0,
      country: null,
      region: null,
      continent: null,
      language: null,
      languageRanges: new Set(),
      kind: 'bot',
      device: null,
      os: null,
      browser: null,
      referrerHost: null,
      referrerHosts: new Set(),
      parameters: new Map(),
      addressHextets: null,
      identity: '\n',
    });
  });

  it('the facts of a visitor are read from the request when they are first asked for, and once', () => {
    const { visitor, read } = openVisitor();
    expect(read).toEqual([]);
    const readFor = (name: (typeof NAMES)[number]) => {
      read.length = 0;
      expect(visitor[name]).toEqual(visitor[name]);
      return read.join(' ');
    };
    expect(Object.fromEntries(NAMES.map((name) => [name, readFor(name)]))).toEqual({
      at: 'at',
      country: 'country',
      region: 'regionCode',
      continent: 'continent',
      language: 'languages',
      languageRanges: '',
      kind: 'userAgent',
      device: '',
      os: '',
      browser: '',
      referrerHost: 'referrer',
      referrerHosts: '',
      parameters: 'search',
      addressHextets: 'address',
      identity: 'address',
    });
  });

  it('the facts of a visitor are read once, also if they are not known', () => {
    const read: string[] = [];
    const source = new Proxy(SOURCE, {
      get: (_, name) => {
        read.push(String(name));
        return name === 'search' ? '' : null;
      },
    });
    const visitor = new VisitorFacts(source);
    for (const name of [
      'country',
      'region',
      'continent',
      'language',
      'referrerHost',
      'browser',
      'addressHextets',
    ] as const) {
      expect([visitor[name], visitor[name]]).toEqual([null, null]);
    }
    expect(read).toEqual(['country', 'regionCode', 'continent', 'languages', 'referrer', 'userAgent', 'address']);
  });

  it('the facts of a visitor are those of the beginning of a long user agent, as in click statistics', () => {
    const filler = 'x'.repeat(400 - CHROME.length - 1);
    expect(visitorOf({ userAgent: `${CHROME} ${filler}${GOOGLEBOT.repeat(1000)}` }).kind).toBe('human');
    expect(visitorOf({ userAgent: `${CHROME} bot` }).kind).toBe('bot');
  });

  it('the facts of a visitor distinguish people by their address, and networks of IPv6, and their browsers', () => {
    const identity = (address: string, userAgent = CHROME) => visitorOf({ address, userAgent }).identity;
    expect(identity('2001:db8:1:2::1')).toBe(identity('2001:db8:1:2:ffff::2'));
    expect(identity('2001:db8:1:2::1')).not.toBe(identity('2001:db8:1:3::1'));
    expect(identity('192.0.2.1')).not.toBe(identity('192.0.2.2'));
    expect(identity('192.0.2.1')).not.toBe(identity('192.0.2.1', 'curl/8'));
    expect(identity('1'.repeat(100_000), '2'.repeat(100_000)).length).toBeLessThanOrEqual(501);
  });
});

describe('the language of the first choice', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de-at'],
    ['en;q=0.8,de', 'de'],
    ['en;q=0.8,fr;q=0.9,de;q=0.9', 'fr'],
    [' en ; q=0.5 ,\tde ; Q=0.501', 'de'],
    ['*', null],
    ['*,de;q=0.1', 'de'],
    ['*;q=1.000,en;q=0.001', 'en'],
    ['de;q=0,en;q=0.0,fr;q=0.1', 'fr'],
    ['de;q=0', null],
    ['de;q=0.0000,en;q=0.9999', null],
    ['de;q=2,en;q=-1,fr;q=x,it;q=,sv;q=1.5,da;level=1', null],
    ['de;q=.5,en;q=1.,fr', 'en'],
    ['de_AT', null],
    [',, ,de,', 'de'],
    ['zh-Hant-TW', 'zh-hant-tw'],
    ['', null],
    ['de\u00e4', null],
  ])('the language of the first choice of %j is %j', (languages, language) => {
    expect(visitorOf({ languages }).language).toBe(language);
  });

  it('the language of the first choice is that of the whole choices at the beginning of a long header', () => {
    const choices = Array.from({ length: 100 }, (_, index) => `aa-${index};q=0.1`).join();
    expect(choices.length).toBeGreaterThan(800);
    expect(visitorOf({ languages: `${choices},de` }).language).toBe('aa-0');
    expect(visitorOf({ languages: `de;q=0.05,${choices}` }).language).toBe('aa-0');
    expect(visitorOf({ languages: `${' '.repeat(396)}en,de-AT` }).language).toBe('en');
    expect(visitorOf({ languages: `${'a'.repeat(500)},de` }).language).toBe(null);
  });
});
