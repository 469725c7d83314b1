import { describe, expect, it } from 'vitest';
import { parseAddress, parseNetwork, type Network } from '../../../src/network/networks.ts';
import { visitorOf, type Visitor } from '../../../scripts/edge/visitor.ts';

const PROXY = '10.0.0.1';
const VISITOR = '203.0.113.9';
const FORGED = '198.51.100.7';

type Sent = readonly (readonly [name: string, value: string])[] | Readonly<Record<string, string>>;

const networks = (text: string): readonly Network[] => text.split(',').map((each) => parseNetwork(each)!);

/** Finds the visitor of a request with some headers, through the proxy unless another peer is named. */
function seen(sent: Sent, { peer = PROXY, proxies = '10.0.0.0/8,fd00::/8', cloudflare = false } = {}): Visitor {
  const headers = new Headers();
  for (const [name, value] of Array.isArray(sent) ? sent : Object.entries(sent)) headers.append(name, value);
  return visitorOf(parseAddress(peer), headers, { proxies: networks(proxies), cloudflare });
}

const addressOf = (sent: Sent, connection = {}) => seen(sent, connection).address;

const EVERY_HEADER = {
  'CF-Connecting-IP': FORGED,
  'CF-Connecting-IPv6': '2001:db8::7',
  'CF-IPCountry': 'CH',
  'CF-IPContinent': 'EU',
  'CF-Region-Code': 'ZH',
  'CF-Visitor': '{"scheme":"https"}',
  'True-Client-IP': FORGED,
  'X-Real-IP': FORGED,
  'X-Forwarded-For': FORGED,
  'X-Forwarded-Proto': 'https',
  Forwarded: `for=${FORGED};proto=https`,
};

describe('a connection that is not of a trusted proxy', () => {
  it.each(['203.0.113.1', '::1', '127.0.0.1', '11.0.0.1', '2001:db8::1'])(
    'a connection that is not of a trusted proxy is the visitor: %s',
    (peer) => {
      const connection = { peer, cloudflare: true };
      expect(seen({}, connection)).toEqual({ address: peer, isSecure: false, place: {}, doubt: null });
      expect(seen(EVERY_HEADER, connection)).toEqual({ address: peer, isSecure: false, place: {}, doubt: 'proxy' });
    },
  );

  it('a connection that is not of a trusted proxy is the visitor also if it has no address', () => {
    expect(seen(EVERY_HEADER, { peer: '' })).toMatchObject({ address: 'unknown', isSecure: false, doubt: 'proxy' });
  });

  it.each(Object.entries(EVERY_HEADER))(
    'a connection that is not of a trusted proxy is in doubt for %s alone',
    (name, value) => {
      expect(seen({ [name]: value }, { peer: '192.0.2.1' }).doubt).toBe('proxy');
    },
  );
});

describe('the ranges of trusted proxies', () => {
  it.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.1.2.3/8', '10.200.0.1', true],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['127.0.0.1', '::1', false],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['127.0.0.1', '::ffff:7f00:1', true],
    ['::ffff:10.0.0.0/104', '10.9.9.9', true],
    ['::ffff:10.0.0.0/104', '11.9.9.9', false],
    ['::/1', '10.0.0.1', false],
    ['0.0.0.0/1', '::1', false],
    ['fd00::/8', 'fdff::1', true],
    ['fd00::/8', 'fe00::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['2001:DB8::/32', '2001:db8:ffff::', true],
  ])('the ranges of trusted proxies contain: %s, %s: %s', (proxies, peer, isTrusted) => {
    expect(addressOf({ 'X-Forwarded-For': VISITOR }, { peer, proxies }) === VISITOR).toBe(isTrusted);
  });

  it.each([
    '',
    ' 10.0.0.1',
    '10.0.0.1/',
    '10.0.0/8',
    '010.0.0.1',
    '0x0a.0.0.1',
    '10.0.0.1/33',
    '10.0.0.1/-1',
    '::1/129',
  ])('the ranges of trusted proxies cannot be written as "%s"', (text) => expect(parseNetwork(text)).toBeNull());

  it.each(['::ffff:10.0.0.0/95', 'fe80::1%eth0/10', '::ffff:0x0a.0.0.1', 'proxy.example', `::1/${'1'.repeat(50_000)}`])(
    'the ranges of trusted proxies cannot be written as "%s" either',
    (text) => expect(parseNetwork(text)).toBeNull(),
  );
});

