import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { blockHost, unblockHost } from '../../src/targets/blocklist.ts';
import { CHROME, FIREFOX, GOOGLEBOT, SLACK } from '../support/clicks.ts';
import { failed, open, type Manager } from '../support/manage.ts';
import { contentOfTables, db, seedDomain } from '../support/seed.ts';
import { openIsolate, ORIGIN } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

const BLOCKED = 'blocked.example';

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await unblockHost(db, BLOCKED);
});

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

type Fields = Readonly<Record<string, unknown>>;

/** A visitor as the API takes it. */
interface Visit {
  readonly country?: string;
  readonly address?: string;
  readonly language?: string;
  readonly user_agent?: string;
  readonly referrer?: string;
  readonly query?: string;
  readonly path?: string;
  readonly at?: string;
}

interface Resolved {
  readonly status: number;
  readonly location: string | null;
  readonly reason: string;
  readonly takes_click: boolean;
  readonly destination: object;
  readonly rules: readonly object[];
  readonly visitor: object;
}

/** The same visitor at the short URL, through an isolate that remembers nothing. */
async function visit(shortUrl: string, visitor: Visit): Promise<[status: number, location: string | null]> {
  const { country, address, language, user_agent: agent, referrer, query = '', path = '', at } = visitor;
  const headers = Object.entries({
    'CF-Connecting-IP': address,
    'Accept-Language': language,
    'User-Agent': agent,
    Referer: referrer,
  }).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  const behind = `${path === '' || path.startsWith('/') ? '' : '/'}${path}`;
  const search = query === '' || query.startsWith('?') ? query : `?${query}`;
  if (at !== undefined) vi.setSystemTime(at);
  const init = { headers, ...(country !== undefined && { cf: { country } }) };
  const { status, headers: answered } = await openIsolate()(`${shortUrl}${behind}${search}`, init);
  vi.useRealTimers();
  return [status, answered.get('Location')];
}

const resolve = async ({ ask }: Manager, id: string, visitor: object): Promise<Resolved> => {
  const { status, body } = await ask<Resolved>('POST', `/v1/links/${id}/resolve`, visitor);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};

const RULES = [
  { name: 'phones', if: [{ type: 'os', in: ['iOS', 'Android'] }], url: 'https://phones.example/app' },
  {
    name: 'german',
    if: [
      { type: 'language', in: ['de'] },
      { type: 'country', in: ['CH'], not: true },
    ],
    url: 'https://example.com/de?own=1#part',
  },
  {
    name: 'news',
    if: [
      { type: 'referrer', in: ['news.example'] },
      { type: 'query', name: 'ref', in: ['a'] },
    ],
    url: 'https://example.com/news',
  },
  { name: 'later', if: [{ type: 'date', from: '2030-01-01T00:00:00Z' }], url: 'https://example.com/later' },
  { name: 'asia', if: [{ type: 'continent', in: ['AS'] }], url: 'https://blocked.example/' },
  { name: 'robots', if: [{ type: 'visitor', in: ['bot'] }], url: 'https://example.com/robots' },
];
const VARIANTS = [
  { name: 'one', url: 'https://example.com/1', weight: 1 },
  { name: 'two', url: 'https://example.com/2', weight: 1 },
];

const VISITORS: readonly Visit[] = [
  {},
  { user_agent: CHROME },
  { user_agent: IPHONE, country: 'JP' },
  { user_agent: CHROME, country: 'at', language: 'en;q=0.3, de-AT;q=0.9' },
  { user_agent: CHROME, country: 'CH', language: 'de-CH' },
  { user_agent: FIREFOX, referrer: 'https://www.news.example/today?x=1', query: 'ref=a&ref=b' },
  { user_agent: FIREFOX, referrer: 'https://news.example.org/', query: '?ref=a' },
  { user_agent: CHROME, at: '2031-06-01T12:00:00Z' },
  { user_agent: CHROME, country: 'JP' },
  { user_agent: GOOGLEBOT },
  { user_agent: SLACK },
  ...Array.from({ length: 8 }, (_, index) => ({ user_agent: CHROME, address: `192.0.2.${index}` })),
  { user_agent: CHROME, address: '2001:db8::1', query: "?own=2&a=b c&q='ü'#x" },
  { user_agent: CHROME, language: 'de', query: '?own=2&utm_source=x' },
];

