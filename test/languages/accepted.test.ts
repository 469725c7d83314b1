import { expect, it } from 'vitest';
import { preferredLanguage } from '../../src/languages/accepted.ts';

it.each([
  [null, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,en;q=0.8', 'de'],
  ['pt-PT', 'pt'],
  ['ar-EG,ar;q=0.9,en;q=0.8', 'ar'],
  ['nl,fr;q=0.5', 'fr'],
  ['nl-BE, nl;q=0.9', 'en'],
  ['fr;q=0.3, ja;q=0.9, de;q=0.9', 'ja'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['DE-at', 'de'],
  ['*', 'en'],
  ['nl, *;q=0.5', 'en'],
  // By script: likely ones, named ones, and what is left.
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh-SG,en;q=0.9', 'zh-Hans'],
  ['zh-Hans-HK', 'zh-Hans'],
  ['zh-TW,en;q=0.5', 'en'],
  ['zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'en'],
  ['zh-Hant-HK,ja;q=0.2', 'ja'],
  ['zh-CN,zh-TW;q=0.9,zh;q=0.8', 'zh-Hans'],
  ['zh-TW,zh;q=0.9', 'zh-Hans'],
  ['zh-HK', 'zh-Hans'],
  // Invalid choices are left out.
  ['de;q=2, fr', 'fr'],
  ['a, b-c, es', 'es'],
  ['d\u00e9, en-, <script>, fr', 'fr'],
  ['de fr', 'en'],
])('the language of a page for Accept-Language: %s is %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

it('the language of a page is chosen by the first 400 characters of a long header', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'nl;q=0.9').join(',');
  expect(preferredLanguage(`${many(40)},de`)).toBe('de');
  expect(preferredLanguage(`${many(40)},fr;q=0.5,${many(100_000)},de`)).toBe('fr');
  expect(preferredLanguage('x'.repeat(1_000_000))).toBe('en');
});
