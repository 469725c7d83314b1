import { afterEach, expect, it, vi } from 'vitest';
import { chartRows } from '../../../src/platform/clicks/chart-rows.ts';
import type { Statistics } from '../../../src/platform/clicks/read-statistics.ts';
import { wordsIn } from '../../../src/platform/words.tsx';

const words = await wordsIn('en');

afterEach(() => void vi.useRealTimers());

const rowsOf = (unit: 'hour' | 'day' | 'week', keys: readonly string[], today: string) =>
  chartRows(
    words,
    {
      scope: { path: '/x' },
      view: { chosen: 'day', filters: {}, graph: null, card: null },
      report: { from: keys[0]!.slice(0, 10), to: '2026-05-31', rows: keys.map((key) => ({ key })), before: null },
      unit,
      today,
    } as unknown as Statistics,
    'visits',
  ).map(({ name, state }) => [name, state]);

it.each([
  ['2026-05-20T11:59:59.999Z', ['over', 'running', 'future']],
  ['2026-05-20T12:00:00.000Z', ['over', 'over', 'running']],
  ['2026-05-20T10:59:59.999Z', ['running', 'future', 'future']],
  ['2026-05-20T13:00:00.000Z', ['over', 'over', 'over']],
])('an hour of a chart is over when the next one begins: %s', (now, states) => {
  vi.setSystemTime(now);
  const hours = [10, 11, 12].map((hour) => `2026-05-20T${hour}:00:00Z`);
  expect(rowsOf('hour', hours, '2026-05-20').map(([, state]) => state)).toEqual(states);
});

it('a day and a week of a chart are over when their last day is', () => {
  expect(rowsOf('day', ['2026-05-19', '2026-05-20'], '2026-05-20')).toEqual([
    ['19 May 2026', 'over'],
    ['20 May 2026', 'running'],
  ]);
  expect(rowsOf('week', ['2026-05-11', '2026-05-18', '2026-05-25'], '2026-05-25')).toEqual([
    ['11 May 2026 to 17 May 2026', 'over'],
    ['18 May 2026 to 24 May 2026', 'over'],
    ['25 May 2026 to 31 May 2026', 'running'],
  ]);
});
