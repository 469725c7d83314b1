import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { refuseSharedNames } from '../../../src/links/routes/names.ts';
import { linkVariants } from '../../../src/links/routes/variants.ts';
import { parseFields } from '../../../src/input/validation.ts';

const URL = 'https://example.com/';
const VARIANT = { url: URL, weight: 1 };

const parse = (variants: unknown) => parseFields(z.strictObject({ variants: linkVariants() }), { variants }).variants;

describe('variants', () => {
  it('the variants of a link are stored with a name, the URL as the URL standard writes it and the weight', () => {
    const sent = [
      { weight: 100, url: 'HTTPS://Example.com' },
      { name: ' b ', url: URL, weight: 1 },
    ];
    const stored = [
      { name: 'Variant A', url: URL, weight: 100 },
      { name: 'b', url: URL, weight: 1 },
    ];
    expect(JSON.stringify(parse(sent))).toBe(JSON.stringify(stored));
    expect(JSON.stringify(parse(stored))).toBe(JSON.stringify(stored));
  });

  it('the variants of a link without a name get the first one that is free', () => {
    const names = ['variant a', undefined, 'VARIANT C', undefined, undefined, undefined, undefined, undefined];
    const variants = parse(names.map((name) => (name === undefined ? VARIANT : { ...VARIANT, name })));
    expect(variants.map(({ name }) => name.slice(-1))).toEqual(['a', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
  });

  it.each<[string, unknown, string, string]>([
    ['one', [VARIANT], 'invalid_variants', 'variants must contain 2 to 8 variants.'],
    [
      'too many',
      Array.from({ length: 9 }, () => VARIANT),
      'invalid_variants',
      'variants must contain 2 to 8 variants.',
    ],
    ['no weight', [VARIANT, { url: URL }], 'missing_field', 'variants.1.weight is required.'],
    ['no URL', [{ weight: 1 }, VARIANT], 'missing_field', 'variants.0.url is required.'],
    [
      'a weight of 0',
      [{ ...VARIANT, weight: 0 }, VARIANT],
      'invalid_variants',
      'variants.0.weight must be from 1 to 100.',
    ],
    [
      'a weight of 101',
      [{ ...VARIANT, weight: 101 }, VARIANT],
      'invalid_variants',
      'variants.0.weight must be from 1 to 100.',
    ],
    [
      'half a weight',
      [{ ...VARIANT, weight: 0.5 }, VARIANT],
      'invalid_variants',
      'variants.0.weight must be a whole number.',
    ],
    [
      'a weight as text',
      [{ ...VARIANT, weight: '1' }, VARIANT],
      'invalid_variants',
      'variants.0.weight must be a number.',
    ],
    ['a condition', [{ ...VARIANT, if: [] }, VARIANT], 'invalid_variants', 'variants.0 must not have the field "if".'],
    [
      'a name that is given twice',
      [
        { ...VARIANT, name: 'a' },
        { ...VARIANT, name: 'A' },
      ],
      'invalid_variants',
      'variants.1.name must differ from the names of the other rules and variants of the link, regardless of case.',
    ],
    [
      'the name of the default',
      [{ ...VARIANT, name: 'default' }, VARIANT],
      'invalid_variants',
      'variants.0.name must not be "default", the name of the destination without a rule or variant.',
    ],
  ])('the variants of a link with %s are refused', (_, variants, code, message) => {
    expect(() => parse(variants)).toThrow(expect.objectContaining({ code, message }));
  });
});

describe('a rule and a variant with the same name', () => {
  const named = (...names: readonly string[]) => names.map((name) => ({ name }));
  const complaint = 'must differ from the names of the other rules and variants of the link, regardless of case.';

  it('a rule and a variant with the same name are refused, by the name of the variant', () => {
    const detail = `variants.2.name ${complaint}`;
    expect(() => refuseSharedNames(named('a', 'b'), named('c', 'd', 'B'))).toThrow(
      expect.objectContaining({
        code: 'invalid_variants',
        message: detail,
        faults: [{ field: 'variants', place: 'variants.2.name', sentence: `This ${complaint}`, detail }],
      }),
    );
  });

  it('a rule and a variant with the same name are refused by the name of the rule, if only rules were sent', () => {
    const detail = `rules.1.name ${complaint}`;
    expect(() => refuseSharedNames(named('a', 'b'), named('c', 'd', 'B'), 'rules')).toThrow(
      expect.objectContaining({
        code: 'invalid_rules',
        message: detail,
        faults: [{ field: 'rules', place: 'rules.1.name', sentence: `This ${complaint}`, detail }],
      }),
    );
  });

  it('a rule and a variant with the same name are not found in lists that differ', () => {
    expect(() => refuseSharedNames(named('a', 'b'), named('c', 'd'))).not.toThrow();
    expect(() => refuseSharedNames([], named('c', 'd'), 'rules')).not.toThrow();
    expect(() => refuseSharedNames(named('a'), [])).not.toThrow();
  });
});
