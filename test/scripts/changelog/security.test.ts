import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../scripts/changelog/json.ts';
import { documentOf, within } from './support.ts';

const OK: JsonObject = { responses: { 200: { description: '' } } };

describe('credentials', () => {
  const schemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, token: { type: 'http', scheme: 'bearer' } };
  const secured = (security: JsonObject['x'], securitySchemes: JsonObject = schemes) =>
    documentOf({ '/x': { post: { ...OK, security: security ?? [] } } }, { securitySchemes });

  it.each<
    [name: string, before: JsonObject['x'], after: JsonObject['x'], ...findings: [what: string, verdict: string][]]
  >([
    ['another one taken', [{ key: [] }], [{ key: [] }, { token: [] }], ['credential bearer taken now', 'fits']],
    [
      'one taken no more',
      [{ key: [] }, { token: [] }],
      [{ token: [] }],
      ['credential header X-Key refused now', 'breaks'],
    ],
    [
      'one needed at all',
      [],
      [{ token: [] }],
      ['credential none refused now', 'breaks'],
      ['credential bearer taken now', 'fits'],
    ],
    [
      'both at once',
      [{ key: [] }],
      [{ key: [], token: [] }],
      ['credential header X-Key refused now', 'breaks'],
      ['credential header X-Key and bearer taken now', 'fits'],
    ],
  ])('the credentials of the API document change by %s', (_, before, after, ...findings) => {
    expect(within(secured(before), secured(after))).toEqual(findings);
  });

  it('the credentials of the API document are identified by what is sent, with any name in the document', () => {
    const renamed = { other: { ...schemes.token, bearerFormat: 'JWT', description: 'a' } };
    expect(within(secured([{ token: [] }]), secured([{ other: [] }], renamed))).toEqual([]);
    const forAll = { ...documentOf({ '/x': { post: OK } }, { securitySchemes: schemes }), security: [{ token: [] }] };
    expect(within(secured([{ token: [] }]), forAll)).toEqual([]);
  });

  it('the credentials of the API document are identified by their names, in any case if the case does not matter', () => {
    const loud = { key: { type: 'apiKey', in: 'header', name: 'X-KEY' }, token: { type: 'http', scheme: 'Bearer' } };
    expect(within(secured([{ key: [], token: [] }]), secured([{ key: [], token: [] }], loud))).toEqual([]);
    const [quiet, other] = ['key', 'KEY'].map((name) => ({ key: { type: 'apiKey', in: 'query', name } }));
    expect(within(secured([{ key: [] }], quiet), secured([{ key: [] }], other))).toHaveLength(2);
  });

  it('the credentials of the API document differ by where they are sent', () => {
    const moved = { key: { type: 'apiKey', in: 'query', name: 'X-Key' } };
    expect(within(secured([{ key: [] }]), secured([{ key: [] }], moved))).toEqual([
      ['credential header X-Key refused now', 'breaks'],
      ['credential query X-Key taken now', 'fits'],
    ]);
  });
});
