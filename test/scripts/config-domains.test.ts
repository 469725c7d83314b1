import { describe, expect, it } from 'vitest';
import { fault, parse } from './support/settings.ts';

describe('DOMAIN_TARGET', () => {
  it('DOMAIN_TARGET is a host name', () => {
    expect(parse({ DOMAIN_TARGET: ' Domains.Example.com ' }).domainTarget).toBe('domains.example.com');
  });

  it.each([
    'localhost',
    '127.0.0.1',
    'https://domains.example.com',
    'domains.example.com.',
    'a b.example',
    '-a.example',
  ])('DOMAIN_TARGET refuses %j', (text) => {
    expect(fault({ DOMAIN_TARGET: text })).toBe('DOMAIN_TARGET must be a host name, such as domains.example.com.');
  });
});

describe.each(['ROOT_URL', 'NOT_FOUND_URL'])('%s', (name) => {
  const parsed = (text: string) => {
    const { rootUrl, notFoundUrl } = parse({ PUBLIC_URL: 'https://go.example.com', [name]: text });
    return (name === 'ROOT_URL' ? rootUrl : notFoundUrl)?.href;
  };

  it(`${name} is a page of another host, or empty`, () => {
    expect(parsed(' https://www.example.com/links?x=1 ')).toBe('https://www.example.com/links?x=1');
    expect(parsed('')).toBeUndefined();
  });

  it.each(['www.example.com', 'ftp://example.com', '/lost', 'javascript:alert(1)', 'https://me:secret@example.com/'])(
    `${name} refuses %j`,
    (text) => {
      expect(fault({ [name]: text })).toBe(
        `${name} must be an http or https URL, such as https://www.example.com/links.`,
      );
    },
  );

  it(`${name} refuses the service's own host, on which it could lead to itself`, () => {
    const settings = { PUBLIC_URL: 'https://go.example.com', [name]: 'https://GO.example.com/lost' };
    expect(fault(settings)).toBe(`${name} must lead to another host than PUBLIC_URL.`);
  });
});

describe('DNS_RESOLVER_URL', () => {
  it.each(['https://dns.example/dns-query', 'http://127.0.0.1:8053/dns-query?x=1'])(
    'DNS_RESOLVER_URL is %s',
    (text) => {
      expect(parse({ DNS_RESOLVER_URL: text }).dnsResolverUrl.href).toBe(text);
    },
  );

  it.each(['1.1.1.1', 'dns.example', 'udp://1.1.1.1', 'https://user:secret@dns.example/'])(
    'DNS_RESOLVER_URL refuses %j',
    (text) => {
      expect(fault({ DNS_RESOLVER_URL: text })).toBe(
        'DNS_RESOLVER_URL must be the http or https URL of a resolver (RFC 8484), such as https://cloudflare-dns.com/dns-query.',
      );
    },
  );
});

describe('DOMAIN_PROBE_URL', () => {
  it('DOMAIN_PROBE_URL is an origin', () => {
    expect(parse({ DOMAIN_PROBE_URL: 'http://localhost:8787' }).domainProbeUrl?.origin).toBe('http://localhost:8787');
  });

  it('DOMAIN_PROBE_URL refuses a path', () => {
    expect(fault({ DOMAIN_PROBE_URL: 'http://localhost:8787/x' })).toMatch(
      /^DOMAIN_PROBE_URL must be an http or https/,
    );
  });
});

describe('CF_ZONE_ID and CF_API_TOKEN', () => {
  const CF_ZONE_ID = '0123456789abcdef0123456789abcdef';

  it('CF_ZONE_ID and CF_API_TOKEN go together', () => {
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
  ])('CF_ZONE_ID and CF_API_TOKEN are refused if they have %s, without repeating it', (_, settings, sentence) => {
    expect(fault(settings)).toMatch(sentence);
    expect(fault(settings)).not.toMatch(/[ab]-token/);
  });
});
