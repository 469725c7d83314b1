import type { Counts } from '../../clicks/link-clicks.ts';
import type { Report } from '../../clicks/report.ts';
import { formatCount } from '../kit/numbers.ts';

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
    </dl>
  );
}

/** A change in words: "+12 % from 50", "new", "no change". */
export function changeOf(now: number, before: number): string {
  if (now === before) return 'no change';
  if (before === 0) return 'new';
  const percent = Math.round((100 * (now - before)) / before);
  const sign = now > before ? '+' : '−';
  return `${sign}${percent === 0 ? 'less than 1' : formatCount(Math.abs(percent))} % from ${formatCount(before)}`;
}
