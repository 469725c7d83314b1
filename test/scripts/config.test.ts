import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { DEAD_RETRIES } from '../../src/clicks/consume.ts';
import { ConfigError, parseConfig, SETTING_NAMES, type Config } from '../../src/config.ts';
import { generateTokenKey, type TokenKey } from '../../src/tokens/keys.ts';
import { ROOT } from './support/project.ts';

let keys: [TokenKey, TokenKey];

beforeAll(async () => {
  keys = [await generateTokenKey(), await generateTokenKey()];
});

/** What a Worker makes of these settings and one good key. */
function parse(settings: Readonly<Record<string, unknown>>): Config {
  return parseConfig({ TOKEN_KEYS: JSON.stringify(keys), ...settings });
}

/** The sentence with which a Worker refuses these settings. */
function fault(settings: Readonly<Record<string, unknown>>): string {
  try {
    parse(settings);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(settings)}`);
}

describe('what wrangler.toml ships', () => {
  const { vars, observability, queues } = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') });

  it('is the contract: an hour, and a cutoff at the start of 2027', () => {
    expect(parse(vars)).toEqual({
      publicUrl: null,
      accessTokenSeconds: 3600,
      encode: {
        cutoffSeconds: Date.UTC(2027, 0, 1) / 1000,
        deprecatedAtSeconds: Date.UTC(2024, 3, 4) / 1000,
        sunsetSeconds: null,
      },
      memorySeconds: 10,
      clickPackSeconds: 1,
      createLimiting: true,
      accessLog: false,
      domainTarget: null,
      dnsResolverUrl: new URL('https://cloudflare-dns.com/dns-query'),
      domainProbeUrl: null,
      customHostnames: null,
      tokenKeys: keys,
    });
  });

  it('keeps no request headers in the platform’s logs: they hold addresses and user agents', () => {
    expect(observability?.logs).toMatchObject({ enabled: true, invocation_logs: false });
    expect(observability?.traces?.enabled ?? false).toBe(false);
  });

  it('tries dead letters as often as the consumer believes', () => {
    const dead = queues.consumers?.find((consumer: { queue: string }) => consumer.queue === 'terse-clicks-dead');
    expect(dead?.max_retries).toBe(DEAD_RETRIES);
  });

  it('names every setting there is, but for the secrets', () => {
    expect([...Object.keys(vars), 'CF_API_TOKEN', 'TOKEN_KEYS'].toSorted()).toEqual(SETTING_NAMES.toSorted());
  });
});

it('takes an absent or empty setting for its default', () => {
  const names = SETTING_NAMES.filter((name) => name !== 'TOKEN_KEYS');
  const none = { cutoffSeconds: null, deprecatedAtSeconds: null, sunsetSeconds: null };
  const defaults = {
    publicUrl: null,
    accessTokenSeconds: 3600,
    encode: none,
    memorySeconds: 10,
    createLimiting: true,
    accessLog: false,
  };
  expect(parse({})).toMatchObject(defaults);
  expect(parse(Object.fromEntries(names.map((name) => [name, ''])))).toMatchObject(defaults);
  expect(parse(Object.fromEntries(names.map((name) => [name, ' \n'])))).toMatchObject(defaults);
});

it.each(SETTING_NAMES)('says that %s must be in quotes where the file has it without', (name) => {
  for (const value of [3600, true, {}, []])
    expect(fault({ [name]: value })).toBe(`${name} must be a text; put it in quotes.`);
});

it('tells of the first fault alone, in one line', () => {
  const sentence = fault({ PUBLIC_URL: 'nowhere', ACCESS_TOKEN_SECONDS: 'abc', CREATE_LIMITING: 'maybe' });
  expect(sentence).toMatch(/^PUBLIC_URL must be [^\n]*\.$/);
  expect(sentence).not.toContain('ACCESS_TOKEN_SECONDS');
});

describe('PUBLIC_URL', () => {
  it.each([
    ['https://go.example.com', 'https://go.example.com'],
    ['https://go.example.com/', 'https://go.example.com'],
    [' HTTPS://GO.Example.COM:443 ', 'https://go.example.com'],
    ['http://localhost:8787', 'http://localhost:8787'],
    ['http://[::1]:8787', 'http://[::1]:8787'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('takes %j for the origin %s', (text, origin) => {
    expect(parse({ PUBLIC_URL: text }).publicUrl?.origin).toBe(origin);
  });

  it.each([
    'go.example.com',
    'localhost:8787',
    '//go.example.com',
    'https://',
    'https://go.example.com/path',
    'https://go.example.com/?q',
    'https://go.example.com/#',
    'https://user@go.example.com',
    'https://user:secret@go.example.com',
    'ftp://go.example.com',
    'javascript:alert(1)',
    'blob:https://go.example.com/',
    'https://go example.com',
    'https://go.example.com https://b.example',
  ])('refuses %j', (text) => {
    expect(fault({ PUBLIC_URL: text })).toBe(
      'PUBLIC_URL must be an http or https origin without a path, such as https://go.example.com.',
    );
  });
});

describe.each([
  { name: 'ACCESS_TOKEN_SECONDS', field: 'accessTokenSeconds', least: 60, most: 2_592_000 },
  { name: 'MEMORY_SECONDS', field: 'memorySeconds', least: 0, most: 3600 },
  { name: 'CLICK_PACK_SECONDS', field: 'clickPackSeconds', least: 0, most: 10 },
] as const)('$name', ({ name, field, least, most }) => {
  it(`takes whole seconds from ${least} to ${most}`, () => {
    for (const seconds of [least, least + 1, most - 1, most]) {
      expect(parse({ [name]: String(seconds) })[field]).toBe(seconds);
    }
    expect(parse({ [name]: ` 0${most} ` })[field]).toBe(most);
  });

  it.each([
    String(least - 1),
    String(most + 1),
    '1e3',
    '600.0',
    '+600',
    '0x258',
    '600s',
    '6 00',
    '٦٠٠',
    'abc',
    'NaN',
    'Infinity',
    '9'.repeat(400),
  ])('refuses %j', (text) => {
    expect(fault({ [name]: text })).toBe(`${name} must be a whole number of seconds from ${least} to ${most}.`);
  });
});

describe.each([
  { name: 'ENCODE_CUTOFF', field: 'cutoffSeconds' },
  { name: 'ENCODE_DEPRECATED_AT', field: 'deprecatedAtSeconds' },
  { name: 'ENCODE_SUNSET', field: 'sunsetSeconds' },
] as const)('$name', ({ name, field }) => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2027-01-01T00:00:00Z', 1_798_761_600],
    [' 2027-01-01T00:00:00Z ', 1_798_761_600],
    ['2027-01-01T00:00:00.000Z', 1_798_761_600],
    ['2027-01-01T00:00:00.999Z', 1_798_761_600],
    ['2027-01-01T00:00:00.999999999Z', 1_798_761_600],
    ['2026-12-31T23:59:59Z', 1_798_761_599],
    ['2027-01-01T02:00:00+02:00', 1_798_761_600],
    ['2026-12-31T18:30:00-05:30', 1_798_761_600],
    ['2027-01-01T23:59:00+23:59', 1_798_761_600],
    ['2028-02-29T00:00:00Z', 1_835_395_200],
    ['2000-02-29T12:00:00Z', 951_825_600],
    ['2028-03-01T00:30:00+01:00', 1_835_479_800],
    ['9999-12-31T23:59:59Z', 253_402_300_799],
  ])('takes %j for second %i of the epoch', (text, seconds) => {
    expect(parse({ [name]: text }).encode[field]).toBe(seconds);
  });

  it.each([
    'tomorrow',
    'never',
    '2027',
    '2027-01-01',
    '1798761600',
    '2027-01-01T00:00:00',
    '2027-01-01 00:00:00Z',
    '20270101T000000Z',
    '2027-01-01T00:00:00+0200',
    '2027-01-01T00:00:00+24:00',
    '2027-01-01T00:00:00 UTC',
    '2027-00-01T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-32T00:00:00Z',
    '2027-04-31T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T23:60:00Z',
    '2027-01-01T23:59:60Z',
    '01/01/2027',
    'Fri, 01 Jan 2027 00:00:00 GMT',
  ])('refuses %j', (text) => {
    expect(fault({ [name]: text })).toBe(
      `${name} must be an ISO 8601 instant such as 2027-01-01T00:00:00Z, or empty for never.`,
    );
  });
});

describe('DOMAIN_TARGET', () => {
  it('is a host name', () => {
    expect(parse({ DOMAIN_TARGET: ' Domains.Example.com ' }).domainTarget).toBe('domains.example.com');
  });

  it.each([
    'localhost',
    '127.0.0.1',
    'https://domains.example.com',
    'domains.example.com.',
    'a b.example',
    '-a.example',
  ])('refuses %j', (text) => {
    expect(fault({ DOMAIN_TARGET: text })).toBe('DOMAIN_TARGET must be a host name, such as domains.example.com.');
  });
});

describe('DNS_RESOLVER_URL', () => {
  it.each(['https://dns.example/dns-query', 'http://127.0.0.1:8053/dns-query?x=1'])('is %s', (text) => {
    expect(parse({ DNS_RESOLVER_URL: text }).dnsResolverUrl.href).toBe(text);
  });

  it.each(['1.1.1.1', 'dns.example', 'udp://1.1.1.1', 'https://user:secret@dns.example/'])('refuses %j', (text) => {
    expect(fault({ DNS_RESOLVER_URL: text })).toBe(
      'DNS_RESOLVER_URL must be the http or https URL of a resolver (RFC 8484), such as https://cloudflare-dns.com/dns-query.',
    );
  });
});

describe('DOMAIN_PROBE_URL', () => {
  it('is an origin', () => {
    expect(parse({ DOMAIN_PROBE_URL: 'http://localhost:8787' }).domainProbeUrl?.origin).toBe('http://localhost:8787');
  });

  it('refuses a path', () => {
    expect(fault({ DOMAIN_PROBE_URL: 'http://localhost:8787/x' })).toMatch(
      /^DOMAIN_PROBE_URL must be an http or https/,
    );
  });
});

describe('CF_ZONE_ID and CF_API_TOKEN', () => {
  const CF_ZONE_ID = '0123456789abcdef0123456789abcdef';

  it('go together', () => {
    expect(parse({ CF_ZONE_ID, CF_API_TOKEN: ' a-token ' }).customHostnames).toEqual({
      zoneId: CF_ZONE_ID,
      apiToken: 'a-token',
    });
  });

  it.each([
    ['a token without a zone', { CF_API_TOKEN: 'a-token' }, /^CF_ZONE_ID must be the 32 hexadecimal digits/],
    ['a zone by its name', { CF_ZONE_ID: 'example.com', CF_API_TOKEN: 'a-token' }, /^CF_ZONE_ID must be/],
    ['a zone without a token', { CF_ZONE_ID }, /^CF_API_TOKEN must be an API token of Cloudflare/],
    [
      'a token in two lines',
      { CF_ZONE_ID, CF_API_TOKEN: 'a\nb-token' },
      /^CF_API_TOKEN must be an API token of Cloudflare/,
    ],
  ])('refuses %s, without repeating it', (_, settings, sentence) => {
    expect(fault(settings)).toMatch(sentence);
    expect(fault(settings)).not.toMatch(/[ab]-token/);
  });
});

describe('CREATE_LIMITING', () => {
  it('is on or off', () => {
    expect(parse({ CREATE_LIMITING: 'on' }).createLimiting).toBe(true);
    expect(parse({ CREATE_LIMITING: ' off ' }).createLimiting).toBe(false);
  });

  it.each(['On', 'OFF', 'true', 'false', '0', '1', 'no', 'on off'])('refuses %j', (text) => {
    expect(fault({ CREATE_LIMITING: text })).toBe('CREATE_LIMITING must be "on" or "off".');
  });
});

describe('ACCESS_LOG', () => {
  it('is on or off', () => {
    expect(parse({ ACCESS_LOG: 'on' }).accessLog).toBe(true);
    expect(parse({ ACCESS_LOG: ' off ' }).accessLog).toBe(false);
  });

  it.each(['On', 'OFF', 'true', 'false', '0', '1', 'no', 'on off'])('refuses %j', (text) => {
    expect(fault({ ACCESS_LOG: text })).toBe('ACCESS_LOG must be "on" or "off".');
  });
});

describe('TOKEN_KEYS', () => {
  it('is a list of private keys, in its order', () => {
    expect(parse({ TOKEN_KEYS: JSON.stringify(keys.slice(1)) }).tokenKeys).toEqual([keys[1]]);
    expect(parse({ TOKEN_KEYS: ` ${JSON.stringify(keys.toReversed(), null, 2)}\n` }).tokenKeys).toEqual(
      keys.toReversed(),
    );
  });

  it('keeps of a key what signs, and nothing else', () => {
    const labelled = { ...keys[0], kid: 'mine', alg: 'EdDSA', use: 'sig', key_ops: ['sign'] };
    expect(parse({ TOKEN_KEYS: JSON.stringify([labelled]) }).tokenKeys).toEqual([keys[0]]);
  });

  it('is missed', () => {
    expect(() => parseConfig({})).toThrow(/^TOKEN_KEYS must be a JSON list/);
  });

  // The first test vector of RFC 8032, section 7.1.
  const PUBLIC_PART = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
  const PRIVATE = { ...PUBLIC_PART, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' };

  it('takes the shape of key that the refused ones are made from', () => {
    expect(parse({ TOKEN_KEYS: JSON.stringify([PRIVATE]) }).tokenKeys).toEqual([PRIVATE]);
  });

  it.each([
    ['no value', ''],
    ['no JSON', 'abc'],
    ['broken JSON', JSON.stringify([PRIVATE]).slice(0, -2)],
    ['an empty list', '[]'],
    ['null', 'null'],
    ['a key outside a list', JSON.stringify(PRIVATE)],
    ['a JWK set', JSON.stringify({ keys: [PRIVATE] })],
    ['a public key', JSON.stringify([PUBLIC_PART])],
    ['a second key that is public', JSON.stringify([PRIVATE, PUBLIC_PART])],
    ['a key of another curve', JSON.stringify([{ ...PRIVATE, crv: 'X25519' }])],
    ['a key of another type', JSON.stringify([{ ...PRIVATE, kty: 'EC' }])],
    ['a public half of another key', JSON.stringify([{ ...PRIVATE, x: 'A'.repeat(43) }])],
    ['a secret of 31 octets', JSON.stringify([{ ...PRIVATE, d: 'B'.repeat(42) }])],
    ['a secret of 33 octets', JSON.stringify([{ ...PRIVATE, d: 'B'.repeat(44) }])],
    ['a padded secret', JSON.stringify([{ ...PRIVATE, d: `${PRIVATE.d}=` }])],
    ['base64 with + and /', JSON.stringify([{ ...PRIVATE, d: `+/${PRIVATE.d.slice(2)}` }])],
    ['a secret that is no text', JSON.stringify([{ ...PRIVATE, d: 1 }])],
    ['a text in the list', JSON.stringify([JSON.stringify(PRIVATE)])],
  ])('refuses %s, and says where to get a good one without repeating it', (_, text) => {
    expect(fault({ TOKEN_KEYS: text })).toBe(
      'TOKEN_KEYS must be a JSON list of private Ed25519 JWKs; "npm run account -- signing-key" prints one.',
    );
  });
});
