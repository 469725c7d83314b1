import { describe, expect, it } from 'vitest';
import { addActiveDomain } from '../../src/domains/domains.ts';
import { newHost, setDns } from '../support/domains.ts';
import { db, seedTenant } from '../support/seed.ts';
import { openOwner, refused, seedHost, seedWebhook, sendWebhook } from '../support/webhook-owners.ts';

const INNER =
  'invalid_url: url must lead to a host of the public internet, not to one of a private network or of this machine.';
const OWN = 'own_host: url leads to a host of this service, which would create a redirect loop. Use another URL.';

const PUBLIC = '8.8.8.8';

/** Spellings of hosts inside, and what they are. */
const LITERALS: [what: string, ...hosts: string[]][] = [
  [
    'loopback',
    'localhost',
    '127.0.0.1',
    '127.0.0.2',
    '127.1',
    '0x7f.1',
    '0x7f000002',
    '2130706434',
    '017700000002',
    '127.0.0.2.',
    '①②⑦.0.0.2',
  ],
  ['this host', '0.0.0.0', '0', '0.1.2.3', '[::]'],
  [
    'private networks',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '0xa000001',
    '167772161',
    '012.0.0.1',
  ],
  ['link-local, where clouds keep credentials', '169.254.169.254', '2852039166', '0xA9.0xFE.0xA9.0xFE', '[fe80::1]'],
  ['CGNAT', '100.64.0.1', '100.127.255.254'],
  ['multicast and broadcast', '224.0.0.1', '239.255.255.250', '255.255.255.255', '[ff02::1]', '[ff0e::1]'],
  [
    'special purposes',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '[2001:db8::1]',
  ],
  ['IPv6 loopback', '[::1]', '[0:0:0:0:0:0:0:1]', '[::2]'],
  ['unique local IPv6', '[fc00::1]', '[fd12:3456::1]', '[fec0::1]'],
  ['IPv4-mapped', '[::ffff:10.0.0.1]', '[::ffff:a00:1]', '[::ffff:8.8.8.8]', '[0:0:0:0:0:ffff:7f00:1]'],
  ['IPv4-compatible', '[::127.0.0.1]', '[::a00:1]'],
  ['IPv4-translated', '[::ffff:0:10.0.0.1]'],
  ['NAT64', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::10.0.0.1]'],
  ['6to4', '[2002:a00:1::]', '[2002:7f00:1::1]'],
  ['Teredo', '[2001:0:1234::1]'],
  [
    'IPv6 addresses that no network of the internet has',
    '[200::a00:1]',
    '[4000::1]',
    '[0:1::1]',
    '[1::]',
    '[100:0:0:1::1]',
  ],
  ['local names', 'x.localhost', 'db.internal', 'printer.local', 'nas.home.arpa', 'a.onion', 'x.invalid', 'LOCAL.'],
  ['names without a dot', 'db', 'metadata', 'db.'],
];

