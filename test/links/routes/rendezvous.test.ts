import { expect, it } from 'vitest';
import { compileDraw } from '../../../src/links/routes/rendezvous.ts';

// Another hash would give half of the visitors of a running test another variant.
it('a visitor draws the same variant in each version of the service', () => {
  const draw = compileDraw('b4cd3fgh', [
    { name: 'A', weight: 50 },
    { name: 'B', weight: 30 },
    { name: 'C', weight: 20 },
  ]);
  const drawn = Array.from({ length: 120 }, (_, index) => draw(`192.0.2.${index} browser`)).join('');
  expect(drawn).toBe(
    '200002012010110100010010011200000001210100001200022001102100221022111000220101102001110220100120001000002111110101001020',
  );
});
