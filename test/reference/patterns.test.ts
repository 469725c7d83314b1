import { describe, expect, it } from 'vitest';
import { DOCUMENT } from '../support/documented.ts';
import { unportablePart } from '../support/portable-pattern.ts';

function patternsOf(value: unknown, at: string): [at: string, pattern: string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    const isPattern = name === 'pattern' && typeof inner === 'string';
    return isPattern ? [[at, inner]] : patternsOf(inner, `${at}/${name}`);
  });
}

describe('a pattern of the API document', () => {
  it('a pattern of the API document compiles in Go, Python and other languages', () => {
    const patterns = [...patternsOf(DOCUMENT.paths, 'paths'), ...patternsOf(DOCUMENT.components, 'components')];
    expect(patterns.length).toBeGreaterThan(0);
    expect(
      patterns.flatMap(([at, pattern]) => {
        const part = unportablePart(pattern);
        return part === null ? [] : [`${at}: "${part}" of ${pattern} does not compile everywhere`];
      }),
    ).toEqual([]);
  });

  it.each([
    ['(?!', '^(?!a)b$'],
    ['(?<=', '(?<=a)b'],
    ['(?<n', '(?<name>a)'],
    [String.raw`\p`, String.raw`^\p{L}$`],
    [String.raw`[\p{L}]`, String.raw`^[\p{L}]+$`],
    [String.raw`\u`, String.raw`\u00e4`],
    [String.raw`\w`, String.raw`\w+`],
    [String.raw`\1`, String.raw`(a)\1`],
    ['[a&&b]', '[a&&b]'],
    ['[ä]', '[ä]'],
    ['*+', 'a*+'],
    ['{1,1001}', 'a{1,1001}'],
    ['{', 'a{'],
  ])('a pattern of the API document would be found by %s', (part, pattern) => {
    expect(unportablePart(pattern)).toBe(part);
  });

  it.each([
    ['^[A-Za-z0-9._~-]{1,64}$'],
    [String.raw`^[^\x00-\x1f\x7f-\x9f]*$`],
    [String.raw`^(?:0|[1-9]\d*)\.x$`],
    ['^[a-z_]+: .'],
    [String.raw`^[!-~\[\]]{2,}$`],
  ])('a pattern of the API document may be %s', (pattern) => {
    expect(unportablePart(pattern)).toBeNull();
  });
});
