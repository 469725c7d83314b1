import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter } from '../../src/statistics/bytes.ts';

describe('the bytes of a statistics file', () => {
  it.each(Array.from({ length: 12 }, (_, expected) => expected))(
    'the bytes of a statistics file hold numbers of every length, though %i were expected',
    (expected) => {
      for (let before = 0; before <= 10; before += 1) {
        const writer = new ByteWriter(expected);
        writer.bytes(new Uint8Array(before).fill(7));
        const numbers = [Number.MAX_SAFE_INTEGER, 0, 127, 128, 2 ** 49, Number.MAX_SAFE_INTEGER];
        for (const number of numbers) writer.number(number);
        const taken = writer.take();
        expect([before, taken.length]).toEqual([before, before + 8 + 1 + 1 + 2 + 8 + 8]);
        const reader = new ByteReader(taken);
        expect(reader.bytes(before)).toEqual(new Uint8Array(before).fill(7));
        expect(numbers.map(() => reader.number())).toEqual(numbers);
        expect(reader.isAtEnd).toBe(true);
      }
    },
  );

  it.each([-1, 0.5, 2 ** 53, Number.NaN, Infinity])('the bytes of a statistics file hold no %j', (number) => {
    const writer = new ByteWriter();
    expect(() => writer.number(number)).toThrow(RangeError);
    expect(writer.length).toBe(0);
  });

  it('the bytes of a statistics file are not read beyond their end', () => {
    const reader = new ByteReader(Uint8Array.of(0x80));
    expect(() => reader.number()).toThrow('the bytes end within a number');
    expect(() => new ByteReader(Uint8Array.of(1, 2)).bytes(3)).toThrow('the bytes end early');
    expect(() => new ByteReader(Uint8Array.of(1, 2)).skip(3)).toThrow('the bytes end early');
    const skipping = new ByteReader(Uint8Array.of(1, 2).buffer);
    skipping.skip(1);
    expect([skipping.number(), skipping.at]).toEqual([2, 2]);
  });
});
