import { afterEach, describe, expect, it, vi } from 'vitest';
import { textUpTo } from '../../src/input/schemas.ts';

afterEach(() => vi.restoreAllMocks());

describe('a text of at most so many characters', () => {
  it.each([
    ['xyz', true],
    ['xyzu', false],
    ['😀😀😀', true],
    ['😀😀😀x', false],
    ['😀😀😀😀', false],
    ['x'.repeat(7), false],
  ])('a text of at most so many characters counts code points: %s', (text, isValid) => {
    expect(textUpTo(3).safeParse(text).success).toBe(isValid);
  });

  it('a text of at most so many characters is not walked through if its length alone is too much', () => {
    const from = vi.spyOn(Array, 'from');
    const long = 'x'.repeat(100_000);
    const { success } = textUpTo(200).safeParse(long);
    const walked = from.mock.calls.some(([given]) => (given as unknown) === long);
    from.mockRestore();
    expect([success, walked]).toEqual([false, false]);
  });
});
