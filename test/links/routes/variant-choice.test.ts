import { describe, expect, it } from 'vitest';
import { compileRoutes } from '../../../src/links/routes/choose.ts';
import type { VisitorFacts } from '../../../src/links/routes/visitor.ts';
import { CHROME, FIREFOX } from '../../support/clicks.ts';
import { visitorOf } from '../../support/visitors.ts';

const VISITORS = 20_000;

const routesOf = (weights: readonly number[], linkId = 'b4cd3fgh') =>
  compileRoutes({
    linkId,
    url: 'https://example.com/',
    rules: [],
    variants: weights.map((weight, index) => ({
      name: `Variant ${'ABCDEFGH'.charAt(index)}`,
      url: `https://example.com/${index}`,
      weight,
    })),
  });

/** People with different addresses; every other one has the same browser. */
const people: readonly VisitorFacts[] = Array.from({ length: VISITORS }, (_, index) =>
  visitorOf({
    address: `10.${index >> 12}.${(index >> 4) & 255}.${index & 15}`,
    userAgent: index % 2 === 0 ? CHROME : `${FIREFOX}.${index % 97}`,
  }),
);

const networks = people.map((_, index) =>
  visitorOf({ address: `2001:db8:${(index >> 8).toString(16)}:${index & 255}::1` }),
);

const chosen = (weights: readonly number[], visitors = people, linkId?: string): (number | null)[] => {
  const { choose } = routesOf(weights, linkId);
  return visitors.map((visitor) => choose(visitor).index);
};

/** The part of visitors that each variant gets, in percent. */
const partsOf = (choices: readonly (number | null)[], variants: number): number[] =>
  Array.from(
    { length: variants },
    (_, index) => (choices.filter((choice) => choice === index).length / VISITORS) * 100,
  );

const LISTS = [
  [1, 1],
  [1, 99],
  [100, 1, 1, 1, 1, 1, 1, 1],
  [50, 30, 20],
  [10, 20, 30, 40],
  [7, 7, 7, 7, 7, 7, 7],
  [1, 2, 3, 4, 5, 6, 7, 8],
  [100, 100, 1],
];

describe.each(LISTS.map((weights) => ({ weights })))('variants of the weights $weights', ({ weights }) => {
  const sum = weights.reduce((all, weight) => all + weight, 0);

  it.each([
    ['addresses', people],
    ['networks of IPv6', networks],
  ])(`variants divide ${VISITORS} visitors by their %s as their weights say`, (_, visitors) => {
    for (const linkId of ['b4cd3fgh', 'B4cd3fgh', 'kkkkkkkk']) {
      for (const [index, part] of partsOf(chosen(weights, visitors, linkId), weights.length).entries()) {
        expect(Math.abs(part - (weights[index]! / sum) * 100)).toBeLessThan(1.5);
      }
    }
  });

  it('variants lose visitors only to a variant whose weight grows', () => {
    for (const [grown] of weights.entries()) {
      const before = chosen(weights);
      const after = chosen(weights.with(grown, weights[grown]! + 10));
      const moved = before.map((choice, index) => [choice, after[index]]).filter(([from, to]) => from !== to);
      expect(moved.length).toBeGreaterThan(0);
      expect(moved.filter(([, to]) => to !== grown)).toEqual([]);
    }
  });

  it('variants win visitors only from a variant whose weight shrinks, or which is removed', () => {
    const last = weights.length - 1;
    const grown = [...weights.slice(0, last), weights[last]! + 10];
    const [before, after] = [chosen(grown), chosen(weights)];
    expect(before.filter((choice, index) => choice !== after[index] && choice !== last)).toEqual([]);
    const without = chosen(weights.slice(0, last));
    expect(after.filter((choice, index) => choice !== without[index] && choice !== last)).toEqual([]);
  });

  it('variants are the same for a visitor in each isolate, and on each visit', () => {
    expect(chosen(weights, [...people])).toEqual(chosen(weights));
    const reversed = chosen(weights, people.toReversed());
    expect(reversed.toReversed()).toEqual(chosen(weights));
  });
});

describe('the variant of a visitor', () => {
  it('the variant of a visitor does not depend on the order of the variants', () => {
    const variants = ['a', 'b', 'c'].map((name, index) => ({
      name,
      url: `https://example.com/${name}`,
      weight: index + 1,
    }));
    const link = { linkId: 'b4cd3fgh', url: 'https://example.com/', rules: [] };
    const [forth, back] = [variants, variants.toReversed()].map((list) => compileRoutes({ ...link, variants: list }));
    const names = (routes: typeof forth) => people.slice(0, 2000).map((visitor) => routes?.choose(visitor).name);
    expect(names(forth)).toEqual(names(back));
  });

  it('the variant of a visitor at one link says nothing about that of another link', () => {
    const one = chosen([1, 1], people, 'b4cd3fgh');
    const other = chosen([1, 1], people, 'b4cd3fgj');
    const both = one.filter((choice, index) => choice === other[index]).length / VISITORS;
    expect(Math.abs(both - 0.5)).toBeLessThan(0.015);
  });

  it('the variant of a visitor stays as it is in this version, since a new hash would move visitors of all links', () => {
    const visitors = ['192.0.2.1', '192.0.2.2', '2001:db8::1', '198.51.100.9', 'unknown', ''];
    const routes = routesOf([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(visitors.map((address) => routes.choose(visitorOf({ address, userAgent: CHROME })).index)).toEqual([
      3, 6, 4, 6, 6, 1,
    ]);
  });

  it('the variant of a visitor is chosen for each text that a request can have as address and user agent', () => {
    const { choose } = routesOf([1, 2]);
    for (const text of ['', '\0', '\ud800', ':', ':::::::', '%', '💥'.repeat(50_000)]) {
      expect([0, 1]).toContain(choose(visitorOf({ address: text, userAgent: text })).index);
    }
  });
});
