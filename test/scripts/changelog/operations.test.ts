import { describe, expect, it } from 'vitest';
import { compareDocuments } from '../../../scripts/changelog/compare.ts';
import type { JsonObject } from '../../../scripts/changelog/json.ts';
import { documentOf, within } from './support.ts';

const DONE: JsonObject = { 200: { description: '' } };
const OK: JsonObject = { responses: DONE };

describe('operations', () => {
  it('the comparison of operations says which were added, removed and deprecated, removals first', () => {
    const before = documentOf({ '/a': { get: OK, post: OK }, '/b': { get: OK } });
    const after = documentOf({
      '/a': { get: { ...OK, deprecated: true } },
      '/b': { get: OK, patch: OK },
      '/c': { get: OK },
    });
    expect(compareDocuments(before, after)).toEqual([
      { kind: 'removed', method: 'POST', path: '/a', breaking: true, changes: [] },
      { kind: 'deprecated', method: 'GET', path: '/a', breaking: false, changes: [] },
      { kind: 'added', method: 'PATCH', path: '/b', breaking: false, changes: [] },
      { kind: 'added', method: 'GET', path: '/c', breaking: false, changes: [] },
    ]);
  });

  it('the comparison of operations accepts a removal if the last release said that it was deprecated', () => {
    const before = documentOf({ '/a': { get: { ...OK, deprecated: true } } });
    expect(compareDocuments(before, documentOf({}))).toEqual([
      { kind: 'removed', method: 'GET', path: '/a', breaking: false, changes: [] },
    ]);
  });

  it('the comparison of operations knows a path whose parameters are called otherwise, and says it as it is now', () => {
    const parameter = (name: string, type: string) => ({ name, in: 'path', required: true, schema: { type } });
    const of = (one: string, other: string, type: string) => ({
      [`/a/{${one}}/{${other}}`]: {
        parameters: [parameter(one, 'string')],
        get: { ...OK, parameters: [parameter(other, type)] },
      },
    });
    const before = documentOf(of('x', 'y', 'string'));
    expect(compareDocuments(before, documentOf(of('y', 'x', 'string')))).toEqual([]);
    expect(compareDocuments(before, documentOf(of('id', 'n', 'integer')))).toEqual([
      {
        kind: 'changed',
        method: 'GET',
        path: '/a/{id}/{n}',
        breaking: true,
        changes: [
          { what: 'path parameter `n` changed its type from string to integer', breaking: true, unclassified: false },
        ],
      },
    ]);
  });

  it('the comparison of operations finds nothing where only words for readers differ', () => {
    const before = documentOf({ '/a': { get: { ...OK, summary: 'a', tags: ['a'], operationId: 'a', 'x-a': 1 } } });
    const after = {
      ...documentOf({ '/a': { get: { ...OK, description: 'b' }, description: 'b' } }),
      tags: [],
      servers: [],
    };
    expect(compareDocuments(before, after)).toEqual([]);
  });

  it('the comparison of operations breaks where the API is at another address', () => {
    const before = documentOf({ '/a': { get: OK } });
    const servers = [{ url: '/api' }];
    expect(within(before, { ...before, servers })).toEqual([['document changed its servers', 'cannot tell']]);
    expect(within(before, { ...before, servers: [{ url: '/', description: 'a' }] })).toEqual([]);
    const finding = [['operation changed its servers', 'cannot tell']];
    expect(within(before, documentOf({ '/a': { get: OK, servers } }))).toEqual(finding);
    expect(within(before, documentOf({ '/a': { get: { ...OK, servers } } }))).toEqual(finding);
  });

  it('the comparison of operations says in one entry what has changed in the document as a whole', () => {
    const after = { ...documentOf({}), webhooks: { a: {} }, jsonSchemaDialect: 'a' };
    expect(compareDocuments(documentOf({}), after).map(({ changes }) => changes.map(({ what }) => what))).toEqual([
      ['document changed its webhooks', 'document changed its jsonSchemaDialect'],
    ]);
  });

  it('the comparison of operations says once what has changed alike in several alternatives', () => {
    const of = (more: JsonObject) => {
      const oneOf = [1, 2].map((k) => ({ type: 'object', properties: { k: { const: k }, ...more } }));
      return documentOf({ '/a': { get: answers({ 200: json({ oneOf }) }) } });
    };
    expect(within(of({}), of({ a: {} }))).toEqual([['answer 200 field `a` added', 'fits']]);
  });

  it('the comparison of operations breaks where the document says something that it does not know', () => {
    expect(compareDocuments(documentOf({}), { ...documentOf({}), webhooks: { a: {} } })).toEqual([
      {
        kind: 'changed',
        method: 'ANY',
        path: '*',
        breaking: true,
        changes: [{ what: 'document changed its webhooks', breaking: true, unclassified: true }],
      },
    ]);
  });
});

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const query = (more: JsonObject = {}): JsonObject => ({ parameters: [{ name: 'q', in: 'query', ...more }], ...OK });
const body = (more: JsonObject): JsonObject => ({ requestBody: { ...json({ type: 'object' }), ...more }, ...OK });
const answers = (responses: JsonObject): JsonObject => ({ responses });
const header = (more: JsonObject, name = 'ETag'): JsonObject => answers({ 200: { headers: { [name]: more } } });
const text: JsonObject = { schema: { type: 'string' } };

