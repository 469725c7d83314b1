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
    <dl class={isLong(report) ? 'totals long' : 'totals'}>
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
function VisitorTile({ report, visitors: { sum, compared } }: { report: Report; visitors: ReportedVisitors }) {
  const isKnown = sum !== null && missingOf(sum, report) === null;
  return (
    <div>
      <dt>Visitors</dt>
      <dd>{isKnown ? formatCount(sum.total) : '–'}</dd>
      {isKnown && compared && <dd class="change">{changeOf(compared.now, compared.before)}</dd>}
    </div>
  );
}

/** The note that says what the number of visitors counts, or why there is none. */
export function VisitorNote({ report }: { report: Report }) {
  if (!report.visitors) return null;
  const { sum } = report.visitors;
  const missing = missingOf(sum, report);
  return (
    <p class="quiet">
      Visitors: {sum === null || missing !== null ? missing : `people a day, summed${daysOf(sum, report)}`}.
    </p>
  );
}

// A number of six characters is wider than a quarter of a phone.
const isLong = (report: Report): boolean => TILES.some(([, kind]) => report[kind] >= 10_000);

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
function changeOf(now: number, before: number): string {
  if (now === before) return 'no change';
  if (before === 0) return 'new';
  const percent = Math.round((100 * (now - before)) / before);
  const sign = now > before ? '+' : '−';
  return `${sign}${percent === 0 ? 'less than 1' : formatCount(Math.abs(percent))} % from ${formatCount(before)}`;
}
