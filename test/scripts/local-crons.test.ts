import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { isDue, runCrons } from '../../scripts/local-crons.ts';
import { FREQUENT_CRON } from '../../src/app/crons.ts';
import { ROOT } from './support/project.ts';

afterEach(() => void vi.useRealTimers());

const CRONS = ['17 4 * * *', '*/5 * * * *'];

it('the file wrangler.toml has these crons, and the Worker knows the second', () => {
  expect(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')).toContain(
    `crons = ${JSON.stringify(CRONS).replace(',', ', ')}`,
  );
  expect(CRONS[1]).toBe(FREQUENT_CRON);
});

it.each([
  ['17 4 * * *', '2026-11-24T04:17:30Z', true],
  ['17 4 * * *', '2026-11-24T04:18:00Z', false],
  ['17 4 * * *', '2026-11-24T16:17:00Z', false],
  ['*/5 * * * *', '2026-11-24T13:25:00Z', true],
  ['*/5 * * * *', '2026-11-24T13:26:00Z', false],
])('the cron %s is due at %s: %s', (cron, at, is) => {
  expect(isDue(cron, new Date(at))).toBe(is);
});

it.each(['1-5 * * * *', '* * * *'])('refuses the cron %s', (cron) => {
  expect(() => isDue(cron, new Date(0))).toThrow(TypeError);
});

it('runs each cron once in its minute, and the frequent one at once', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-24T04:14:50Z') });
  const runs: string[] = [];
  const worker = {
    scheduled: async ({ cron }: { cron: string }) => void runs.push(`${new Date().getUTCMinutes()} ${cron}`),
  };
  runCrons({ getWorker: async () => worker as never }, CRONS, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(6 * 60_000);
  expect(runs).toEqual(['14 */5 * * * *', '15 */5 * * * *', '17 17 4 * * *', '20 */5 * * * *']);
});

it('a server that stops begins no cron, not even one that waits for the Worker', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-24T04:14:50Z') });
  const scheduled = vi.fn();
  const stopping = new AbortController();
  runCrons({ getWorker: async () => ({ scheduled }) as never }, CRONS, stopping.signal);
  stopping.abort();
  await vi.advanceTimersByTimeAsync(6 * 60_000);
  expect(scheduled).not.toHaveBeenCalled();
});
