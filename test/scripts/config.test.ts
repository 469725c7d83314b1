import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { DEAD_RETRIES } from '../../src/clicks/consume.ts';
import { SETTING_NAMES } from '../../src/config/setting-values.ts';
import { pagesWith } from './support/pages.ts';
import { ROOT } from './support/project.ts';
import { fault, keys, parse } from './support/settings.ts';

describe('what wrangler.toml ships', () => {
  const shipped = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') });
  const { vars, observability, queues } = shipped;

  it('what wrangler.toml ships is the contract: an hour, and a cutoff at the start of 2027', () => {
    expect(parse(vars)).toEqual({
      publicUrl: null,
      access: null,
      signInJoins: null,
      rootUrl: null,
      notFoundUrl: null,
      brand: { name: 'Terse', colour: null },
      mail: null,
      destinationSchemes: new Set(['mailto', 'tel', 'sms', 'geo']),
      accessTokenSeconds: 3600,
      encode: {
        cutoffSeconds: Date.UTC(2027, 0, 1) / 1000,
        deprecatedAtSeconds: Date.UTC(2024, 3, 4) / 1000,
        sunsetSeconds: null,
      },
      memorySeconds: 30,
      restoreCheckSeconds: 5,
      clickPackSeconds: 1,
      clicksDirect: false,
      statisticsDetailDays: 90,
      deadLetterQueue: 'terse-clicks-dead',
      webhookQueue: 'terse-webhooks',
      webhookSchedule: null,
      webhookLoopback: false,
      webhookKeys: [],
      createLimiting: true,
      operatorKeys: [],
      accessLog: false,
      domainTarget: null,
      dnsResolverUrl: new URL('https://cloudflare-dns.com/dns-query'),
      targetResolverUrl: null,
      domainProbeUrl: null,
      customHostnames: null,
      serviceProvider: null,
      tokenKeys: keys,
    });
  });

  it('what wrangler.toml ships keeps no request headers in the platform’s logs: they hold addresses and user agents', () => {
    expect(observability?.logs).toMatchObject({ enabled: true, invocation_logs: false });
    expect(observability?.traces?.enabled ?? false).toBe(false);
  });

  it('what wrangler.toml ships retries dead letters as often as the consumer assumes', () => {
    const dead = queues.consumers?.find(({ queue }: { queue: string }) => queue === vars['DEAD_LETTER_QUEUE']);
    expect(dead?.max_retries).toBe(DEAD_RETRIES);
  });

  it('what wrangler.toml ships keeps the count of clicks as far behind as the documents say, with a second for the delivery', () => {
    const consumer = queues.consumers?.find(({ queue }: { queue: string }) => queue === 'terse-clicks');
    expect(Number(vars['CLICK_PACK_SECONDS']) + (consumer?.max_batch_timeout ?? Infinity) + 1).toBe(7);
    expect(pagesWith('at most about seven seconds behind a click')).toEqual(['docs/analytics.md']);
    expect(pagesWith('after at most about seven seconds')).toEqual(['docs/architecture.md']);
  });

  it('what wrangler.toml ships is named as the contract says, and has no routes, with which `wrangler dev` would rewrite every Host', () => {
    expect([shipped.name, shipped.route, shipped.routes]).toEqual(['terse', undefined, undefined]);
    expect(shipped.d1_databases).toMatchObject([{ binding: 'DB', database_name: 'terse' }]);
    expect(shipped.kv_namespaces).toMatchObject([{ binding: 'LINKS' }]);
    expect(queues.producers).toMatchObject([
      { binding: 'CLICKS', queue: 'terse-clicks' },
      { binding: 'WEBHOOKS', queue: 'terse-webhooks' },
    ]);
    expect(queues.consumers).toMatchObject([
      { queue: 'terse-clicks', dead_letter_queue: 'terse-clicks-dead' },
      { queue: 'terse-clicks-dead' },
      { queue: 'terse-webhooks' },
    ]);
    expect(shipped.assets).toMatchObject({ binding: 'ASSETS', run_worker_first: true });
  });

  it('what wrangler.toml ships names every setting there is, but for the secrets', () => {
    expect(
      [
        ...Object.keys(vars),
        'CF_API_TOKEN',
        'MAIL_TOKEN',
        'OIDC_CLIENT_SECRET',
        'TOKEN_KEYS',
        'WEBHOOK_KEYS',
      ].toSorted(),
    ).toEqual(SETTING_NAMES.toSorted());
  });
});

