import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withProgress } from '../../scripts/progress.ts';

let said: string[];

beforeEach(() => {
  said = [];
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation((line: string) => void said.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('the progress line says on a terminal how far the work is, until it ends', async () => {
  let rows = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = withProgress(
    () => `Reading rows (${rows})`,
    () => promise,
    true,
  );
  await vi.advanceTimersByTimeAsync(5000);
  rows = 7;
  await vi.advanceTimersByTimeAsync(5000);
  resolve('done');
  expect(await work).toBe('done');
  await vi.advanceTimersByTimeAsync(5000);
  expect(said).toEqual(['Reading rows (0), after 5 s …', 'Reading rows (7), after 10 s …']);
});

it('the progress line says nothing after work that fails, and nothing elsewhere', async () => {
  const failing = withProgress(
    () => 'Reading',
    () => Promise.reject(new Error('no rows')),
    true,
  );
  await expect(failing).rejects.toThrow('no rows');
  const slow = withProgress(
    () => 'Reading',
    () => new Promise<void>((resolve) => setTimeout(resolve, 20_000)),
    false,
  );
  await vi.advanceTimersByTimeAsync(20_000);
  await slow;
  expect(said).toEqual([]);
});
