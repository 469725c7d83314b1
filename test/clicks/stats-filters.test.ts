import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHROME, deliver, FIREFOX, GOOGLEBOT, holdQueue, SLACK } from '../support/clicks.ts';
import { open } from '../support/manage.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { ask, clicked, foldClicks, humans, seedClicked, seedClicks, type SeedClick } from '../support/stats.ts';
import { openIsolate } from '../support/service.ts';
import { byPerson } from '../support/visits.ts';

beforeEach(() => void vi.setSystemTime('2026-03-31T12:00:00Z'));
afterEach(() => void vi.useRealTimers());

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const at = '2026-03-30T10:00:00Z';

/** Seven clicks, one of a phone in Germany that comes from t.co. */
const CLICKS: readonly SeedClick[] = [
  { at, country: 'DE', referrer: 't.co', agent: IPHONE, language: 'de' },
  { at, country: 'DE', referrer: 't.co', agent: FIREFOX, language: 'de' },
  { at, country: 'AT', referrer: 'news.example', agent: IPHONE, language: 'de' },
  { at, country: 'FR', referrer: 't.co', agent: IPHONE, language: 'fr' },
  { at: '2026-03-31T10:00:00Z', agent: FIREFOX },
  { at, country: 'DE', referrer: 't.co', agent: GOOGLEBOT },
  { at, country: 'AT', agent: SLACK },
];

describe('a filter', () => {
  it('a filter combines with others: mobile clicks of people from Germany or Austria, and from t.co', async () => {
    const { tenant } = await seedClicked(CLICKS);
    const query = 'country=DE&country=AT&referrer=t.co&device=mobile&visitor=human';
    expect(await ask(tenant, `/v1/stats?${query}&from=2026-03-29&to=2026-03-31`)).toEqual({
      status: 200,
      body: {
        by: 'day',
        tz: 'UTC',
        from: '2026-03-29',
        to: '2026-03-31',
        filtered_from: null,
        visitors: null,
        ...humans(1),
        rows: [
          { key: '2026-03-29', ...humans(0) },
          { key: '2026-03-30', ...humans(1) },
          { key: '2026-03-31', ...humans(0) },
        ],
        compare: null,
        cursor: null,
      },
    });
  });

  it.each([
    ['country=DE', 3],
    ['country=DE&country=AT', 5],
    ['country=DE&country=DE', 3],
    ['country=null', 1],
    ['country=null&country=FR', 2],
    ['country=DE&referrer=null', 0],
    ['referrer=null', 2],
    ['visitor=bot', 1],
    ['visitor=bot&visitor=preview', 2],
    ['visitor=bot&visitor=preview&visitor=human', 7],
    ['visitor=preview&country=AT', 1],
    ['browser=Firefox&os=Linux', 2],
    ['device=null', 2],
    ['language=de&browser=Safari', 2],
    ['destination=null', 7],
    ['campaign=null', 7],
    ['campaign=Spring', 0],
    ['country=other', 0],
    ['country=&country=AT&referrer=', 2],
    ['link=', 7],
  ])('a filter counts what has one of its values: %s', async (query, total) => {
    const { tenant, link } = await seedClicked(CLICKS);
    const totals = async () => {
      const responses = [await ask(tenant, `/v1/stats?${query}`), await ask(tenant, `/v1/stats?${query}&by=browser`)];
      if (!query.includes('link=')) responses.push(await ask(tenant, `/v1/links/${link.id}/stats?${query}&by=weekday`));
      return responses.map(({ status, body }) => [status, body['total'], body['filtered_from']]);
    };
    const expected = [200, total, null];
    for (const each of await totals()) expect(each).toEqual(expected);
    await foldClicks(tenant.clientId);
    for (const each of await totals()) expect(each).toEqual(expected);
  });

  it.each([
    ['country=de', 3],
    ['referrer=T.CO', 4],
    ['browser=firefox', 2],
    ['browser=FIREFOX&os=lINUX', 2],
    ['os=ios', 3],
    ['device=Mobile', 3],
    ['language=DE', 3],
    ['visitor=Human', 5],
    ['browser=Other', 0],
  ])('a filter ignores the case of letters: %s', async (query, total) => {
    const { tenant } = await seedClicked(CLICKS);
    const { status, body } = await ask(tenant, `/v1/stats?${query}`);
    expect([status, body['total']]).toEqual([200, total]);
  });

  it('a filter counts by what it filters too, and by all else', async () => {
    const { tenant } = await seedClicked(CLICKS);
    const by = async (name: string) => clicked(await ask(tenant, `/v1/stats?country=DE&country=null&by=${name}`));
    expect(await by('country')).toEqual([
      ['DE', 3],
      [null, 1],
    ]);
    expect(await by('device')).toEqual([
      ['desktop', 2],
      [null, 1],
      ['mobile', 1],
    ]);
    expect(await by('weekday')).toEqual([
      ['mon', 3],
      ['tue', 1],
    ]);
    expect(await by('destination')).toEqual([['default', 4]]);
  });

  const sentence = (field: string, rest: string) => `invalid_${field}: ${field} ${rest}.`;
  const values = (field: string, shape: string) => sentence(field, `must be ${shape}, or null for what is not known`);
  const refused: readonly [query: string, error: string][] = [
    ['country=DEU', values('country', 'a country code such as DE')],
    ['country=%20', values('country', 'a country code such as DE')],
    ['country=DE&country=Germany', values('country', 'a country code such as DE')],
    [`country=${'D'.repeat(8000)}`, values('country', 'a country code such as DE')],
    ['referrer=https://t.co/', values('referrer', 'a host such as example.com')],
    ['referrer=a%20b', values('referrer', 'a host such as example.com')],
    ['browser=%20Firefox', values('browser', 'the name of a browser such as Firefox')],
    [`os=${'x'.repeat(301)}`, values('os', 'the name of a system such as Android')],
    ['device=a1', values('device', 'a kind of device such as mobile')],
    ['language=german', values('language', 'a language such as de')],
    ['language=de-AT', values('language', 'a language such as de')],
    ['destination=%09', values('destination', 'the name of a destination')],
    [`campaign=${'x'.repeat(301)}`, values('campaign', 'the name of a campaign')],
    ['visitor=person', sentence('visitor', 'must be human, bot or preview')],
    ['visitor=null', sentence('visitor', 'must be human, bot or preview')],
    [`visitor=${'x'.repeat(8000)}`, sentence('visitor', 'must be human, bot or preview')],
    ['visitor=bot&visitor=bot&visitor=bot&visitor=bot', sentence('visitor', 'must be given at most 3 times')],
    [Array(51).fill('country=DE').join('&'), sentence('country', 'must be given at most 50 times')],
    [
      Array(111).fill('country=DE').join('&'),
      'too_long: The query may have at most 110 parameters. Leave out parameters that this endpoint does not accept.',
    ],
    [
      `browser=${'x'.repeat(8192)}`,
      'too_long: The query may have at most 8192 characters. Leave out parameters that this endpoint does not accept.',
    ],
  ];
  it('a filter that cannot be is refused with its name and what it may be', async () => {
    const tenant = await seedTenant();
    for (const [query, error] of refused) {
      const refusal = { status: 400, body: { result: 'Failed', error } };
      expect([query, await ask(tenant, `/v1/stats?${query}`)]).toEqual([query, refusal]);
    }
  });
});

