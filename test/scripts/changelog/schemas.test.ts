import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../../scripts/changelog/compare.ts';
import type { Json } from '../../../scripts/changelog/json.ts';
import { documentOf } from './support.ts';

/** What is found where one and the same schema is what callers send, and what they are given. */
function found(before: Json, after: Json, components: { [name: string]: Json } = {}) {
  const operations = [before, after].map((schema) => ({
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: '', content: { 'application/json': { schema } } } },
  }));
  const [old, now] = operations.map((post) => documentOf({ '/x': { post } }, { schemas: components }));
  const findings = compareDocuments(old ?? {}, now ?? {}).flatMap(({ changes }) => changes);
  const of = (subject: string) =>
    findings
      .filter(({ what }) => what.startsWith(subject))
      .map(({ what, breaking, unclassified }) => [
        what.slice(subject.length + 1),
        unclassified ? 'cannot tell' : breaking ? 'breaks' : 'fits',
      ]);
  return { sent: of('request'), given: of('answer 200') };
}

const object = (properties: { [name: string]: Json }, ...required: string[]): Json => ({
  type: 'object',
  properties,
  required,
});

// Each with what it says, what it is for what callers send, and what it is for what they are given.
const RULES: readonly (readonly [
  name: string,
  before: Json,
  after: Json,
  what: string,
  sent: string,
  given: string,
])[] = [
  ['an optional field added', object({}), object({ a: true }), 'field `a` added', 'fits', 'fits'],
  ['a required field added', object({}), object({ a: true }, 'a'), 'field `a` added, required', 'breaks', 'fits'],
  ['a field removed', object({ a: true }), object({}), 'field `a` removed', 'breaks', 'breaks'],
  ['a deprecated field removed', object({ a: { deprecated: true } }), object({}), 'field `a` removed', 'fits', 'fits'],
  [
    'a field deprecated',
    object({ a: {} }),
    object({ a: { deprecated: true } }),
    'field `a` deprecated',
    'fits',
    'fits',
  ],
  ['a field made required', object({ a: {} }), object({ a: {} }, 'a'), 'field `a` made required', 'breaks', 'fits'],
  ['a field made optional', object({ a: {} }, 'a'), object({ a: {} }), 'field `a` made optional', 'fits', 'breaks'],
  [
    'a field deep down',
    object({ a: object({}) }),
    object({ a: object({ b: {} }) }),
    'field `a.b` added',
    'fits',
    'fits',
  ],
  [
    'a field of items',
    { type: 'array', items: object({ a: {} }) },
    { type: 'array', items: object({}) },
    'field `[].a` removed',
    'breaks',
    'breaks',
  ],
  [
    'another type',
    { type: 'string' },
    { type: 'boolean' },
    'changed its type from string to boolean',
    'breaks',
    'breaks',
  ],
  ['fewer types', { type: 'number' }, { type: 'integer' }, 'changed its type from number to integer', 'breaks', 'fits'],
  ['more types', { type: 'integer' }, { type: 'number' }, 'changed its type from integer to number', 'fits', 'breaks'],
  [
    'null as well',
    { type: 'string' },
    { type: ['string', 'null'] },
    'changed its type from string to string or null',
    'fits',
    'breaks',
  ],
  [
    'null no more',
    { type: ['string', 'null'] },
    { type: 'string' },
    'changed its type from string or null to string',
    'breaks',
    'fits',
  ],
  ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, 'gained the value `"b"`', 'fits', 'breaks'],
  ['a value less', { enum: ['a', 'b'] }, { const: 'a' }, 'lost the value `"b"`', 'breaks', 'fits'],
  ['values at all', { type: 'string' }, { type: 'string', enum: ['a'] }, 'has a list of values now', 'breaks', 'fits'],
  [
    'values no more',
    { type: 'string', enum: ['a'] },
    { type: 'string' },
    'has no list of values any more',
    'fits',
    'breaks',
  ],
  ['a higher maximum', { maximum: 1 }, { maximum: 2 }, 'changed its maximum from `1` to `2`', 'fits', 'breaks'],
  ['a lower maximum', { maxLength: 2 }, { maxLength: 1 }, 'changed its max length from `2` to `1`', 'breaks', 'fits'],
  ['a higher minimum', { minItems: 1 }, { minItems: 2 }, 'changed its min items from `1` to `2`', 'breaks', 'fits'],
  ['a bound', { type: 'string' }, { type: 'string', minLength: 1 }, 'has a min length now: `1`', 'breaks', 'fits'],
  [
    'a bound no more',
    { type: 'string', minLength: 1 },
    { type: 'string' },
    'has no min length any more',
    'fits',
    'breaks',
  ],
  ['a format', { type: 'string' }, { type: 'string', format: 'uuid' }, 'has a format now: `"uuid"`', 'breaks', 'fits'],
  [
    'a format no more',
    { type: 'string', format: 'uuid' },
    { type: 'string' },
    'has no format any more',
    'fits',
    'breaks',
  ],
  ['a pattern', { type: 'string' }, { type: 'string', pattern: 'a' }, 'has a pattern now: `"a"`', 'breaks', 'fits'],
  [
    'items once each',
    { type: 'array' },
    { type: 'array', uniqueItems: true },
    'takes no item twice any more',
    'breaks',
    'fits',
  ],
  [
    'closed',
    { type: 'object' },
    { type: 'object', additionalProperties: false },
    'takes no further fields any more',
    'breaks',
    'fits',
  ],
  [
    'opened',
    { type: 'object', additionalProperties: false },
    { type: 'object' },
    'may have further fields now',
    'fits',
    'breaks',
  ],
  [
    'the type of further fields',
    { type: 'object', additionalProperties: { type: 'number' } },
    { type: 'object', additionalProperties: { type: 'integer' } },
    'field `*` changed its type from number to integer',
    'breaks',
    'fits',
  ],
  [
    'a text that is JSON',
    { type: 'string', contentSchema: object({ a: {} }) },
    { type: 'string', contentSchema: object({}) },
    'field `(JSON).a` removed',
    'breaks',
    'breaks',
  ],
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

