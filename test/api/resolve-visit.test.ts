import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { blockHost, unblockHost } from '../../src/targets/blocklist.ts';
import { CHROME, FIREFOX, GOOGLEBOT, SLACK } from '../support/clicks.ts';
import { open } from '../support/manage.ts';
import { contentOfTables, db, seedDomain } from '../support/seed.ts';
import { shareOf } from '../support/share.ts';
import { countTrips } from '../support/trips.ts';
import {
  BLOCKED,
  IPHONE,
  resolve,
  RULES,
  VARIANTS,
  visit,
  type Fields,
  type Visit,
} from '../support/preview-visits.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await unblockHost(db, BLOCKED);
});

const VISITORS: readonly Visit[] = [
  {},
  { user_agent: CHROME },
  { user_agent: IPHONE, country: 'JP' },
  { user_agent: CHROME, country: 'at', language: 'en;q=0.3, de-AT;q=0.9' },
  { user_agent: CHROME, country: 'CH', language: 'de-CH' },
  { user_agent: FIREFOX, referrer: 'https://www.news.example/today?x=1', query: 'ref=a&ref=b' },
  { user_agent: FIREFOX, referrer: 'https://news.example.org/', query: '?ref=a' },
  { user_agent: CHROME, at: '2101-06-01T12:00:00Z' },
  { user_agent: CHROME, region: 'us-tx' },
  { user_agent: CHROME, region: 'US-CA', country: 'us' },
  { user_agent: CHROME, address: '198.51.100.9' },
  { user_agent: CHROME, address: '2001:db8:5:1::9' },
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
  ['of a link that begins later', { rules: RULES, starts_at: '2099-01-01T00:00:00Z' }],
  ['of a link that ends meanwhile', { rules: RULES, expires_at: '2099-01-01T00:00:00Z' }],
  ['that then leads elsewhere', { expires_at: '2099-01-01T00:00:00Z', expired_url: 'https://example.com/over' }],
  ['of a link with a preview', { rules: RULES, preview: { title: 'Sale' } }],
  ['of a link with a click limit', { rules: RULES, max_clicks: 1000 }],
  ['of a limited link with a preview', { max_clicks: 1000, preview: { title: 'Sale' } }],
];

describe('a preview visit', () => {
  it.each(shareOf(LINKS))('a preview visit gets what a real visit gets: %s', async (_name, fields) => {
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
    ['that begins later', { forward_path: true, starts_at: '2099-01-01T00:00:00Z' }, ['', 'more']],
  ])('a preview visit gets what a real visit gets on a custom domain: of a link %s', async (_name, fields, paths) => {
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
  ] as const)('a preview visit gets what a real visit gets of a link that is %s', async (reason, edit, status) => {
    const manager = await open();
    const id = await manager.make({ rules: RULES, expired_url: 'https://example.com/over' });
    if (edit === null) await manager.ask('DELETE', `/v1/links/${id}`);
    else await manager.ask('PATCH', `/v1/links/${id}`, edit);
    expect(await resolve(manager, id, {})).toMatchObject({ status, location: null, reason });
    expect(await visit(`/${id}`, {})).toEqual([status, null]);
  });

  it('a preview visit of a link whose domain is not verified gets nothing of it', async () => {
    const manager = await open();
    const host = await seedDomain(manager.tenant);
    const id = await manager.make({ custom_domain: host });
    await env.DB.prepare("UPDATE domains SET status = 'pending' WHERE host = ?").bind(host).run();
    expect(await resolve(manager, id, {})).toMatchObject({ status: 404, location: null, reason: 'domain' });
    expect(await visit(`https://${host}/${id}`, {})).toEqual([404, null]);
  });

  it('a preview visit is one round trip, which writes nothing and takes no click of the limit', async () => {
    const manager = await open();
    const id = await manager.make({ max_clicks: 1, rules: RULES });
    const before = await contentOfTables();
    const takes = vi.spyOn(env.LIMITS, 'getByName');
    const trips = await countTrips();
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
});
