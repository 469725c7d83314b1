import { expect, it } from 'vitest';
import { firstCharacters } from '../../src/text/first-characters.ts';

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab d', 3, 'ab'],
  ['😀😀😀', 3, '😀😀😀'],
  ['😀😀😀😀', 3, '😀😀😀'],
  ['a😀😀😀', 3, 'a😀😀'],
])(
  'the first characters of %s are counted as code points, at most %i, and end without a space',
  (text, most, first) => {
    expect(firstCharacters(text, most)).toBe(first);
  },
);