it.each<[name: string, before: JsonObject, after: JsonObject, ...findings: [what: string, verdict: string][]]>([
  ['a parameter added', OK, query(), ['query parameter `q` added', 'fits']],
  ['a required one', OK, query({ required: true }), ['query parameter `q` added, required', 'breaks']],
  ['a parameter removed', query(), OK, ['query parameter `q` removed', 'breaks']],
  ['a deprecated one', query({ deprecated: true }), OK, ['query parameter `q` removed', 'fits']],
  ['a parameter deprecated', query(), query({ deprecated: true }), ['query parameter `q` deprecated', 'fits']],
  ['a parameter made required', query(), query({ required: true }), ['query parameter `q` made required', 'breaks']],
  ['a parameter made optional', query({ required: true }), query(), ['query parameter `q` made optional', 'fits']],
  [
    'a parameter narrowed',
    query({ schema: { maximum: 9 } }),
    query({ schema: { maximum: 8 } }),
    ['query parameter `q` changed its maximum from `9` to `8`', 'breaks'],
  ],
  [
    'a parameter spelled otherwise',
    query(),
    query({ explode: false }),
    ['query parameter `q` changed its explode', 'cannot tell'],
  ],
  ['a default of the format written out', query(), query({ style: 'form', explode: true })],
  [
    'a parameter that is JSON now',
    query(text),
    query({ content: { 'application/json': text } }),
    ['query parameter `q` changed its content type', 'cannot tell'],
  ],
  [
    'a header parameter in other letters',
    { parameters: [{ name: 'If-Match', in: 'header' }], ...OK },
    { parameters: [{ name: 'if-match', in: 'header' }], ...OK },
  ],
  ['a body added', OK, body({}), ['request body added', 'fits']],
  ['a required one', OK, body({ required: true }), ['request body added, required', 'breaks']],
  ['a body removed', body({}), OK, ['request body removed', 'breaks']],
  ['a body made required', body({}), body({ required: true }), ['request body made required', 'breaks']],
  ['a body made optional', body({ required: true }), body({}), ['request body made optional', 'fits']],
  [
    'a type of body added',
    body({ content: { 'text/csv': text } }),
    body({ content: { 'text/csv': text, 'text/plain': text } }),
    ['request (text/plain) added', 'fits'],
  ],
  [
    'a type of body removed',
    body({ content: { 'text/csv': text, 'text/plain': text } }),
    body({ content: { 'text/csv': text } }),
    ['request (text/plain) removed', 'breaks'],
  ],
  [
    'a status added',
    OK,
    answers({ ...DONE, 201: {}, 404: {} }),
    ['answer 201 added', 'fits'],
    ['answer 404 added', 'fits'],
  ],
  ['a redirect where there was none', OK, answers({ ...DONE, 302: {} }), ['answer 302 added', 'breaks']],
  ['an answer to a condition', OK, answers({ ...DONE, 304: {} }), ['answer 304 added', 'fits']],
  [
    'a status that was one of the others, with another body',
    answers({ ...DONE, default: json({ type: 'string' }) }),
    answers({ ...DONE, 404: json({ type: 'number' }), default: json({ type: 'string' }) }),
    ['answer 404 added', 'fits'],
    ['answer 404 changed its type from string to number', 'breaks'],
  ],
  [
    'a status that was one of its class, with the same body',
    answers({ ...DONE, '4XX': json({ type: 'string' }) }),
    answers({ ...DONE, 404: json({ type: 'string' }), '4XX': json({ type: 'string' }) }),
    ['answer 404 added', 'fits'],
  ],
  ['a status removed', answers({ 200: {}, 404: {} }), answers({ 200: {} }), ['answer 404 removed', 'breaks']],
  ['no others any more', answers({ 200: {}, default: {} }), answers({ 200: {} }), ['answer default removed', 'fits']],
  ['an answer with a body', OK, answers({ 200: json({}) }), ['answer 200 body (application/json) added', 'fits']],
  ['an answer without', answers({ 200: json({}) }), OK, ['answer 200 body (application/json) removed', 'breaks']],
  ['a header added', OK, header(text), ['answer 200 header `ETag` added', 'fits']],
  ['a header removed', header(text), OK, ['answer 200 header `ETag` removed', 'breaks']],
  ['a header in other letters', header(text), header(text, 'etag')],
  [
    'a header that may be missing',
    header({ ...text, required: true }),
    header(text),
    ['answer 200 header `ETag` made optional', 'breaks'],
  ],
  [
    'a header deprecated',
    header(text),
    header({ ...text, deprecated: true }),
    ['answer 200 header `ETag` deprecated', 'fits'],
  ],
  [
    'a header of another content',
    header({ content: { 'text/plain': { schema: { maxLength: 1 } } } }),
    header({ content: { 'text/plain': { schema: { maxLength: 2 } } } }),
    ['answer 200 header `ETag` changed its max length from `1` to `2`', 'breaks'],
  ],
  [
    'a header that is always there',
    header(text),
    header({ ...text, required: true }),
    ['answer 200 header `ETag` made required', 'fits'],
  ],
  [
    'other error codes',
    answers({ 400: { 'x-error-codes': ['a', 'b'] } }),
    answers({ 400: { 'x-error-codes': ['b', 'c', 'd'] } }),
    ['answer 400 lost the error code `a`', 'fits'],
    ['answer 400 gained the error codes `c`, `d`', 'fits'],
  ],
  ['an operation deprecated no more', { ...OK, deprecated: true }, OK, ['operation not deprecated any more', 'fits']],
  ['callbacks', OK, { ...OK, callbacks: {} }, ['operation changed its callbacks', 'cannot tell']],
])('%s', (_, before, after, ...findings) => {
  expect(within(documentOf({ '/x': { post: before } }), documentOf({ '/x': { post: after } }))).toEqual(findings);
});
