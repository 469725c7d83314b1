import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsvLines, unguard, unguardBeginning } from '../../src/text/spreadsheet.ts';

/** CSV that people open in a spreadsheet, in which no cell begins like a formula. */

const lineOf = (text: string) => toCsvLines([[text]]).slice(0, -2);
/** The text of a line with one cell, as an import reads it. */
const readBack = (line: string) => unguard(line.slice(1, -1).replaceAll('""', '"'));

const UNSEEN = [
  ' ',
  '\u00A0',
  '\u00AD',
  '\u034F',
  '\u061C',
  '\u115F',
  '\u180E',
  '\u2000',
  '\u200B',
  '\u200C',
  '\u200D',
].concat(
  [
    '\u200E',
    '\u200F',
    '\u2028',
    '\u2029',
    '\u202E',
    '\u202F',
    '\u205F',
    '\u2060',
    '\u2066',
    '\u2800',
    '\u3000',
    '\u3164',
  ],
  ['\uFE0F', '\uFEFF', '\u{E0001}', '\0', '\u000B', '\u001F', '\u007F', '\u0085'],
);
const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];

describe('a text in a CSV', () => {
  it.each([
    ['plain', '"plain"'],
    ['it "is"', '"it ""is"""'],
    ["it's", '"it\'s"'],
    ['=1', '"\'=1"'],
    ["'=1", '"\'\'=1"'],
    [';=', '";\'="'],
    ['x;=1+1', '"x;\'=1+1"'],
    ['x,=1+1', '"x,\'=1+1"'],
    ['x\t=1+1', '"x\t\'=1+1"'],
    ['x\r\n=1', '"x\r\n\'=1"'],
    ['x; "=1"', '"x;\' ""=1"""'],
    ['\t=1', '"\'\t\'=1"'],
    ['\tx', '"\'\tx"'],
    ['=1;=2,=3', "\"'=1;'=2,'=3\""],
    // No formulas.
    ['a=1', '"a=1"'],
    ['a;b', '"a;b"'],
    ['https://maps.example/@40.7,-74.0,12z', '"https://maps.example/@40.7,-74.0,12z"'],
    ['{"a":[1, -2]}', '"{""a"":[1, -2]}"'],
    // Cells such as these are guarded, if not for a comma alone.
    ['x;-74.0', '"x;\'-74.0"'],
    ['x,-1+cmd', '"x,\'-1+cmd"'],
  ])('a text in a CSV is guarded and read back: %j as %s', (text, line) => {
    expect(lineOf(text)).toBe(line);
    expect(readBack(line)).toBe(text);
  });

  it.each(UNSEEN.map((blank) => [`U+${blank.codePointAt(0)!.toString(16).toUpperCase()}`, blank] as const))(
    'a text in a CSV is guarded with %s before each sign of a formula, at its beginning and after each separator',
    (_, blank) => {
      for (const sign of SIGNS) {
        for (const before of ['', 'x;', 'x,', 'x\t', 'x\n']) {
          const text = `${before}${blank}${sign}1+1`;
          expect(lineOf(text)).toBe(`"${before}'${blank}${sign}1+1"`);
          expect(readBack(lineOf(text))).toBe(text);
        }
      }
    },
  );

  const piece = constantFrom(...SIGNS, ...UNSEEN, "'", '"', ',', ';', '\t', '\r', '\n', 'a', '1', '.', ']', '😀');
  const hostile = oneof(
    array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    string({ unit: 'binary' }),
  );

  it('a text in a CSV is read back as it was, whatever it is', () => {
    assert(
      property(hostile, (text) => {
        expect(readBack(lineOf(text))).toBe(text);
      }),
      { seed: 41, numRuns: 3000 },
    );
  });

  it('a text in a CSV begins no cell with a formula where a semicolon, a tab or a line end separates cells and quotes do not count', () => {
    const begin = /^[\p{Z}\p{C}\p{DI}\u2800"]*[=+\-@＝＋－＠﹦﹢﹣﹫]/u;
    assert(
      property(array(hostile, { minLength: 1, maxLength: 4 }), (cells) => {
        const file = toCsvLines([cells]);
        expect(file.split(/[;\t\r\n]/).filter((cell) => begin.test(cell))).toEqual([]);
        const numbers = /^[\p{Z}]*[+-]\d[\d.]*(?:$|[\]}"])/u;
        expect(file.split(',').filter((cell) => begin.test(cell) && !numbers.test(cell))).toEqual([]);
      }),
      { seed: 42, numRuns: 3000 },
    );
  });

  it('a text in a CSV of 100,000 characters takes time that grows with its length', () => {
    for (const unit of [";'", ';"', '; ', "'", ',+1', ',+1.', '\t=']) {
      const text = unit.repeat(100_000 / unit.length);
      expect(readBack(lineOf(text))).toBe(text);
    }
  });
});

it('a CSV has quotes around texts, and none around numbers and what is absent', () => {
  expect(toCsvLines([['a', 1, null, -1, '1']])).toBe('"a",1,,-1,"1"\r\n');
  expect(toCsvLines([])).toBe('');
});

it('the removal of guards keeps what another service has guarded but for the beginning', () => {
  expect(["'=1", "a;'=1", "it's"].map(unguardBeginning)).toEqual(['=1', "a;'=1", "it's"]);
});
