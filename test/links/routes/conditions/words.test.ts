import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../support/visitors.ts';

describe('the words of a condition', () => {
  it.each([
    ['country', ['DE'], 'the country is Germany', 'the country is not Germany'],
    [
      'country',
      ['DE', 'AT', 'CH'],
      'the country is Germany, Austria or Switzerland',
      'the country is not Germany, Austria or Switzerland',
    ],
    [
      'continent',
      ['EU', 'NA'],
      'the continent is Europe or North America',
      'the continent is not Europe or North America',
    ],
    ['region', ['US-TX', 'US-CA'], 'the region is US-TX or US-CA', 'the region is not US-TX or US-CA'],
    [
      'address',
      ['192.0.2.0/24', '2001:db8::/32'],
      'the IP address is in 192.0.2.0/24 or 2001:db8::/32',
      'the IP address is not in 192.0.2.0/24 or 2001:db8::/32',
    ],
    ['device', ['mobile'], 'the device is mobile', 'the device is not mobile'],
    ['os', ['iOS'], 'the operating system is iOS', 'the operating system is not iOS'],
    ['browser', ['Firefox'], 'the browser is Firefox', 'the browser is not Firefox'],
    [
      'visitor',
      ['bot', 'preview'],
      'the visitor is a program or a link preview',
      'the visitor is not a program or a link preview',
    ],
    [
      'referrer',
      ['example.com', 'a.example'],
      'the referrer is on example.com or on a.example',
      'the referrer is not on example.com or on a.example',
    ],
    [
      'language',
      ['de', 'pt-BR'],
      'the language is German or Portuguese (Brazil)',
      'the language is not German or Portuguese (Brazil)',
    ],
    ['language', ['*'], 'the language is known', 'the language is not known'],
    [
      'language',
      ['de-x-office', 'de-u-co-phonebk', 'en-a-bbb'],
      'the language is de-x-office, de-u-co-phonebk or en-a-bbb',
      'the language is not de-x-office, de-u-co-phonebk or en-a-bbb',
    ],
  ])('the words of a condition name its values: %s %j', (type, values, words, negated) => {
    expect(wordsOf({ type, in: values })).toBe(words);
    expect(wordsOf({ type, in: values, not: true })).toBe(negated);
  });

  it('the words of a condition do not name all of many values', () => {
    const codes = 'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW'.split(' ');
    expect(wordsOf({ type: 'country', in: codes })).toMatch(/^the country is Andorra, .+, Austria or 2 others$/);
    expect(wordsOf({ type: 'country', in: codes.slice(1) })).toMatch(/Austria, Australia or Aruba$/);
  });
});
