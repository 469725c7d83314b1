import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failD1 } from '../support/d1.ts';
import { open } from '../support/manage.ts';
import { openOperator } from '../support/operator.ts';
import { seedDomain } from '../support/seed.ts';
import { openIsolate, type Call } from '../support/service.ts';
import { dropClicks } from '../support/trips.ts';
import { byPerson, fromEachStore, ledTo } from '../support/visits.ts';

/** A blocked host ends a link for those visitors alone who would have been led there. */

afterEach(() => void vi.restoreAllMocks());

const HOME = 'https://example.com/home';
const newHost = () => `h-${crypto.randomUUID().slice(0, 8)}.example`;
const block = (host: string) =>
  env.DB.prepare('INSERT INTO blocked_hosts (host, blocked_at) VALUES (?, 1)').bind(host).run();
const inGerman = byPerson({ 'Accept-Language': 'de' });
const inEnglish = byPerson({ 'Accept-Language': 'en' });
const rulesTo = (url: string) => [{ if: [{ type: 'language', in: ['de'] }], url }];

/** Visits with German and with English. Returns both destinations. */
const outcomes = async (isolate: Call, url: string) => [
  ledTo(await isolate(url, inGerman)),
  ledTo(await isolate(url, inEnglish)),
];
const BLOCKED = [403, null];

describe('a link whose rule leads to a blocked host', () => {
  it('a link whose rule leads to a blocked host is 403 for the visitors whom the rule would lead there, and redirects all others, from every store', async () => {
    const [manager, host] = [await open(), newHost()];
    const id = await manager.make({ url: HOME, rules: rulesTo(`https://${host}/`) });
    await block(host);
    for (const [store, response] of Object.entries(await fromEachStore(`/${id}`, inGerman))) {
      expect([store, ...ledTo(response), await response.json()]).toEqual([
        store,
        403,
        null,
        {
          result: 'Failed',
          error: 'link_blocked: The operator of this service has blocked the host that this link leads to.',
        },
      ]);
    }
    expect(await outcomes(openIsolate(), `/${id}`)).toEqual([BLOCKED, [302, HOME]]);
  });

  it.each([
    ['a host below it', (host: string) => `https://www.${host}/a`, (host: string) => host],
    ['a port', (host: string) => `http://${host}:8080/?a`, (host: string) => host],
    ['a final dot', (host: string) => `https://${host}./`, (host: string) => host],
    ['capital letters', (host: string) => `HTTPS://${host.toUpperCase()}`, (host: string) => host],
    ['an umlaut', (host: string) => `https://ü.${host}/`, (host: string) => `xn--tda.${host}`],
    ['an IPv4 address', () => 'http://192.0.2.77:81/', () => '192.0.2.77'],
    ['an IPv6 address', () => 'http://[2001:db8::77]:81/', () => '[2001:db8::77]'],
    ['an IPv4 address within an IPv6 one', () => 'http://[::ffff:192.0.2.78]/', () => '192.0.2.78'],
  ])('a link whose rule leads to a blocked host is found by %s', async (_, urlOf, blockedOf) => {
    const [manager, host] = [await open(), newHost()];
    const id = await manager.make({ url: HOME, rules: rulesTo(urlOf(host)) });
    expect((await openIsolate()(`/${id}`, inGerman)).status).toBe(302);
    await block(blockedOf(host));
    expect(await outcomes(openIsolate(), `/${id}`)).toEqual([BLOCKED, [302, HOME]]);
  });

  it('a link whose rule leads to a blocked host redirects visitors whom a rule leads elsewhere while its own URL is blocked', async () => {
    const [manager, host] = [await open(), newHost()];
    const id = await manager.make({ url: `https://${host}/`, rules: rulesTo(HOME) });
    await block(host);
    expect(await outcomes(openIsolate(), `/${id}`)).toEqual([[302, HOME], BLOCKED]);
  });

  it('a link whose rule leads to a blocked host knows the hosts of the rules after an edit', async () => {
    const [manager, host] = [await open(), newHost()];
    await block(host);
    const id = await manager.make({ url: HOME, rules: rulesTo('https://example.com/de') });
    const refused = await manager.ask('PATCH', `/v1/links/${id}`, { rules: rulesTo(`https://${host}/`) });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'blocked_host: rules.0.url leads to a host that the operator of this service has blocked.' },
    });
    expect(await outcomes(openIsolate(), `/${id}`)).toEqual([
      [302, 'https://example.com/de'],
      [302, HOME],
    ]);
  });
});