describe('X-Forwarded-For of a trusted proxy', () => {
  it.each([
    ['one address', VISITOR, VISITOR],
    ['what the caller has sent before it', `${FORGED}, ${VISITOR}`, VISITOR],
    ['junk of the caller', `"<script>, ${'x'.repeat(100)}, ${VISITOR}`, VISITOR],
    ['an open quote of the caller', `", ${VISITOR}`, VISITOR],
    ['trusted proxies after it', `${FORGED}, ${VISITOR}, 10.2.0.1, fd00::5`, VISITOR],
    ['a trusted proxy that the caller names', `10.0.0.9, ${VISITOR}`, VISITOR],
    ['trusted proxies only', '10.3.0.1, 10.2.0.1', '10.3.0.1'],
    ['a port', `${VISITOR}:54321`, VISITOR],
    ['a hidden port', `${VISITOR}:_abc`, VISITOR],
    ['IPv6', '2001:DB8:0:0::1', '2001:db8::1'],
    ['IPv6 in brackets', '[2001:db8::1]', '2001:db8::1'],
    ['IPv6 with a port', '[2001:db8::1]:443', '2001:db8::1'],
    ['an IPv4-mapped address', `::ffff:${VISITOR}`, VISITOR],
    ['an IPv6 zone', 'fe80::1%eth0', 'fe80::1'],
    ['empty elements', `, ,${FORGED},, ${VISITOR} , ,`, VISITOR],
    ['"unknown" of the proxy', `${FORGED}, unknown`, PROXY],
    ['"unknown" of a proxy further out', `${FORGED}, Unknown, 10.2.0.1`, '10.2.0.1'],
    ['a hidden identifier', `${FORGED}, _hidden`, PROXY],
  ])('X-Forwarded-For of a trusted proxy with %s names the last hop that is not trusted', (_what, list, address) => {
    expect(seen({ 'X-Forwarded-For': list })).toEqual({ address, isSecure: false, place: {}, doubt: null });
  });

  it.each([
    ['a name', 'proxy.example'],
    ['a number', '3405803785'],
    ['octal numbers', '0313.0.0161.011'],
    ['five numbers', '1.2.3.4.5'],
    ['IPv4 in brackets', `[${VISITOR}]`],
    ['an open bracket', '[2001:db8::1'],
    ['a port that is none', `${VISITOR}:port`],
    ['two ports', `${VISITOR}:1:2`],
    ['a space', `${VISITOR} ${VISITOR}`],
    ['quotes', `"${VISITOR}"`],
    ['a zone of IPv4', `${VISITOR}%eth0`],
    ['a long word', 'a'.repeat(60_000)],
  ])('X-Forwarded-For of a trusted proxy with %s at its end is the connection', (_what, element) => {
    const sent = { 'X-Forwarded-For': `${FORGED}, ${element}`, 'X-Forwarded-Proto': 'https' };
    expect(seen(sent)).toEqual({ address: PROXY, isSecure: false, place: {}, doubt: 'malformed' });
  });

  it('X-Forwarded-For of a trusted proxy counts several headers as one list, in their order', () => {
    const sent = [
      ['X-Forwarded-For', FORGED],
      ['X-Forwarded-For', VISITOR],
      ['X-Forwarded-For', '10.2.0.1'],
    ] as const;
    expect(addressOf(sent)).toBe(VISITOR);
  });

  it('X-Forwarded-For of a trusted proxy is read from its end, in little time, however long it is', () => {
    const long = `${FORGED}, `.repeat(1_000_000);
    expect(addressOf({ 'X-Forwarded-For': `${long}${VISITOR}` })).toBe(VISITOR);
    expect(addressOf({ Forwarded: `${'for="'.repeat(1_000_000)}, for=${VISITOR}` })).toBe(VISITOR);
    // Not even trusted addresses lead further than a row of proxies can be long.
    const trusted = seen({ 'X-Forwarded-For': `${FORGED}${', 10.2.0.1'.repeat(100_000)}` });
    expect(trusted).toMatchObject({ address: PROXY, doubt: 'malformed' });
  });
});

