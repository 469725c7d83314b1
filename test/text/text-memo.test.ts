import { describe, expect, it } from 'vitest';
import { TextMemo } from '../../src/text/text-memo.ts';

function openMemo(mostEntries: number, mostBytes = 1_000_000) {
  const computed: string[] = [];
  const compute = (text: string) => {
    computed.push(text);
    return text === '' ? null : text.length;
  };
  return { memo: new TextMemo(compute, { mostEntries, mostBytes }), computed };
}

describe('a memory of texts', () => {
  it('a memory of texts computes a value once, also if that is null', () => {
    const { memo, computed } = openMemo(10);
    expect(['ab', '', 'ab', ''].map((text) => memo.of(text))).toEqual([2, null, 2, null]);
    expect(computed).toEqual(['ab', '']);
  });

  it('a memory of texts drops the oldest text when it has too many', () => {
    const { memo, computed } = openMemo(2);
    for (const text of ['a', 'b', 'a', 'c', 'b', 'c', 'a', 'c', 'b']) memo.of(text);
    expect(computed).toEqual(['a', 'b', 'c', 'a', 'b']);
  });

  it('a memory of texts drops texts until the new one fits in its bytes', () => {
    const { memo, computed } = openMemo(100, 2700);
    const long = 'x'.repeat(1000);
    for (const text of ['a', 'b', long, 'b', 'a', long]) memo.of(text);
    expect(computed).toEqual(['a', 'b', long, 'a']);
  });

  it('a memory of texts keeps nothing that is longer than all of its bytes', () => {
    const { memo, computed } = openMemo(100, 3000);
    const long = 'x'.repeat(2000);
    expect([memo.of(long), memo.of(long), memo.of('a')]).toEqual([2000, 2000, 1]);
    expect(computed).toEqual([long, long, 'a']);
  });
});
