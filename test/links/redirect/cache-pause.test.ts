import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CachePause } from '../../../src/links/redirect/cache-pause.ts';

beforeEach(() => void vi.setSystemTime(1_000_000));
afterEach(() => void vi.useRealTimers());

it('a pause of KV begins with three timeouts in a row, and lets one read through each ten seconds', () => {
  const pause = new CachePause();
  const state = () => [pause.isPossible, pause.isOver];
  expect(state()).toEqual([false, true]);
  pause.timedOut();
  pause.timedOut();
  expect(state()).toEqual([true, true]);
  pause.timedOut();
  expect(state()).toEqual([true, false]);
  vi.setSystemTime(1_009_999);
  expect(state()).toEqual([true, false]);
  vi.setSystemTime(1_010_000);
  expect(state()).toEqual([true, true]);
  expect(state()).toEqual([true, false]);
  pause.timedOut();
  vi.setSystemTime(1_020_000);
  expect(state()).toEqual([true, true]);
  pause.responded();
  expect([state(), state()]).toEqual([
    [false, true],
    [false, true],
  ]);
});

it('a pause of KV does not begin if a response comes between timeouts', () => {
  const pause = new CachePause();
  for (const _ of [1, 2, 3]) {
    pause.timedOut();
    pause.timedOut();
    pause.responded();
  }
  expect([pause.isPossible, pause.isOver]).toEqual([false, true]);
});

it('a pause of KV ends if the clock goes backwards', () => {
  const pause = new CachePause();
  for (const _ of [1, 2, 3]) pause.timedOut();
  vi.setSystemTime(0);
  expect(pause.isOver).toBe(true);
});
