import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { UsageError } from '../../scripts/cli-error.ts';
import { missingCodes, withCodes } from '../../scripts/error-codes.ts';
import { ENDPOINTS } from '../../scripts/reference/document.ts';
import type { Endpoint } from '../../scripts/reference/endpoint.ts';
import { errorPattern } from '../../scripts/reference/failures.ts';
import { input } from '../../scripts/reference/schema.ts';
import { meaningOf } from '../../src/reference/code-meanings.ts';

const place = z.strictObject({ name: z.string(), zone9: z.string().optional() });

/** An endpoint with a field and a parameter that the service does not know. */
const ENDPOINT: Endpoint = {
  method: 'post',
  path: '/v1/places',
  operationId: 'createPlace',
  tag: 'Places',
  summary: 'Create a place',
  takes: ['bearer'],
  query: { schema: z.strictObject({ floor9: z.enum(['a', 'b']), note: z.string() }) },
  body: { types: ['application/json'], schema: input('NewPlace', () => place), example: {} },
  answers: {},
  codes: ['not_found'],
  headers: [],
};

describe('the error codes', () => {
  it('the error codes of all endpoints are those of the service', () => {
    expect(missingCodes(ENDPOINTS)).toEqual([]);
  });

  it('the error codes of a new field and a new parameter are missing, and none of a parameter that can be any text', () => {
    expect(missingCodes([ENDPOINT])).toEqual(['invalid_floor9', 'invalid_zone9']);
  });

  it('the error codes are added after the last one of their kind', () => {
    const text = readFileSync('src/errors.ts', 'utf8');
    const added = ['invalid_zone9', 'place_taken', 'too_many_places'];
    const lines = text.split('\n');
    const [of400, of409] = [/^ {2}invalid_\w+: 400,$/, /: 409,$/].map((kind) =>
      lines.findLastIndex((line) => kind.test(line)),
    ) as [number, number];
    expect(withCodes(text, added).split('\n')).toEqual([
      ...lines.slice(0, of400 + 1),
      '  invalid_zone9: 400,',
      ...lines.slice(of400 + 1, of409 + 1),
      '  place_taken: 409,',
      '  too_many_places: 409,',
      ...lines.slice(of409 + 1),
    ]);
  });

  it('the error codes are not added if their name does not say their status', () => {
    const add = () => withCodes('  invalid_url: 400,\n', ['place_closed']);
    expect(add).toThrow(new UsageError('place_closed has no status: add it to src/errors.ts.'));
  });

  it('the error codes have digits in the pattern of errors only if a field has some', () => {
    expect(errorPattern(['invalid_url']).test('invalid_zone9: It is.')).toBe(false);
    expect(errorPattern(['invalid_zone9']).test('invalid_zone9: It is.')).toBe(true);
  });

  it('the error codes mean what their names say, unless they have a sentence of their own', () => {
    expect((['invalid_slug', 'too_many_tags', 'tag_taken'] as const).map(meaningOf)).toEqual([
      'The value of slug is not valid.',
      'The limit of tags of a client is reached.',
      'Another tag of the client has the name; case does not matter.',
    ]);
  });
});