describe('Forwarded of a trusted proxy', () => {
  it.each([
    ['one address', `for=${VISITOR}`, VISITOR],
    ['what the caller has sent before it', `for=${FORGED}, for=${VISITOR}`, VISITOR],
    ['junk of the caller', `;;=, for=, ${'x'.repeat(100)}, for=${VISITOR}`, VISITOR],
    ['an open quote of the caller', `for=", for=${VISITOR}`, VISITOR],
    ['an open quote of the caller before a quoted address', `for=", for="${VISITOR}"`, VISITOR],
    ['an escape of the caller before a quoted address', `for="\\, for="${VISITOR}"`, VISITOR],
    ['commas in quotes', `for=${FORGED}, for=${VISITOR};by="a, for=${FORGED}"`, VISITOR],
    ['escaped quotes', `for=${VISITOR};by="a\\", for=${FORGED}, \\\\"`, VISITOR],
    ['trusted proxies after it', `for=${FORGED}, for=${VISITOR};by=10.2.0.1, For="[fd00::5]:80";proto=http`, VISITOR],
    ['trusted proxies only', 'for=10.3.0.1, for=10.2.0.1', '10.3.0.1'],
    ['other parameters', `host=evil.example;proto=http;for=${VISITOR};by=_x;secret=a.b`, VISITOR],
    ['a quoted address', `for="${VISITOR}"`, VISITOR],
    ['escapes', `for="203.0.113\\.9"`, VISITOR],
    ['a port', `for="${VISITOR}:47011"`, VISITOR],
    ['a hidden port', `for="${VISITOR}:_port"`, VISITOR],
    ['IPv6', 'for="[2001:db8::1]"', '2001:db8::1'],
    ['IPv6 with a port', 'FOR="[2001:DB8::1]:4711"', '2001:db8::1'],
    ['IPv6 without quotes', 'for=[2001:db8::1]:4711', '2001:db8::1'],
    ['an IPv6 zone', 'for="[fe80::1%25eth0]"', 'fe80::1'],
    ['an IPv4-mapped address', `for="[::ffff:${VISITOR}]"`, VISITOR],
    ['spaces', `  for=${VISITOR} ; proto=http  `, VISITOR],
    ['empty elements', `, for=${VISITOR},, `, VISITOR],
    ['"unknown"', `for=${FORGED}, for=unknown`, PROXY],
    ['a hidden identifier', `for=${FORGED}, for=_SEVKISEK`, PROXY],
    ['no address', `for=${FORGED}, by=10.0.0.1`, PROXY],
    ['no address at a proxy further out', `for=${FORGED}, by=x, for=10.2.0.1`, '10.2.0.1'],
  ])('Forwarded of a trusted proxy with %s names the last hop that is not trusted', (_what, forwarded, address) => {
    expect(seen({ Forwarded: forwarded })).toEqual({ address, isSecure: false, place: {}, doubt: null });
  });

  it.each([
    ['an open quote', `for="${VISITOR}`],
    ['a quote in the middle', `for=2"03.0.113.9`],
    ['no value', 'for='],
    ['no name', `=${VISITOR}`],
    ['one parameter twice', `for=${VISITOR};FOR=${FORGED}`],
    ['spaces around the sign', `for = ${VISITOR}`],
    ['a name as address', 'for=proxy.example'],
    ['an empty address', 'for=""'],
    ['an address alone', VISITOR],
    ['a JSON text', '{"for":"203.0.113.9"}'],
    ['a long word', `for=${'a'.repeat(60_000)}`],
  ])('Forwarded of a trusted proxy with %s at its end is the connection', (_what, element) => {
    const sent = { Forwarded: `for=${FORGED};proto=https, ${element}` };
    expect(seen(sent)).toEqual({ address: PROXY, isSecure: false, place: {}, doubt: 'malformed' });
  });
});

