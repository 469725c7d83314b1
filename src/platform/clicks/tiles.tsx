import type { Counts } from '../../clicks/link-clicks.ts';
import type { Report, ReportedVisitors } from '../../clicks/report.ts';
import type { Visitors } from '../../clicks/visitor-days.ts';
import { dayOf } from '../../time/day.ts';
import { formatCount, formatDay } from '../kit/numbers.ts';

const TILES = [
  ['People', 'humans'],
  ['Previews', 'previews'],
  ['Bots', 'bots'],
] as const satisfies readonly (readonly [string, keyof Counts])[];

/** The number of clicks of each kind, and how it differs from that of the days before. */
export function Tiles({ report }: { report: Report }) {
  const { before, filteredFrom } = report;
  const isComparable = before !== null && before.filteredFrom === null && filteredFrom === null;
  return (
    <dl class="totals">
      {TILES.map(([term, kind]) => (
        <div>
          <dt>{term}</dt>
          <dd>{formatCount(report[kind])}</dd>
          {isComparable && <dd class="change">{changeOf(report[kind], before[kind])}</dd>}
        </div>
      ))}
      {report.visitors && <VisitorTile report={report} visitors={report.visitors} />}
    </dl>
  );
}

/** People a day, summed: a person who comes back on another day, or follows another link, counts again. */
function VisitorTile({ report, visitors }: { report: Report; visitors: ReportedVisitors }) {
  const { sum, compared } = visitors;
  const missing = missingOf(sum, report);
  if (sum === null || missing !== null) return <VisitorCount count="–" note={missing ?? ''} change={null} />;
  return (
    <VisitorCount
      count={formatCount(sum.total)}
      note={`people a day, summed${daysOf(sum, report)}`}
      change={compared && changeOf(compared.now, compared.before)}
    />
  );
}

function VisitorCount({ count, note, change }: { count: string; note: string; change: string | null }) {
  return (
    <div>
      <dt>Visitors</dt>
      <dd>{count}</dd>
      {change !== null && <dd class="change">{change}</dd>}
      <dd class="change">{note}</dd>
    </div>
  );
}

/** Why there is no number; null if there is one. */
function missingOf(sum: Visitors | null, { humans }: Report): string | null {
  if (sum === null) return 'not known for these days';
  return sum.total === 0 && humans > 0 ? 'not counted: these people asked not to be tracked' : null;
}

/** Which days are counted, where they are not all of the range up to today. */
function daysOf(sum: Visitors, { from, to }: Report): string {
  const today = dayOf(Date.now());
  const since = sum.from > from ? ` since ${formatDay(sum.from)}` : '';
  return sum.to < to && sum.to < today ? `${since} until ${formatDay(sum.to)}` : since;
}

/** A change in words: "+12 % from 50", "new", "no change". */
export function changeOf(now: number, before: number): string {
  if (now === before) return 'no change';
  if (before === 0) return 'new';
  const percent = Math.round((100 * (now - before)) / before);
  const sign = now > before ? '+' : '−';
  return `${sign}${percent === 0 ? 'less than 1' : formatCount(Math.abs(percent))} % from ${formatCount(before)}`;
}