describe('the filter of campaigns', () => {
  it('the filter of campaigns is about what links had when they were clicked, also beside the name of a campaign', async () => {
    const tenant = await seedTenant();
    const link = await seedLink(tenant);
    await seedClicks({ ...link, campaign_name: 'Spring' }, [{ at }, { at, country: 'DE' }]);
    await seedClicks({ ...link, campaign_name: ' Autumn' }, [{ at }]);
    await seedClicks(link, [{ at }]);
    const total = async (path: string) => (await ask(tenant, path)).body['total'];
    expect(await total('/v1/stats?campaign=Spring')).toBe(2);
    expect(await total('/v1/stats?campaign=spring')).toBe(0);
    expect(await total('/v1/stats?campaign=%20Autumn')).toBe(1);
    expect(await total('/v1/stats?campaign=Spring&campaign=null')).toBe(3);
    expect(await total('/v1/stats?campaign_name=Spring&campaign=Spring&country=DE')).toBe(1);
    expect(await total('/v1/stats?campaign_name=Spring&campaign=null')).toBe(0);
    expect(await total('/v1/campaigns/Spring/stats?campaign=%20Autumn')).toBe(0);
    expect(await total(`/v1/links/${link.id}/stats?campaign=Spring`)).toBe(2);
    for (const path of [`/v1/links/${link.id}/stats`, '/v1/stats', `/v1/stats`]) {
      expect(clicked(await ask(tenant, `${path}?by=campaign`))).toEqual([
        ['Spring', 2],
        [null, 1],
        [' Autumn', 1],
      ]);
    }
  });
});

describe('the filter by destination', () => {
  it('the filter by destination counts the clicks for which a rule, a variant or neither decided, by their names', async () => {
    const manager = await open();
    const destination = (name: string) => ({ name, url: `https://example.com/${name}` });
    const id = await manager.make({
      rules: [{ ...destination('Firefox'), if: [{ type: 'browser', in: ['Firefox'] }] }],
      variants: [
        { ...destination('A'), weight: 1 },
        { ...destination('B'), weight: 1 },
      ],
    });
    const plain = await manager.make({ rules: [{ ...destination('Bots'), if: [{ type: 'visitor', in: ['bot'] }] }] });
    const held = holdQueue();
    const isolate = openIsolate();
    const led = new Map<string, number>();
    for (const agent of [FIREFOX, FIREFOX, FIREFOX, CHROME, `${CHROME} 1`, `${CHROME} 2`, `${CHROME} 3`]) {
      const { headers } = await isolate(`/${id}`, byPerson({ 'User-Agent': agent }));
      const name = headers.get('Location')?.split('/').at(-1) ?? '';
      led.set(name, (led.get(name) ?? 0) + 1);
    }
    await isolate(`/${plain}`, byPerson());
    await deliver(held);
    const totalOf = async (path: string, query: string) =>
      (await ask(manager.tenant, `${path}?${query}`)).body['total'];
    for (const name of ['Firefox', 'A', 'B'])
      expect([name, await totalOf(`/v1/links/${id}/stats`, `destination=${name}`)]).toEqual([name, led.get(name) ?? 0]);
    expect(led.get('Firefox')).toBe(3);
    expect(await totalOf('/v1/stats', 'destination=A&destination=B')).toBe(4);
    expect(await totalOf('/v1/stats', 'destination=default')).toBe(1);
    expect(await totalOf('/v1/stats', 'destination=firefox')).toBe(0);
    expect(await totalOf('/v1/stats', 'destination=Firefox&browser=Chrome')).toBe(0);
  });
});