it.each(RULES)('%s', (_, before, after, what, sent, given) => {
  const { sent: request, given: answer } = found(before, after);
  expect(request).toContainEqual([what, sent]);
  expect(answer).toContainEqual([what, given]);
});

describe('what is the same, said otherwise', () => {
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
  ])('%s', (_, before, after) => {
    expect(found(before, after, NODE)).toEqual({ sent: [], given: [] });
  });
});

it('finds what has changed in a schema that contains itself, once', () => {
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

it('cannot tell what has happened where two lists of alternatives hold at once', () => {
  const of = (...oneOf: Json[]) => ({ anyOf: [{ type: 'string' }, { type: 'number' }], oneOf });
  const finding = [['changed in a way that cannot be compared', 'cannot tell']];
  const [both, one] = [of({ minLength: 1 }, { maximum: 9 }), of({ minLength: 1 })];
  expect(found(both, one)).toEqual({ sent: finding, given: finding });
  expect(found(both, both)).toEqual({ sent: [], given: [] });
});

it('takes what callers only get for no part of what they send, and the other way round', () => {
  const after = object({ got: { readOnly: true }, sent: { writeOnly: true } }, 'got', 'sent');
  expect(found(object({}), after)).toEqual({
    sent: [['field `sent` added, required', 'breaks']],
    given: [['field `got` added, required', 'fits']],
  });
});

it('takes another error code for nothing that breaks', () => {
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

it('says nothing of a default in what is given', () => {
  expect(found({ default: 1 }, { default: 2 })).toEqual({
    sent: [['changed its default from `1` to `2`', 'cannot tell']],
    given: [],
  });
});

it.each([
  ['leads nowhere', '#/components/schemas/None'],
  ['is not in this document', 'other.json#/x'],
  ['refers to itself', '#/components/schemas/Loop'],
])('refuses a reference that %s', (fault, $ref) => {
  const loop = { Loop: { $ref: '#/components/schemas/Loop' } };
  expect(() => found({ type: 'string' }, { $ref }, loop)).toThrow(fault);
});
