import { describe, expect, it } from 'vitest';
import { displayUrl, displayHost, shownUrl } from '../../../src/platform/links/display-url.ts';

const pathOf = (path: string) => shownUrl(`https://example.com/${path}`).rest;

describe('a host', () => {
  it.each([
    ['xn--mnchen-3ya.example', 'münchen.example'],
    ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
    ['xn--4dbrk0ce.example:8443', 'ישראל.example:8443'],
    ['xn--r8jz45g.jp', '例え.jp'],
    ['xn--hxakic4aa.example', 'ελλάδα.example'],
  ])('the host %s is shown in its own script', (host, readable) => {
    expect(displayHost(new URL(`https://${host}`).host)).toBe(readable);
  });

  it.each([
    ['letters that look Latin', 'аррӏе.com'],
    ['Latin letters among those of another script', 'gооgle.com'],
    ['a Japanese letter that looks like a slash', 'example.comノlogin.jp'],
    ['a letter without its dot', 'paypaı.com'],
    ['a Greek letter for a Latin one', 'αpple.com'],
  ])('a host with %s stays encoded', (_, readable) => {
    const { host } = new URL(`https://${readable}`);
    expect(host).toContain('xn--');
    expect(displayHost(host)).toBe(host);
  });

  it('a host that is not punycode stays as it is', () => {
    for (const host of ['example.com', 'xn--a.example', 'xn--.example', 'localhost:8787', '[::1]:8787'])
      expect(displayHost(host)).toBe(host);
  });
});

describe('a path', () => {
  it.each([
    ['%E6%97%A5%E6%9C%AC%E8%AA%9E', '/日本語'],
    ['stra%C3%9Fe?q=gr%c3%bcn#%C3%A4', '/straße?q=grün#ä'],
    ['%D7%A9%D7%9C%D7%95%D7%9D/a', '/שלום/a'],
    ['%E0%A4%B9%E0%A4%BF%E0%A4%A8%E0%A5%8D%E0%A4%A6%E0%A5%80', '/हिन्दी'],
  ])('the path %s is shown decoded', (path, readable) => {
    expect(pathOf(path)).toBe(readable);
  });

  it.each([
    ['a control character', '%C2%85'],
    ['a right-to-left override', '%E2%80%AEgpj.exe'],
    ['an isolate', '%E2%81%A6x'],
    ['an invisible character', 'a%E2%80%8Bb'],
    ['a filler that counts as a letter', '%E3%85%A4'],
    ['a space of another width', '%E2%80%83'],
    ['a slash that is none', '%E2%88%95'],
    ['a mark that begins a text', 'e%CC%81'],
    ['syntax', 'a%2Fb%3Fc%23d%25e%20'],
    ['bytes that are no text', '%FF%FE'],
  ])('a path with %s stays encoded', (_, path) => {
    expect(pathOf(path)).toBe(`/${path}`);
  });

  it('a path shows what can be read beside what cannot', () => {
    expect(pathOf('%C3%A4%E2%80%AE%C3%B6')).toBe('/ä%E2%80%AEö');
    expect(pathOf(`a${'%CC%81'.repeat(9)}`)).toBe(`/a${'%CC%81'.repeat(9)}`);
    expect(pathOf(`%C3%A4${'%CC%81'.repeat(9)}`)).toBe(`/ä${'\u0301'.repeat(3)}${'%CC%81'.repeat(6)}`);
  });
});

it('a destination is shown without https and without a lone slash, and any other scheme is shown', () => {
  expect(shownUrl('https://example.com/')).toEqual({ host: 'example.com', rest: '' });
  expect(shownUrl('http://example.com:81/?a')).toEqual({ host: 'http://example.com:81', rest: '/?a' });
});

it('a short link is shown without its scheme', () => {
  expect(displayUrl('https://xn--mnchen-3ya.example/stra%C3%9Fe/a')).toBe('münchen.example/straße/a');
  expect(displayUrl('http://localhost:8787/a')).toBe('localhost:8787/a');
});
