import { describe, expect, it } from 'vitest';
import { holds, parseCondition, wordsOf } from '../../../support/visitors.ts';

const present = { type: 'query', name: 'ref' };
const either = { ...present, in: ['a', 'ü &', ''] };

const held = (condition: object, searches: readonly string[]) =>
  searches.filter((search) => holds(condition, { search }));

describe('a condition about a query parameter', () => {
  it('a condition about a query parameter without values holds if the query has the parameter', () => {
    const searches = ['?ref', '?ref=', 'x=1&ref=2', '?r%65f=1'];
    const others = ['', '?', '?Ref=1', '?reff=1', '?x=ref', '?x#ref=1'];
    expect(held(present, [...searches, ...others])).toEqual(searches);
    expect(held({ ...present, not: true }, [...searches, ...others])).toEqual(others);
  });

  it('a condition about a query parameter with values holds if the parameter has one of them, also if it is given twice', () => {
    const searches = ['?ref=a', '?ref=b&ref=a', '?ref', '?ref=%C3%BC+%26', '?ref=ü%20%26'];
    const others = ['?ref=b', '?ref=A', '?ref=a,b', '?ref=a%00', '?a=ref', ''];
    expect(held(either, [...searches, ...others])).toEqual(searches);
    expect(held({ ...either, not: true }, [...searches, ...others])).toEqual(others);
  });

  it('a condition about a query parameter finds no parameter in a query that is longer than a destination may be', () => {
    const long = `?ref=a&${'x'.repeat(8192 - 7)}`;
    expect(held(present, [long, `${long}x`])).toEqual([long]);
  });

  it('a condition about a query parameter is not misled by malformed escapes and lone surrogates', () => {
    expect(held(present, ['?%', '?ref=%E4%', '?\ud800', '?%zz=1&ref'])).toEqual(['?ref=%E4%', '?%zz=1&ref']);
  });

  it('a condition about a query parameter is stored as it was sent, each value once', () => {
    expect(parseCondition({ ...either, in: [...either.in, 'a'], not: true })).toEqual({ ...either, not: true });
    expect(JSON.stringify(parseCondition(present))).toBe(JSON.stringify(present));
  });

  it.each([
    [{ name: undefined }, 'missing_field', '.name is required.'],
    [{ name: '' }, 'invalid_rules', '.name must not be empty.'],
    [{ name: 'x'.repeat(101) }, 'too_long', '.name must be at most 100 characters long.'],
    [{ in: [] }, 'invalid_rules', '.in must contain 1 to 250 values.'],
    [{ in: ['a', 'x'.repeat(501)] }, 'too_long', '.in.1 must be at most 500 characters long.'],
    [{ not: false }, 'invalid_rules', '.not must be true, or left out.'],
    [{ value: 'a' }, 'invalid_rules', ' must not have the field "value".'],
  ])('a condition about a query parameter with %j is refused', (change, code, complaint) => {
    expect(() => parseCondition({ ...present, ...change })).toThrow(
      expect.objectContaining({ code, message: `rules.0.if.0${complaint}` }),
    );
  });

  it('a condition about a query parameter has a sentence in words', () => {
    expect(wordsOf(present)).toBe('the query has the parameter "ref"');
    expect(wordsOf({ ...present, not: true })).toBe('the query has no parameter "ref"');
    expect(wordsOf(either)).toBe('the query parameter "ref" is "a", "ü &" or ""');
    expect(wordsOf({ ...either, not: true })).toBe('the query parameter "ref" is not "a", "ü &" or ""');
  });
});
