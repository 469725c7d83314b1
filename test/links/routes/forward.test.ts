import { describe, expect, it } from 'vitest';
import { forwardPath, forwardQuery } from '../../../src/links/routes/forward.ts';

const AT = 'https://example.com/a';

describe('the parameters of a visit', () => {
  it.each([
    ['an absent query', AT, '', AT, AT],
    ['an empty query', AT, '?', AT, AT],
    ['a destination without a query', AT, '?x=1', `${AT}?x=1`, `${AT}?x=1`],
    ['a query without its mark', AT, 'x=1', `${AT}?x=1`, `${AT}?x=1`],
    ['a destination with a query', `${AT}?a=1`, '?x=1&y', `${AT}?a=1&x=1&y`, `${AT}?a=1&x=1&y`],
    ['a fragment', `${AT}?a=1#b?c=d#`, '?x=1', `${AT}?a=1&x=1#b?c=d#`, `${AT}?a=1&x=1#b?c=d#`],
    ['a question mark in the fragment alone', `${AT}#b?c`, '?x=1', `${AT}?x=1#b?c`, `${AT}?x=1#b?c`],
    ['the same name', `${AT}?a=1&b=2`, '?b=3&c=4', `${AT}?a=1&b=2&c=4`, `${AT}?a=1&b=3&c=4`],
    ['only the same name', `${AT}?b=2#f`, '?b=3', `${AT}?b=2#f`, `${AT}?b=3#f`],
    ['repeated names', `${AT}?b=1&a&b=2`, '?b=3&b=4&c=5&c=6', `${AT}?b=1&a&b=2&c=5&c=6`, `${AT}?a&b=3&b=4&c=5&c=6`],
    ['a name in another spelling', `${AT}?a%20b=1&%63=2`, '?a+b=3&c=4', `${AT}?a%20b=1&%63=2`, `${AT}?a+b=3&c=4`],
    ['a name in another case', `${AT}?a=1`, '?A=2', `${AT}?a=1&A=2`, `${AT}?a=1&A=2`],
    ['odd texts of the owner', `${AT}?&a==1&&%zz&+`, '?x', `${AT}?&a==1&&%zz&+&x`, `${AT}?&a==1&&%zz&+&x`],
    ['an empty query of the owner', `${AT}?#f`, '?x', `${AT}?x#f`, `${AT}?x#f`],
    ['an ampersand at the end', `${AT}?a&`, '?x', `${AT}?a&x`, `${AT}?a&x`],
    ['empty parts of the visit', AT, '?&&x&&', `${AT}?x`, `${AT}?x`],
    ['only empty parts', AT, '?&&', AT, AT],
    ['two question marks', `${AT}??a=1`, '??a=2', `${AT}??a=1`, `${AT}??a=2`],
    ['an empty name', `${AT}?=1`, '?=2&x', `${AT}?=1&x`, `${AT}?=2&x`],
    ['malformed escapes', AT, '?%&%zz=%E4', `${AT}?%&%zz=%E4`, `${AT}?%&%zz=%E4`],
    [
      'a URL as value',
      AT,
      '?u=https://a:b@c.test/?d',
      `${AT}?u=https://a:b@c.test/?d`,
      `${AT}?u=https://a:b@c.test/?d`,
    ],
  ])('the parameters of a visit are added to a destination with %s', (_, destination, search, kept, overridden) => {
    expect(forwardQuery(destination, search, 'keep')).toBe(kept);
    expect(forwardQuery(destination, search, 'override')).toBe(overridden);
  });

  it('the parameters of a visit are percent-encoded where they would be read as something else', () => {
    const search = '?a="b c"#d<e>\'\t\r\n\0&ä=💥&\ud800=1';
    const encoded = 'a=%22b%20c%22%23d%3Ce%3E%27%09%0D%0A%00&%C3%A4=%F0%9F%92%A5&%EF%BF%BD=1';
    expect(forwardQuery(AT, search, 'keep')).toBe(`${AT}?${encoded}`);
    expect(new URL(`${AT}?${encoded}`).href).toBe(`${AT}?${encoded}`);
  });

  it('the parameters of a visit are left out if they, or the result, would be longer than a destination may be', () => {
    const longest = `?${'x'.repeat(8192 - AT.length - 1)}`;
    expect(forwardQuery(AT, longest, 'keep')).toBe(AT + longest);
    expect(forwardQuery(AT, `${longest}x`, 'keep')).toBe(AT);
    expect(forwardQuery(AT, `?${'x'.repeat(1_000_000)}`, 'override')).toBe(AT);
    expect(forwardQuery(AT, `?${'ä'.repeat(1500)}`, 'override')).toBe(AT);
  });
});

