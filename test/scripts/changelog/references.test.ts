import { expect, it } from 'vitest';
import { compareDocuments } from '../../../scripts/changelog/compare.ts';
import type { Json } from '../../../scripts/changelog/json.ts';
import { documentOf } from './support.ts';

const REFERENCE = { $ref: '#/components/schemas/A' };

it.each<[name: string, next: Json]>([
  ['with something beside it', { ...REFERENCE, description: 'a' }],
  ['as one of its parts', { allOf: [REFERENCE], description: 'a' }],
  ['or null', { anyOf: [REFERENCE, { type: 'null' }] }],
])('the comparison of schemas comes to an end where a schema contains itself %s', (_, next) => {
  const whats = changesOfComponent(
    { type: 'object', properties: { next: REFERENCE } },
    { type: 'object', properties: { next, value: { type: 'string' } } },
    { type: 'object', properties: { next, value: { type: 'number' } } },
  );
  expect(whats).toContain('answer 200 field `next.value` changed its type from string to number');
});

it.each<[name: string, schema: Json, before: Json, after: Json, what: string]>([
  [
    'beside other fields',
    { ...REFERENCE, properties: { b: {} } },
    { type: 'object', properties: { a: {} } },
    { type: 'object' },
    'answer 200 field `a` removed',
  ],
  [
    'within a keyword that is not known',
    { type: 'string', not: REFERENCE },
    { const: 'a' },
    { const: 'b' },
    'answer 200 changed its not from `{"const":"a"}` to `{"const":"b"}`',
  ],
  [
    'within what cannot be merged',
    { allOf: [{ pattern: 'x' }, REFERENCE] },
    { pattern: 'a' },
    { pattern: 'b' },
    'answer 200 changed in a way that cannot be compared',
  ],
])('the comparison of schemas follows a reference %s', (_, schema, before, after, what) => {
  expect(changesOfComponent(schema, before, after)).toEqual([what]);
});

it('the comparison of schemas knows alternatives by their fixed fields when their schemas are called otherwise', () => {
  const of = (prefix: string, more: { [name: string]: Json } = {}) => {
    const names = ['a', 'b'].map((kind) => `${prefix}-${kind}`);
    const oneOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const schemas = names.map((name) => [
      name,
      { type: 'object', properties: { kind: { const: name.at(-1) ?? '' }, ...more } },
    ]);
    return documentOf(
      { '/x': { get: { responses: { 200: { content: { 'application/json': { schema: { oneOf } } } } } } } },
      { schemas: Object.fromEntries(schemas) },
    );
  };
  const drafts = compareDocuments(of('old'), of('new', { more: {} }));
  expect(drafts.flatMap(({ changes }) => changes.map(({ what }) => what))).toEqual(['answer 200 field `more` added']);
});

/** Finds the changes where a response has this schema, and only the schema `A` has changed, to which it refers. */
function changesOfComponent(schema: Json, before: Json, after: Json): readonly string[] {
  const [old, now] = [before, after].map((A) =>
    documentOf(
      { '/x': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } } },
      { schemas: { A } },
    ),
  );
  return compareDocuments(old ?? {}, now ?? {}).flatMap(({ changes }) => changes.map(({ what }) => what));
}
