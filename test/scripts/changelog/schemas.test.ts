import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../../scripts/changelog/compare.ts';
import type { Json } from '../../../scripts/changelog/json.ts';
import { documentOf, found, object } from './support.ts';

describe('a schema that is written otherwise', () => {
  const NODE = { Node: object({ next: { $ref: '#/components/schemas/Node' }, value: { type: 'string' } }) };
  it.each<[name: string, before: Json, after: Json]>([
    ['texts for readers', { type: 'string', description: 'a', examples: ['a'] }, { type: 'string', title: 'b' }],
    [
      'a reference',
      object({ next: { $ref: '#/components/schemas/Node' }, value: { type: 'string' } }),
      { $ref: '#/components/schemas/Node' },
    ],
    [
      'what contains itself',
      { $ref: '#/components/schemas/Node' },
      { $ref: '#/components/schemas/Node', description: 'a' },
    ],
    [
      'or null',
      { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
      { type: ['null', 'string'], maxLength: 3 },
    ],
    ['or null, in OpenAPI 3.0', { type: 'string', nullable: true }, { oneOf: [{ type: 'null' }, { type: 'string' }] }],
    [
      'one of some values, or null',
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    ['a value', { const: 'a' }, { enum: ['a'] }],
    ['a value with a type that says less', { type: 'number', const: 4 }, { type: 'integer', enum: [4] }],
    ['parts', { allOf: [object({ a: {} }, 'a'), object({ b: {} }, 'b')] }, object({ b: {}, a: {} }, 'b', 'a')],
    ['an integer that is a number', { allOf: [{ type: 'number' }, { type: 'integer' }] }, { type: 'integer' }],
    ['a bound twice', { allOf: [{ maximum: 3 }, { maximum: 2 }] }, { maximum: 2 }],
    ['a length that nothing is below', { type: 'string' }, { type: 'string', minLength: 0 }],
    ['the order of values', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }],
    [
      'the order of alternatives',
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      { anyOf: [{ type: 'number' }, { type: 'string' }] },
    ],
    ['everything', {}, true],
  ])('a schema that is written otherwise is no change: %s', (_, before, after) => {
    expect(found(before, after, NODE)).toEqual({ sent: [], given: [] });
  });
});

it('the comparison of schemas finds what has changed in a schema that contains itself, once', () => {
  const of = (type: string) => ({
    A: object({ next: { $ref: '#/components/schemas/A' }, value: { type } }),
  });
  const paths = (): { [name: string]: Json } => ({
    '/x': {
      get: { responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } } } },
    },
  });
  const drafts = compareDocuments(
    documentOf(paths(), { schemas: of('string') }),
    documentOf(paths(), { schemas: of('number') }),
  );
  expect(drafts.flatMap(({ changes }) => changes.map(({ what }) => what))).toEqual([
    'answer 200 field `value` changed its type from string to number',
  ]);
});

it('the comparison of schemas cannot decide what has changed if two lists of alternatives apply at once', () => {
  const of = (...oneOf: Json[]) => ({ anyOf: [{ type: 'string' }, { type: 'number' }], oneOf });
  const finding = [['changed in a way that cannot be compared', 'cannot tell']];
  const [both, one] = [of({ minLength: 1 }, { maximum: 9 }), of({ minLength: 1 })];
  expect(found(both, one)).toEqual({ sent: finding, given: finding });
  expect(found(both, both)).toEqual({ sent: [], given: [] });
});

it('the comparison of schemas takes what callers only get for no part of what they send, and the other way round', () => {
  const after = object({ got: { readOnly: true }, sent: { writeOnly: true } }, 'got', 'sent');
  expect(found(object({}), after)).toEqual({
    sent: [['field `sent` added, required', 'breaks']],
    given: [['field `got` added, required', 'fits']],
  });
});

it('the comparison of schemas takes another error code for nothing that breaks', () => {
  const before = object({ error: { enum: ['a', 'b'] } });
  const { given } = found(before, object({ error: { enum: ['b', 'c'] } }));
  expect(given).toEqual([
    ['field `error` lost the value `"a"`', 'fits'],
    ['field `error` gained the value `"c"`', 'fits'],
  ]);
  const pattern = (text: string) => object({ links: { type: 'array', items: object({ error: { pattern: text } }) } });
  expect(found(pattern('^(a): '), pattern('^(a|b): ')).given).toEqual([
    ['field `links[].error` has other error codes', 'fits'],
  ]);
});

it('the comparison of schemas takes another scope of a caller for nothing that breaks, but not another kind', () => {
  const shape = (values: readonly string[]) =>
    object({ scopes: { type: 'array', items: { enum: values } }, kind: { enum: values } });
  expect(found(shape(['a']), shape(['a', 'b']))).toEqual({
    sent: [
      ['field `scopes[]` gained the value `"b"`', 'fits'],
      ['field `kind` gained the value `"b"`', 'fits'],
    ],
    given: [
      ['field `scopes[]` gained the value `"b"`', 'fits'],
      ['field `kind` gained the value `"b"`', 'breaks'],
    ],
  });
});

it('the comparison of schemas says nothing of a default in what is given', () => {
  expect(found({ default: 1 }, { default: 2 })).toEqual({
    sent: [['changed its default from `1` to `2`', 'cannot tell']],
    given: [],
  });
});

it.each([
  ['leads nowhere', '#/components/schemas/None'],
  ['is not in this document', 'other.json#/x'],
  ['refers to itself', '#/components/schemas/Loop'],
])('the comparison of schemas refuses a reference that %s', (fault, $ref) => {
  const loop = { Loop: { $ref: '#/components/schemas/Loop' } };
  expect(() => found({ type: 'string' }, { $ref }, loop)).toThrow(fault);
});