const LINKS: readonly (readonly [name: string, fields: Fields])[] = [
  ['of a plain link', {}],
  ['of a link with rules and variants', { rules: RULES, variants: VARIANTS }],
  ['with a permanent redirect and its query', { rules: RULES, redirect_status: 308, forward_query: 'keep' }],
  ['whose query replaces that of the destination', { variants: VARIANTS, rules: RULES, forward_query: 'override' }],
  ['of a link that has a password', { rules: RULES, password: 'correct horse' }],
  ['of a link that begins later', { rules: RULES, starts_at: '2029-01-01T00:00:00Z' }],
  ['of a link that ends meanwhile', { rules: RULES, expires_at: '2029-01-01T00:00:00Z' }],
  ['that then leads elsewhere', { expires_at: '2029-01-01T00:00:00Z', expired_url: 'https://example.com/over' }],
  ['of a link with a preview', { rules: RULES, preview: { title: 'Sale' } }],
  ['of a link with a click limit', { rules: RULES, max_clicks: 1000 }],
  ['of a limited link with a preview', { max_clicks: 1000, preview: { title: 'Sale' } }],
];

describe('a made-up visit', () => {
  it.each(LINKS)('gets what a real visit gets: %s', async (_name, fields) => {
    const manager = await open();
    const id = await manager.make(fields);
    await blockHost(db, BLOCKED);
    for (const visitor of VISITORS) {
      const { status, location } = await resolve(manager, id, visitor);
      expect([visitor, status, location]).toEqual([visitor, ...(await visit(`/${id}`, visitor))]);
    }
  });

  it.each<[name: string, fields: Fields, paths: readonly string[]]>([
    ['that does not forward paths', {}, ['', '/', 'more', '/more/', '//', 'a!b', '?', 'more?']],
    [
      'that forwards paths',
      { forward_path: true, rules: RULES, forward_query: 'keep' },
      ['', '/', 'more', '/more/', '//', 'a b/ü', 'a;b', 'x/%2e%2e/y', 'x/%252e%252e/y', 'a%2Fb', 'a\\b'],
    ],
    ['that begins later', { forward_path: true, starts_at: '2029-01-01T00:00:00Z' }, ['', 'more']],
  ])('gets what a real visit gets on a custom domain: of a link %s', async (_name, fields, paths) => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    await env.DB.prepare('UPDATE domains SET not_found_url = ? WHERE host = ?')
      .bind('https://example.com/none', host)
      .run();
    const slug = 'über/uns';
    const id = await manager.make({ ...fields, custom_domain: host, slug, url: 'https://example.com/a?own=1' });
    for (const path of paths) {
      for (const visitor of [
        { path, user_agent: CHROME, query: 'x=1' },
        { path, user_agent: CHROME, language: 'de' },
      ]) {
        const { status, location } = await resolve(manager, id, visitor);
        const asRequested = path.replaceAll('?', '%3F');
        const real = await visit(`https://${host}/${slug}`, { ...visitor, path: asRequested });
        expect([visitor, status, location]).toEqual([visitor, ...real]);
      }
    }
  });

  it.each([
    ['disabled', { disabled: true }, 410],
    ['deleted', null, 410],
  ] as const)('gets what a real visit gets of a link that is %s', async (reason, edit, status) => {
    const manager = await open();
    const id = await manager.make({ rules: RULES, expired_url: 'https://example.com/over' });
    if (edit === null) await manager.ask('DELETE', `/v1/links/${id}`);
    else await manager.ask('PATCH', `/v1/links/${id}`, edit);
    expect(await resolve(manager, id, {})).toMatchObject({ status, location: null, reason });
    expect(await visit(`/${id}`, {})).toEqual([status, null]);
  });

  it('is answered with the conditions of all rules, and what is known of the visitor', async () => {
    const manager = await open();
    const id = await manager.make({ rules: RULES.slice(0, 2), variants: VARIANTS, max_clicks: 3 });
    const visitor = {
      country: 'ch',
      language: 'de-CH, en;q=0.5',
      user_agent: IPHONE,
      referrer: 'https://News.example/',
    };
    expect(await resolve(manager, id, visitor)).toEqual({
      status: 302,
      location: 'https://phones.example/app',
      reason: 'redirect',
      takes_click: true,
      destination: { by: 'rule', name: 'phones', url: 'https://phones.example/app' },
      rules: [
        {
          name: 'phones',
          holds: true,
          conditions: [{ type: 'os', holds: true, text: 'the operating system is iOS or Android' }],
        },
        {
          name: 'german',
          holds: false,
          conditions: [
            { type: 'language', holds: true, text: 'the language is German' },
            { type: 'country', holds: false, text: 'the country is not Switzerland' },
          ],
        },
      ],
      visitor: {
        kind: 'human',
        country: 'CH',
        continent: 'EU',
        language: 'de-ch',
        device: 'mobile',
        os: 'iOS',
        browser: 'Safari',
        referrer: 'news.example',
      },
    });
  });

  it.each<[reason: string, fields: Fields, visitor: Visit, outcome: object]>([
    ['redirect', {}, {}, { status: 302, location: 'https://example.com/' }],
    ['password', { password: 'correct horse', max_clicks: 1 }, { user_agent: CHROME }, { status: 200, location: null }],
    ['preview', { preview: { title: 'Sale' }, max_clicks: 1 }, { user_agent: SLACK }, { status: 200, location: null }],
    ['limit', { max_clicks: 1 }, { user_agent: GOOGLEBOT }, { status: 200, location: null }],
    ['not_started', { starts_at: '2029-01-01T00:00:00Z' }, {}, { status: 404, location: null }],
    ['path', {}, { path: 'more' }, { status: 404, location: null }],
    ['blocked', { rules: RULES }, { country: 'JP', user_agent: CHROME }, { status: 403, location: null }],
    [
      'expired',
      { expires_at: '2029-01-01T00:00:00Z', expired_url: 'https://example.com/over' },
      { at: '2029-01-01T00:00:00Z' },
      { status: 302, location: 'https://example.com/over' },
    ],
  ])('says the reason: %s', async (reason, fields, visitor, outcome) => {
    const manager = await open();
    const id = await manager.make(fields);
    await blockHost(db, BLOCKED);
    const { status, location, reason: said, takes_click } = await resolve(manager, id, visitor);
    expect({ status, location, reason: said, takes_click }).toEqual({ ...outcome, reason, takes_click: false });
  });

  it('of a link whose domain is not verified gets nothing of it', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    const id = await manager.make({ custom_domain: host });
    await env.DB.prepare("UPDATE domains SET status = 'pending' WHERE host = ?").bind(host).run();
    expect(await resolve(manager, id, {})).toMatchObject({ status: 404, location: null, reason: 'domain' });
    expect(await visit(`https://${host}/${id}`, {})).toEqual([404, null]);
  });

  it('is one round trip, which writes nothing and takes no click of the limit', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 1, rules: RULES });
    const before = await contentOfTables();
    const takes = vi.spyOn(env.LIMITS, 'getByName');
    const trips = countTrips();
    for (let times = 0; times < 3; times += 1) {
      expect(await resolve(manager, id, { user_agent: CHROME })).toMatchObject({
        reason: 'redirect',
        takes_click: true,
      });
    }
    expect(trips()).toEqual({ d1: 3, kvReads: 0, kvWrites: 0 });
    expect(takes).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    expect(await contentOfTables()).toEqual(before);
    expect(await visit(`/${id}`, { user_agent: CHROME })).toEqual([302, 'https://example.com/']);
  });

  it('needs only the permission to read links', async () => {
    const manager = await open();
    const id = await manager.make();
    const asked: (number | string)[] = [];
    for (const scope of ['links:read', 'links:write', 'stats:read']) {
      const made = await manager.ask('POST', '/v1/keys', { name: scope, scopes: [scope] });
      const headers = { 'X-API-Key': String(made.body['key']) };
      asked.push(scope, (await manager.ask('POST', `/v1/links/${id}/resolve`, {}, headers)).status);
    }
    expect(asked).toEqual(['links:read', 200, 'links:write', 403, 'stats:read', 403]);
  });

  it('of a link of another client is 404', async () => {
    const id = await (await open()).make();
    const { status, body } = await (await open()).ask('POST', `/v1/links/${id}/resolve`, {});
    expect([status, body]).toEqual([
      404,
      { result: 'Failed', error: 'not_found: There is no link with this id that you can access.' },
    ]);
  });

  it.each<readonly [visitor: object, error: string]>([
    [{ country: 'Germany' }, 'too_long: country must be at most 2 characters long.'],
    [{ country: 'UK' }, 'invalid_country: country must be the code of a country (ISO 3166-1 alpha-2) such as DE.'],
    [{ country: 'ß' }, 'invalid_country: country must be the code of a country (ISO 3166-1 alpha-2) such as DE.'],
    [{ address: '1.2.3' }, 'invalid_address: address must be an IP address such as 192.0.2.1 or 2001:db8::1.'],
    [{ address: '::1]/' }, 'invalid_address: address must be an IP address such as 192.0.2.1 or 2001:db8::1.'],
    [{ address: '1'.repeat(46) }, 'too_long: address must be at most 45 characters long.'],
    [{ language: 5 }, 'invalid_language: language must be a string.'],
    [{ language: 'x'.repeat(1001) }, 'too_long: language must be at most 1000 characters long.'],
    [{ user_agent: [] }, 'invalid_user_agent: user_agent must be a string.'],
    [{ user_agent: 'x'.repeat(1001) }, 'too_long: user_agent must be at most 1000 characters long.'],
    [
      { referrer: 'example.com' },
      'invalid_referrer: referrer must be an absolute http or https URL, such as https://example.com/page.',
    ],
    [{ referrer: `https://e.example/${'x'.repeat(2048)}` }, 'too_long: referrer must be at most 2048 characters long.'],
    [{ query: {} }, 'invalid_query: query must be a string.'],
    [{ query: 'x'.repeat(2049) }, 'too_long: query must be at most 2048 characters long.'],
    [{ path: 1 }, 'invalid_path: path must be a string.'],
    [{ path: 'x'.repeat(2049) }, 'too_long: path must be at most 2048 characters long.'],
    [{ at: 'tomorrow' }, 'invalid_at: at must be an ISO 8601 instant such as 2027-01-01T00:00:00Z.'],
    [{ city: 'Graz' }, 'unknown_field: There is no field "city" here. Leave it out.'],
  ])('is refused by its field: $1', async (visitor, error) => {
    const { make, ask } = await open();
    const { status, body } = await ask('POST', `/v1/links/${await make()}/resolve`, visitor);
    expect([status, body]).toEqual([400, { result: 'Failed', error }]);
  });

  it('is asked for by POST with JSON only', async () => {
    const { make, bearer, ask } = await open();
    const path = `/v1/links/${await make()}/resolve`;
    const get = await ask('GET', path);
    expect([get.status, get.headers.get('Allow'), get.body]).toEqual([
      405,
      'POST, OPTIONS',
      failed('method_not_allowed'),
    ]);
    const form = await openIsolate()(path, { headers: bearer, form: { country: 'AT' } });
    expect(form.status).toBe(415);
    expect(await form.json()).toEqual(failed('unsupported_media_type'));
    expect(new URL(path, ORIGIN).pathname).toBe(path);
  });
});