describe('the rest of the path of a visit', () => {
  it.each([
    [AT, '', AT],
    [AT, '/', AT],
    [AT, '///', AT],
    [AT, 'b', `${AT}/b`],
    [AT, '/b/c.html', `${AT}/b/c.html`],
    [AT, '//evil.test/x', `${AT}/evil.test/x`],
    [AT, 'b//c/', `${AT}/b//c/`],
    [`${AT}/`, 'b', `${AT}/b`],
    [`${AT}//`, '/b', `${AT}//b`],
    ['https://example.com/', 'b', 'https://example.com/b'],
    ['https://example.com/', '@evil.test', 'https://example.com/@evil.test'],
    ['https://example.com:8443/?a=/#/b', 'c', 'https://example.com:8443/c?a=/#/b'],
    [`${AT}#b/c?d`, 'e', `${AT}/e#b/c?d`],
    [AT, 'b%20c%2Fd%E4', `${AT}/b%20c%2Fd%E4`],
    [AT, '...', `${AT}/...`],
    [AT, '.well-known/..a/b..', `${AT}/.well-known/..a/b..`],
    [AT, 'a.%62', `${AT}/a.%62`],
    [AT, 'a;b/c', `${AT}/a;b/c`],
    [AT, 'b?c=d#e', `${AT}/b%3Fc=d%23e`],
    [AT, '"<>`{}^|\\ \t\n ä\ud800💥', `${AT}/%22%3C%3E%60%7B%7D%5E|%5C%20%09%0A%20%C3%A4%EF%BF%BD%F0%9F%92%A5`],
  ])('the rest of the path of a visit is added to %s: %j', (destination, rest, result) => {
    expect(forwardPath(destination, rest)).toBe(result);
    expect(new URL(result).href).toBe(result);
  });

  it.each([
    '.',
    '..',
    '/..',
    './b',
    'b/..',
    'b/./c',
    'b/../../c',
    '%2e',
    '%2E%2e',
    '.%2e',
    '%2e./b',
    'b/%2E.',
    '..%2fb',
    'b%2F..',
    '%2e%2e%2f',
    '..\\b',
    'b\\..',
    '..%5cb',
    'b%5C%2e%2e',
    '%252e%252e',
    '..%252fb',
    '%25252e',
    '%%32%65',
    '%2%65%2%65/b',
    '..;/b',
    '..;a=1',
    '%2e%2e%3b/b',
    `%${'25'.repeat(10)}2e`,
    `${'b/'.repeat(3000)}..`,
  ])('the rest of the path of a visit is refused if it has dots as a segment: %s', (rest) => {
    expect(forwardPath(AT, rest)).toBe(null);
    expect(forwardPath('https://example.com/?a#b', `c/${rest}`)).toBe(null);
  });

  it('the rest of the path of a visit is left out if it, or the result, would be longer than a destination may be', () => {
    const longest = 'x'.repeat(8192 - AT.length - 1);
    expect(forwardPath(AT, longest)).toBe(`${AT}/${longest}`);
    expect(forwardPath(AT, `${longest}x`)).toBe(AT);
    expect(forwardPath(AT, '../'.repeat(1_000_000))).toBe(AT);
    expect(forwardPath(AT, 'ä'.repeat(1500))).toBe(AT);
  });
});
