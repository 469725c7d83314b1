import { expect, it } from 'vitest';
import type { Pack } from '../../src/clicks/read-pack.ts';
import { splitByClient } from '../../src/clicks/split.ts';

/** A pack with so many groups of one link. */
const packOf = (id: string, groups: number): Pack => ({
  id,
  at: Date.UTC(2026, 4, 20),
  links: [['link-1', 'client-1', null]],
  agents: [],
  profiles: [[493_000, null, null, null, null]],
  groups: Array.from({ length: groups }, () => [0, 0, 1, 0, '']),
});

const sizesOf = (...packs: readonly Pack[]) =>
  splitByClient(packs).map(({ deliveries }) => deliveries.map(({ groups }) => groups.length));

it('the groups of packs are appended up to 5,000 together, and those of one pack always', () => {
  expect(sizesOf(packOf('a', 4999), packOf('b', 1), packOf('c', 1))).toEqual([[5000, 1]]);
  expect(sizesOf(packOf('a', 4999), packOf('b', 3), packOf('c', 1))).toEqual([[5002, 1]]);
});
