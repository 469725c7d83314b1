import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { blockHost, listBlockedHosts, unblockHost } from '../../src/targets/blocklist.ts';
import { carriedIpv4, carriedIpv4Of } from '../../src/targets/ipv4-forms.ts';
import { publishLinksTo } from '../../src/links/edit/publish-links-to.ts';
import { expectFailure, seedCaller } from '../support/forms.ts';
import { db, rowsOf, seedLink } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';

beforeEach(() => env.DB.prepare('DELETE FROM blocked_hosts').run());

const REFUSAL = 'blocked_host: url leads to a host that the operator of this service has blocked.';
const HOST = '192.0.2.7';
const FORMS = [
  'http://192.0.2.7/',
  'http://3221225991/',
  'http://[::ffff:192.0.2.7]/',
  'http://[::192.0.2.7]/',
  'https://[64:ff9b::192.0.2.7]:8443/x',
  'http://[2002:c000:0207::]/',
  'http://[2002:c000:207::1]/',
  'http://[2002:c000:207:0:1::]/',
  'http://[2002:c000:207:1:2:3:4:5]/',
  'http://[2002:c000:207:0:0:0:1:2]/',
];

const store = (...hosts: string[]) =>
  env.DB.batch(hosts.map((host) => env.DB.prepare('INSERT INTO blocked_hosts VALUES (?, 1)').bind(host)));

/** Blocks of an IPv4 address, as each version has stored them. */
const BLOCKS: readonly (readonly [how: string, block: () => Promise<unknown>])[] = [
  ['now', () => blockHost(db, HOST)],
  ['by a version that stored the address alone', () => store(HOST)],
  ['by a version that stored its IPv4-mapped form too', () => store(HOST, '[::ffff:c000:207]')],
  [
    'by a version that stored all forms',
    () =>
      store(HOST, '[::ffff:c000:207]', '[::c000:207]', '[64:ff9b::c000:207]', '[2002:c000:207:', '[2002:c000:207::'),
  ],
];

it.each(BLOCKS)('an IPv4 address blocked %s is blocked in every form', async (_how, block) => {
  const caller = await seedCaller();
  const links = [];
  for (const url of FORMS) links.push(await seedLink(caller, { url }));
  await block();
  expect(await listBlockedHosts(db)).toEqual([{ host: HOST, blockedAt: expect.any(Number) }]);
  expect((await publishLinksTo(db, env.LINKS, HOST, '')).links).toBeGreaterThanOrEqual(FORMS.length);
  const isolate = openIsolate();
  for (const [index, url] of FORMS.entries()) {
    const response = await isolate(`/${links[index]?.id}`);
    expect([url, response.status, response.headers.get('Location')]).toEqual([url, 403, null]);
    const form = { url, client_id: caller.clientId };
    await expectFailure(await call('/v1/links', { headers: { 'X-API-Key': caller.apiKey }, form }), 400, REFUSAL);
  }
  expect(await blockHost(db, HOST)).toBe(false);
  expect(await unblockHost(db, HOST)).toBe(true);
  expect(await rowsOf('blocked_hosts')).toEqual([]);
  await publishLinksTo(db, env.LINKS, HOST, '');
  const after = openIsolate();
  for (const { id } of links) expect((await after(`/${id}`)).status).toBe(302);
});

it('an IPv6 address blocked by an earlier version, which did not know its IPv4 address, can be unblocked', async () => {
  await store('[64:ff9b::c000:207]');
  const link = await seedLink(await seedCaller(), { url: 'http://[2001:db8::1]/' });
  expect((await openIsolate()(`/${link.id}`)).status).toBe(302);
  expect(await listBlockedHosts(db)).toEqual([{ host: '[64:ff9b::c000:207]', blockedAt: 1 }]);
  expect(await unblockHost(db, HOST)).toBe(true);
  expect(await rowsOf('blocked_hosts')).toEqual([]);
});

it.each([
  'http://192.0.2.8/',
  'http://[2002:c000:2070::1]/',
  'http://[2002:c000:20::1]/',
  'http://[2002:c000::207:1]/',
  'http://[2002:1:c000:207::]/',
  'http://[64:ff9b::192.0.2.8]/',
  'http://[64:ff9b::1:192.0.2.7]/',
  'http://[64:ff9b:1::192.0.2.7]/',
  'http://[::ffff:0:192.0.2.7]/',
  'http://[::1:192.0.2.7]/',
  'http://[2001:db8::192.0.2.7]/',
  'http://[::]/',
  'http://[2002::]/',
])('an IPv4 address that is blocked leaves %s alone', async (url) => {
  await blockHost(db, HOST);
  const link = await seedLink(await seedCaller(), { url });
  expect((await openIsolate()(`/${link.id}`)).status).toBe(302);
});

it('the database finds the same IPv4 address in a host name as the service', async () => {
  const group = fc.oneof(fc.constant(0), fc.constantFrom(1, 0x2002, 0xffff, 0x64, 0xff9b, 0xc000), fc.nat(0xffff));
  const addresses = fc.oneof(
    fc.tuple(group, group, group, group, group, group, group, group),
    fc.tuple(group, group).map(([high, low]) => [0, 0, 0, 0, 0, 0xffff, high, low]),
    fc.tuple(group, group).map(([high, low]) => [0, 0, 0, 0, 0, 0, high, low]),
    fc.tuple(group, group).map(([high, low]) => [0x64, 0xff9b, 0, 0, 0, 0, high, low]),
    fc.tuple(group, group, group).map(([high, low, last]) => [0x2002, high, low, 0, 0, 0, 0, last]),
  );
  const hosts = fc
    .sample(addresses, { numRuns: 3000, seed: 19 })
    .map((groups) => new URL(`http://[${groups.map((each) => each.toString(16)).join(':')}]/`).hostname)
    .concat('www.example.com', 'a.b', '1.2');
  const sql = `SELECT host, ${carriedIpv4Of('host')} AS ipv4 FROM (SELECT value AS host FROM json_each(?1))`;
  const [rows] = await db.batch<[{ host: string; ipv4: string | null }]>([{ sql, params: [JSON.stringify(hosts)] }]);
  // No machine has an address in 0.0.0.0/8 (RFC 6890).
  const reachable = (text: string | null) => (text !== null && /^[1-9]\d*(\.\d+){3}$/.test(text) ? text : null);
  expect(rows.map(({ host, ipv4 }) => [host, reachable(ipv4)])).toEqual(
    hosts.map((host) => [host, reachable(carriedIpv4(host))]),
  );
  expect(rows.filter(({ ipv4 }) => reachable(ipv4) !== null).length).toBeGreaterThan(500);
});
