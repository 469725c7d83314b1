import { perLanguage } from '../../languages/per-language.ts';
import { addDays, daysBetween, HOUR_MS } from '../../time/day.ts';
import type { ChartRow } from '../kit/chart.tsx';
import type { PageWords } from '../words.tsx';
import { seriesOf, type GraphName } from './graphs.ts';
import type { Statistics } from './read-statistics.ts';
import { addressOf } from './view.ts';

export const TITLES = { hour: 'clicks.byHour', day: 'clicks.byDay', week: 'clicks.byWeek' } as const;

/** The rows of the chart of a page. A day or a week leads to the page of it alone. */
export function chartRows(
  words: PageWords,
  { scope, view, report, unit, today }: Statistics,
  graph: GraphName,
): ChartRow[] {
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
      const nameOf = (shift: number) => words.text('clicks.dayAndHour', { day: words.day(addDays(day, shift)), time });
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
    const nameOf = (shift: number) => rangeOf(words, addDays(key, shift), addDays(last, shift));
    return {
      ...row,
      count,
      name: nameOf(0),
      before: before(nameOf),
      tick: dayOfYear(words, key),
      href: hrefOf(key, last),
      state: last >= today ? 'running' : 'over',
    };
  });
}

/** Some days, such as "20 May 2026 to 22 May 2026". */
export const rangeOf = ({ text, day }: PageWords, from: string, to: string): string =>
  from === to ? day(from) : text('clicks.range', { from: day(from), to: day(to) });

const daysIn = perLanguage(
  (language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

/** A day without its year, such as "20 May". */
function dayOfYear({ language, day: write }: PageWords, day: string): string {
  if (language === 'en') return write(day).replace(/ \d{4}$/, '');
  return daysIn(language).format(Date.parse(day));
}

function stateOf(key: string, now: number): ChartRow['state'] {
  const start = Date.parse(key);
  if (start > now) return 'future';
  return start + HOUR_MS > now ? 'running' : 'over';
}