describe('a webhook', () => {
  it.each(LITERALS)('a webhook is refused at %s, in each spelling', async (_, ...hosts) => {
    const owner = await openOwner(undefined, { WEBHOOK_LOOPBACK: 'off' });
    for (const host of hosts) {
      const { status, body } = await sendWebhook(owner, { url: `https://${host}/hook` });
      expect([host, status, body]).toEqual([host, 400, refused(INNER)]);
    }
  });

  it.each([
    ['a private IPv4 address', { a: ['10.0.0.1'] }],
    ['the loopback address', { a: ['127.0.0.1'] }],
    ['a link-local address', { a: ['169.254.169.254'] }],
    ['a public address and a private one', { a: [PUBLIC, '192.168.0.1'] }],
    ['a public IPv4 address and a private IPv6 one', { a: [PUBLIC], aaaa: ['fd00::1'] }],
    ['an IPv4-mapped address', { aaaa: ['::ffff:7f00:1'] }],
    ['a private address by an alias', { a: ['10.0.0.1'], alias: 'inner.example' }],
  ])('a webhook is refused at a name that DNS has %s for', async (_, answer) => {
    const owner = await openOwner();
    const { status, body } = await sendWebhook(owner, { url: `https://${await seedHost(answer)}/` });
    expect([status, body]).toEqual([400, refused(INNER)]);
  });

  it.each([
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]:8443/x?y', 'https://[2606:4700:4700::1111]:8443/x?y'],
  ])('a webhook is taken at the public address %s', async (url, stored) => {
    expect(await seedWebhook(await openOwner(), { url })).toMatchObject({ url: stored });
  });

  it('a webhook is taken at a name with public addresses, in any case and with a dot at its end', async () => {
    const host = await seedHost({ a: [PUBLIC], aaaa: ['2606:4700::1'] });
    const owner = await openOwner();
    expect(await seedWebhook(owner, { url: `https://${host.toUpperCase()}/a` })).toMatchObject({
      url: `https://${host}/a`,
    });
    expect(await seedWebhook(owner, { url: `https://${host}./a` })).toMatchObject({ url: `https://${host}./a` });
  });

  it('a webhook is refused at a name without addresses, and by http', async () => {
    const owner = await openOwner();
    const nowhere = await sendWebhook(owner, { url: `https://${newHost()}/` });
    expect([nowhere.status, nowhere.body]).toEqual([
      400,
      refused('invalid_url: url must have a host that DNS has an address for.'),
    ]);
    const host = await seedHost({ a: [PUBLIC] });
    const plain = await sendWebhook(owner, { url: `http://${host}/` });
    expect([plain.status, plain.body]).toEqual([400, refused('invalid_url: url must begin with https://.')]);
  });

  it('a webhook is refused at the service’s own hosts, and at domains that it serves', async () => {
    const owner = await openOwner();
    const { clientId } = await seedTenant();
    const served = await seedHost({ a: [PUBLIC] });
    await addActiveDomain(db, served, clientId);
    await setDns('terse.test', { a: [PUBLIC] });
    for (const host of ['terse.test', 'TERSE.test.', 'terse.test:8443', served, `${served}.`]) {
      const { status, body } = await sendWebhook(owner, { url: `https://${host}/` });
      expect([host, status, body]).toEqual([host, 400, refused(OWN)]);
    }
  });

  it('a webhook is refused at the host that custom domains are aliases of', async () => {
    const target = await seedHost({ a: [PUBLIC] });
    const owner = await openOwner(undefined, { DOMAIN_TARGET: target });
    for (const host of [target, `${target.toUpperCase()}.`]) {
      const { status, body } = await sendWebhook(owner, { url: `https://${host}/` });
      expect([host, status, body]).toEqual([host, 400, refused(OWN)]);
    }
  });

  it('a webhook is sent to this machine only with WEBHOOK_LOOPBACK', async () => {
    const hosts = ['localhost', '127.0.0.1', '[::1]', '0x7f.0.0.1', 'LOCALHOST.'];
    const [on, off] = [await openOwner(), await openOwner(undefined, { WEBHOOK_LOOPBACK: 'off' })];
    for (const host of hosts) {
      for (const scheme of ['http', 'https'])
        expect((await sendWebhook(on, { url: `${scheme}://${host}:9999/` })).status).toBe(201);
      const { status, body } = await sendWebhook(off, { url: `https://${host}:9999/` });
      expect([host, status, body]).toEqual([host, 400, refused(INNER)]);
    }
    const plain = await sendWebhook(off, { url: 'http://localhost:9999/' });
    expect([plain.status, plain.body]).toEqual([400, refused('invalid_url: url must begin with https://.')]);
  });

  it('a webhook is not checked while the resolver does not respond: that is an outage', async () => {
    const owner = await openOwner(undefined, { DNS_RESOLVER_URL: 'http://127.0.0.1:1/dns-query' });
    const { status, body, headers } = await sendWebhook(owner, { url: `https://${newHost()}/` });
    expect([status, headers.get('Retry-After')]).toEqual([503, '30']);
    expect(body).toEqual(
      refused('resolver_unavailable: The DNS resolver is temporarily unavailable. Try again in a minute.'),
    );
  });

  it.each([
    ['fail', { rcode: 'SERVFAIL' }],
    ['say nothing', { rcode: 'REFUSED' }],
  ] as const)('a webhook is not checked while the name servers of its host %s', async (_, answer) => {
    const { status, body, headers } = await sendWebhook(await openOwner(), {
      url: `https://${await seedHost(answer)}/`,
    });
    expect([status, headers.get('Retry-After')]).toEqual([503, '30']);
    expect(body).toEqual(
      refused('resolver_unavailable: The DNS resolver is temporarily unavailable. Try again in a minute.'),
    );
  });

  it('a webhook is checked again when its URL changes, and not for other changes', async () => {
    const host = await seedHost({ a: [PUBLIC] });
    const owner = await openOwner();
    const webhook = await seedWebhook(owner, { url: `https://${host}/` });
    await setDns(host, { a: ['10.0.0.1'] });
    const change = (body: object) => owner.ask('PATCH', `/v1/webhooks/${webhook.id}`, body);
    expect((await change({ url: webhook.url, description: 'same' })).status).toBe(200);
    const moved = await change({ url: `https://${host}/other` });
    expect([moved.status, moved.body]).toEqual([400, refused(INNER)]);
  });
});