describe('Forwarded and X-Forwarded-For of a trusted proxy', () => {
  it('Forwarded and X-Forwarded-For of a trusted proxy name the visitor if they agree, however they are written', () => {
    const sent = { Forwarded: `for=${FORGED}, for="[2001:DB8::9]:80"`, 'X-Forwarded-For': '192.0.2.3, 2001:db8:0::9' };
    expect(seen(sent)).toMatchObject({ address: '2001:db8::9', doubt: null });
  });

  it.each([
    ['the proxy sets the list only', { Forwarded: `for=${FORGED}`, 'X-Forwarded-For': VISITOR }],
    ['the proxy sets Forwarded only', { Forwarded: `for=${VISITOR}`, 'X-Forwarded-For': FORGED }],
    ['the caller hides', { Forwarded: 'for=unknown', 'X-Forwarded-For': VISITOR }],
    ['the caller names no address', { Forwarded: 'proto=https', 'X-Forwarded-For': VISITOR }],
  ])('Forwarded and X-Forwarded-For of a trusted proxy are the connection if they disagree, since %s', (_why, sent) => {
    expect(seen(sent)).toEqual({ address: PROXY, isSecure: false, place: {}, doubt: 'conflict' });
  });

  it.each([
    { Forwarded: 'for="', 'X-Forwarded-For': VISITOR },
    { Forwarded: `for=${VISITOR}`, 'X-Forwarded-For': 'nonsense' },
  ])('Forwarded and X-Forwarded-For of a trusted proxy are the connection if one is malformed: %o', (sent) => {
    expect(seen(sent)).toEqual({ address: PROXY, isSecure: false, place: {}, doubt: 'malformed' });
  });

  it.each(['X-Real-IP', 'True-Client-IP', 'X-Client-IP', 'CF-Connecting-IP', 'X-Forwarded'])(
    'Forwarded and X-Forwarded-For of a trusted proxy are not overruled by %s',
    (name) => {
      expect(addressOf({ 'X-Forwarded-For': VISITOR, [name]: FORGED })).toBe(VISITOR);
      expect(addressOf({ [name]: FORGED })).toBe(PROXY);
    },
  );
});

it.each([
  [{ Accept: '*/*' }, false],
  [{ 'X-Real-IP': VISITOR, 'X-Forwarded-Proto': 'https' }, true],
  [{ 'X-Forwarded-For': ' , ', 'X-Forwarded-Host': 'go.example.com' }, false],
  [{ Forwarded: '' }, false],
])('the visitor is the connection, which is in doubt, if a trusted proxy names no visitor: %j', (sent, isSecure) => {
  expect(seen(sent)).toEqual({ address: PROXY, isSecure, place: {}, doubt: 'silent' });
});

describe('the scheme of a trusted proxy', () => {
  const secure = (sent: Readonly<Record<string, string>>) => seen({ 'X-Forwarded-For': VISITOR, ...sent }).isSecure;

  it.each([
    ['https', true],
    ['HTTPS', true],
    ['http', false],
    ['wss', false],
    ['', false],
    ['https, http', false],
    ['http, https', true],
    ['https,', false],
    [`${'https, '.repeat(10_000)}https`, false],
  ])('the scheme of a trusted proxy in X-Forwarded-Proto: "%s" is secure: %s', (value, isSecure) => {
    expect(secure({ 'X-Forwarded-Proto': value })).toBe(isSecure);
  });

  it('the scheme of a trusted proxy is that of the hop of the visitor, if each proxy appends its own', () => {
    const list = `${FORGED}, ${VISITOR}, 10.2.0.1`;
    expect(secure({ 'X-Forwarded-For': list, 'X-Forwarded-Proto': 'http, https, http' })).toBe(true);
    expect(secure({ 'X-Forwarded-For': list, 'X-Forwarded-Proto': 'https, http, https' })).toBe(false);
    expect(secure({ 'X-Forwarded-For': list, 'X-Forwarded-Proto': 'https' })).toBe(true);
  });

  it('the scheme of a trusted proxy is that of the hop in Forwarded', () => {
    expect(
      seen({ Forwarded: `for=${FORGED};proto=http, for=${VISITOR};proto="HTTPS", for=10.2.0.1;proto=http` }),
    ).toEqual({
      address: VISITOR,
      isSecure: true,
      place: {},
      doubt: null,
    });
    expect(seen({ Forwarded: `for=${FORGED};proto=https, for=${VISITOR}` }).isSecure).toBe(false);
  });

  it('the scheme of a trusted proxy is believed without an address', () => {
    expect(seen({ 'X-Forwarded-Proto': 'https' })).toMatchObject({ address: PROXY, isSecure: true });
    expect(seen({ Forwarded: 'proto=https' })).toMatchObject({ address: PROXY, isSecure: true });
  });

  it('the scheme of a trusted proxy is http if two headers disagree, and the address stays', () => {
    const sent = { Forwarded: `for=${VISITOR};proto=https`, 'X-Forwarded-For': VISITOR, 'X-Forwarded-Proto': 'http' };
    expect(seen(sent)).toEqual({ address: VISITOR, isSecure: false, place: {}, doubt: 'conflict' });
  });

  it.each(['X-Forwarded-Ssl', 'Front-End-Https', 'X-Forwarded-Scheme', 'CF-Visitor'])(
    'the scheme of a trusted proxy is not read in %s',
    (name) => {
      expect(secure({ [name]: 'on' })).toBe(false);
      expect(secure({ [name]: 'https' })).toBe(false);
      expect(secure({ [name]: '{"scheme":"https"}' })).toBe(false);
    },
  );
});

