import { afterEach, describe, expect, it, vi } from 'vitest';
import { Tallies } from '../../src/isolate/tallies.ts';

afterEach(() => void vi.useRealTimers());

describe('what an isolate counts', () => {
  it('what an isolate counts stays as it is if the sum would be too large', () => {
    const tallies = new Tallies();
    const takes = [60, 50, 40, 1].map((weight) => tallies.take('a', weight, 100));
    expect([takes, tallies.take('b', 100, 100)]).toEqual([[true, false, true, false], true]);
  });

  it('what an isolate counts begins anew with the minute of the clock', () => {
    vi.setSystemTime(new Date('2026-11-22T10:00:59.999Z'));
    const tallies = new Tallies();
    tallies.fill('a');
    expect([tallies.isFull('a'), tallies.has('a'), tallies.take('a', 1, 10)]).toEqual([true, true, false]);
    vi.setSystemTime(new Date('2026-11-22T10:01:00.000Z'));
    expect([tallies.isFull('a'), tallies.has('a'), tallies.take('a', 1, 10)]).toEqual([false, false, true]);
  });

  it('what an isolate counts is bounded: of too many keys the oldest is forgotten', () => {
    const tallies = new Tallies();
    for (let n = 0; n <= 20_000; n++) tallies.take(`key ${n}`, 1, 1);
    expect([tallies.has('key 0'), tallies.has('key 1'), tallies.has('key 20000')]).toEqual([false, true, true]);
  });
});
