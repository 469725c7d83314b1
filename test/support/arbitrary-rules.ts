import * as fc from 'fast-check';
import type { VisitorSource } from '../../src/links/routes/visitor.ts';
import { CHROME, FIREFOX, GOOGLEBOT, SLACK } from './clicks.ts';

/** Rules and visitors with few different values, so that conditions often hold. */

const AGENTS = [
  CHROME,
  FIREFOX,
  GOOGLEBOT,
  SLACK,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'curl/8.5.0',
  '',
];
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
];
const HOSTS = ['example.com', 'www.example.com', 'news.example.org', 'example.org', 'xn--mnchen-3ya.example'];
const NAMES = ['a', 'b', 'ref'];
const VALUES = ['', '1', 'x y', 'ü'];
const LANGUAGES = ['de', 'de-AT', 'en', 'en-GB', 'pt-BR', 'zh-Hant-TW'];

const some = <T>(...values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 });
const not = { not: fc.constant(true as const) };
const among = (type: string, ...values: readonly string[]) =>
  fc.record({ type: fc.constant(type), in: some(...values), ...not }, { requiredKeys: ['type', 'in'] });

const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true });
const time = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((pair) => pair.map((part) => String(part).padStart(2, '0')).join(':'));

const date = fc
  .tuple(
    fc.uniqueArray(instant, { minLength: 2, maxLength: 2, selector: Number }),
    fc.constantFrom(0, 1, 2),
    fc.boolean(),
  )
  .map(([instants, kind, isNot]) => {
    const [from, until] = instants.toSorted((one, other) => Number(one) - Number(other)).map((at) => at.toISOString());
    return {
      type: 'date',
      ...(kind !== 1 && { from }),
      ...(kind !== 2 && { until }),
      ...(isNot && { not: true }),
    };
  });

const hours = fc
  .record(
    {
      type: fc.constant('hours'),
      days: some('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'),
      from: time,
      until: time,
      tz: fc.constantFrom(...ZONES),
      ...not,
    },
    { requiredKeys: ['type', 'from', 'until', 'tz'] },
  )
  .filter(({ from, until }) => from !== until);

const query = fc.record(
  { type: fc.constant('query'), name: fc.constantFrom(...NAMES), in: some(...VALUES), ...not },
  { requiredKeys: ['type', 'name'] },
);

/** A condition as it may be sent. */
const arbitraryCondition = fc.oneof(
  among('country', 'DE', 'AT', 'US', 'BR'),
  among('region', 'US-TX', 'us-ca', 'DE-BE'),
  among('address', '192.0.2.0/24', '128.0.0.0/1', '2001:db8::/32', '8000::/1', '::/0', '0.0.0.0/0'),
  among('continent', 'EU', 'NA', 'SA'),
  among('language', 'de', 'de-at', 'en', 'pt-BR', 'zh-hant', '*'),
  among('device', 'mobile', 'tablet', 'desktop'),
  among('os', 'Windows', 'iOS', 'android', 'Linux'),
  among('browser', 'Chrome', 'firefox', 'Safari'),
  among('visitor', 'human', 'bot', 'preview'),
  among('referrer', ...HOSTS),
  query,
  date,
  hours,
);

/** A list of rules as it may be sent. */
export const arbitraryRules = fc.array(
  fc.record({
    if: fc.array(arbitraryCondition, { minLength: 1, maxLength: 3 }),
    url: fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] }),
  }),
  { minLength: 1, maxLength: 20 },
);

const weighted = fc
  .tuple(fc.constantFrom(...LANGUAGES, '*'), fc.constantFrom('', ';q=0', ';q=0.5', ';q=0.9', '; q=1.0'))
  .map((parts) => parts.join(''));

/** A visitor, as requests of browsers and programs show one. */
export const arbitraryVisitor: fc.Arbitrary<VisitorSource> = fc.record({
  country: fc.constantFrom('DE', 'AT', 'US', 'BR', 'T1', null),
  regionCode: fc.constantFrom('TX', 'ca', 'BE', null),
  continent: fc.constantFrom('EU', 'NA', null, null),
  referrer: fc.oneof(
    fc.constantFrom(null, '', 'android-app://example.com/', 'https://127.0.0.1/', 'https://com/'),
    fc.tuple(fc.constantFrom('', 'a.', 'x'), fc.constantFrom(...HOSTS)).map((parts) => `https://${parts.join('')}/p?q`),
  ),
  userAgent: fc.constantFrom(...AGENTS, null),
  languages: fc.oneof(
    fc.constant(null),
    fc.array(weighted, { maxLength: 4 }).map((choices) => choices.join(',')),
  ),
  address: fc.oneof(fc.constant(null), fc.ipV4(), fc.ipV6()),
  search: fc
    .array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)), { maxLength: 3 })
    .map((pairs) => `?${new URLSearchParams(pairs).toString()}`),
  at: instant.map(Number),
});

/** A visitor whose request has random texts, valid or not. */
export const hostileVisitor: fc.Arbitrary<VisitorSource> = fc.record({
  country: fc.option(fc.string({ unit: 'binary' })),
  regionCode: fc.option(fc.string({ unit: 'binary' })),
  continent: fc.option(fc.string({ unit: 'binary' })),
  referrer: fc.option(fc.string({ unit: 'binary' }).map((text) => `https://${text}`)),
  userAgent: fc.option(fc.string({ unit: 'binary', maxLength: 1000 })),
  languages: fc.option(fc.string({ unit: fc.constantFrom(...Array.from('ad-;q=0.19, *\t\0ä')), maxLength: 1000 })),
  address: fc.option(fc.string({ unit: fc.constantFrom(...Array.from('0af:.%/\0ä')) })),
  search: fc.string({ unit: 'binary' }),
  at: fc.oneof(fc.integer({ min: 0, max: 8.64e15 }), fc.nat()),
});
