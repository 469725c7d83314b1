import { expect, it } from 'vitest';
import { outlinesOf } from '../../../src/links/qr/letters.ts';

it('the outlines of a text have lines as they are, and eight points of each curve, which ends where it should', () => {
  const letters = { a: [500, 'm0 0h500v-500q-500 0 -500 500'] } as const;
  const [line = []] = outlinesOf(letters, 'a', { x: 10, y: 20, em: 1 });
  expect(line.slice(0, 3)).toEqual([
    [10, 20],
    [11, 20],
    [11, 19],
  ]);
  expect(line).toHaveLength(3 + 8);
  // The middle of the curve, and its end.
  expect([line[6], line[10]]).toEqual([
    [10.25, 19.25],
    [10, 20],
  ]);
});
