import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHROME, FIREFOX, GOOGLEBOT, SLACK } from '../support/clicks.ts';
import { open } from '../support/manage.ts';
import { call, openIsolate, type Call } from '../support/service.ts';
import { countTrips, dropClicks } from '../support/trips.ts';
import { byPerson, fromEachStore, ledTo } from '../support/visits.ts';

/** Rules, variants and forwarded queries, as visitors meet them. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const [HOME, RULE] = ['https://example.com/home', 'https://example.com/rule'];
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

type Init = NonNullable<Parameters<Call>[1]>;

/** A visit that Cloudflare has located. */
const from = (cf: object): Init => ({ ...byPerson(), cf }) as Init;

describe('a rule', () => {
  const CASES: readonly (readonly [condition: object, fits: Init, other: Init])[] = [
    [{ type: 'country', in: ['DE', 'AT'] }, from({ country: 'AT' }), from({ country: 'CH' })],
    [
      { type: 'region', in: ['US-TX'] },
      from({ country: 'US', regionCode: 'TX' }),
      from({ country: 'MX', regionCode: 'TX' }),
    ],
    [
      { type: 'address', in: ['198.51.100.0/24', '2001:db8::/32'] },
      byPerson({ 'CF-Connecting-IP': '2001:db8:1::7' }),
      byPerson({ 'CF-Connecting-IP': '2001:db9::7', 'X-Forwarded-For': '198.51.100.1' }),
    ],
    [
      { type: 'address', in: ['198.51.100.7'], not: true },
      byPerson(),
      byPerson({ 'CF-Connecting-IP': '198.51.100.7' }),
    ],
    [{ type: 'continent', in: ['EU'] }, from({ country: 'CH', continent: 'EU' }), from({ continent: 'AS' })],
    [
      { type: 'language', in: ['de'] },
      byPerson({ 'Accept-Language': 'en;q=0.5, de-AT' }),
      byPerson({ 'Accept-Language': 'en, de' }),
    ],
    [{ type: 'device', in: ['mobile'] }, byPerson({ 'User-Agent': IPHONE }), byPerson()],
    [{ type: 'os', in: ['iOS'] }, byPerson({ 'User-Agent': IPHONE }), byPerson()],
    [{ type: 'browser', in: ['Firefox'] }, byPerson({ 'User-Agent': FIREFOX }), byPerson({ 'User-Agent': CHROME })],
    [{ type: 'visitor', in: ['bot'] }, byPerson({ 'User-Agent': GOOGLEBOT }), byPerson({ 'User-Agent': SLACK })],
    [
      { type: 'referrer', in: ['example.org'] },
      byPerson({ Referer: 'https://www.example.org/a' }),
      byPerson({ Referer: 'https://example.org.evil.example/' }),
    ],
    [{ type: 'country', in: ['DE'], not: true }, byPerson(), from({ country: 'DE' })],
  ];

  it.each(CASES)(
    'a rule of %j leads the visitors on whom it fits, and all others to the URL',
    async (condition, fits, other) => {
      const manager = await open();
      const id = await manager.make({ url: HOME, rules: [{ if: [condition], url: RULE }] });
      for (const [store, response] of Object.entries(await fromEachStore(`/${id}`, fits)))
        expect([store, ...ledTo(response)]).toEqual([store, 302, RULE]);
      expect(ledTo(await call(`/${id}`, other))).toEqual([302, HOME]);
    },
  );

  it('a rule can require a parameter, and an instant', async () => {
    const manager = await open();
    const rule = (condition: object) => ({ url: HOME, rules: [{ if: [condition], url: RULE }] });
    const asked = await manager.make(rule({ type: 'query', name: 'ref', in: ['a'] }));
    expect(ledTo(await call(`/${asked}?x&ref=a`))).toEqual([302, RULE]);
    expect(ledTo(await call(`/${asked}?ref=b`))).toEqual([302, HOME]);
    const timed = await manager.make(rule({ type: 'date', from: '2027-01-01T00:00:00Z' }));
    vi.setSystemTime('2026-12-31T23:59:59.999Z');
    expect(ledTo(await call(`/${timed}`))).toEqual([302, HOME]);
    vi.setSystemTime('2027-01-01T00:00:00Z');
    expect(ledTo(await call(`/${timed}`))).toEqual([302, RULE]);
  });

  it('a rule reads no store for visitors of other countries once the link is in memory', async () => {
    const manager = await open();
    const rules = [{ if: [{ type: 'country', in: ['DE'] }], url: RULE }];
    const id = await manager.make({ url: HOME, rules });
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    await isolate(`/${id}`);
    const trips = await countTrips();
    expect(ledTo(await isolate(`/${id}`, from({ country: 'DE' })))).toEqual([302, RULE]);
    expect(ledTo(await isolate(`/${id}`, from({ country: 'FR' })))).toEqual([302, HOME]);
    expect(trips()).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it('a rule is that of the edit for the next visitor, and none once it is cleared', async () => {
    const manager = await open();
    const rule = (url: string) => [{ if: [{ type: 'visitor', in: ['human'] }], url }];
    const id = await manager.make({ url: HOME, rules: rule(RULE) });
    expect(ledTo(await call(`/${id}`, byPerson()))).toEqual([302, RULE]);
    await manager.ask('PATCH', `/v1/links/${id}`, { rules: rule('https://example.com/other') });
    expect(ledTo(await call(`/${id}`, byPerson()))).toEqual([302, 'https://example.com/other']);
    await manager.ask('PATCH', `/v1/links/${id}`, { rules: null });
    expect(ledTo(await call(`/${id}`, byPerson()))).toEqual([302, HOME]);
  });
});

describe('variants', () => {
  it('the variants of a link are the same for a visitor in two isolates, and divide visitors by weight', async () => {
    const manager = await open();
    const id = await manager.make({
      variants: [
        { name: 'a', url: 'https://example.com/a', weight: 3 },
        { name: 'b', url: 'https://example.com/b', weight: 1 },
      ],
    });
    dropClicks();
    const isolates = [openIsolate({ MEMORY_SECONDS: '3600' }), openIsolate({ MEMORY_SECONDS: '3600' })];
    const choicesIn = (isolate: Call) =>
      Promise.all(
        Array.from({ length: 400 }, async (_, index) =>
          ledTo(
            await isolate(
              `/${id}`,
              byPerson({
                'CF-Connecting-IP': `198.51.100.${index % 250}`,
                DNT: '1',
                'User-Agent': `${CHROME} ${index}`,
              }),
            ),
          ),
        ),
      );
    const [one, other] = [await choicesIn(isolates[0]!), await choicesIn(isolates[1]!)];
    expect(other).toEqual(one);
    const toA = one.filter(([, location]) => location === 'https://example.com/a').length;
    // Of 400, 300 are expected; a share of these bounds is five standard deviations away.
    expect(toA).toBeGreaterThan(256);
    expect(toA).toBeLessThan(344);
  });
});

describe('forward_query', () => {
  it.each([
    ['keep', 'a=1&b=2&c=3'],
    ['override', 'b=2&a=x&c=3'],
  ])('forward_query appends the parameters of the visit to each destination: %s', async (mode, query) => {
    const manager = await open();
    const urlOf = (path: string) => `https://example.com/${path}?a=1&b=2#end`;
    const id = await manager.make({
      url: urlOf('home'),
      forward_query: mode,
      rules: [{ if: [{ type: 'visitor', in: ['bot'] }], url: urlOf('rule') }],
    });
    const located = (path: string) => [302, `https://example.com/${path}?${query}#end`];
    expect(ledTo(await call(`/${id}?a=x&c=3`, byPerson()))).toEqual(located('home'));
    expect(ledTo(await call(`/${id}?a=x&c=3`, byPerson({ 'User-Agent': GOOGLEBOT })))).toEqual(located('rule'));
  });

  it('forward_query never changes scheme, host, port or path of a destination, and never causes a 5xx', async () => {
    const manager = await open();
    const id = await manager.make({ url: 'https://example.com:8443/a', forward_query: 'override' });
    const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
    for (const query of [
      '?//evil.example',
      '?@evil.example/',
      '??x#@evil',
      '?\\\\evil.example',
      '?%0d%0aLocation:%20https://evil.example',
      '?%',
      '?%ff=%fe',
      `?${'a=1&'.repeat(3000)}`,
      '?a=%00&=&&==',
      "?'<script>",
    ]) {
      const [status, location] = ledTo(await isolate(`/${id}${query}`, byPerson()));
      const { origin, pathname } = new URL(location ?? '');
      expect([query, status, origin, pathname]).toEqual([query, 302, 'https://example.com:8443', '/a']);
    }
  });

  it('forward_query is off unless its owner says so', async () => {
    const manager = await open();
    const id = await manager.make({ url: HOME, redirect_status: 301 });
    expect(ledTo(await call(`/${id}?a=1`))).toEqual([301, HOME]);
  });
});
