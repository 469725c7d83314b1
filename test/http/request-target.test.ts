import { describe, expect, it } from 'vitest';
import { hostnameOf, isServiceHost } from '../../src/network/hosts.ts';
import { RequestTargets } from '../../src/http/request-target.ts';

const PUBLIC_URL = new URL('https://terse.test');

/** Reads a request target with the URL parser, without any shortcut. */
function parsed(requestUrl: string, publicUrl: URL | null) {
  const url = new URL(requestUrl);
  const host = isServiceHost({ requestUrl: url, publicUrl }) ? '' : hostnameOf(url);
  return { host, pathname: url.pathname };
}

const ORIGINS = [
  'https://terse.test',
  'https://TERSE.test',
  'https://terse.test.',
  'https://terse.test:8443',
  'http://terse.test',
  'http://localhost:8787',
  'http://127.0.0.1:8787',
  'http://0x7f.1',
  'http://[::1]:8787',
  'https://terse.account.workers.dev',
  'https://go.acme.example',
  'https://go.acme.example:443',
  'https://b%C3%BCcher.example',
];

/** Texts that a Host may not be (RFC 9112, section 3.2), in the URL that it becomes. */
const NO_PLACES = [
  'https://ann:secret@go.acme.example',
  'https://go.acme.example@terse.test',
  'https://terse.test:99999',
  'https://terse.test:abc',
  'https://a b',
  'https://%',
  'https://[::1',
  'https://x|y',
  'https://1.2.3.4.5',
  'https://..',
  'https://.',
  'https://...:81',
  'https://terse.test?x',
  'https://terse.test#x',
  'https://terse.test\\x',
];

const PATHS = [
  '/',
  '/b4cd3fgh',
  '/b4cd3fgh/',
  '/b4cd3fgh//',
  '/b4cd3fgh?',
  '/b4cd3fgh?a=/other&b=c#d',
  '/b4cd3fgh/?a',
  '/b4cd3fgh#a',
  '/b4cd3fgh/more',
  '/../b4cd3fgh',
  '/./b4cd3fgh',
  '/%2e%2e/b4cd3fgh',
  '/gr%C3%BC%C3%9Fe',
  '/grüße',
  '/a b',
  '/v1',
  '/v1/links',
  '/robots.txt',
  '/\\b4cd3fgh',
  '//b4cd3fgh',
];

describe('the place of a request', () => {
  it.each([PUBLIC_URL, null])(
    'the place of a request is what the URL parser says, first and again, while PUBLIC_URL is %s',
    (publicUrl) => {
      const places = new RequestTargets(publicUrl);
      for (const url of [...ORIGINS, ...ORIGINS].flatMap((origin) => PATHS.map((path) => `${origin}${path}`))) {
        expect([url, places.of(url)]).toEqual([url, parsed(url, publicUrl)]);
      }
    },
  );

  it.each(NO_PLACES)('the place of a request is none at %s', (origin) => {
    const places = new RequestTargets(PUBLIC_URL);
    for (const path of ['/', '/b4cd3fgh', '/b4cd3fgh', '/v1/links'])
      expect([path, places.of(origin + path)]).toEqual([path, null]);
  });

  it('the place of a request stays right after any number of made-up hosts', () => {
    const places = new RequestTargets(PUBLIC_URL);
    for (let i = 0; i < 2000; i++) expect(places.of(`https://${i}.example/a`)?.host).toBe(`${i}.example`);
    expect(places.of('https://terse.test/a')).toEqual({ host: '', pathname: '/a' });
  });
});