describe("Cloudflare's headers from a trusted proxy", () => {
  const sent = {
    'CF-Connecting-IP': VISITOR,
    'CF-Visitor': '{"scheme":"https"}',
    'CF-IPCountry': 'ch',
    'CF-IPContinent': 'EU',
    'CF-Region-Code': 'ZH',
  };
  const place = { country: 'CH', continent: 'EU', regionCode: 'ZH' };
  const trusted = { cloudflare: true };

  it("Cloudflare's headers from a trusted proxy are not believed without the option", () => {
    expect(seen(sent)).toEqual({ address: PROXY, isSecure: false, place: {}, doubt: 'cloudflare' });
  });

  it("Cloudflare's headers from a trusted proxy decide before the others with the option", () => {
    const others = { 'X-Forwarded-For': '172.68.0.1', Forwarded: 'for="', 'X-Forwarded-Proto': 'http' };
    expect(seen({ ...sent, ...others }, trusted)).toEqual({ address: VISITOR, isSecure: true, place, doubt: null });
  });

  it("Cloudflare's headers from a trusted proxy leave to the others what they do not say", () => {
    const others = { 'X-Forwarded-For': VISITOR, 'X-Forwarded-Proto': 'https' };
    expect(seen(others, trusted)).toEqual({ address: VISITOR, isSecure: true, place: {}, doubt: null });
    expect(seen({ ...others, 'CF-IPCountry': 'T1' }, trusted).place).toEqual({ country: 'T1' });
  });

  it.each(['', 'nonsense', `${VISITOR}:80`, `${VISITOR}, ${FORGED}`, 'unknown', 'a'.repeat(60_000)])(
    `Cloudflare's headers from a trusted proxy are the connection if the address is "%s"`,
    (address) => {
      const others = { ...sent, 'X-Forwarded-For': FORGED, 'CF-Connecting-IP': address };
      expect(seen(others, trusted)).toEqual({ address: PROXY, isSecure: false, place, doubt: 'malformed' });
    },
  );

  it("Cloudflare's headers from a trusted proxy name no visitor if they are sent twice", () => {
    const twice = [
      ['CF-Connecting-IP', VISITOR],
      ['CF-Connecting-IP', VISITOR],
      ['CF-IPCountry', 'CH'],
      ['CF-IPCountry', 'AT'],
    ] as const;
    expect(seen(twice, trusted)).toEqual({ address: PROXY, isSecure: false, place: {}, doubt: 'malformed' });
  });

  it.each([
    ['CF-IPCountry', 'Switzerland'],
    ['CF-IPCountry', 'CH, AT'],
    ['CF-IPContinent', 'XX'],
    ['CF-Region-Code', 'ZURICH'],
    ['CF-Visitor', '{"scheme":"HTTPS"}'],
    ['CF-Visitor', '{'],
  ])("Cloudflare's headers from a trusted proxy say nothing by %s: %s", (name, value) => {
    const visitor = seen({ 'CF-Connecting-IP': VISITOR, [name]: value }, trusted);
    expect(visitor).toEqual({ address: VISITOR, isSecure: false, place: {}, doubt: null });
  });
});
