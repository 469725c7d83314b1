import { describe, expect, it } from 'vitest';
import { compileRoutes, destinationsOf, type RoutedLink } from '../../../src/links/routes/choose.ts';
import type { Condition } from '../../../src/links/routes/conditions/table.ts';
import { explainChoice } from '../../../src/links/routes/explain.ts';
import { CHROME, FIREFOX } from '../../support/clicks.ts';
import { visitorOf } from '../../support/visitors.ts';

const country = (...codes: string[]): Condition => ({ type: 'country', in: codes });
const FIREFOX_ONLY: Condition = { type: 'browser', in: ['Firefox'] };

const LINK: RoutedLink = {
  linkId: 'b4cd3fgh',
  url: 'https://example.com/',
  rules: [
    { name: 'Alps', if: [country('AT', 'CH'), FIREFOX_ONLY], url: 'https://example.com/alps' },
    { name: 'Austria', if: [country('AT')], url: 'https://example.com/austria' },
    { name: 'No German', if: [{ type: 'language', in: ['de'], not: true }], url: 'https://example.com/en' },
  ],
  variants: [],
};

const VARIANTS = [
  { name: 'Old', url: 'https://example.com/old', weight: 1 },
  { name: 'New', url: 'https://example.com/new', weight: 100 },
];

const GERMAN = { country: 'DE', languages: 'de', userAgent: CHROME };

describe('the destination of a visitor', () => {
  const { choose } = compileRoutes(LINK);

  it('a link leads a visitor to the destination of the first rule whose conditions all hold', () => {
    expect(choose(visitorOf({ ...GERMAN, country: 'AT', userAgent: FIREFOX }))).toEqual({
      url: 'https://example.com/alps',
      name: 'Alps',
      by: 'rule',
      index: 0,
    });
    expect(choose(visitorOf({ ...GERMAN, country: 'AT' }))).toEqual({
      url: 'https://example.com/austria',
      name: 'Austria',
      by: 'rule',
      index: 1,
    });
    expect(choose(visitorOf({})).name).toBe('No German');
  });

  it('a link leads a visitor to its own destination, if no rule holds and it has no variants', () => {
    expect(choose(visitorOf({ ...GERMAN, country: 'CH' }))).toEqual({
      url: 'https://example.com/',
      name: 'default',
      by: 'default',
      index: null,
    });
  });

  it('a link leads a visitor to one of its variants, if no rule holds', () => {
    const routes = compileRoutes({ ...LINK, variants: VARIANTS });
    const people = Array.from({ length: 300 }, (_, index) => visitorOf({ ...GERMAN, address: `192.0.2.${index}` }));
    const chosen = people.map((visitor) => routes.choose(visitor));
    expect(new Set(chosen.map((destination) => JSON.stringify(destination)))).toEqual(
      new Set(VARIANTS.map(({ url, name }, index) => JSON.stringify({ url, name, by: 'variant', index }))),
    );
    expect(routes.choose(visitorOf({ ...GERMAN, country: 'AT' })).name).toBe('Austria');
  });

  it('a link leads no visitor by a rule with a condition that only a newer version knows', () => {
    const newer = { type: 'constructor', in: ['x'] } as never;
    const rules = [
      { name: 'a', if: [newer], url: 'https://example.com/a' },
      { name: 'b', if: [{ ...(newer as object), not: true } as never], url: 'https://example.com/b' },
      { name: 'c', if: [country('DE')], url: 'https://example.com/c' },
    ];
    expect(compileRoutes({ ...LINK, rules }).choose(visitorOf(GERMAN)).name).toBe('c');
    expect(explainChoice({ ...LINK, rules }, visitorOf(GERMAN)).rules[0]).toEqual({
      name: 'a',
      holds: false,
      conditions: [{ type: 'constructor', holds: false, text: 'the condition constructor holds' }],
    });
  });
});

it('all destinations of a link are listed, the default last', () => {
  expect(destinationsOf({ ...LINK, variants: VARIANTS })).toEqual([
    { url: 'https://example.com/alps', name: 'Alps', by: 'rule', index: 0 },
    { url: 'https://example.com/austria', name: 'Austria', by: 'rule', index: 1 },
    { url: 'https://example.com/en', name: 'No German', by: 'rule', index: 2 },
    { url: 'https://example.com/old', name: 'Old', by: 'variant', index: 0 },
    { url: 'https://example.com/new', name: 'New', by: 'variant', index: 1 },
    { url: 'https://example.com/', name: 'default', by: 'default', index: null },
  ]);
});

it('a choice is explained by each rule and each of its conditions', () => {
  expect(explainChoice(LINK, visitorOf({ ...GERMAN, country: 'AT' }))).toEqual({
    rules: [
      {
        name: 'Alps',
        holds: false,
        conditions: [
          { type: 'country', holds: true, text: 'the country is Austria or Switzerland' },
          { type: 'browser', holds: false, text: 'the browser is Firefox' },
        ],
      },
      { name: 'Austria', holds: true, conditions: [{ type: 'country', holds: true, text: 'the country is Austria' }] },
      {
        name: 'No German',
        holds: false,
        conditions: [{ type: 'language', holds: false, text: 'the language is not German' }],
      },
    ],
    chosen: { url: 'https://example.com/austria', name: 'Austria', by: 'rule', index: 1 },
  });
});

describe('the memory of compiled routes', () => {
  const bytesOf = (change: Partial<RoutedLink>) => compileRoutes({ ...LINK, rules: [], ...change }).bytes;
  const hosts = (count: number): Condition => ({
    type: 'referrer',
    in: Array.from({ length: count }, (_, index) => `host${index}.example.com`),
  });

  it('the memory of compiled routes grows with rules, variants, conditions, values and the lengths of texts', () => {
    const rule = { name: 'a', if: [hosts(1)], url: 'https://example.com/' };
    const sizes = [
      bytesOf({}),
      bytesOf({ rules: [rule] }),
      bytesOf({ rules: [rule], variants: VARIANTS }),
      bytesOf({ rules: [rule, rule], variants: VARIANTS }),
      bytesOf({ rules: [rule, { ...rule, if: [hosts(10)] }], variants: VARIANTS }),
      bytesOf({ rules: [rule, { ...rule, if: [hosts(10), hosts(10)] }], variants: VARIANTS }),
      bytesOf({ rules: [rule, { ...rule, if: [hosts(100)], url: `https://example.com/${'x'.repeat(2000)}` }] }),
    ];
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
    expect(new Set(sizes).size).toBe(sizes.length);
    expect(bytesOf({ rules: [{ ...rule, if: [hosts(250)] }] })).toBeGreaterThan(250 * 60);
  });
});
