import { addDays, daysBetween, HOUR_MS } from '../../time/day.ts';
import type { ChartRow } from '../kit/chart.tsx';
import { formatDay } from '../kit/numbers.ts';
import { seriesOf, type GraphName } from './graphs.ts';
import type { Statistics } from './read-statistics.ts';
import { addressOf } from './view.ts';

export const TITLES = { hour: 'Clicks by hour', day: 'Clicks by day', week: 'Clicks by week' } as const;

/** The rows of the chart of a page. A day or a week leads to the page of it alone. */
export function chartRows({ scope, view, report, unit, today }: Statistics, graph: GraphName): ChartRow[] {
  const now = Date.now();
  const days = daysBetween(report.from, report.to) + 1;
  const series = seriesOf(report, graph);
  const hrefOf = (from: string, to: string) =>
    from === report.from && to === report.to ? null : addressOf(scope.path, { ...view, chosen: { from, to } });
  return report.rows.map((row, index) => {
    const key = row.key ?? '';
    const [count = null, former = null] = [series.now[index], series.before[index]];
    const before = (name: (shift: number) => string) => (former === null ? null : { count: former, name: name(-days) });
    if (unit === 'hour') {
      const [day, time] = [key.slice(0, 10), key.slice(11, 16)];
      const nameOf = (shift: number) => `${formatDay(addDays(day, shift))}, ${time}`;
      return {
        ...row,
        count,
        name: nameOf(0),
        before: before(nameOf),
        tick: time,
        href: null,
        state: stateOf(key, now),
      };
    }
    const next = report.rows[index + 1]?.key ?? null;
    const last = unit === 'day' ? key : next === null ? report.to : addDays(next, -1);
    const nameOf = (shift: number) => rangeOf(addDays(key, shift), addDays(last, shift));
    return {
      ...row,
      count,
      name: nameOf(0),
      before: before(nameOf),
      tick: formatDay(key).replace(/ \d{4}$/, ''),
      href: hrefOf(key, last),
      state: last >= today ? 'running' : 'over',
    };
  });
}

/** Some days, such as "20 May 2026 to 22 May 2026". */
export const rangeOf = (from: string, to: string): string =>
  from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;

function stateOf(key: string, now: number): ChartRow['state'] {
  const start = Date.parse(key);
  if (start > now) return 'future';
  return start + HOUR_MS > now ? 'running' : 'over';
}