it('a link with variants is 403 for the visitors of a blocked variant only', async () => {
  const [manager, host] = [await open(), newHost()];
  const variants = [`https://${host}/`, HOME].map((url) => ({ url, weight: 1 }));
  const id = await manager.make({ url: 'https://example.com/never', variants });
  dropClicks();
  const isolate = openIsolate({ MEMORY_SECONDS: '3600' });
  const visitors = Array.from({ length: 30 }, (_, index) => byPerson({ 'User-Agent': `Browser/${index}` }));
  const follow = async (through: Call) => {
    const found = [];
    for (const visitor of visitors) found.push(ledTo(await through(`/${id}`, visitor)));
    return found;
  };
  const before = await follow(isolate);
  await block(host);
  const after = await follow(openIsolate());
  expect(after).toEqual(before.map(([status, location]) => (location === HOME ? [status, location] : BLOCKED)));
  expect(new Set(after.map(([status]) => status))).toEqual(new Set([302, 403]));
});

describe('the operator’s commands', () => {
  it('the operator’s commands block and unblock a host of a rule, a variant and expired_url of hot links, in memory and in KV', async () => {
    const [manager, host, operator] = [await open(), newHost(), await openOperator({ MEMORY_SECONDS: '3600' })];
    const domain = await seedDomain(manager.tenant);
    const there = `https://www.${host}/`;
    const variants = [there, there].map((url) => ({ url, weight: 1 }));
    const links = [
      `/${await manager.make({ url: HOME, rules: rulesTo(there) })}`,
      `/${await manager.make({ url: HOME, variants })}`,
      `/${await manager.make({ url: there, rules: rulesTo(there) })}`,
    ];
    await manager.make({ url: HOME, rules: rulesTo(there), slug: 'a/b', custom_domain: domain });
    links.push(`https://${domain}/a/b`);
    const statuses = async (isolate: Call) => {
      const found = [];
      for (const link of links) found.push((await isolate(link, inGerman)).status);
      return found;
    };
    const publish = async () => (await operator.ask('publish-links-to', { host, after: '' })).json();
    const fromKv = async () => {
      vi.spyOn(console, 'error').mockReturnValue();
      failD1();
      const found = await statuses(openIsolate());
      vi.restoreAllMocks();
      return found;
    };
    expect(await statuses(operator.call)).toEqual([302, 302, 302, 302]);
    expect((await operator.ask('block-host', { host })).status).toBe(200);
    expect(await publish()).toEqual({ links: 4, after: null });
    expect(await statuses(operator.call)).toEqual([403, 403, 403, 403]);
    expect(await fromKv()).toEqual([403, 403, 403, 403]);
    expect((await operator.ask('unblock-host', { host })).status).toBe(200);
    expect(await publish()).toEqual({ links: 4, after: null });
    expect(await statuses(operator.call)).toEqual([302, 302, 302, 302]);
    expect(await fromKv()).toEqual([302, 302, 302, 302]);
  });

  it('the operator’s commands publish no link that leads elsewhere, or that is deleted', async () => {
    const [manager, host, operator] = [await open(), newHost(), await openOperator()];
    await manager.make({ url: HOME, rules: rulesTo(`https://not-${host}/`) });
    await manager.make({ url: HOME, rules: rulesTo(`https://example.com/?${host}`) });
    const id = await manager.make({ url: HOME, expired_url: `https://${host}/` });
    await manager.ask('DELETE', `/v1/links/${await manager.make({ url: HOME, expired_url: `https://${host}/` })}`);
    const cleared = await manager.make({ url: HOME, rules: rulesTo(`https://${host}/`) });
    await manager.ask('PATCH', `/v1/links/${cleared}`, { rules: null });
    expect(await (await operator.ask('publish-links-to', { host, after: '' })).json()).toEqual({
      links: 1,
      after: null,
    });
    expect(await env.LINKS.get(`/${id}`, 'json')).toMatchObject({ linkId: id });
  });
});
