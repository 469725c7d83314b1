import { addDays, HOUR_MS } from '../../time/day.ts';
import type { ChartRow } from '../kit/chart.tsx';
import { formatDay } from '../kit/numbers.ts';
import type { Statistics } from './read-statistics.ts';
import { addressOf } from './view.ts';

export const TITLES = { hour: 'Clicks by hour', day: 'Clicks by day', week: 'Clicks by week' } as const;

/** The rows of the chart of a page. A day or a week leads to the page of it alone. */
export function chartRows({ scope, view, report, unit, today }: Statistics): ChartRow[] {
  const now = Date.now();
  const hrefOf = (from: string, to: string) =>
    from === report.from && to === report.to ? null : addressOf(scope.path, { ...view, chosen: { from, to } });
  return report.rows.map((row, index) => {
    const key = row.key ?? '';
    if (unit === 'hour') return { ...row, ...hour(key), href: null, state: stateOf(key, now) };
    const next = report.rows[index + 1]?.key ?? null;
    const last = unit === 'day' ? key : next === null ? report.to : addDays(next, -1);
    return {
      ...row,
      name: key === last ? formatDay(key) : `${formatDay(key)} to ${formatDay(last)}`,
      tick: formatDay(key),
      href: hrefOf(key, last),
      state: last >= today ? 'running' : 'over',
    };
  });
}

const hour = (key: string) => ({
  name: `${formatDay(key.slice(0, 10))}, ${key.slice(11, 16)}`,
  tick: key.slice(11, 16),
});

function stateOf(key: string, now: number): ChartRow['state'] {
  const start = Date.parse(key);
  if (start > now) return 'future';
  return start + HOUR_MS > now ? 'running' : 'over';
}