it('a setting that is absent or empty has its default', () => {
  const names = SETTING_NAMES.filter((name) => name !== 'TOKEN_KEYS');
  const none = { cutoffSeconds: null, deprecatedAtSeconds: null, sunsetSeconds: null };
  const defaults = {
    publicUrl: null,
    accessTokenSeconds: 3600,
    encode: none,
    memorySeconds: 30,
    restoreCheckSeconds: 5,
    createLimiting: true,
    accessLog: false,
  };
  expect(parse({})).toMatchObject(defaults);
  expect(parse(Object.fromEntries(names.map((name) => [name, ''])))).toMatchObject(defaults);
  expect(parse(Object.fromEntries(names.map((name) => [name, ' \n'])))).toMatchObject(defaults);
});

it.each(SETTING_NAMES)('the error of %s says that it must be in quotes where the file has it without', (name) => {
  for (const value of [3600, true, {}, []])
    expect(fault({ [name]: value })).toBe(`${name} must be a text; put it in quotes.`);
});

it('an invalid configuration reports only the first error, in one line', () => {
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
  ])('PUBLIC_URL takes %j for the origin %s', (text, origin) => {
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
  ])('PUBLIC_URL refuses %j', (text) => {
    expect(fault({ PUBLIC_URL: text })).toBe(
      'PUBLIC_URL must be an http or https origin without a path, such as https://go.example.com.',
    );
  });
});

describe.each([
  { name: 'ACCESS_TOKEN_SECONDS', field: 'accessTokenSeconds', least: 60, most: 2_592_000 },
  { name: 'MEMORY_SECONDS', field: 'memorySeconds', least: 0, most: 3600 },
  { name: 'RESTORE_CHECK_SECONDS', field: 'restoreCheckSeconds', least: 0, most: 60 },
  { name: 'CLICK_PACK_SECONDS', field: 'clickPackSeconds', least: 0, most: 10 },
  { name: 'STATISTICS_DETAIL_DAYS', field: 'statisticsDetailDays', least: 8, most: 3650, unit: 'days' },
] as const)('$name', ({ name, field, least, most, unit = 'seconds' }) => {
  it(`a setting of a number takes whole ${unit} from ${least} to ${most}`, () => {
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
  ])('a setting of a number refuses %j', (text) => {
    expect(fault({ [name]: text })).toBe(`${name} must be a whole number of ${unit} from ${least} to ${most}.`);
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
  ])('a setting of a number takes %j for second %i of the epoch', (text, seconds) => {
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
  ])('a setting of a number refuses %j', (text) => {
    expect(fault({ [name]: text })).toBe(
      `${name} must be an ISO 8601 instant such as 2027-01-01T00:00:00Z, or empty for never.`,
    );
  });
});

describe.each([
  ['CREATE_LIMITING', 'createLimiting'],
  ['ACCESS_LOG', 'accessLog'],
  ['WEBHOOK_LOOPBACK', 'webhookLoopback'],
] as const)('%s', (name, property) => {
  it('a setting with two values is on or off', () => {
    expect(parse({ [name]: 'on' })[property]).toBe(true);
    expect(parse({ [name]: ' off ' })[property]).toBe(false);
  });

  it.each(['On', 'OFF', 'true', 'false', '0', '1', 'no', 'on off'])(
    'a setting that is on or off refuses %j',
    (text) => {
      expect(fault({ [name]: text })).toBe(`${name} must be "on" or "off".`);
    },
  );
});
