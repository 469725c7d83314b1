import { expect, it } from 'vitest';
import type { Json } from '../../../scripts/changelog/json.ts';
import { documentOf, found, object, within, testRules, type Rule } from './support.ts';

const RULES: readonly Rule[] = [
  ['a schema', {}, object({ a: {} }), 'has a schema now', 'breaks', 'fits'],
  ['no schema', object({ a: {} }), true, 'has no schema any more', 'fits', 'breaks'],
  [
    'an alternative more',
    { anyOf: [{ type: 'string' }] },
    { anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'number' }] },
    'gained the alternative `null`',
    'fits',
    'breaks',
  ],
  [
    'an alternative less',
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
    { oneOf: [{ type: 'number' }] },
    'lost the alternative `string`',
    'breaks',
    'fits',
  ],
  [
    'an alternative changed',
    { oneOf: [{ type: 'string' }, object({ a: {} })] },
    { oneOf: [object({ a: {}, b: {} }), { type: 'string' }] },
    'field `b` added',
    'fits',
    'fits',
  ],
  [
    'an alternative known by its constant',
    { oneOf: [object({ k: { const: 1 } }), object({ k: { const: 2 } })] },
    { oneOf: [object({ k: { const: 2 }, b: {} }), object({ k: { const: 1 } })] },
    'field `b` added',
    'fits',
    'fits',
  ],
  [
    'one alternative only',
    { anyOf: [{ type: 'string' }, { type: 'number' }] },
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
    'may be one of its alternatives only now',
    'breaks',
    'fits',
  ],
  [
    'several alternatives at once',
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
    { anyOf: [{ type: 'string' }, { type: 'number' }] },
    'may be several of its alternatives now',
    'fits',
    'breaks',
  ],
  [
    'a bound next to what it lets pass',
    { type: 'number' },
    { type: 'number', exclusiveMinimum: 0 },
    'has an exclusive minimum now: `0`',
    'breaks',
    'fits',
  ],
  [
    'a pattern of more characters',
    { pattern: String.raw`^[\p{L}-]+$` },
    { pattern: '^[^/]+$' },
    'changed its pattern from `"^[\\\\p{L}-]+$"` to `"^[^/]+$"`',
    'fits',
    'breaks',
  ],
  [
    'a pattern of fewer characters',
    { pattern: '^[a-z]{1,8}$' },
    { pattern: '^[a-y]{1,8}$' },
    'changed its pattern from `"^[a-z]{1,8}$"` to `"^[a-y]{1,8}$"`',
    'breaks',
    'fits',
  ],
  [
    'a pattern without a condition',
    { pattern: '^(?![.]$)[a-z.]+$' },
    { pattern: '^[a-z.]+$' },
    'changed its pattern from `"^(?![.]$)[a-z.]+$"` to `"^[a-z.]+$"`',
    'fits',
    'breaks',
  ],
  [
    'a pattern without a condition, and of other characters',
    { pattern: '^(?![.]$)[a-z.]+$' },
    { pattern: '^[b-z.]+$' },
    'changed its pattern from `"^(?![.]$)[a-z.]+$"` to `"^[b-z.]+$"`',
    'cannot tell',
    'cannot tell',
  ],
  [
    'another pattern',
    { pattern: 'a' },
    { pattern: 'b' },
    'changed its pattern from `"a"` to `"b"`',
    'cannot tell',
    'cannot tell',
  ],
  [
    'another format',
    { format: 'date' },
    { format: 'uuid' },
    'changed its format from `"date"` to `"uuid"`',
    'cannot tell',
    'cannot tell',
  ],
  [
    'an unknown keyword',
    { type: 'string' },
    { type: 'string', not: { const: 'a' } },
    'changed its not from none to `{"const":"a"}`',
    'cannot tell',
    'cannot tell',
  ],
  [
    'alternatives at all',
    { type: 'string' },
    { type: 'string', anyOf: [{ minLength: 1 }] },
    'has alternatives now',
    'cannot tell',
    'cannot tell',
  ],
];

testRules(RULES);

it('reports no change for an added discriminator', () => {
  const before = { oneOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' } })] };
  expect(found(before, { ...before, discriminator: { propertyName: 'kind' } })).toEqual({ sent: [], given: [] });
});

it('reports no change if a parameter becomes a boolean that was "true" or "false"', () => {
  const get = (schema: Json) => ({ '/x': { get: { parameters: [{ name: 'a', in: 'query', schema }] } } });
  const words = (...names: string[]) => documentOf(get({ type: 'string', enum: names }));
  const boolean = documentOf(get({ type: 'boolean' }));
  expect(within(words('true', 'false'), boolean)).toEqual([]);
  expect(within(words('yes', 'no'), boolean)).toContainEqual([
    'query parameter `a` changed its type from string to boolean',
    'breaks',
  ]);
});

it('reports no change for an equivalent pattern', () => {
  const before = { pattern: String.raw`^\P{Cc}*$` };
  expect(found(before, { pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$` })).toEqual({ sent: [], given: [] });
});
